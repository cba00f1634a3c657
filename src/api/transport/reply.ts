import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { isFields } from '../../chain/fields.ts';
import { codeOf, HttpError } from '../errors.ts';
import { type Mask, shownUrl } from '../masks.ts';
import { forbiddenHost } from './addresses.ts';
import { Failure, oneLine, tooLarge } from './failures.ts';
import type { RawReply } from './routes.ts';

/** The value of `Accept-Encoding`. Anything else in `Content-Encoding` is refused. */
export const acceptedEncodings = 'gzip, deflate, br';

/**
 * Gives the text of a reply: decompressed, at most `limit` bytes, and strict UTF-8 without a byte order mark. Rejects
 * with a `Failure` with the code TOO_LARGE, BAD_ENCODING or NOT_UTF8.
 */
export async function decodeBody(reply: RawReply, limit: number): Promise<string> {
  const listed = (reply.headers['content-encoding'] ?? '').toLowerCase().split(',');
  const encodings = listed.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
  if (encodings.length > 2) throw new Failure('BAD_ENCODING', `the reply is compressed ${encodings.length} times`);
  let { body } = reply;
  // Encodings are applied in the order of the list, so they are undone from its end (RFC 9110 section 8.4). An empty
  // body has nothing to undo.
  for (const encoding of encodings.reverse()) if (body.length > 0) body = await decompress(body, encoding, limit);
  if (!isUtf8(body)) throw new Failure('NOT_UTF8', 'the reply is not valid UTF-8 text');
  const text = body.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

async function decompress(bytes: Buffer, encoding: string, limit: number): Promise<Buffer> {
  const failure = (reason: string, cause?: unknown): Failure => new Failure('BAD_ENCODING', reason, { cause });
  // `deflate` means the zlib format (RFC 9110 section 8.4.1.2), but some servers send bare deflate data.
  const isBare = encoding === 'deflate' && ((bytes[0] ?? 0) & 0x0f) !== 8;
  const decode = isBare ? promisify(inflateRaw) : decoders.get(encoding);
  const name = encoding.length > 20 ? '' : ` (${encoding})`;
  if (!decode) throw failure(`the reply uses an unsupported compression format${name}`);
  try {
    // Stops at the limit, so that a small bomb cannot fill the memory.
    return await decode(bytes, { maxOutputLength: limit });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    const isCut = code === 'Z_BUF_ERROR' || code === 'ERR_BROTLI_DECODER_ERROR_NEEDS_MORE_INPUT';
    throw failure(`the ${encoding} data in the reply is ${isCut ? 'cut off' : 'corrupted'}`, error);
  }
}

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** The limit for addresses, in characters. Most servers accept 8 kB. */
export const maxUrl = 8 * 1024;

/** The rules for redirects. */
interface RedirectRules {
  /** Collects the addresses of one try. */
  readonly visited: Set<string>;
  /** True if a public address redirects. */
  readonly isPublic: boolean;
  readonly mask: Mask;
  /** The only origin that may be asked; absent if others may be, too. */
  readonly only?: string | undefined;
}

/**
 * Gives the address that the reply to `from` redirects to. Gives undefined if it is no redirect, or the reason why it
 * is not followed. Follows at most 3 redirects: never from https to http, never to a link-local address, never from a
 * public address (`isPublic`) into a private network, never in a circle.
 */
export function nextAddress(
  { status, headers }: RawReply,
  from: string,
  { visited, isPublic, mask, only }: RedirectRules,
): URL | string | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  const { location } = headers;
  if (location === undefined) return 'The redirect has no target';
  const url = location.length > maxUrl ? null : URL.parse(location, from);
  if (!url || !/^https?:$/.test(url.protocol)) return 'It redirects to something that is not a web address';
  const shown = shownUrl(url.href, mask);
  url.hash = '';
  visited.add(from);
  if (visited.has(url.href)) return `It redirects in a loop (to ${shown})`;
  if (visited.size > 3) return 'It redirects more than 3 times';
  if (only !== undefined && url.origin !== only)
    return `It redirects to another address, ${shownUrl(url.origin, mask)}. Only configured addresses are contacted`;
  if (from.startsWith('https:') && url.protocol === 'http:') {
    return `It redirects to an unencrypted address (${shown}). This redirect is not followed`;
  }
  const forbidden = forbiddenHost(url.origin, isPublic ? 'local' : 'linkLocal');
  if (forbidden !== undefined) return `It redirects to ${forbidden} (${shown}). This redirect is not followed`;
  // A user or password in an address is never sent.
  url.username = '';
  url.password = '';
  return url;
}

/**
 * Turns a reply with a status other than 2xx into an error that quotes the node, or the proxy or shield before it. It
 * quotes the message of a gateway body `{code, message, details}` (docs/nodes.md#errors), or else a line of the page or
 * `text`. `refused` is the reason why a redirect was not followed.
 */
export function toHttpError(url: string, { status, headers }: RawReply, text: string, refused?: string): HttpError {
  const gateway = readGateway(text);
  const page = gateway || refused ? undefined : quote(text);
  const wait = readRetryAfter(headers['retry-after'], Date.now());
  const hints = [
    refused ?? (page && `The response is not from the node: "${page}"`),
    gateway || refused ? undefined : (advice.get(status) ?? (page ? undefined : (STATUS_CODES[status] ?? noStatus))),
    wait && `Retry after ${secondsText(wait)}`,
  ];
  const hint = hints.filter(Boolean).join('. ') || undefined;
  // A node's own message may be long, because it names types and ids.
  return new HttpError(url, status, gateway?.code, gateway && oneLine(withoutStack(gateway.message), 2000), hint, wait);
}

/**
 * Removes the stack of a Go message. Go prints two lines for each call, the second with the file. The cause may stand
 * after fifty of them.
 */
function withoutStack(message: string): string {
  const lines = message.split('\n');
  const isFile = (line = ''): boolean => line.startsWith('\t/');
  return lines.filter((line, at) => !isFile(line) && !isFile(lines[at + 1])).join('\n');
}

const noStatus = 'This is not a standard HTTP status. A proxy in front of the node may have sent it';

function readGateway(text: string): { code: number; message: string } | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    const { code, message } = isFields(body) ? body : {};
    return typeof code === 'number' && typeof message === 'string' ? { code, message } : undefined;
  } catch {
    return undefined;
  }
}

function quote(text: string): string | undefined {
  const start = text.slice(0, 32 * 1024);
  const title = /<title[^<>]*>([^<]*)</i.exec(start)?.[1];
  const visible = /^\s*</.test(start) ? start.split('<').map(textAfterTag).join(' ') : start;
  return oneLine(unescaped(title?.trim() ? title : visible), 200) || undefined;
}

function textAfterTag(piece: string): string {
  const end = piece.indexOf('>');
  return end < 0 || /^(?:script|style|title)\b/i.test(piece) ? '' : piece.slice(end + 1);
}

const entities: Readonly<Record<string, string>> = { nbsp: ' ', lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

function unescaped(text: string): string {
  return text.replace(/&(nbsp|lt|gt|quot|#39|amp);/g, (_whole, name: string) => entities[name] ?? '');
}

function secondsText(ms: number): string {
  if (ms > 172_800_000) return 'more than two days';
  const [size, unit] = ms < 120_000 ? [1000, 'second'] : ms < 3_600_000 ? [60_000, 'minute'] : [3_600_000, 'hour'];
  const count = Math.ceil(ms / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const advice = new Map([
  [401, 'The endpoint requires an API key: set one for it'],
  [403, 'The endpoint requires an API key: set one for it'],
  [404, 'Is the base URL right?'],
  [407, 'The proxy requires a user name and password: add them to http.proxy'],
  [429, 'The endpoint is limiting requests: wait, or use another one'],
]);

/**
 * Gives the milliseconds to wait by a `Retry-After` header: seconds or an HTTP date (RFC 9110 section 10.2.3). At most
 * a year.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  // If the header is repeated, the first one counts. A date holds one comma.
  const [first = '', rest = ''] = value?.split(',') ?? [];
  const text = (/^\s*[a-z]/i.test(first) ? `${first},${rest}` : first).trim();
  const isDate = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? [\w -]{6,12} \d\d:\d\d:\d\d\b/i.test(text);
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Math.ceil(Number(text) * 1000) : Number.NaN;
  const wait = isDate ? Date.parse(text) - now : seconds;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), 365 * 86_400_000);
}
