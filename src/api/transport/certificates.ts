import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, getCACertificates, type PeerCertificate, type SecureContext } from 'node:tls';
import { InputError } from '../errors.ts';
import type { NetworkOptions } from '../transportTypes.ts';
import { Failure } from './failure.ts';

/** Whom a transport trusts. Made with the first TLS connection, because reading the system's certificates takes time. */
export interface Certificates {
  /** False when `http.proxyStrictSSL` is off: then nothing is checked. */
  readonly strict: boolean;
  /** @throws InputError when the CA file cannot be read or holds no certificate; asked again, it is read again. */
  context(): Promise<SecureContext>;
}

export function createCertificates(network: NetworkOptions): Certificates {
  let ready: Promise<SecureContext> | undefined;
  return {
    strict: network.proxyStrictSSL !== false,
    context() {
      ready ??= readContext(network).catch((error: unknown) => {
        ready = undefined;
        throw error;
      });
      return ready;
    },
  };
}

async function readContext(network: NetworkOptions): Promise<SecureContext> {
  const own = network.caFile ? await readCaFile(network.caFile) : [];
  const system = network.systemCertificates === false ? [] : systemCertificates();
  return createSecureContext({ ca: [...new Set([...getCACertificates('default'), ...system, ...own])] });
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
