import { type HttpError, isHttpError, isReplyError, isUnreachable, reasonOf } from '../api/errors.ts';
import type { AddressFault } from '../chain/address.ts';
import type { Translate } from './language.ts';

/**
 * Why something could not be read, the cause first and in few words: `Needs a key (401)`, `Gateway down (503)`,
 * `Web page, not a node`. The whole sentence with the address is `Error.message`.
 */
export function causeText(error: unknown, t: Translate): string {
  if (isHttpError(error)) return httpStatusText(error, t);
  if (isUnreachable(error)) return connectionText(error.code, t) ?? capital(error.reason);
  if (isReplyError(error) && error.code === 'page') return t('Web page, not a node');
  return capital(reasonOf(error));
}

/** Why there is no list of proposals or validators. A state may lack what its chain has. */
export function absenceText(list: 'proposals' | 'validators', isState: boolean, t: Translate): string {
  if (list === 'proposals')
    return isState ? t('Proposals are not in this state') : t('This chain has no governance module');
  return isState ? t('Validators are not in this state') : t('This source does not list validators');
}

const offlineCodes: readonly string[] = ['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'EHOSTUNREACH'];

/** Whether several addresses failed before any request left this machine: it is offline, rather than all of them wrong. */
export function isOffline(errors: readonly unknown[]): boolean {
  return errors.length > 1 && errors.every((error) => isUnreachable(error) && offlineCodes.includes(error.code));
}

function httpStatusText(error: HttpError, t: Translate): string {
  const { status, grpcCode, nodeMessage, reason } = error;
  // What a node says itself is more than its status.
  if (grpcCode !== undefined && nodeMessage) return isServed(error) ? capital(nodeMessage) : capital(reason);
  if (status === 401 || status === 403) return t('Needs a key ({0})', status);
  if (status === 429) return t('Limits requests (429)');
  if (status === 502 || status === 503 || status === 504) return t('Gateway down ({0})', status);
  return capital(reason);
}

/** Whether our own service answered in the editor, where a status of HTTP means nothing to a person. */
function isServed({ url }: HttpError): boolean {
  return !/^https?:/.test(url);
}

function connectionText(code: string, t: Translate): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return t('Refuses connections: nothing listens there');
    case 'ENOTFOUND':
      return t('The name does not resolve');
    case 'EAI_AGAIN':
      return t('The name does not resolve just now');
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
    case 'CLOSED':
      return t('Closes the connection without a whole answer');
    case 'ENETUNREACH':
    case 'ENETDOWN':
    case 'EHOSTUNREACH':
      return t('No network route');
    default:
      return undefined;
  }
}

function capital(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** Why an address cannot be taken, in one sentence. */
export function addressFaultText(fault: AddressFault, t: Translate): string {
  if (fault.kind === 'character') return t('Not an address: character {0} is not allowed', fault.at + 1);
  if (fault.kind === 'prefix')
    return fault.role
      ? t('This address ({0}1…) is not one of an account: {1}1… is needed', fault.found, fault.expected)
      : t('Of another chain ({0}1…): addresses of this chain begin with {1}1', fault.found, fault.expected);
  return {
    empty: t('Type or paste an account address'),
    hex: t('This is a hexadecimal address: the chain takes the one with letters, such as cosmos1…'),
    length: t('Not an address yet: too short, or too long'),
    mixedCase: t('Not an address: upper and lower case are mixed'),
    separator: t('Not an address: a prefix and 1 are missing'),
    checksum: t('The checksum is wrong: a character is mistyped or missing'),
    bytes: t('Not an address: its length is not a whole number of bytes'),
  }[fault.kind];
}
