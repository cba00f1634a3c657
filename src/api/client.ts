import { checkReply } from './checkReply.ts';
import { type Operation, operations, type Params, type Query, type Reply } from './contract.ts';
import { InputError } from './errors.ts';
import { readHeight } from './heights.ts';
import type { ReplyInfo } from './node.ts';
import type { Transport } from './transportTypes.ts';

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
  readonly info: ReplyInfo;
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
      const reply = checkReply(operation, answer.text, url);
      return { reply, info: toInfo(answer.headers, answer.text.length) };
    },
    dispose: () => transport.dispose(),
  };
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

function toInfo(headers: Readonly<Record<string, string>>, bytes: number): ReplyInfo {
  const time = headers.date ? new Date(headers.date) : undefined;
  return {
    height: readHeight(headers['grpc-metadata-x-cosmos-block-height'] ?? headers['x-cosmos-block-height']),
    date: time && !Number.isNaN(time.getTime()) ? time : undefined,
    bytes,
  };
}
