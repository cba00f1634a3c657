import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Failure } from './failures.ts';

/** Gives the host of a URL without the brackets around an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

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

/** Makes a list of subnets, each as an address with the length of its prefix: `10.0.0.0/8`. */
export function subnets(...entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix = ''] = entry.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** True if an IP address belongs to a subnet of the list. */
export function isIn(list: BlockList, address: string): boolean {
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
  const host = bareHost(new URL(origin).hostname);
  return isIP(host) ? isLocalAddress(host) : isLocalhostName(host);
}

/**
 * The addresses that a redirect must not lead to: link-local ones from anywhere, and any local one from a public
 * address.
 */
export type Forbidden = 'linkLocal' | 'local';

const forbidden: Readonly<Record<Forbidden, { readonly list: BlockList; readonly words: string }>> = {
  linkLocal: { list: linkLocal, words: 'a link-local address' },
  local: { list: local, words: 'a private network address' },
};

/**
 * Gives the words for the host of a redirect to `origin`, if it is an address or `localhost` that no redirect may lead
 * to.
 */
export function forbiddenHost(origin: string, kind: Forbidden): string | undefined {
  if (kind === 'local' && isLocalHost(origin)) return forbidden.local.words;
  const host = bareHost(new URL(origin).hostname);
  return isIP(host) && isIn(linkLocal, host) ? forbidden.linkLocal.words : undefined;
}

/** Resolves a name. Fails if one of its addresses is forbidden. */
export function lookupUnless(kind: Forbidden): LookupFunction {
  const { list, words } = forbidden[kind];
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      const isForbidden = found?.some(({ address }) => isIn(list, address));
      const reason = `${hostname} resolves to ${words}. Connections to it are not allowed`;
      const failure = isForbidden ? new Failure('PRIVATE_ADDRESS', reason) : error;
      if (failure || !first) callback(failure, '');
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

/** True if a name is that of this machine, whatever it resolves to. */
export function isLocalhostName(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}
