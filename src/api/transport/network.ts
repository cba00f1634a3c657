import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BlockList, isIP } from 'node:net';
import { createSecureContext, getCACertificates, type PeerCertificate, type SecureContext } from 'node:tls';
import { InputError } from '../errors.ts';
import type { NetworkOptions } from '../transportTypes.ts';
import { Failure } from './failures.ts';

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

/** A forward proxy. `authorization` is the value of `Proxy-Authorization`; it stands in no message. */
export interface ForwardProxy {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly authorization: string | undefined;
}

/**
 * The proxy for `origin`, or undefined to go there directly, by the editor's rules: never for loopback; `http.noProxy`
 * (or, where that is empty, NO_PROXY); `http.proxy`; HTTPS_PROXY or HTTP_PROXY, the one of the scheme first.
 *
 * @throws InputError for a proxy address that is not http or https.
 */
export function proxyFor(origin: string, network: NetworkOptions, env: NodeJS.ProcessEnv): ForwardProxy | undefined {
  if (network.proxySupport === 'off') return undefined;
  const url = new URL(origin);
  const host = bare(url.hostname);
  if (isLoopback(host)) return undefined;
  const secure = url.protocol === 'https:';
  const exceptions = network.noProxy?.length ? network.noProxy : (env.no_proxy || env.NO_PROXY || '').split(',');
  if (isExcepted(host, url.port || (secure ? '443' : '80'), exceptions)) return undefined;
  const https = env.https_proxy || env.HTTPS_PROXY;
  const http = env.http_proxy || env.HTTP_PROXY;
  const text = network.proxy?.trim() || (secure ? https || http : http || https)?.trim();
  return text
    ? readProxy(text, network.proxy?.trim() ? 'The setting http.proxy' : 'The proxy of the environment')
    : undefined;
}

function readProxy(text: string, what: string): ForwardProxy {
  // Without a scheme, `host:port` is what HTTP_PROXY often holds.
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (!url?.hostname) throw new InputError(`${what} is not an address (http://host:port)`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new InputError(
      `${what} names a ${url.protocol.slice(0, -1)} proxy, which only the editor's own fetch can use: turn that on for requests, or name an http proxy`,
    );
  }
  const tls = url.protocol === 'https:';
  const user = `${unescaped(url.username)}:${unescaped(url.password)}`;
  return {
    host: bare(url.hostname),
    port: Number(url.port || (tls ? 443 : 80)),
    tls,
    authorization: user === ':' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`,
  };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function bare(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 4) return host.startsWith('127.');
  // URL writes IPv6 in its shortest form, IPv4-mapped addresses in hexadecimal.
  return family === 6 ? host === '::1' || host.startsWith('::ffff:7f') : /(^|\.)localhost\.?$/i.test(host);
}

/** `*`, `host`, `host:port`, `.suffix`, `*.suffix` and addresses with or without a prefix length (`10.0.0.0/8`). */
function isExcepted(host: string, port: string, exceptions: readonly string[]): boolean {
  return exceptions.some((exception) => matches(host, port, exception.trim().toLowerCase()));
}

function matches(host: string, port: string, exception: string): boolean {
  if (exception === '') return false;
  if (exception === '*' || exception === host || exception === `${host}:${port}`) return true;
  if (isIP(host)) return inSubnet(host, exception);
  const suffix = exception.replace(/^\*?\.?/, '');
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
}

function inSubnet(host: string, exception: string): boolean {
  const [address = '', prefix = ''] = exception.split('/');
  const family = isIP(address);
  if (
    family === 0 ||
    family !== isIP(host) ||
    !/^\d{1,3}$/.test(prefix) ||
    Number(prefix) > (family === 4 ? 32 : 128)
  ) {
    return false;
  }
  const list = new BlockList();
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(address, Number(prefix), kind);
  return list.check(host, kind);
}
