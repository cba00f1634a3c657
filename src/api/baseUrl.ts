import { shorten } from '../chain/text.ts';
import { InputError } from './errors.ts';
import { maskUrl } from './masks.ts';

/** Finds `/chain` or `/cosmos` at the end, or before an operation (`/bank/v1beta1/…`, `/base/tendermint/v1beta1/…`). */
const segmentInPath = /\/(chain|cosmos)(?:\/?$|\/[a-z]+(?:\/[a-z]+)?\/v\d+(?:[a-z]+\d*)?(?:\/|$))/;

/** The address of a node. It is read once, when its source is made. */
export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The first path segment of the contract (`chain`, `cosmos`), if the address had one. */
  readonly segment: string | undefined;
  /** The normal form of the address: the origin, and the path before the segment without a slash at its end. */
  readonly href: string;
}

/**
 * Reads the address of a node as people type or paste it: http or https, any port and path, with or without a trailing
 * slash. Cuts off a segment or a whole operation at its end.
 *
 * @throws InputError with the reason and, if one can be guessed, the address that was probably meant.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const typed = text.trim();
  if (typed === '') throw new InputError('The base URL is empty. Enter an address such as https://rest.example.com');
  const subject = `The base URL "${shorten(maskUrl(typed))}"`;
  if (/[\s\\\x00-\x1f\x7f]/.test(typed)) throw new InputError(`${subject} contains a space or a backslash`);
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(typed)) throw missingScheme(typed, subject);
  if (!/^https?:/i.test(typed)) throw new InputError(`${subject} must start with http:// or https://`);
  const url = URL.parse(typed);
  if (!url || !/^https?:\/\/[^/?#]/i.test(typed)) throw new InputError(`${subject} is not a web address`);
  if (url.username || url.password)
    throw new InputError(
      `${subject} contains a user name or password. Remove it and set an API key for this endpoint instead`,
    );
  const found = segmentInPath.exec(url.pathname);
  const segment = found?.[1];
  const whole = found !== null && found[0].length > (segment?.length ?? 0) + 2;
  if (url.hash) throw new InputError(`${subject} must not contain a fragment (${shorten(url.hash)})`);
  if (typed.includes('?') && !whole)
    throw new InputError(`${subject} must not contain a query (?…). Enter only the part before it`);
  const basePath = (found ? url.pathname.slice(0, found.index) : url.pathname).replace(/(?<!\/)\/+$/, '');
  return { origin: url.origin, segment, href: url.origin + basePath };
}

function missingScheme(typed: string, subject: string): InputError {
  const scheme = /^(localhost|127\.|\[::1\])/i.test(typed) ? 'http' : 'https';
  const meant = `${scheme}://${typed.replace(/^(https?:)?\/*/i, '')}`;
  const reason = `${subject} does not start with http:// or https://`;
  if (/^https?:\/\/[a-z][a-z\d+.-]*:(?!\d)/i.test(meant) || !URL.canParse(meant)) return new InputError(reason);
  return new InputError(`${reason}. Did you mean "${shorten(maskUrl(meant))}"?`);
}
