import type { RestAddress } from '../session/presets.ts';

interface Listed {
  readonly address: string;
  readonly provider?: string | undefined;
}

/**
 * The REST addresses of a chain as base URLs: http(s) only, without credentials, query or trailing slash, none twice, https
 * before http. Hosts that look like RPC are left out, unless the address itself says that it is REST.
 */
export function toRestAddresses(listed: readonly Listed[]): RestAddress[] {
  const found = new Map<string, RestAddress>();
  for (const { address, provider } of listed) {
    const url = toBaseUrl(address);
    if (!url || found.has(url)) continue;
    const name = provider?.trim();
    found.set(url, name ? { url, provider: name } : { url });
  }
  const all = [...found.values()];
  const secure = ({ url }: RestAddress) => url.startsWith('https:');
  return [
    ...all.filter(secure),
    ...all.filter((one) => !secure(one) && !found.has(one.url.replace(/^http:/, 'https:'))),
  ];
}

function toBaseUrl(address: string): string | undefined {
  const url = URL.parse(address.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username || url.password || url.search || url.hash || looksLikeRpc(url)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** `rpc.example.org`, `x-rpc2.example.org`, port 26657; but not `rest-rpc.example.org`, nor port 1317, which is that of REST. */
function looksLikeRpc(url: URL): boolean {
  if (url.port === '26657') return true;
  const words = `${url.hostname}${url.pathname}`.split(/[./-]/);
  const saysRest = url.port === '1317' || words.some((word) => /^(rest|lcd|api)\d*$/.test(word));
  return !saysRest && url.hostname.split(/[.-]/).some((word) => /^rpc\d*$/.test(word));
}
