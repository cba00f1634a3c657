import type { GovForm } from '../chain/gov/proposal.ts';
import { checkReply } from './decode/readReply.ts';
import {
  HttpError,
  heightRefusal,
  InputError,
  ignoredHeight,
  isHttpError,
  isNodeAnswer,
  isStatedByNode,
  isUnreachable,
  isUnsupported,
  mayBeElsewhere,
  ReplyError,
} from './errors.ts';
import { type Mask, maskError } from './masks.ts';
import { govForms, type Operation, type OperationShape, operations, type Params, type Query } from './operations.ts';
import type { ReplyInfo } from './pages.ts';
import type { Reply } from './replySchemas.ts';
import type { DialectMemory } from './rest/dialect.ts';
import { abortable } from './sharing.ts';
import type { Transport } from './transport/transportTypes.ts';

/** The parameters of one request. All values are unescaped. */
export interface Ask<O extends Operation> {
  readonly params?: Params<O> | undefined;
  readonly query?: Query<O> | undefined;
  /**
   * The height to read at, unless the client itself has one. If the node does not follow, `info.unpinnedReason` has the
   * reason.
   */
  readonly height?: bigint | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The first path segment. If absent, the client uses the one that it knows, or finds it. */
  readonly segment?: string | undefined;
}

/** A checked reply, and the height and time that came with it. */
export interface Answer<O extends Operation> {
  readonly reply: Reply<O>;
  readonly info: ReplyInfo;
  readonly url: string;
  readonly mask?: Mask | undefined;
}

const noSegment =
  'Neither /chain nor /cosmos responds here: check that this is the REST address of a node (often port 1317), not its RPC address';
const archive = 'The node does not have this height. Use an archive node for this chain';

/** The properties of a node that do not change while its client lives. */
export interface ClientOptions {
  /** The beginning of addresses, for errors and "Copy as cURL". It has no slash at its end and no segment. */
  readonly href: string;
  /** The height that all state is read at. Answers of any other height are refused. */
  readonly height?: bigint | undefined;
  /** Receives the latest height that a reply states, and the date of that reply. */
  readonly onHeight?: ((height: bigint, date: Date | undefined) => void) | undefined;
}

/**
 * Sends the operations of the contract to one base URL, in the path segment that the node understands. Its methods
 * reject with `InputError`, `UnreachableError`, `HttpError`, `ReplyError` or `AbortError`.
 */
export class Client {
  /** The known traits of the node. The methods add to them. */
  readonly memory: DialectMemory;
  readonly #transport: Transport;
  readonly #href: string;
  readonly #height: bigint | undefined;
  readonly #onHeight: ClientOptions['onHeight'];
  #finding: Promise<void> | undefined;
  /** The last height that the node refused, and its words. They spare the next page a second request. */
  #refused: { readonly height: bigint; readonly reason: string } | undefined;

  constructor(transport: Transport, memory: DialectMemory, { href, height, onHeight }: ClientOptions) {
    this.memory = memory;
    this.#transport = transport;
    this.#href = href;
    this.#height = height;
    this.#onHeight = onHeight;
  }

  /** Sends one operation and checks its reply against the contract. */
  async get<O extends Operation>(operation: O, ask: Ask<O>): Promise<Answer<O>> {
    const segment = ask.segment ?? this.#segmentOf(operation);
    if (segment === undefined) return this.#firstContact(operation, ask);
    try {
      return await this.#send(operation, ask, segment);
    } catch (error) {
      if (this.memory.isSegmentCertain || operation !== 'supply' || !isUnsupported(error)) throw error;
      // The remembered segment no longer exists.
      this.memory.forgetSegment();
      return this.get(operation, ask);
    }
  }

  /** Sends JSON to a POST operation, once, and checks the reply. */
  async post<O extends Operation>(operation: O, body: string, signal?: AbortSignal): Promise<Reply<O>> {
    const path = toPath(operation, {}, this.#segmentOf(operation) ?? 'cosmos');
    const { text } = await this.#transport.post(path, body, signal);
    return checkReply(operation, text, this.#href + path);
  }

  /**
   * Like `get`, but gives undefined if the node does not offer the operation. The refusal is remembered under
   * `ownName`, or the name of the operation and its form if absent: for a week if the node stated it, for minutes if a proxy may
   * have said so.
   */
  async optional<O extends Operation>(operation: O, ask: Ask<O>, ownName?: string): Promise<Answer<O> | undefined> {
    const { memory } = this;
    const asked: Readonly<Partial<Record<string, string>>> = ask.params ?? {};
    const form = govForms.find((known) => known === asked.form);
    const name = ownName ?? (form ? operation + nameEnds[form] : operation);
    if (memory.traits.unsupported.includes(name)) return undefined;
    try {
      return await this.get(operation, ask);
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      const found = { unsupported: [name] };
      if (isStatedByNode(error) && memory.traits.segment !== undefined) memory.remember(found);
      else if (memory.traits.segment !== undefined) memory.suppose(found);
      return undefined;
    }
  }

  /** Forgets the traits of the node, since another chain answers at its address. */
  forget(): void {
    this.memory.forget();
    this.#refused = undefined;
  }

  /** Finds the segment by the smallest requests, unless it is known. Rejects if no service of the contract answers. */
  async contact(signal: AbortSignal | undefined): Promise<void> {
    const { memory } = this;
    let refusal: unknown;
    const ask = { query: { limit: '1' }, signal };
    for (const form of [undefined, ...govForms]) {
      if (memory.traits.segment !== undefined) return;
      try {
        await (form ? this.get('proposals', { ...ask, params: { form } }) : this.get('supply', ask));
      } catch (error) {
        if (memory.traits.segment === undefined && !isUnsupported(error)) throw error;
        refusal ??= error;
      }
    }
    if (memory.traits.segment === undefined) throw refusal;
  }

  /** Gives the address that `get` asks. If no segment is known, it has the contract's own. */
  urlOf<O extends Operation>(operation: O, ask: Ask<O>): string {
    return this.#href + toPath(operation, ask, ask.segment ?? this.#segmentOf(operation) ?? 'chain');
  }

  #segmentOf(operation: Operation): string | undefined {
    const shape: OperationShape = operations[operation];
    const { traits } = this.memory;
    return shape.segment ?? (shape.path.startsWith('gov/') ? traits.govSegment : undefined) ?? traits.segment;
  }

  /**
   * Sends a request. If the node cannot keep to a height, asks without it, unless the client itself has one
   * (docs/nodes.md#heights).
   */
  async #send<O extends Operation>(operation: O, ask: Ask<O>, segment: string): Promise<Answer<O>> {
    const path = toPath(operation, ask, segment);
    const { isOfNode }: OperationShape = operations[operation];
    const isFixed = this.#height !== undefined;
    const height = isOfNode ? undefined : (this.#height ?? ask.height);
    const send = (at?: bigint): Promise<Answer<O>> => this.#sendOnce(operation, path, ask.signal, at);
    if (height === undefined) return send();
    if (!isFixed && this.memory.traits.height === false) return withoutHeight(await send(), ignoredHeight);
    if (this.#refused?.height === height) return withoutHeight(await send(), this.#refused.reason);
    try {
      const answer = await send(height);
      const { height: found } = answer.info;
      if (isFixed && found !== height) {
        const at = found === undefined ? 'does not report its height' : `is from height ${found}`;
        throw new ReplyError(answer.url, 'height', `requested height ${height}, but the reply ${at}. ${archive}`);
      }
      if (found === height) {
        if (!isFixed) this.memory.remember({ height: true });
        return answer;
      }
      // A proxy may have removed the header, or another node may have answered.
      this.memory.suppose({ height: false });
      return withoutHeight(answer, ignoredHeight);
    } catch (error) {
      const reason = heightRefusal(error);
      if (!isHttpError(error) || reason === undefined) throw error;
      if (isFixed) throw new HttpError(error.url, error.status, error.grpcCode, error.nodeMessage, archive);
      this.#refused = { height, reason };
      return withoutHeight(await send(), reason);
    }
  }

  async #sendOnce<O extends Operation>(
    operation: O,
    path: string,
    signal: AbortSignal | undefined,
    height: bigint | undefined,
  ): Promise<Answer<O>> {
    const headers = height === undefined ? undefined : { 'x-cosmos-block-height': String(height) };
    const received = await this.#transport.get(path, { headers, signal }).catch((error: unknown) => {
      // The next answer may come from another node.
      if (isUnreachable(error) && error.code === 'ECONNREFUSED') this.memory.forget();
      throw error;
    });
    const { text, mask } = received;
    try {
      const reply = checkReply(operation, text, this.#href + path);
      this.memory.isSegmentCertain = true;
      const info = toInfo(received.headers, text.length);
      const { isOfNode }: OperationShape = operations[operation];
      if (height === undefined && !isOfNode && info.height) this.#onHeight?.(info.height, info.date);
      return { reply, info, url: this.#href + path, mask };
    } catch (error) {
      // The error quotes the reply, which may repeat the credential.
      throw mask && error instanceof Error ? maskError(error, mask) : error;
    }
  }

  /** Looks for the segment. One request at a time does this; the others wait for it. */
  async #firstContact<O extends Operation>(operation: O, ask: Ask<O>): Promise<Answer<O>> {
    if (this.#finding) {
      await abortable(this.#finding, ask.signal);
      return this.get(operation, ask);
    }
    const found = this.#find(operation, ask);
    const end = (): void => {
      this.#finding = undefined;
    };
    this.#finding = found.then(end, end);
    return found;
  }

  async #find<O extends Operation>(operation: O, ask: Ask<O>): Promise<Answer<O>> {
    let refusal: unknown;
    for (const segment of ['chain', 'cosmos']) {
      try {
        const answer = await this.#send(operation, ask, segment);
        this.memory.remember({ segment });
        return answer;
      } catch (error) {
        if (isNodeAnswer(error)) this.memory.remember({ segment });
        if (isNodeAnswer(error) || !mayBeElsewhere(error)) throw error;
        if (refusal === undefined || isUnsupported(refusal)) refusal = error;
      }
    }
    if (!isHttpError(refusal) || !isUnsupported(refusal)) throw refusal;
    throw new HttpError(refusal.url, refusal.status, refusal.grpcCode, refusal.nodeMessage, noSegment);
  }
}

function toPath<O extends Operation>(operation: O, ask: Ask<O>, segment: string): string {
  const { path, query = {} }: OperationShape = operations[operation];
  const params: Readonly<Partial<Record<string, string>>> = ask.params ?? {};
  const filled = path.replace(/\{(\w+)(\*?)\}/g, (_whole, name: string, slashes: string) => {
    const parts = slashes ? String(params[name]).split('/') : [params[name]];
    return parts.map((part) => escapePart(name, part)).join('/');
  });
  const values: Readonly<Partial<Record<string, string>>> = ask.query ?? {};
  if (values.key !== undefined && values.offset !== undefined) {
    throw new InputError('Use either a page key or an offset, not both');
  }
  const search = Object.entries(query).flatMap(([name, wireName]) => {
    const value = values[name];
    return value === undefined ? [] : [`${wireName}=${escaped(value)}`];
  });
  return `/${segment ? `${segment}/` : ''}${filled}${search.length > 0 ? `?${search.join('&')}` : ''}`;
}

/** The ends of the names under which refused operations are remembered. */
const nameEnds: Readonly<Record<GovForm, string>> = { v1: 'V1', v1beta1: '' };

/** Escapes one path part. Rejects "", "." and "..", which would turn the path into another one. */
function escapePart(name: string, value: string | undefined): string {
  if (value === undefined || value === '' || value === '.' || value === '..') {
    throw new InputError(`${JSON.stringify(value ?? '')} cannot be a ${name}`);
  }
  return escaped(value);
}

/**
 * Escapes like `URLSearchParams`: half a surrogate pair, which a node may send, becomes U+FFFD instead of a `URIError`.
 */
function escaped(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

function withoutHeight<O extends Operation>(answer: Answer<O>, reason: string): Answer<O> {
  return { ...answer, info: { ...answer.info, unpinnedReason: reason } };
}

function toInfo(headers: Readonly<Record<string, string>>, characters: number): ReplyInfo {
  const stated = headers['chain-inspector-time'] ?? headers.date;
  const time = stated ? new Date(stated) : undefined;
  const from = headers['chain-inspector-time-from'];
  const height = headers['grpc-metadata-x-cosmos-block-height'] ?? headers['x-cosmos-block-height'];
  return {
    height: height && /^\d{1,20}$/.test(height) ? BigInt(height) : undefined,
    date: time && !Number.isNaN(time.getTime()) ? time : undefined,
    isOfState: headers['chain-inspector-time'] !== undefined,
    dateFrom: from && /^[\w.]{1,200}$/.test(from) ? from : undefined,
    characters,
  };
}
