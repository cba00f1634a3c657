import type * as z from 'zod/mini';
import { type Operation, operations, type Params, type Query, type Reply } from './contract.ts';
import type { LearnedDialect } from './dialect.ts';
import { InputError, ReplyError, shorten } from './errors.ts';
import { maskError } from './mask.ts';
import type { PageInfo } from './pages.ts';
import { heightRefusal } from './replyFaults.ts';
import type { Transport, TransportReply } from './transportTypes.ts';

/** One request of the contract. `segment` is the first path segment; `params` and `query` are unescaped. */
export interface Ask<O extends Operation> {
  readonly segment: string;
  readonly params?: Params<O> | undefined;
  readonly query?: Query<O> | undefined;
  /** Sent as `x-cosmos-block-height`; whether the node followed is for the caller to see in `info.height`. */
  readonly height?: bigint | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A checked reply and what came with it. */
export interface Answer<O extends Operation> {
  readonly reply: Reply<O>;
  readonly info: PageInfo;
}

/** Sends requests of the contract to one base URL and checks what comes back. */
export interface Client {
  /** Rejects with `InputError`, `UnreachableError`, `HttpError`, `ReplyError` or an `AbortError`. */
  get<O extends Operation>(operation: O, ask: Ask<O>): Promise<Answer<O>>;
  /** The address that `get` would ask. */
  urlOf<O extends Operation>(operation: O, ask: Ask<O>): string;
  dispose(): Promise<void>;
}

/** A client over `transport` for the service at `href` (no slash at its end, no segment). */
export function createClient(transport: Transport, href: string): Client {
  const urlOf = <O extends Operation>(operation: O, ask: Ask<O>) => toUrl(href, operation, ask);
  return {
    urlOf,
    async get(operation, ask) {
      const url = urlOf(operation, ask);
      const headers: Record<string, string> = { accept: 'application/json' };
      if (ask.height !== undefined) headers['x-cosmos-block-height'] = String(ask.height);
      const answer = await transport.get(url, { headers, signal: ask.signal });
      const reply = readReply(operation, answer, url);
      return { reply, info: toInfo(answer.headers, answer.text.length) };
    },
    dispose: () => transport.dispose(),
  };
}

/** The error of a bad reply quotes it, and the reply may quote the credential. */
function readReply<O extends Operation>(operation: O, { text, mask }: TransportReply, url: string): Reply<O> {
  try {
    return checkReply(operation, text, url);
  } catch (error) {
    throw mask && error instanceof Error ? maskError(error, mask) : error;
  }
}

function toUrl<O extends Operation>(href: string, operation: O, ask: Ask<O>): string {
  const { path, query } = operations[operation];
  const params = new Map<string, unknown>(Object.entries(ask.params ?? {}));
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => escapePart(name, params.get(name)));
  const search = new URLSearchParams();
  const names = new Map<string, string>(Object.entries(query));
  const values = new Map<string, unknown>(Object.entries(ask.query ?? {}));
  for (const [name, wireName] of names) {
    const value = values.get(name);
    if (typeof value === 'string') search.append(wireName, value);
  }
  if (search.has('pagination.key') && search.has('pagination.offset')) {
    throw new InputError('A page is asked for by its key or by its offset, not by both');
  }
  const text = search.toString();
  return `${href}/${ask.segment}/${filled}${text ? `?${text}` : ''}`;
}

/** Escapes one path part; "", "." and ".." would turn the path into another one. */
function escapePart(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    throw new InputError(`${JSON.stringify(value ?? '')} cannot be a ${name}`);
  }
  return encodeURIComponent(value);
}

function toInfo(headers: Readonly<Record<string, string>>, bytes: number): PageInfo {
  const time = headers.date ? new Date(headers.date) : undefined;
  return {
    height: readHeight(headers['grpc-metadata-x-cosmos-block-height'] ?? headers['x-cosmos-block-height']),
    date: time && !Number.isNaN(time.getTime()) ? time : undefined,
    bytes,
  };
}

type Schemas = { readonly [O in Operation]: { readonly reply: z.ZodMiniType<Reply<O>> } };
const schemas: Schemas = operations;

/**
 * Checks that say yes faster than the schema, which takes as long for a page of coins as parsing its JSON: a crawl would
 * feel it (`npm run bench -- crawl`). What a check refuses goes to the schema, which has the last word and the message.
 */
type FastChecks = { readonly [O in Operation]?: (value: unknown) => value is Reply<O> };
const fastChecks: FastChecks = { supply: isSupplyReply };

/**
 * The reply of `operation` in `text`, checked against the contract; unknown fields stay.
 *
 * @throws ReplyError that names the cause and the place (`supply[3].amount: expected a string of digits, got a number`).
 */
export function checkReply<O extends Operation>(operation: O, text: string, url: string): Reply<O> {
  const json = parseJson(text, url);
  const fast: ((value: unknown) => value is Reply<O>) | undefined = fastChecks[operation];
  if (fast?.(json)) return json;
  const schema: z.ZodMiniType<Reply<O>> = schemas[operation].reply;
  const checked = schema.safeParse(json);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const path = issue ? toPath(issue.path) : '';
  const reason = `${issue ? expectation(issue) : 'not what the contract says'}, got ${kindOf(valueAt(json, issue?.path ?? []))}`;
  throw new ReplyError(
    url,
    path ? `${shorten(path)}: ${reason}` : `the reply is not what was asked for: ${reason}`,
    path,
  );
}

function parseJson(text: string, url: string): unknown {
  if (text.trim() === '') throw new ReplyError(url, 'the reply is empty');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ReplyError(url, notJson(text), undefined, { cause: error });
  }
}

function notJson(text: string): string {
  const start = text.trimStart().slice(0, 60);
  if (/^<(!doctype|html|head|body|\?xml)/i.test(start)) {
    return 'the reply is a web page (HTML), not JSON; the address may lead to a site or a proxy and not to a node';
  }
  if (/^[[{]/.test(start) && !/[\]}]$/.test(text.trimEnd())) return 'the reply breaks off in the middle of its JSON';
  return `the reply is not JSON; it begins with ${JSON.stringify(start.slice(0, 40))}`;
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.message.startsWith('expected')) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${article(issue.expected)}`;
    case 'invalid_union':
      return 'expected a string or a number';
    default:
      return 'not what the contract says';
  }
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`;
}

function toPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`;
    return path ? `${path}.${String(key)}` : String(key);
  }, '');
}

function valueAt(json: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>((value, key) => (isObject(value) ? Reflect.get(value, key) : undefined), json);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return article(typeof value);
}

const digits = /^\d+$/;

/** Whether `value` is a reply of the supply list, for sure; where it says no, the schema in contract.ts decides. */
export function isSupplyReply(value: unknown): value is Reply<'supply'> {
  if (!isRecord(value) || !Array.isArray(value.supply) || !value.supply.every(isCoin)) return false;
  const page = value.pagination;
  if (page === undefined || page === null) return true;
  if (!isRecord(page)) return false;
  return isAbsentOr(page.next_key, () => true) && isAbsentOr(page.total, (total) => digits.test(total));
}

function isCoin(coin: unknown): boolean {
  return (
    isRecord(coin) && typeof coin.denom === 'string' && typeof coin.amount === 'string' && digits.test(coin.amount)
  );
}

function isAbsentOr(value: unknown, check: (text: string) => boolean): boolean {
  return value === undefined || value === null || (typeof value === 'string' && check(value));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The height in a response header; undefined where there is none or it is no number. */
export function readHeight(header: string | undefined): bigint | undefined {
  return header && /^\d{1,20}$/.test(header) ? BigInt(header) : undefined;
}

/**
 * Keeps a crawl at one height, as far as the node can (contract-facts section 4). The echo is verified; where the node
 * has no state at that height, or ignores heights, the request is answered without, and `info.heightDropped` says why.
 */
export class PinnedHeight {
  readonly #learned: LearnedDialect;
  /** The last height that the node refused, and its words: its next page is not asked for twice. */
  #refused: { readonly height: bigint; readonly reason: string } | undefined;

  constructor(learned: LearnedDialect) {
    this.#learned = learned;
  }

  /** Sends with the height where that makes sense; rejects as `send` does. */
  async ask<O extends Operation>(
    wanted: bigint | undefined,
    send: (height: bigint | undefined) => Promise<Answer<O>>,
  ): Promise<Answer<O>> {
    if (wanted === undefined) return send(undefined);
    if (this.#learned.height === false) return dropped(await send(undefined), ignored);
    if (this.#refused?.height === wanted) return dropped(await send(undefined), this.#refused.reason);
    try {
      const answer = await send(wanted);
      const echoed = answer.info.height === wanted;
      this.#learned.learn({ height: echoed });
      return echoed ? answer : dropped(answer, ignored);
    } catch (error) {
      const reason = heightRefusal(error);
      if (reason === undefined) throw error;
      this.#refused = { height: wanted, reason };
      return dropped(await send(undefined), reason);
    }
  }
}

const ignored = 'the node does not answer at the height that is asked for';

function dropped<O extends Operation>(answer: Answer<O>, reason: string): Answer<O> {
  return { reply: answer.reply, info: { ...answer.info, heightDropped: reason } };
}
