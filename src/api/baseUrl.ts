import { InputError, shorten } from './errors.ts';
import { maskUrl } from './mask.ts';

/** `/chain` or `/cosmos` at the end, or followed by an operation (`/bank/v1beta1/…`, `/base/tendermint/v1beta1/…`). */
const segmentInPath = /\/(chain|cosmos)(?:\/?$|\/[a-z]+(?:\/[a-z]+)?\/v\d+(?:[a-z]+\d*)?(?:\/|$))/;

/** The address of a node, read once, when its source is made. */
export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** What stands between the origin and the segment, without a slash at its end; mostly "". */
  readonly basePath: string;
  /** The first path segment of the contract (`chain`, `cosmos`), where it was given with one. */
  readonly segment: string | undefined;
  /** `origin` and `basePath`: the normal form of the address. */
  readonly href: string;
}

/**
 * Reads the address of a node as a person types or pastes it: http or https, any port and path, with or without a
 * trailing slash. A segment or a whole operation at its end is understood and cut off.
 *
 * @throws InputError with the reason and, where there is one, the address that was probably meant.
 */
export function parseBaseUrl(text: string): BaseUrl {
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
