import { Emitter } from './emitter.ts';
import type { LoadPage, PageWish } from './loadedPage.ts';
import { PageGrowth } from './pageGrowth.ts';
import { insertRow, newReading, type Reading, removeRow, replaceRow, takePage } from './reading.ts';

/** `stale`: the rows are of `asOf`, a later refresh failed with `error`. */
export type PagerState = 'empty' | 'loading' | 'loaded' | 'failed' | 'stale';

/** Rows of the largest page that a crawl asks for. */
const mostPerPage = 5000;

/** A paged list, whatever its rows are. */
export type AnyPager = Pick<
  Pager<never>,
  | 'started'
  | 'loading'
  | 'hasMore'
  | 'error'
  | 'total'
  | 'height'
  | 'heightDropped'
  | 'loadMore'
  | 'refresh'
  | 'loadAll'
> & { readonly rows: readonly unknown[] };

/** One paged list being read. The laws are those of the house: one flight, failures lose nothing, only a null key ends. */
export class Pager<Row> {
  readonly #load: LoadPage<Row>;
  readonly #idOf: (row: Row) => string;
  readonly #pageSize: () => number;
  readonly #changed = new Emitter<void>();
  #reading: Reading<Row> = newReading();
  #flight: { promise: Promise<void>; abort: AbortController } | undefined;
  #error: unknown;

  /** `pageSize` is asked before each page; a crawl begins with it. */
  constructor(load: LoadPage<Row>, idOf: (row: Row) => string, pageSize: () => number = () => 50) {
    this.#load = load;
    this.#idOf = idOf;
    this.#pageSize = pageSize;
  }

  readonly onDidChange = this.#changed.on;

  get rows(): readonly Row[] {
    return this.#reading.rows;
  }

  /** The node's count, where it counted. */
  get total(): bigint | undefined {
    return this.#reading.total;
  }

  get height(): bigint | undefined {
    return this.#reading.height;
  }

  /** Why rows of other heights are among them, after a crawl that the node could not keep at one. */
  get heightDropped(): string | undefined {
    return this.#reading.heightDropped;
  }

  /** When the rows were read. */
  get asOf(): Date | undefined {
    return this.#reading.asOf;
  }

  /** Why the last load failed; undefined once one succeeds. */
  get error(): unknown {
    return this.#error;
  }

  /** Whether there is more to read: nothing was read yet, or there is a next key. */
  get hasMore(): boolean {
    return !this.#reading.started || this.#reading.nextKey !== undefined;
  }

  /** Where the next page starts, for those who read on without putting rows here; undefined at the start and at the end. */
  get nextKey(): string | undefined {
    return this.#reading.nextKey;
  }

  get started(): boolean {
    return this.#reading.started;
  }

  get loading(): boolean {
    return this.#flight !== undefined;
  }

  get state(): PagerState {
    if (this.#error !== undefined) return this.#reading.started ? 'stale' : 'failed';
    if (this.#reading.started) return 'loaded';
    return this.#flight ? 'loading' : 'empty';
  }

  /** Reads the next page; a second call while one flies is the same promise. Rejects as the loader does; rows stay. */
  loadMore(): Promise<void> {
    if (this.#flight) return this.#flight.promise;
    if (!this.hasMore) return Promise.resolve();
    return this.#flyPage({ limit: this.#pageSize(), height: undefined });
  }

  /** Reads again as many rows as are shown, and swaps them on success only. */
  refresh(): Promise<void> {
    this.#flight?.abort.abort();
    this.#flight = undefined;
    const fresh = newReading<Row>();
    const wanted = this.#reading.rows.length;
    const pageSize = this.#pageSize();
    const growth = new PageGrowth(pageSize, mostPerPage);
    return this.#fly(async (signal) => {
      do {
        const limit = Math.min(growth.limit, Math.max(pageSize, wanted - fresh.rows.length));
        await this.#readPage(fresh, signal, { limit, height: undefined }, growth);
      } while (fresh.rows.length < wanted && fresh.nextKey !== undefined);
    }, fresh);
  }

  /**
   * Reads pages until the end, `limit` rows or `signal`; what was read stays. Pages grow as far as the node gives them
   * quickly, and are asked for at the height of the first one; where the node cannot keep it, `heightDropped` says why
   * (decision 12). Rejects as the loader does, never on `signal`.
   */
  async loadAll(options: { signal: AbortSignal; limit: number; onProgress?: (rows: number) => void }): Promise<void> {
    const stop = () => this.#flight?.abort.abort();
    options.signal.addEventListener('abort', stop);
    const growth = new PageGrowth(this.#pageSize(), mostPerPage);
    try {
      while (this.hasMore && !options.signal.aborted && this.rows.length < options.limit) {
        const { height, heightDropped } = this.#reading;
        const limit = Math.min(growth.limit, options.limit - this.rows.length);
        const pinned = heightDropped === undefined ? height : undefined;
        // A page that is under way already is waited for; the next one is ours.
        await (this.#flight?.promise ?? this.#flyPage({ limit, height: pinned }, growth));
        options.onProgress?.(this.rows.length);
      }
    } catch (error) {
      if (!options.signal.aborted) throw error;
    } finally {
      options.signal.removeEventListener('abort', stop);
    }
  }

  /** Forgets everything and ends the flight; a late answer is dropped. */
  reset(): void {
    this.#flight?.abort.abort();
    this.#flight = undefined;
    this.#reading = newReading();
    this.#error = undefined;
    this.#changed.fire();
  }

  /** Replaces a row that is shown, by id. Returns whether it was there. */
  replace(row: Row): boolean {
    return this.#tell(replaceRow(this.#reading, row, this.#idOf));
  }

  /** Takes a row out, by id. Returns whether it was there. */
  remove(id: string): boolean {
    return this.#tell(removeRow(this.#reading, id, this.#idOf));
  }

  /** Puts a row that was learned elsewhere in its place, if the list has been read as far as that place. */
  insert(row: Row, before: (other: Row) => boolean): void {
    this.#tell(insertRow(this.#reading, row, before, this.#idOf));
  }

  dispose(): void {
    this.#flight?.abort.abort();
    this.#flight = undefined;
    this.#changed.dispose();
  }

  #tell(changed: boolean): boolean {
    if (changed) this.#changed.fire();
    return changed;
  }

  #flyPage(wish: PageWish, growth?: PageGrowth): Promise<void> {
    const reading = this.#reading;
    return this.#fly((signal) => this.#readPage(reading, signal, wish, growth), reading);
  }

  #fly(work: (signal: AbortSignal) => Promise<void>, target: Reading<Row>): Promise<void> {
    const abort = new AbortController();
    const current = () => this.#flight === flight;
    const promise = work(abort.signal).then(
      () => {
        if (!current()) return;
        this.#flight = undefined;
        this.#reading = target;
        this.#error = undefined;
        this.#changed.fire();
      },
      (error: unknown) => {
        if (!current()) return;
        this.#flight = undefined;
        if (!abort.signal.aborted) this.#error = error;
        this.#changed.fire();
        throw error;
      },
    );
    const flight = { promise, abort };
    this.#flight = flight;
    return promise;
  }

  async #readPage(reading: Reading<Row>, signal: AbortSignal, wish: PageWish, growth?: PageGrowth): Promise<void> {
    const start = performance.now();
    const page = await this.#load(reading.nextKey, signal, wish);
    signal.throwIfAborted();
    growth?.add({ rows: page.rows.length, ms: performance.now() - start, bytes: page.bytes ?? 0 });
    takePage(reading, page, this.#idOf);
  }
}
