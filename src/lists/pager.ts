import type { RowFault } from '../api/pages.ts';
import { Cursor, isPagingError, type LoadPage, type ReadOptions, readPages } from '../api/readPages.ts';
import { Emitter } from '../chain/emitter.ts';

/** `stale`: the rows are of `asOf`, a later refresh failed with `error`. */
type PagerState = 'empty' | 'loading' | 'loaded' | 'failed' | 'stale';

const largestPage = 5000;

/** A paged list, whatever its rows are. */
export type AnyPager = Pager<unknown>;

/** How the rows of a list are read and told apart. A method, so that a pager of coins is a pager of unknown rows. */
interface RowSource<Row> {
  readonly load: LoadPage<Row>;
  idOf(row: Row): string;
  readonly pageSize: () => number;
}

/** The rows that were read of a list so far. A refresh that succeeds replaces them as a whole. */
class Reading<Row> {
  readonly rows: Row[] = [];
  readonly cursor = new Cursor();
  readonly faults = new Map<string | number, RowFault>();
  asOf: Date | undefined;
  paused = false;
}

/** One paged list being read: one request at a time, a failure loses no row, only a null key ends the list. */
export class Pager<Row> {
  readonly #list: RowSource<Row>;
  readonly #changed = new Emitter<void>();
  #reading = new Reading<Row>();
  #flight: { promise: Promise<void>; abort: AbortController; since: number } | undefined;
  #error: unknown;

  /** `pageSize` is asked before each page; reading to the end begins with it. */
  constructor(load: LoadPage<Row>, idOf: (row: Row) => string, pageSize: () => number) {
    this.#list = { load, idOf, pageSize };
  }

  readonly onDidChange = this.#changed.on;

  get rows(): readonly Row[] {
    return this.#reading.rows;
  }

  get total(): bigint | undefined {
    return this.#reading.cursor.total;
  }

  get height(): bigint | undefined {
    return this.#reading.cursor.height;
  }

  get unpinnedReason(): string | undefined {
    return this.#reading.cursor.unpinnedReason;
  }

  get faults(): readonly RowFault[] {
    return [...this.#reading.faults.values()];
  }

  get asOf(): Date | undefined {
    return this.#reading.asOf;
  }

  /** Why the last load failed; undefined once one succeeds. */
  get error(): unknown {
    return this.#error;
  }

  get hasMore(): boolean {
    return this.#reading.cursor.hasMore;
  }

  /** Whether reading stopped because 20 pages in a row brought no new row; `loadMore` goes on from there. */
  get paused(): boolean {
    return this.#reading.paused;
  }

  /** A copy of the place behind the last page, for reading on without adding rows here. */
  get cursor(): Cursor {
    return new Cursor(this.#reading.cursor);
  }

  get started(): boolean {
    return this.#reading.cursor.started;
  }

  get loading(): boolean {
    return this.#flight !== undefined;
  }

  /** Milliseconds since the request under way began, as long as nothing was read; 0 otherwise. */
  get silence(): number {
    return this.#flight && !this.started ? performance.now() - this.#flight.since : 0;
  }

  get state(): PagerState {
    if (this.#error !== undefined) return this.started ? 'stale' : 'failed';
    if (this.started) return 'loaded';
    return this.#flight ? 'loading' : 'empty';
  }

  /** Reads on until half a page is new; a second call meanwhile joins. Rejects as the loader does; rows stay. */
  loadMore(): Promise<void> {
    if (this.#flight) return this.#flight.promise;
    if (!this.hasMore) return Promise.resolve();
    const limit = this.#list.pageSize();
    return this.#fly(this.#reading, { limit, enough: Math.ceil(limit / 2) });
  }

  /** Reads as many rows as are shown again, and swaps them on success only. */
  refresh(): Promise<void> {
    this.stop();
    const limit = this.#list.pageSize();
    return this.#fly(new Reading<Row>(), { limit, enough: Math.max(1, this.rows.length), largest: largestPage });
  }

  /** Reads to the end, `limit` rows or `signal`, at one height or with `unpinnedReason`. Never rejects on `signal`. */
  async loadAll(options: { signal?: AbortSignal; limit: number; onProgress?: (rows: number) => void }): Promise<void> {
    const stop = (): void => this.stop();
    options.signal?.addEventListener('abort', stop);
    try {
      // Another caller may begin to read as soon as a reading ends.
      while (this.#flight) await this.#flight.promise;
      const enough = options.limit - this.rows.length;
      if (!this.hasMore || options.signal?.aborted || enough <= 0) return;
      const reading = { limit: this.#list.pageSize(), enough, largest: largestPage, pinned: true };
      await this.#fly(this.#reading, reading, options.onProgress);
    } catch (error) {
      if (!options.signal?.aborted) throw error;
    } finally {
      options.signal?.removeEventListener('abort', stop);
    }
  }

  /** Ends the request that is under way; rows stay, and its promise resolves. */
  stop(): void {
    if (!this.#flight) return;
    this.#abort();
    this.#changed.fire();
  }

  /** Forgets everything and ends the request; a late answer is dropped. */
  reset(): void {
    this.#abort();
    this.#reading = new Reading<Row>();
    this.#error = undefined;
    this.#changed.fire();
  }

  /** Replaces a row that is shown, by id. Returns whether it was there. */
  replace(row: Row): boolean {
    const at = this.#indexOf(this.#list.idOf(row));
    if (at < 0) return false;
    this.#reading.rows[at] = row;
    this.#changed.fire();
    return true;
  }

  remove(id: string): boolean {
    const at = this.#indexOf(id);
    if (at < 0) return false;
    this.#reading.rows.splice(at, 1);
    this.#reading.cursor.ids.delete(id);
    this.#changed.fire();
    return true;
  }

  /** Inserts a row that came from elsewhere before the first that is `before`, if the list was read as far as that. */
  insert(row: Row, before: (other: Row) => boolean): void {
    const { rows, cursor } = this.#reading;
    const id = this.#list.idOf(row);
    if (!cursor.started || cursor.ids.has(id)) return;
    const at = rows.findIndex(before);
    if (at < 0 && cursor.nextKey !== undefined) return;
    rows.splice(at < 0 ? rows.length : at, 0, row);
    cursor.ids.add(id);
    this.#changed.fire();
  }

  dispose(): void {
    this.#abort();
    this.#changed.dispose();
  }

  #abort(): void {
    this.#flight?.abort.abort();
    this.#flight = undefined;
  }

  #indexOf(id: string): number {
    return this.#reading.rows.findIndex((row) => this.#list.idOf(row) === id);
  }

  #fly(
    reading: Reading<Row>,
    options: Omit<ReadOptions<Row>, 'idOf' | 'signal'>,
    onProgress?: (rows: number) => void,
  ): Promise<void> {
    const abort = new AbortController();
    const isCurrent = (): boolean => this.#flight?.abort === abort;
    const read = async (): Promise<void> => {
      const idOf = (row: Row): string => this.#list.idOf(row);
      const pages = readPages(this.#list.load, { ...options, idOf, signal: abort.signal, cursor: reading.cursor });
      reading.paused = false;
      let failure: unknown;
      try {
        for await (const { rows, info } of pages) {
          for (const row of rows) reading.rows.push(row);
          for (const fault of info.faults ?? []) reading.faults.set(fault.row, fault);
          reading.asOf ??= new Date();
          if (reading === this.#reading) this.#changed.fire();
          onProgress?.(reading.rows.length);
        }
      } catch (error) {
        reading.paused = isPagingError(error, 'emptyPages');
        if (!reading.paused) failure = error;
      }
      if (!isCurrent()) return;
      this.#flight = undefined;
      this.#error = failure;
      if (failure === undefined) this.#reading = reading;
      this.#changed.fire();
      if (failure !== undefined) throw failure;
    };
    this.#flight = { promise: read(), abort, since: performance.now() };
    // A try after a failure shows.
    if (this.#error !== undefined) this.#changed.fire();
    return this.#flight.promise;
  }
}
