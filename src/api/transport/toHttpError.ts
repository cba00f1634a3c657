import { HttpError } from '../errors.ts';
import { decodeBody, errorBodyLimit, type RawReply } from './body.ts';
import { maskUrl } from './failures.ts';

const textLimit = 200;

/**
 * A reply with another status than 2xx as an error that says what the node, or whoever stands before it, had to say: the
 * message of a gateway body `{code, message, details}` (contract-facts section 4), else a line of its page or text.
 * `secret` is a value that must not appear, should the server repeat it; `refused` why a redirect was not followed.
 */
export async function toHttpError(
  url: string,
  reply: RawReply,
  secret: string | undefined,
  now: number,
  refused?: string,
): Promise<HttpError> {
  const text = withoutSecret(await decodeBody(reply, errorBodyLimit * 4).catch(() => ''), secret);
  const gateway = readGateway(text);
  const page = gateway || refused ? undefined : quote(text);
  const wait = readRetryAfter(reply.headers['retry-after'], now);
  const hint = [
    refused,
    page && `The answer is not the node's: "${page}"`,
    adviceFor(reply.status, gateway !== undefined),
    wait && `It asks to wait ${spoken(wait)}`,
  ]
    .filter(Boolean)
    .join('. ');
  return new HttpError(
    maskUrl(url),
    reply.status,
    gateway?.code,
    gateway && clip(gateway.message),
    hint || undefined,
    wait,
  );
}

/** Both fields of a gateway's error body, or undefined where it is something else. */
function readGateway(text: string): { code: number; message: string } | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return undefined;
    if (!('code' in body) || !('message' in body)) return undefined;
    const { code, message } = body;
    return typeof code === 'number' && typeof message === 'string' ? { code, message } : undefined;
  } catch {
    return undefined;
  }
}

/** The title of a page, or the beginning of its text, on one line. */
function quote(text: string): string | undefined {
  const title = /<title[^>]*>([^<]*)</i.exec(text)?.[1];
  const isPage = /^\s*</.test(text);
  const visible = isPage
    ? text.replace(/<(script|style|head)\b[\s\S]*?(<\/\1>|$)/gi, ' ').replace(/<[^>]*>?/g, ' ')
    : text;
  return oneLine(unescaped(title?.trim() ? title : visible), textLimit) || undefined;
}

function unescaped(text: string): string {
  return text
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#0?39;/g, "'")
    .replace(/&amp;/g, '&');
}

/** A node's own message may be long (it names types and ids), but not endless. */
function clip(message: string): string {
  return oneLine(message, 2000);
}

function spoken(ms: number): string {
  if (ms < 120_000) return `${Math.ceil(ms / 1000)} s`;
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 360_000) / 10} h`;
}

function oneLine(text: string, limit: number): string {
  const line = text.replace(/[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g, ' ').trim();
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}

function withoutSecret(text: string, secret: string | undefined): string {
  return secret !== undefined && secret.length > 3 ? text.replaceAll(secret, '***') : text;
}

function adviceFor(status: number, fromNode: boolean): string | undefined {
  switch (status) {
    case 401:
    case 403:
      return fromNode ? undefined : 'The endpoint wants a key: set a header for it';
    case 404:
      return fromNode ? undefined : 'Is the base URL right?';
    case 407:
      return 'The proxy asks for a user and password: put them into http.proxy';
    case 429:
      return fromNode ? undefined : 'The endpoint limits requests: wait, or use another one';
    default:
      return undefined;
  }
}

/**
 * Milliseconds that a `Retry-After` header asks to wait from `now` on: seconds, or an HTTP date (RFC 9110 section 10.2.3).
 * Undefined where there is none or it is neither; never negative.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value
    ?.split(',', /^\s*[a-z]/i.test(value) ? 2 : 1)
    .join(',')
    .trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const time = /^[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
