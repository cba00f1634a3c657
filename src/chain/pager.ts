import { Emitter } from './emitter.ts';

/** One page as a loader gives it. `nextKey` undefined ends the list; `total` is undefined where the node did not count. */
export interface LoadedPage<Row> {
  readonly rows: readonly Row[];
  readonly nextKey: string | undefined;
  readonly total: bigint | undefined;
  readonly height?: bigint | undefined;
}

/** Reads the page that starts at `key` (undefined: the first). */
export type LoadPage<Row> = (key: string | undefined, signal: AbortSignal) => Promise<LoadedPage<Row>>;

/** `stale`: the rows are of `asOf`, a later refresh failed with `error`. */
export type PagerState = 'empty' | 'loading' | 'loaded' | 'failed' | 'stale';

/** A node gave a key that it had given before; going on would never end. */
export class RepeatedKeyError extends Error {
  readonly key: string;

  constructor(key: string) {
    super(`The node repeated the next key ${key}; reading stopped, the rows so far are kept`);
    this.name = 'RepeatedKeyError';
    this.key = key;
  }
}

/** What has been read so far; replaced whole by a refresh that succeeds. */
interface Reading<Row> {
  readonly rows: Row[];
  readonly ids: Set<string>;
  readonly keys: Set<string>;
  nextKey: string | undefined;
  started: boolean;
  total: bigint | undefined;
  height: bigint | undefined;
  asOf: Date | undefined;
}

/** A paged list, whatever its rows are. */
export type AnyPager = Pick<
  Pager<never>,
  'started' | 'hasMore' | 'error' | 'total' | 'loadMore' | 'refresh' | 'loadAll'
> & { readonly rows: readonly unknown[] };

/** One paged list being read. The laws are those of the house: one flight, failures lose nothing, only a null key ends. */
export class Pager<Row> {
  readonly #load: LoadPage<Row>;
  readonly #idOf: (row: Row) => string;
  readonly #changed = new Emitter<void>();
  #reading: Reading<Row> = newReading();
  #flight: { promise: Promise<void>; abort: AbortController } | undefined;
  #error: unknown;

  constructor(load: LoadPage<Row>, idOf: (row: Row) => string) {
    this.#load = load;
    this.#idOf = idOf;
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
    const reading = this.#reading;
    return this.#fly((signal) => this.#readPage(reading, signal), reading);
  }

  /** Reads again as many rows as are shown, and swaps them on success only. */
  refresh(): Promise<void> {
    this.#flight?.abort.abort();
    this.#flight = undefined;
    const fresh = newReading<Row>();
    const wanted = this.#reading.rows.length;
    return this.#fly(async (signal) => {
      do await this.#readPage(fresh, signal);
      while (fresh.rows.length < wanted && fresh.nextKey !== undefined);
    }, fresh);
  }

  /** Reads pages until the end, `limit` rows or `signal`; what was read stays. Rejects as the loader does, never on `signal`. */
  async loadAll(options: { signal: AbortSignal; limit: number; onProgress?: (rows: number) => void }): Promise<void> {
    const stop = () => this.#flight?.abort.abort();
    options.signal.addEventListener('abort', stop);
    try {
      while (this.hasMore && !options.signal.aborted && this.rows.length < options.limit) {
        await this.loadMore();
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
    const at = this.#reading.rows.findIndex((other) => this.#idOf(other) === this.#idOf(row));
    if (at < 0) return false;
    this.#reading.rows[at] = row;
    this.#changed.fire();
    return true;
  }

  /** Takes a row out, by id. Returns whether it was there. */
  remove(id: string): boolean {
    const at = this.#reading.rows.findIndex((row) => this.#idOf(row) === id);
    if (at < 0) return false;
    this.#reading.rows.splice(at, 1);
    this.#reading.ids.delete(id);
    this.#changed.fire();
    return true;
  }

  /** Puts a row that was learned elsewhere in its place, if the list has been read as far as that place. */
  insert(row: Row, before: (other: Row) => boolean): void {
    const { rows, ids, started } = this.#reading;
    const id = this.#idOf(row);
    if (!started || ids.has(id)) return;
    const at = rows.findIndex(before);
    if (at < 0 && this.hasMore) return;
    rows.splice(at < 0 ? rows.length : at, 0, row);
    ids.add(id);
    this.#changed.fire();
  }

  dispose(): void {
    this.#flight?.abort.abort();
    this.#flight = undefined;
    this.#changed.dispose();
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

  async #readPage(reading: Reading<Row>, signal: AbortSignal): Promise<void> {
    const key = reading.nextKey;
    const page = await this.#load(key, signal);
    signal.throwIfAborted();
    for (const row of page.rows) {
      const id = this.#idOf(row);
      if (reading.ids.has(id)) continue;
      reading.ids.add(id);
      reading.rows.push(row);
    }
    reading.started = true;
    reading.asOf ??= new Date();
    if (page.total !== undefined) reading.total = page.total;
    reading.height ??= page.height;
    if (key !== undefined) reading.keys.add(key);
    reading.nextKey = page.nextKey;
    if (page.nextKey !== undefined && reading.keys.has(page.nextKey)) {
      reading.nextKey = undefined;
      throw new RepeatedKeyError(page.nextKey);
    }
  }
}

function newReading<Row>(): Reading<Row> {
  return {
    rows: [],
    ids: new Set(),
    keys: new Set(),
    nextKey: undefined,
    started: false,
    total: undefined,
    height: undefined,
    asOf: undefined,
  };
}
