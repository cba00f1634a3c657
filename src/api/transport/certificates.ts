import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, getCACertificates, type PeerCertificate, type SecureContext } from 'node:tls';
import { InputError } from '../errors.ts';
import type { NetworkOptions } from '../transportTypes.ts';
import { Failure } from './failure.ts';

/** Whom one handshake trusts. */
export interface Trust {
  /** Undefined: Node's own list. */
  readonly context: SecureContext | undefined;
  /** Whether the system's authorities are among them, or are not wanted. */
  readonly whole: boolean;
}

/** Whom a transport trusts: Node's own list and the endpoint's CA file, and the system's authorities once they are needed. */
export interface Certificates {
  /** False when `http.proxyStrictSSL` is off: then nothing is checked. */
  readonly strict: boolean;
  /** Rejects with `InputError` when the CA file cannot be read or holds no certificate; asked again, it is read again. */
  trust(): Promise<Trust>;
  /** From now on the system's authorities too: reading them blocks for 60 ms and more, so not before one is missed. */
  widen(): void;
}

export function createCertificates(network: NetworkOptions): Certificates {
  let whole = network.systemCertificates === false;
  let ready: Promise<Trust> | undefined;
  return {
    strict: network.proxyStrictSSL !== false,
    trust() {
      ready ??= readTrust(network, whole).catch((error: unknown) => {
        ready = undefined;
        throw error;
      });
      return ready;
    },
    widen() {
      if (whole) return;
      whole = true;
      ready = undefined;
    },
  };
}

async function readTrust(network: NetworkOptions, whole: boolean): Promise<Trust> {
  const own = network.caFile ? await readCaFile(network.caFile) : [];
  const system = whole && network.systemCertificates !== false ? systemCertificates() : [];
  if (own.length + system.length === 0) return { context: undefined, whole };
  return {
    context: createSecureContext({ ca: [...new Set([...getCACertificates('default'), ...system, ...own])] }),
    whole,
  };
}

/** Whether the certificate failed only because nobody here vouches for it. */
export function isUnknownAuthority(error: unknown): boolean {
  return (
    error instanceof Failure && /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_)/.test(error.code)
  );
}

/** None where the platform's store cannot be read: the editor's own list still stands. */
function systemCertificates(): string[] {
  try {
    return getCACertificates('system');
  } catch {
    return [];
  }
}

async function readCaFile(path: string): Promise<string[]> {
  const text = await readFile(path, 'latin1').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new InputError(`The CA file ${path} of this endpoint cannot be read (${code})`, { cause: error });
  });
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    if (found.length > 0) return found.map((pem) => new X509Certificate(pem).toString());
  } catch (error) {
    throw new InputError(`The CA file ${path} of this endpoint holds a broken certificate`, { cause: error });
  }
  throw new InputError(`The CA file ${path} of this endpoint holds no certificate in PEM form`);
}

/** Why a certificate was not accepted, and what helps. `code` is OpenSSL's (X509_verify_cert_error_string) or Node's. */
export function certificateFailure(code: string, cert: PeerCertificate | undefined, name: string): Failure {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return new Failure(code, `its certificate has expired${on(cert?.valid_to)}: the operator must renew it`);
    case 'CERT_NOT_YET_VALID':
      return new Failure(
        code,
        `its certificate is not valid${on(cert?.valid_from, 'before') || ' yet'}: check this machine's clock`,
      );
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return new Failure(code, 'self-signed certificate: set a CA file for this endpoint if you trust it');
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return new Failure(
        code,
        `its certificate is signed by an authority unknown here${issuer(cert)}: set a CA file for this endpoint if you trust it`,
      );
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return new Failure('CERT_NAME_MISMATCH', `its certificate is not for ${name}${names(cert)}`);
    default:
      return new Failure(code, `its certificate is not accepted (${code})`);
  }
}

function on(time: string | undefined, word = 'on'): string {
  const date = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(date) ? '' : ` ${word} ${new Date(date).toISOString().slice(0, 10)}`;
}

function issuer(cert: PeerCertificate | undefined): string {
  const name = cert?.issuer?.CN ?? cert?.issuer?.O;
  return name ? ` (${plain(String(name))})` : '';
}

function names(cert: PeerCertificate | undefined): string {
  const listed = cert?.subjectaltname ?? cert?.subject?.CN;
  return listed ? `, but for ${plain(String(listed).replaceAll('DNS:', '').replaceAll('IP Address:', ''))}` : '';
}

/** A stranger wrote these names. */
function plain(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ').slice(0, 100);
}
