import { type Operation, type OperationShape, operations, type Params, type Query, type Reply } from './contract.ts';
import type { DialectMemory } from './dialect.ts';
import { HttpError, InputError, isHttpError, ReplyError } from './errors.ts';
import { type Mask, maskError } from './mask.ts';
import type { PageInfo } from './pages.ts';
import { checkReply } from './readReply.ts';
import { heightRefusal, isNodeAnswer, isNotOffered, mayBeElsewhere } from './replyFaults.ts';
import { abortable } from './sharing.ts';
import type { Transport } from './transportTypes.ts';

/** What is asked of an operation; all values unescaped. */
export interface Ask<O extends Operation> {
  readonly params?: Params<O> | undefined;
  readonly query?: Query<O> | undefined;
  /**
   * Sent as `x-cosmos-block-height`, unless the client itself has a height. Where the node does not follow,
   * `info.heightDropped` of the answer has the reason.
   */
  readonly height?: bigint | undefined;
  readonly signal?: AbortSignal | undefined;
  /** First path segment, instead of the one that is known or found out. */
  readonly segment?: string | undefined;
}

/** A checked reply and what came with it. */
export interface Answer<O extends Operation> {
  readonly reply: Reply<O>;
  readonly info: PageInfo;
  readonly mask?: Mask | undefined;
}

const ignored = 'the node does not answer at the height that is asked for';
const noSegment =
  'Neither /chain nor /cosmos is answered here: check that this is the REST address of a node (often port 1317), not its RPC address';
const archive = 'The node does not keep this height: look for an archive node of the chain';

/** Sends the operations of the contract to one base URL, in the path segment that the node understands. */
export class Client {
  readonly memory: DialectMemory;
  readonly #transport: Transport;
  readonly #href: string;
  readonly #height: bigint | undefined;
  #finding: Promise<void> | undefined;
  /** Whether the segment has answered since this client was made, or was named by the user. */
  #isCertain: boolean;
  /** The last height that the node refused, and its words: the next page is not asked for twice. */
  #refused: { readonly height: bigint; readonly reason: string } | undefined;

  /**
   * `href` has no slash at its end and no segment; `segment` is the first path segment where it is known. With a `height` all
   * state is read at that height, and answers of any other height are refused.
   */
  constructor(transport: Transport, href: string, memory: DialectMemory, segment?: string, height?: bigint) {
    this.#transport = transport;
    this.#href = href;
    this.#height = height;
    this.memory = memory;
    this.#isCertain = segment !== undefined;
    if (segment !== undefined) memory.learn({ segment });
  }

  /**
   * Sends an operation. On first contact the segments `chain` and `cosmos` are tried in that order. Rejects with
   * `InputError`, `UnreachableError`, `HttpError`, `ReplyError` or an `AbortError`.
   */
  async get<O extends Operation>(operation: O, ask: Ask<O>): Promise<Answer<O>> {
    const segment = ask.segment ?? this.#segmentOf(operation);
    if (segment === undefined) return this.#firstContact(operation, ask);
    try {
      return await this.#send(operation, ask, segment);
    } catch (error) {
      if (this.#isCertain || operation !== 'supply' || !isNotOffered(error)) throw error;
      // The remembered segment is gone.
      this.memory.learn({ segment: undefined, govSegment: undefined, gov: undefined, notOffered: [] });
      return this.get(operation, ask);
    }
  }

  /** Like `get`, but undefined where the node does not offer the operation; that is remembered under `name`. */
  async optional<O extends Operation>(
    operation: O,
    ask: Ask<O>,
    name = ask.params && 'form' in ask.params && ask.params.form === 'v1' ? `${operation}V1` : operation,
  ): Promise<Answer<O> | undefined> {
    if (this.memory.facts.notOffered.includes(name)) return undefined;
    try {
      return await this.get(operation, ask);
    } catch (error) {
      if (!isNotOffered(error)) throw error;
      if (this.memory.facts.segment !== undefined) this.memory.learnNotOffered(name);
      return undefined;
    }
  }

  /** Finds the segment by the smallest requests, where it is not known. Rejects where there is no service of the contract. */
  async contact(signal: AbortSignal | undefined): Promise<void> {
    let refusal: unknown;
    const ask = { query: { limit: '1' }, signal };
    for (const form of [undefined, 'v1', 'v1beta1'] as const) {
      if (this.memory.facts.segment !== undefined) return;
      try {
        await (form ? this.get('proposals', { ...ask, params: { form } }) : this.get('supply', ask));
      } catch (error) {
        if (this.memory.facts.segment === undefined && !isNotOffered(error)) throw error;
        refusal ??= error;
      }
    }
    if (this.memory.facts.segment === undefined) throw refusal;
  }

  urlOf<O extends Operation>(operation: O, ask: Ask<O>): string {
    return this.#toUrl(operation, ask, ask.segment ?? this.#segmentOf(operation) ?? 'chain');
  }

  #segmentOf(operation: Operation): string | undefined {
    const shape: OperationShape = operations[operation];
    const { facts } = this.memory;
    return shape.segment ?? (shape.path.startsWith('gov/') ? facts.govSegment : undefined) ?? facts.segment;
  }

  /**
   * Keeps to a height as far as the node can (docs/nodes.md#heights): where it cannot, the request is answered without, unless
   * the client itself has a height.
   */
  async #send<O extends Operation>(operation: O, ask: Ask<O>, segment: string): Promise<Answer<O>> {
    const url = this.#toUrl(operation, ask, segment);
    const { isOfNode }: OperationShape = operations[operation];
    const isFixed = this.#height !== undefined;
    const height = isOfNode ? undefined : (this.#height ?? ask.height);
    const sendWithout = (heightDropped?: string) =>
      this.#sendOnce(operation, url, ask.signal, undefined, heightDropped);
    if (height === undefined) return sendWithout();
    if (!isFixed && this.memory.facts.height === false) return sendWithout(ignored);
    if (this.#refused?.height === height) return sendWithout(this.#refused.reason);
    try {
      const answer = await this.#sendOnce(operation, url, ask.signal, height);
      const { height: found } = answer.info;
      if (isFixed && found !== height) {
        const at = found === undefined ? 'without saying at which height' : `at height ${found}`;
        throw new ReplyError(url, 'height', `asked for height ${height}, but answered ${at}. ${archive}`);
      }
      if (!isFixed) this.memory.learn({ height: found === height });
      return found === height ? answer : { ...answer, info: { ...answer.info, heightDropped: ignored } };
    } catch (error) {
      const reason = heightRefusal(error);
      if (!isHttpError(error) || reason === undefined) throw error;
      if (isFixed) throw new HttpError(error.url, error.status, error.grpcCode, error.nodeMessage, archive);
      this.#refused = { height, reason };
      return sendWithout(reason);
    }
  }

  async #sendOnce<O extends Operation>(
    operation: O,
    url: string,
    signal: AbortSignal | undefined,
    height: bigint | undefined,
    heightDropped?: string,
  ): Promise<Answer<O>> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (height !== undefined) headers['x-cosmos-block-height'] = String(height);
    const { text, headers: received, mask } = await this.#transport.get(url, { headers, signal });
    const info = { ...toInfo(received, text.length), ...(heightDropped && { heightDropped }) };
    try {
      const reply = checkReply(operation, text, url);
      this.#isCertain = true;
      return { reply, info, mask };
    } catch (error) {
      // The error quotes the reply, which may repeat the credential.
      throw mask && error instanceof Error ? maskError(error, mask) : error;
    }
  }

  /** One request at a time looks for the segment; the others wait for it. */
  async #firstContact<O extends Operation>(operation: O, ask: Ask<O>): Promise<Answer<O>> {
    if (this.#finding) {
      await abortable(this.#finding, ask.signal);
      return this.get(operation, ask);
    }
    const found = this.#find(operation, ask);
    const end = () => {
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
        this.memory.learn({ segment });
        return answer;
      } catch (error) {
        if (isNodeAnswer(error)) this.memory.learn({ segment });
        if (isNodeAnswer(error) || !mayBeElsewhere(error)) throw error;
        if (refusal === undefined || isNotOffered(refusal)) refusal = error;
      }
    }
    if (!isHttpError(refusal) || !isNotOffered(refusal)) throw refusal;
    throw new HttpError(refusal.url, refusal.status, refusal.grpcCode, refusal.nodeMessage, noSegment);
  }

  #toUrl<O extends Operation>(operation: O, ask: Ask<O>, segment: string): string {
    const { path, query = {} }: OperationShape = operations[operation];
    const params = new Map<string, unknown>(Object.entries(ask.params ?? {}));
    const filled = path.replace(/\{(\w+)(\*?)\}/g, (_whole, name: string, slashes: string) => {
      const value = params.get(name);
      const parts = slashes ? String(value).split('/') : [value];
      return parts.map((part) => escapePart(name, part)).join('/');
    });
    const search = new URLSearchParams();
    const values = new Map<string, unknown>(Object.entries(ask.query ?? {}));
    for (const [name, wireName] of Object.entries<string>(query)) {
      const value = values.get(name);
      if (typeof value === 'string') search.append(wireName, value);
    }
    if (search.has('pagination.key') && search.has('pagination.offset')) {
      throw new InputError('A page is asked for by its key or by its offset, not by both');
    }
    const text = search.toString();
    return `${this.#href}/${segment ? `${segment}/` : ''}${filled}${text ? `?${text}` : ''}`;
  }
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
  const height = headers['grpc-metadata-x-cosmos-block-height'] ?? headers['x-cosmos-block-height'];
  return {
    height: height && /^\d{1,20}$/.test(height) ? BigInt(height) : undefined,
    date: time && !Number.isNaN(time.getTime()) ? time : undefined,
    bytes,
  };
}
