import { isAbort, isApiError, isUnreachable } from '../api/errors.ts';
import type { BlockHeader, ChainNode } from '../api/node.ts';
import { Emitter } from '../chain/emitter.ts';
import type { KnownUnits } from '../lists/listBase.ts';
import { createLists, type Lists } from '../lists/lists.ts';
import type { AnyPager } from '../lists/pager.ts';
import { Kept } from './kept.ts';
import { SeenChain } from './seenChain.ts';
import type { PastState, Source, StateTime } from './source.ts';

/** An open chain: the node and the parts that must end with it (the embedded service, if it answers). */
export interface OpenChain {
  readonly node: ChainNode;
  readonly notices: readonly string[];
  /** For a state file: resolves when all of it was read, rejects if it cannot be read. */
  readonly whole?: Promise<void> | undefined;
  /**
   * Writes tables into a folder (docs/tables.md), all or none. Resolves to a summary of each. Absent for the sample
   * chain.
   */
  readonly exportTables?: ((job: TablesJob) => Promise<readonly TableSummary[]>) | undefined;
  dispose(): Promise<void>;
}

export interface TablesJob {
  readonly folder: string;
  readonly format: 'parquet' | 'ndjson';
  /** Replaces the tables of a folder that holds files. If false, such a folder is refused. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  /** Receives the bytes of a file read so far, and its size; or the rows of an endpoint. */
  readonly onProgress: (done: number, of?: number) => void;
}

/** The number of rows of a table, and of values of the source that could not be read. */
export interface TableSummary {
  readonly rows: number;
  readonly faults: number;
}

export interface OpenHooks {
  /** Fires when the session is dropped while it opens. */
  readonly signal: AbortSignal;
  /**
   * Receives the outcome of the last request: undefined for an answer, otherwise the error; an `AbortError` for a
   * request that was cancelled.
   */
  readonly onAnswer: (failure: Error | undefined) => void;
  /** Receives the latest height of an endpoint that a reply states, and the date of that reply. */
  readonly onHeight?: ((height: bigint, date: Date | undefined) => void) | undefined;
  /** Receives the time of a state file that its answers state. */
  readonly onStateTime?: ((time: StateTime) => void) | undefined;
  /** Receives a block that was read from an endpoint. */
  readonly onBlock?: ((block: BlockHeader) => void) | undefined;
}

/** The state of a session. `idle`: nothing was asked yet. `failed` carries the error. */
export type SessionState =
  | { readonly kind: 'idle' | 'loading' | 'ready' }
  | { readonly kind: 'failed'; readonly error: unknown };

interface SessionOptions {
  /**
   * Opens a source: starts the embedded service if it needs one, and loads the client. Called at the first question.
   */
  readonly open: (source: Source, hooks: OpenHooks) => Promise<OpenChain>;
  readonly pageSize: () => number;
  readonly knownUnits: (source: Source, node: ChainNode, signal: AbortSignal) => ReturnType<KnownUnits>;
  readonly onFailure?: (source: Source, error: unknown) => void;
}

/** The time in milliseconds between two checks of a height that is lower than one before. */
const betweenLows = 10_000;

/**
 * A source with its client and its lists. It is cheap to make, opens at the first question, and is disposed as a whole.
 */
export class Session {
  readonly source: Source;
  /** The answers that were read beside the lists. */
  readonly kept = new Kept();
  readonly lists: Lists;
  /** The paged lists of all lists. */
  readonly pagers: readonly AnyPager[];
  readonly #options: SessionOptions;
  readonly #abort = new AbortController();
  readonly #changed = new Emitter<SessionState>();
  readonly #forgotten = new Emitter<void>();
  readonly #seen = new SeenChain();
  #opening: Promise<OpenChain> | undefined;
  /**
   * The number of times the chain was closed. An opening that began before the last time no longer belongs to this
   * session.
   */
  #closings = 0;
  #chain: OpenChain | undefined;
  #readAt: Date | undefined;
  #stateTime: StateTime | undefined;
  #state: SessionState = { kind: 'idle' };
  /** The time at which each list was read. */
  readonly #listTimes = new Map<AnyPager, Date | undefined>();
  #forgettings = 0;
  /** True if there is a sign that another chain may answer. */
  #isDoubted = false;
  /** True if a block was asked for, with which later ones are compared. */
  #isNoted = false;
  #checking: Promise<void> | undefined;
  /** The time at which a height lower than one before was last checked. */
  #lowSince = Number.NEGATIVE_INFINITY;

  constructor(source: Source, options: SessionOptions) {
    this.source = source;
    this.#options = options;
    const node = (): Promise<ChainNode> => this.node();
    const knownUnits: KnownUnits = async (signal) => options.knownUnits(source, await this.node(), signal);
    this.lists = createLists({ node, pageSize: options.pageSize, knownUnits, kept: this.kept });
    this.pagers = Object.values(this.lists).flatMap(({ pagers }) => pagers);
    for (const pager of this.pagers) pager.onDidChange(() => this.#onListChange(pager));
  }

  /** True if nothing changes behind this session any more: a state file, or a block of the past. */
  get isStill(): boolean {
    return this.source.kind === 'file' || this.#past !== undefined;
  }

  get pastTime(): Date | undefined {
    return this.#past?.time === undefined ? undefined : new Date(this.#past.time);
  }

  /** The time that stands still: of a past block, or of a file once proposals were read; undefined while it runs. */
  get stillTime(): Date | undefined {
    return this.pastTime ?? (this.isStill ? this.lists.proposals.date : undefined);
  }

  /**
   * The time of the state in a file; undefined before its first answer, if that states no time, and for other sources.
   */
  get stateTime(): StateTime | undefined {
    return this.#stateTime;
  }

  get #past(): PastState | undefined {
    return this.source.kind === 'http' ? this.source.at : undefined;
  }

  /** The time at which a file was opened, or a node last answered; undefined before that. */
  get readAt(): Date | undefined {
    return this.#readAt;
  }

  readonly onDidChangeState = this.#changed.on;

  get state(): SessionState {
    return this.#state;
  }

  /** Fires when everything that was read is forgotten: the file changed, or another chain answers at the address. */
  readonly onDidForget = this.#forgotten.on;

  /** The number of times everything was forgotten. An answer with parts from before and after is of two chains. */
  get forgettings(): number {
    return this.#forgettings;
  }

  /**
   * Gives the node, opened once. A failure is forgotten, so that the next question tries again. If another chain may
   * answer, waits until that is known.
   */
  async node(): Promise<ChainNode> {
    const { node } = await this.chain();
    await this.#checking;
    return node;
  }

  /** Resolves when it is known if another chain answers, in case that is being checked. Never rejects. */
  async settled(): Promise<void> {
    await this.#checking;
  }

  /** Forgets everything that was read if another chain answers at the address of an endpoint. Never rejects. */
  async checkChain(): Promise<void> {
    if (this.source.kind !== 'http' || this.isStill || this.#chain === undefined) return;
    this.#checking ??= this.#check(this.#chain.node).finally(() => {
      this.#checking = undefined;
    });
    await this.#checking;
  }

  /** Notes a block of an endpoint, so that the first refresh recognizes another chain at its address. Never rejects. */
  async noteChain(): Promise<void> {
    if (this.source.kind !== 'http' || this.isStill || this.#chain === undefined || this.#isNoted) return;
    this.#isNoted = true;
    await this.#chain.node.block('latest', this.#abort.signal).catch(() => undefined);
  }

  chain(): Promise<OpenChain> {
    if (this.#opening === undefined || this.#state.kind === 'idle') this.#setState({ kind: 'loading' });
    return this.prepare();
  }

  /** Opens the chain before anything is asked. The state does not change. Rejects like `chain`. */
  prepare(): Promise<OpenChain> {
    this.#opening ??= this.#start();
    return this.#opening;
  }

  /** The node if it was opened; undefined before that. */
  get opened(): ChainNode | undefined {
    return this.#chain?.node;
  }

  get notices(): readonly string[] {
    return this.#chain?.notices ?? [];
  }

  /** Closes the chain and forgets its rows, since the file behind it changed. The next question opens it anew. */
  async reopen(): Promise<void> {
    const closed = this.#close();
    this.#seen.forget();
    this.#stateTime = undefined;
    this.#forget();
    this.#setState({ kind: 'idle' });
    this.#forgotten.fire();
    await closed;
  }

  async dispose(): Promise<void> {
    this.#abort.abort();
    for (const list of Object.values(this.lists)) list.dispose();
    this.#changed.dispose();
    this.#forgotten.dispose();
    await this.#close();
  }

  #forget(): void {
    this.#forgettings += 1;
    this.kept.forget();
    for (const list of Object.values(this.lists)) list.forget();
  }

  async #check(node: ChainNode): Promise<void> {
    this.#isDoubted = false;
    try {
      // `#onBlock` receives the blocks that it reads.
      await this.#seen.check(node, this.#abort.signal);
    } catch (error) {
      // The check is repeated after the next answer.
      if (isUnreachable(error)) this.#isDoubted = true;
    }
  }

  #onHeight(height: bigint, date: Date | undefined): void {
    if (this.isStill || !this.#seen.isBelow(height, date)) return;
    // If backends lag behind one after another, not each of them is checked.
    if (performance.now() - this.#lowSince < betweenLows) return;
    this.#lowSince = performance.now();
    void this.checkChain();
  }

  #onBlock(block: BlockHeader): void {
    if (!this.#seen.isOfAnother(block)) return;
    this.#chain?.node.forgetTraits();
    this.#forget();
    this.#forgotten.fire();
  }

  async #close(): Promise<void> {
    const opened = this.#opening;
    this.#closings += 1;
    this.#opening = undefined;
    this.#chain = undefined;
    await (await opened?.catch(() => undefined))?.dispose();
  }

  async #start(): Promise<OpenChain> {
    const closings = this.#closings;
    const isCurrent = (): boolean => closings === this.#closings;
    const onAnswer = (failure: Error | undefined): void => {
      if (!isCurrent()) return;
      if (failure === undefined) {
        if (this.source.kind === 'http') this.#readAt = new Date();
        if (this.#isDoubted) void this.checkChain();
        this.#setState(this.#refusal() ?? { kind: 'ready' });
        return;
      }
      if (isUnreachable(failure) && failure.code === 'ECONNREFUSED') this.#isDoubted = true;
      if (!isAbort(failure)) this.#setState({ kind: 'failed', error: failure });
      // A node that was left before it answered has not failed.
      else if (this.#state.kind === 'loading') this.#setState({ kind: 'idle' });
    };
    try {
      const chain = await this.#options.open(this.source, {
        signal: this.#abort.signal,
        onAnswer,
        onHeight: (height, date): void => this.#onHeight(height, date),
        onBlock: (block): void => this.#onBlock(block),
        onStateTime: (time): void => {
          if (isCurrent()) this.#stateTime = time;
        },
      });
      if (this.#abort.signal.aborted) {
        await chain.dispose();
        this.#abort.signal.throwIfAborted();
      }
      if (isCurrent()) {
        this.#chain = chain;
        this.#readAt = new Date();
      }
      return chain;
    } catch (error) {
      if (isCurrent()) {
        this.#opening = undefined;
        // A source that was left while it opened has not failed.
        if (!this.#abort.signal.aborted) this.#setState({ kind: 'failed', error });
      }
      throw error;
    }
  }

  #onListChange(pager: AnyPager): void {
    const before = this.#listTimes.get(pager);
    this.#listTimes.set(pager, pager.asOf);
    if (before && pager.asOf && before !== pager.asOf) this.kept.forgetOfLists();
    const refusal = this.#refusal();
    const isRead = this.pagers.some(({ started }) => started) && this.pagers.every(({ error }) => error === undefined);
    if (refusal) this.#setState(refusal);
    else if (isRead && this.#state.kind === 'failed') this.#setState({ kind: 'ready' });
  }

  /**
   * The state that a failed answer leaves. A useless answer counts as none. A failed connection tells only about its
   * own moment.
   */
  #refusal(): SessionState | undefined {
    const error = this.pagers
      .map((pager) => pager.error)
      .find((known) => isApiError(known) && known.kind !== 'unreachable');
    return error === undefined ? undefined : { kind: 'failed', error };
  }

  #setState(state: SessionState): void {
    const { kind } = this.#state;
    this.#state = state;
    if (state.kind === 'failed') this.#options.onFailure?.(this.source, state.error);
    if (kind !== state.kind || state.kind === 'failed') this.#changed.fire(state);
  }
}

/** A session in use. It lives until all its users have released it. */
export interface AcquiredSession {
  readonly session: Session;
  /** Resolves when the session has ended, if this was its last use. A second call does nothing. */
  readonly release: () => Promise<void>;
}

/** The sessions in use, one per source, counted. Trees, pinned panels, compare and the watch list acquire them. */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #acquired = new Map<string, { session: Session; users: number }>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The number of live sessions, for the tests that count those left behind. */
  get size(): number {
    return this.#acquired.size;
  }

  find(source: Source): Session | undefined {
    return this.#acquired.get(JSON.stringify(source))?.session;
  }

  /** Gives the session of a source, and opens it if it is not in use yet. */
  acquire(source: Source): AcquiredSession {
    // The options of an endpoint are part of the key, because a changed segment or certificate file needs a new client.
    const key = JSON.stringify(source);
    const entry = this.#acquired.get(key) ?? { session: new Session(source, this.#options), users: 0 };
    entry.users += 1;
    this.#acquired.set(key, entry);
    let released = false;
    return {
      session: entry.session,
      release: async (): Promise<void> => {
        if (released) return;
        released = true;
        entry.users -= 1;
        if (entry.users > 0) return;
        this.#acquired.delete(key);
        await entry.session.dispose();
      },
    };
  }

  /** Runs `work` with the session of a source, and releases the session when the work has ended. */
  async use<T>(source: Source, work: (session: Session) => Promise<T>): Promise<T> {
    const { session, release } = this.acquire(source);
    try {
      return await work(session);
    } finally {
      await release();
    }
  }

  async dispose(): Promise<void> {
    const all = [...this.#acquired.values()];
    this.#acquired.clear();
    await Promise.all(all.map(({ session }) => session.dispose()));
  }
}
