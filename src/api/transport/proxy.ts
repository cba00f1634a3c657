import { isIP } from 'node:net';
import { InputError } from '../errors.ts';
import { decodePercent } from '../masks.ts';
import { bareHost, isIn, isLocalhostName, subnets } from './addresses.ts';
import type { Peer } from './failures.ts';
import type { NetworkOptions } from './transportTypes.ts';

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
  const host = bareHost(url.hostname);
  if (isIP(host) ? isIn(loopback, host) : isLocalhostName(host)) return undefined;
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
    peer: { name: `the proxy ${address.hostname}:${port}`, host: bareHost(address.hostname), isProxy: true },
    authorization: user === ':' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`,
  };
}

const loopback = subnets('127.0.0.0/8', '::1/128');

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
