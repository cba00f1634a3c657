import { InputError, shorten } from './errors.ts';
import { maskUrl } from './mask.ts';

/** `/chain` or `/cosmos` at the end, or followed by an operation (`/bank/v1beta1/…`, `/base/tendermint/v1beta1/…`). */
const segmentInPath = /\/(chain|cosmos)(?:\/?$|\/[a-z]+(?:\/[a-z]+)?\/v\d+(?:[a-z]+\d*)?(?:\/|$))/;

/**
 * Reads the address of a node as a person types or pastes it: http or https, any port and path, with or without a
 * trailing slash. A segment or a whole operation at its end is understood and cut off. `href` is `origin` + `basePath` and never
 * ends in a slash; `segment` only when it was pasted with one.
 *
 * @throws InputError with the reason and, where there is one, the address that was probably meant.
 */
export function parseBaseUrl(text: string) {
  const typed = text.trim();
  const shown = shorten(maskUrl(typed));
  if (typed === '') throw new InputError('The base URL is empty. Enter an address such as https://rest.example.com');
  if (/[\s\\\x00-\x1f\x7f]/.test(typed)) throw new InputError(`The base URL "${shown}" holds a space or a backslash`);
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(typed)) throw missingScheme(typed, shown);
  if (!/^https?:/i.test(typed)) throw new InputError(`The base URL "${shown}" must begin with http:// or https://`);
  const url = URL.parse(typed);
  if (!url || !/^https?:\/\/[^/?#]/i.test(typed)) throw new InputError(`"${shown}" is not a web address`);
  if (url.username || url.password) {
    throw new InputError(
      `The base URL "${shown}" holds a user name or a password. Leave it out, and set a header for this endpoint instead`,
    );
  }
  const found = segmentInPath.exec(url.pathname);
  const segment = found?.[1];
  const whole = found !== null && found[0].length > (segment?.length ?? 0) + 2;
  if (url.hash) throw new InputError(`The base URL "${shown}" must not hold a fragment (${shorten(url.hash)})`);
  if (typed.includes('?') && !whole) {
    throw new InputError(`The base URL "${shown}" must not hold a query (?…). Enter only the part before it`);
  }
  const basePath = (found ? url.pathname.slice(0, found.index) : url.pathname).replace(/(?<!\/)\/+$/, '');
  return { origin: url.origin, basePath, segment, href: url.origin + basePath };
}

function missingScheme(typed: string, shown: string): InputError {
  const scheme = /^(localhost|127\.|\[::1\])/i.test(typed) ? 'http' : 'https';
  const meant = typed.replace(/^(https?:)?\/*/i, '');
  const refused = `The base URL "${shown}" does not begin with http:// or https://`;
  if (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(meant) || !URL.canParse(`${scheme}://${meant}`)) return new InputError(refused);
  return new InputError(`${refused}. Did you mean ${shorten(maskUrl(`${scheme}://${meant}`))} ?`);
}
