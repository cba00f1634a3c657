import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { decodePercent } from '../baseUrl.ts';
import { codeOf, InputError } from '../errors.ts';
import { Failure, type Peer } from './failures.ts';
import type { NetworkOptions } from './transportTypes.ts';

/**
 * Reads the authorities that TLS trusts: Node's own list (undefined), the endpoint's CA file, and with `withSystem` the
 * system's authorities. Rejects with `InputError` if the CA file cannot be read or holds no certificate.
 */
export async function readTrust(network: NetworkOptions, withSystem: boolean): Promise<SecureContext | undefined> {
  const own = network.caFile ? await readCaFile(network.caFile) : [];
  const system = withSystem && network.systemCertificates !== false ? systemCertificates() : [];
  if (own.length + system.length === 0) return undefined;
  return createSecureContext({ ca: [...new Set([...getCACertificates('default'), ...system, ...own])] });
}

/**
 * Reads the system's certificates. Gives none if the platform's store cannot be read; the editor's own list still
 * counts.
 */
function systemCertificates(): string[] {
  try {
    return getCACertificates('system');
  } catch {
    return [];
  }
}

async function readCaFile(path: string): Promise<string[]> {
  const text = await readFile(path, 'latin1').catch((error: unknown) => {
    throw new InputError(`The CA file ${path} of this endpoint cannot be read (${codeOf(error)})`, { cause: error });
  });
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    if (found.length > 0) return found.map((pem) => new X509Certificate(pem).toString());
  } catch (error) {
    throw new InputError(`The CA file ${path} of this endpoint contains an invalid certificate`, { cause: error });
  }
  throw new InputError(`The CA file ${path} of this endpoint contains no PEM certificate`);
}

/** A forward proxy. `authorization` is the value of `Proxy-Authorization`, which appears in no message. */
export interface ForwardProxy {
  /** `http://host:port` or `https://host:port`. */
  readonly origin: string;
  readonly peer: Peer;
  readonly authorization: string | undefined;
}

/**
 * Gives the proxy for `origin`, or undefined to go there directly. Follows the editor's rules: no proxy for loopback;
 * then `http.noProxy` (NO_PROXY if it is empty); then `http.proxy`; then HTTPS_PROXY or HTTP_PROXY, the one of the
 * scheme first.
 *
 * @throws InputError for a proxy address that is not http or https.
 */
export function proxyFor(origin: string, network: NetworkOptions, env: NodeJS.ProcessEnv): ForwardProxy | undefined {
  if (network.proxySupport === 'off') return undefined;
  const url = new URL(origin);
  const host = bare(url.hostname);
  if (isIP(host) ? isIn(loopback, host) : isLocalhost(host)) return undefined;
  const secure = url.protocol === 'https:';
  const exceptions = network.noProxy?.length ? network.noProxy : (env.no_proxy || env.NO_PROXY || '').split(',');
  if (isExcepted(host, url.port || (secure ? '443' : '80'), exceptions)) return undefined;
  const https = env.https_proxy || env.HTTPS_PROXY;
  const http = env.http_proxy || env.HTTP_PROXY;
  const set = network.proxy?.trim();
  const text = set || (secure ? https || http : http || https)?.trim();
  if (!text) return undefined;
  const what = set ? 'The setting http.proxy' : 'The proxy in the environment';
  // HTTP_PROXY often holds `host:port` without a scheme.
  const address = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (!address?.hostname) throw new InputError(`${what} is not an address (http://host:port)`);
  if (address.protocol !== 'http:' && address.protocol !== 'https:') {
    throw new InputError(
      `${what} specifies a ${address.protocol.slice(0, -1)} proxy, which only the editor's network stack supports. Turn on chainInspector.useEditorFetch, or use an HTTP proxy`,
    );
  }
  const user = `${decodePercent(address.username)}:${decodePercent(address.password)}`;
  const port = address.port || (address.protocol === 'https:' ? '443' : '80');
  return {
    origin: address.origin,
    peer: { name: `the proxy ${address.hostname}:${port}`, host: bare(address.hostname), isProxy: true },
    authorization: user === ':' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`,
  };
}

function bare(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

const loopback = subnets('127.0.0.0/8', '::1/128');

/** Addresses that are not on the public internet, by the IANA registries of special-purpose addresses. */
const local = subnets(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3', '::/128', '::1/128', '64:ff9b:1::/48', '2002::/16', 'fc00::/6'],
);

/**
 * Addresses that no router passes on, also in the forms for IPv4 in IPv6 (RFC 6052, RFC 3056). Clouds keep credentials
 * there.
 */
const linkLocal = subnets('169.254.0.0/16', 'fe80::/10', '64:ff9b::169.254.0.0/112', '2002:a9fe::/32');

function subnets(...entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix = ''] = entry.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** True if an IP address belongs to this machine, its link, or a private network. */
export function isLocalAddress(address: string): boolean {
  return isIn(local, address);
}

/**
 * The same for the host of `origin`: an address, or `localhost`. Other names count by the addresses that they resolve
 * to.
 */
export function isLocalHost(origin: string): boolean {
  const host = bare(new URL(origin).hostname);
  return isIP(host) ? isLocalAddress(host) : isLocalhost(host);
}

/**
 * The addresses that a redirect must not lead to: link-local ones from anywhere, and any local one from a public
 * address.
 */
export type Forbidden = 'linkLocal' | 'local';

const forbidden: Readonly<Record<Forbidden, { readonly list: BlockList; readonly words: string }>> = {
  linkLocal: { list: linkLocal, words: 'a link-local address' },
  local: { list: local, words: 'an address of a private network' },
};

/**
 * Gives the words for the host of a redirect to `origin`, if it is an address or `localhost` that no redirect may lead
 * to.
 */
export function forbiddenHost(origin: string, isPublic: boolean): string | undefined {
  if (isPublic && isLocalHost(origin)) return forbidden.local.words;
  const host = bare(new URL(origin).hostname);
  return isIP(host) && isIn(linkLocal, host) ? forbidden.linkLocal.words : undefined;
}

/** Resolves a name. Fails if one of its addresses is forbidden. */
export function lookupUnless(kind: Forbidden): LookupFunction {
  const { list, words } = forbidden[kind];
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      const isForbidden = found?.some(({ address }) => isIn(list, address));
      const reason = `it leads to ${hostname}, which resolves to ${words} and is not followed`;
      const failure = isForbidden ? new Failure('PRIVATE_ADDRESS', reason) : error;
      if (failure || !first) callback(failure, '');
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

function isLocalhost(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}

/**
 * True if an exception matches: `*`, `host`, `host:port`, `.suffix`, `*.suffix`, or an address with or without a prefix
 * length (`10.0.0.0/8`).
 */
function isExcepted(host: string, port: string, exceptions: readonly string[]): boolean {
  return exceptions.some((text) => {
    const exception = text.trim().toLowerCase();
    if (exception === '*' || exception === host || exception === `${host}:${port}`) return true;
    if (isIP(host)) return isSubnet(exception) && isIn(subnets(exception), host);
    const suffix = exception.replace(/^\*?\.?/, '');
    return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
  });
}

function isSubnet(text: string): boolean {
  const [address = '', prefix = ''] = text.split('/');
  const family = isIP(address);
  return family !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}
