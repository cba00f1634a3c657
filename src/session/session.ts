import { isAbort, isApiError, isUnreachable } from '../api/errors.ts';
import type { BlockHeader, ChainNode } from '../api/node.ts';
import { Emitter } from '../chain/emitter.ts';
import type { AnyPager } from '../lists/pager.ts';
import { ProposalStore } from '../lists/proposalStore.ts';
import { type KnownUnits, type SupplyParts, SupplyStore } from '../lists/supplyStore.ts';
import { ValidatorStore } from '../lists/validatorStore.ts';
import { Kept } from './kept.ts';
import { SeenChain } from './seenChain.ts';
import type { PastState, Source } from './source.ts';

/** The lists of a source. A new one needs an entry in each table by these names, or the type check fails. */
export const listNames = ['proposals', 'supply', 'validators'] as const;
export type ListName = (typeof listNames)[number];

/** What was read of each list. */
export interface Stores {
  readonly proposals: ProposalStore;
  readonly supply: SupplyStore;
  readonly validators: ValidatorStore;
}

/** The stores of a source of which nothing was read yet; `node` is asked for when something is. */
export function createStores(
  node: () => Promise<ChainNode>,
  parts: Omit<SupplyParts, 'kept'> & { kept: Kept },
): Stores {
  const { pageSize, kept } = parts;
  return {
    proposals: new ProposalStore(node, pageSize),
    supply: new SupplyStore(node, parts),
    validators: new ValidatorStore(node, pageSize, kept.bonded),
  };
}

/** A chain that was opened: the node and what must be ended with it (the embedded service, where it answers). */
export interface OpenChain {
  readonly node: ChainNode;
  readonly notices: readonly string[];
  /** Of a state file: resolves when all of it was read, rejects where it cannot be. */
  readonly whole?: Promise<void> | undefined;
  /** Writes tables into a folder (docs/tables.md), all or none; absent for the sample chain. Resolves to a summary of each. */
  readonly exportTables?: ((job: TablesJob) => Promise<readonly TableSummary[]>) | undefined;
  dispose(): Promise<void>;
}

export interface TablesJob {
  readonly folder: string;
  readonly format: 'parquet' | 'ndjson';
  /** Replaces the tables of a folder that holds files; without it such a folder is refused. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  /** Bytes of a file read so far, and its size; rows of an endpoint. */
  readonly onProgress: (done: number, of?: number) => void;
}

/** The rows of a table, and how many values of the source could not be read. */
export interface TableSummary {
  readonly rows: number;
  readonly faults: number;
}

export interface OpenHooks {
  /** Fires when the session is dropped while it opens. */
  readonly signal: AbortSignal;
  /** How the last request went: undefined for an answer, else why there was none; an `AbortError` for a request that was cancelled. */
  readonly onAnswer: (failure: Error | undefined) => void;
  /** The latest height of an endpoint as a reply states it, and the date of that reply. */
  readonly onHeight?: ((height: bigint, date: Date | undefined) => void) | undefined;
  /** A block that was read of an endpoint. */
  readonly onBlock?: ((block: BlockHeader) => void) | undefined;
}

/** `idle`: nothing was asked yet. `failed` carries what was thrown. */
export type SessionState =
  | { readonly kind: 'idle' | 'loading' | 'ready' }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface SessionOptions {
  /** Opens a source: starts the embedded service where it needs one, loads the client. Called when something is first asked. */
  readonly open: (source: Source, hooks: OpenHooks) => Promise<OpenChain>;
  readonly pageSize: () => number;
  readonly knownUnits: (source: Source, node: ChainNode, signal: AbortSignal) => ReturnType<KnownUnits>;
  readonly onFailure?: (source: Source, error: unknown) => void;
}

/** Milliseconds between two looks at a height that is lower than one before. */
const betweenLows = 10_000;

/** A source with its client and stores; made cheap, opened by the first question, disposed whole. */
export class Session {
  readonly source: Source;
  /** What was read beside the lists. */
  readonly kept = new Kept();
  /** What was read of each list. */
  readonly stores: Stores;
  /** The paged lists of all lists. */
  readonly pagers: readonly AnyPager[];
  readonly #options: SessionOptions;
  readonly #abort = new AbortController();
  readonly #changed = new Emitter<SessionState>();
  readonly #forgotten = new Emitter<void>();
  readonly #seen = new SeenChain();
  #opening: Promise<OpenChain> | undefined;
  /** How often the chain was closed: an opening that began before the last time is no longer this session's. */
  #closings = 0;
  #chain: OpenChain | undefined;
  #state: SessionState = { kind: 'idle' };
  /** When each list was read. */
  readonly #readAt = new Map<AnyPager, Date | undefined>();
  #forgettings = 0;
  /** Something tells that another chain may answer since. */
  #isDoubted = false;
  /** A block was asked for, which later ones are compared with. */
  #isNoted = false;
  #checking: Promise<void> | undefined;
  /** When a height lower than one before was looked at last. */
  #lowSince = Number.NEGATIVE_INFINITY;

  constructor(source: Source, options: SessionOptions) {
    this.source = source;
    this.#options = options;
    const node = (): Promise<ChainNode> => this.node();
    const knownUnits: KnownUnits = async (signal) => options.knownUnits(source, await this.node(), signal);
    this.stores = createStores(node, { pageSize: options.pageSize, knownUnits, kept: this.kept });
    this.pagers = Object.values(this.stores).flatMap(({ pagers }) => pagers);
    for (const pager of this.pagers) pager.onDidChange(() => this.#onListChange(pager));
  }

  /** Whether nothing changes behind this session any more: a state file, or a block of the past. */
  get isStill(): boolean {
    return this.source.kind === 'file' || this.#past !== undefined;
  }

  get pastTime(): Date | undefined {
    return this.#past?.time === undefined ? undefined : new Date(this.#past.time);
  }

  get #past(): PastState | undefined {
    return this.source.kind === 'http' ? this.source.at : undefined;
  }

  readonly onDidChangeState = this.#changed.on;

  get state(): SessionState {
    return this.#state;
  }

  /** Everything that was read is forgotten: the file changed, or another chain answers at the address. */
  readonly onDidForget = this.#forgotten.on;

  /** How often everything was forgotten: an answer of parts from before and after is of two chains. */
  get forgettings(): number {
    return this.#forgettings;
  }

  /**
   * The node, opened once; a failure is forgotten, so that the next question tries again. Where another chain may answer since,
   * it waits until that is known.
   */
  async node(): Promise<ChainNode> {
    const { node } = await this.chain();
    await this.#checking;
    return node;
  }

  /** Resolves when it is known whether another chain answers, where that is being looked at. Never rejects. */
  async settled(): Promise<void> {
    await this.#checking;
  }

  /** Forgets everything that was read where another chain answers at the address of an endpoint. Never rejects. */
  async checkChain(): Promise<void> {
    if (this.source.kind !== 'http' || this.isStill || this.#chain === undefined) return;
    this.#checking ??= this.#check(this.#chain.node).finally(() => {
      this.#checking = undefined;
    });
    await this.#checking;
  }

  /** Notes a block of an endpoint, so that the first refresh knows another chain at its address. Never rejects. */
  async noteChain(): Promise<void> {
    if (this.source.kind !== 'http' || this.isStill || this.#chain === undefined || this.#isNoted) return;
    this.#isNoted = true;
    await this.#chain.node.block('latest', this.#abort.signal).catch(() => undefined);
  }

  chain(): Promise<OpenChain> {
    if (this.#opening === undefined || this.#state.kind === 'idle') this.#setState({ kind: 'loading' });
    return this.prepare();
  }

  /** Opens the chain before anything is asked of it: the state stays as it is. Rejects as `chain` does. */
  prepare(): Promise<OpenChain> {
    this.#opening ??= this.#start();
    return this.#opening;
  }

  /** The node, where it was opened; undefined before that. */
  get opened(): ChainNode | undefined {
    return this.#chain?.node;
  }

  get notices(): readonly string[] {
    return this.#chain?.notices ?? [];
  }

  /** Closes the chain and forgets its rows: the file behind it changed. What is asked next opens it anew. */
  async reopen(): Promise<void> {
    const closed = this.#close();
    this.#seen.forget();
    this.#forget();
    this.#setState({ kind: 'idle' });
    this.#forgotten.fire();
    await closed;
  }

  async dispose(): Promise<void> {
    this.#abort.abort();
    for (const store of Object.values(this.stores)) store.dispose();
    this.#changed.dispose();
    this.#forgotten.dispose();
    await this.#close();
  }

  #forget(): void {
    this.#forgettings += 1;
    this.kept.forget();
    for (const store of Object.values(this.stores)) store.forget();
  }

  async #check(node: ChainNode): Promise<void> {
    this.#isDoubted = false;
    try {
      // What it reads comes by `#onBlock`.
      await this.#seen.check(node, this.#abort.signal);
    } catch (error) {
      // Asked again after the next answer.
      if (isUnreachable(error)) this.#isDoubted = true;
    }
  }

  #onHeight(height: bigint, date: Date | undefined): void {
    if (this.isStill || !this.#seen.isBelow(height, date)) return;
    // Of backends that lag behind one after another, not each is looked at.
    if (performance.now() - this.#lowSince < betweenLows) return;
    this.#lowSince = performance.now();
    void this.checkChain();
  }

  #onBlock(block: BlockHeader): void {
    if (!this.#seen.isOfAnother(block)) return;
    this.#chain?.node.forgetFacts();
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
      if (isUnreachable(failure) && failure.code === 'ECONNREFUSED') this.#isDoubted = true;
      if (failure === undefined && this.#isDoubted) void this.checkChain();
      if (failure === undefined) this.#setState(this.#refusal() ?? { kind: 'ready' });
      else if (!isAbort(failure)) this.#setState({ kind: 'failed', error: failure });
      // A node that was left before it answered has not failed.
      else if (this.#state.kind === 'loading') this.#setState({ kind: 'idle' });
    };
    try {
      const chain = await this.#options.open(this.source, {
        signal: this.#abort.signal,
        onAnswer,
        onHeight: (height, date): void => this.#onHeight(height, date),
        onBlock: (block): void => this.#onBlock(block),
      });
      if (this.#abort.signal.aborted) {
        await chain.dispose();
        this.#abort.signal.throwIfAborted();
      }
      if (isCurrent()) this.#chain = chain;
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
    const before = this.#readAt.get(pager);
    this.#readAt.set(pager, pager.asOf);
    if (before && pager.asOf && before !== pager.asOf) this.kept.forgetOfLists();
    const refusal = this.#refusal();
    const isRead = this.pagers.some(({ started }) => started) && this.pagers.every(({ error }) => error === undefined);
    if (refusal) this.#setState(refusal);
    else if (isRead && this.#state.kind === 'failed') this.#setState({ kind: 'ready' });
  }

  /** An answer that is of no use is no better than none. What could not be reached speaks of its own moment only. */
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

/** A session in use: it lives until everyone who acquired it has released it. */
export interface AcquiredSession {
  readonly session: Session;
  /** Resolves when the session has ended, where this was the last use of it. A second call does nothing. */
  readonly release: () => Promise<void>;
}

/** The sessions in use, one per source, counted: trees, pinned panels, compare and the watch list acquire them. */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #acquired = new Map<string, { session: Session; users: number }>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** How many sessions live; for the tests that count what is left behind. */
  get size(): number {
    return this.#acquired.size;
  }

  find(source: Source): Session | undefined {
    return this.#acquired.get(JSON.stringify(source))?.session;
  }

  /** The session of a source, opened if it is not in use yet. */
  acquire(source: Source): AcquiredSession {
    // The options of an endpoint are part of the key: a changed segment or certificate file needs a new client.
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

  /** Runs `work` with the session of a source, which is released once that has ended. */
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
