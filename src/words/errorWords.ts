import { type HttpError, isHttpError, isReplyError, isUnreachable, reasonOf } from '../api/errors.ts';
import type { AddressFault } from '../chain/address.ts';
import type { Translate } from './language.ts';

/**
 * Words the cause of a failed read in a few words: `Needs a key (401)`, `Gateway down (503)`, `Web page, not a node`.
 * `Error.message` has the whole sentence with the address.
 */
export function causeText(error: unknown, t: Translate): string {
  if (isHttpError(error)) return httpStatusText(error, t);
  if (isUnreachable(error)) return connectionText(error.code, t) ?? capital(error.reason);
  if (isReplyError(error) && error.code === 'page') return t('Web page, not a node');
  return capital(reasonOf(error));
}

/** Says why there are no proposals or validators. A state file may lack them although its chain has them. */
export function absenceText(list: 'proposals' | 'validators', isState: boolean, t: Translate): string {
  if (list === 'proposals')
    return isState ? t('This state does not include proposals') : t('This chain has no governance module');
  return isState ? t('This state does not include validators') : t('This source does not list validators');
}

const offlineCodes: readonly string[] = ['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'EHOSTUNREACH'];

/** Whether this machine is offline. This is assumed if several addresses failed before a request was sent. */
export function isOffline(errors: readonly unknown[]): boolean {
  return errors.length > 1 && errors.every((error) => isUnreachable(error) && offlineCodes.includes(error.code));
}

function httpStatusText(error: HttpError, t: Translate): string {
  const { status, grpcCode, nodeMessage, reason } = error;
  // The node's own words say more than the status.
  if (grpcCode !== undefined && nodeMessage) return isServed(error) ? capital(nodeMessage) : capital(reason);
  if (status === 401 || status === 403) return t('Needs an API key ({0})', status);
  if (status === 429) return t('Too many requests (429)');
  if (status === 502 || status === 503 || status === 504) return t('Gateway down ({0})', status);
  return capital(reason);
}

/** Whether our own service answered in the editor. HTTP statuses then mean nothing to the user. */
export function isServed({ url }: HttpError): boolean {
  return !/^https?:/.test(url);
}

/** The byte of a state file at which a sentence of the service says that reading ended; undefined if it names none. */
export function byteOf(sentence: string): number | undefined {
  const digits = /\((?:after )?byte (\d{1,15})[) ]/.exec(sentence)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function connectionText(code: string, t: Translate): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return t('Connection refused');
    case 'ENOTFOUND':
      return t('Host name not found');
    case 'EAI_AGAIN':
      return t('Host name lookup failed');
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
    case 'CLOSED':
      return t('Connection closed early');
    case 'ENETUNREACH':
    case 'ENETDOWN':
    case 'EHOSTUNREACH':
      return t('Network or host unreachable');
    default:
      return undefined;
  }
}

function capital(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** Says in one sentence why a text is no valid address. */
export function addressFaultText(fault: AddressFault, t: Translate): string {
  if (fault.kind === 'character') return t('Not an address: invalid character at position {0}', fault.at + 1);
  if (fault.kind === 'prefix')
    return fault.role
      ? t('Not an account address: {0}1… (expected {1}1…)', fault.found, fault.expected)
      : t('Address of another chain: {0}1… (expected {1}1…)', fault.found, fault.expected);
  return {
    empty: t('Type or paste an account address'),
    hex: t('Hexadecimal address: use the bech32 form, such as cosmos1…'),
    length: t('Not an address: too short or too long'),
    mixedCase: t('Not an address: mixed upper and lower case'),
    separator: t('Not an address: prefix missing, such as cosmos1'),
    checksum: t('Invalid checksum: a character is wrong or missing'),
    bytes: t('Not an address: invalid length'),
  }[fault.kind];
}
