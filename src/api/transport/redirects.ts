import { maskUrl } from './maskUrl.ts';
import type { RawReply } from './route.ts';

const maxRedirects = 3;

/** Follows the redirects of one try: at most 3, never from https to http, never in a circle. */
export interface Redirects {
  /** The next address, undefined where `reply` is no redirect, or why it is not followed. */
  next(from: string, reply: RawReply): { readonly url: URL } | { readonly refused: string } | undefined;
}

export function createRedirects(): Redirects {
  const seen = new Set<string>();
  return {
    next(from, reply) {
      if (![301, 302, 303, 307, 308].includes(reply.status)) return undefined;
      const location = reply.headers.location;
      if (location === undefined) return { refused: 'It redirects without saying where to' };
      const url = URL.parse(location, from);
      if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
        return { refused: 'It redirects to something that is no web address' };
      url.hash = '';
      const shown = maskUrl(url.href);
      seen.add(from);
      if (seen.has(url.href)) return { refused: `It redirects in a circle (to ${shown})` };
      if (seen.size > maxRedirects) return { refused: `It redirects more than ${maxRedirects} times` };
      if (from.startsWith('https:') && url.protocol === 'http:') {
        return { refused: `It redirects to an address without encryption (${shown}), which is not followed` };
      }
      // A user or password in an address is not ours to send.
      url.username = '';
      url.password = '';
      return { url };
    },
  };
}
