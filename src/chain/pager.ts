import type { WirePage } from '../api/contract.ts';
import { shorten } from '../api/errors.ts';
import type { ReplyInfo } from '../api/node.ts';
import { Emitter } from './emitter.ts';

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

/** Milliseconds within which a page is quick enough that a larger one is no burden. */
const quick = 1500;
/** Characters of a page from which the next one would come near the 32 MiB that a reply may have. */
const large = 6 * 1024 * 1024;
/** Every page as many times as large as the one before. */
const factor = 4;

/** What a page was like. */
export interface PageMeasure {
  readonly rows: number;
  readonly ms: number;
  /** Characters of the reply; 0 where that is not known. */
  readonly bytes: number;
}

/**
 * How many rows the next page of a crawl is asked for: more and more while the node gives full pages quickly, fewer when
 * it takes long. A node that gives fewer rows than asked for has a limit of its own, and is not asked for more.
 */
export class PageGrowth {
  readonly #first: number;
  readonly #most: number;
  #limit: number;

  /** From `first` to `most` rows. */
  constructor(first: number, most: number) {
    this.#first = first;
    this.#most = Math.max(first, most);
    this.#limit = first;
  }

  /** Rows of the next page. */
  get limit(): number {
    return this.#limit;
  }

  /** Takes in how a page of `limit` rows was answered. */
  add({ rows, ms, bytes }: PageMeasure): void {
    if (ms > quick * 4) this.#limit = Math.max(this.#first, Math.floor(this.#limit / 2));
    else if (rows >= this.#limit && ms <= quick && bytes <= large)
      this.#limit = Math.min(this.#most, this.#limit * factor);
  }
}

/** One page as a loader gives it. `nextKey` undefined ends the list; `total` is undefined where the node did not count. */
export interface LoadedPage<Row> {
  readonly rows: readonly Row[];
  readonly nextKey: string | undefined;
  readonly total: bigint | undefined;
  readonly height?: bigint | undefined;
  /** Why the height that was wished for could not be kept, where it could not. */
  readonly heightDropped?: string | undefined;
  /** Characters of the reply, where somebody counted. */
  readonly bytes?: number | undefined;
}

/** How a page is to be read. */
export interface PageWish {
  /** Rows of the page. */
  readonly limit: number;
  /** The height that a crawl is pinned to. */
  readonly height: bigint | undefined;
}

/** Reads the page that starts at `key` (undefined: the first). */
export type LoadPage<Row> = (key: string | undefined, signal: AbortSignal, wish: PageWish) => Promise<LoadedPage<Row>>;

/** A node's page as a loader gives it; `page` may be absent, a key or a total be null, "" or absent. */
export function toLoadedPage<Row>(rows: readonly Row[], page: WirePage | undefined, info: ReplyInfo): LoadedPage<Row> {
  return {
    rows,
    nextKey: page?.next_key || undefined,
    total: page?.total ? BigInt(page.total) : undefined,
    height: info.height,
    heightDropped: info.heightDropped,
    bytes: info.bytes,
  };
}

/** A node gave a key that it had given before; going on would never end. */
export class RepeatedKeyError extends Error {
  readonly key: string;

  constructor(key: string) {
    super(`The node repeated the next key ${shorten(key)}; reading stopped, the rows so far are kept`);
    this.name = 'RepeatedKeyError';
    this.key = key;
  }
}

/** What has been read of a list so far; replaced whole by a refresh that succeeds. */
export interface Reading<Row> {
  readonly rows: Row[];
  readonly ids: Set<string>;
  readonly keys: Set<string>;
  nextKey: string | undefined;
  started: boolean;
  total: bigint | undefined;
  height: bigint | undefined;
  heightDropped: string | undefined;
  asOf: Date | undefined;
}

export function newReading<Row>(): Reading<Row> {
  return {
    rows: [],
    ids: new Set(),
    keys: new Set(),
    nextKey: undefined,
    started: false,
    total: undefined,
    height: undefined,
    heightDropped: undefined,
    asOf: undefined,
  };
}

/**
 * Takes in the page at the reading's next key; rows that are there already are left out.
 *
 * @throws RepeatedKeyError when the page's next key was there before; its rows are kept.
 */
export function takePage<Row>(reading: Reading<Row>, page: LoadedPage<Row>, idOf: (row: Row) => string): void {
  const key = reading.nextKey;
  for (const row of page.rows) {
    const id = idOf(row);
    if (reading.ids.has(id)) continue;
    reading.ids.add(id);
    reading.rows.push(row);
  }
  reading.started = true;
  reading.asOf ??= new Date();
  if (page.total !== undefined) reading.total = page.total;
  reading.height ??= page.height;
  reading.heightDropped ??= page.heightDropped;
  if (key !== undefined) reading.keys.add(key);
  reading.nextKey = page.nextKey;
  if (page.nextKey !== undefined && reading.keys.has(page.nextKey)) {
    reading.nextKey = undefined;
    throw new RepeatedKeyError(page.nextKey);
  }
}

/** Replaces the row with the same id. Returns whether it was there. */
export function replaceRow<Row>(reading: Reading<Row>, row: Row, idOf: (row: Row) => string): boolean {
  const at = reading.rows.findIndex((other) => idOf(other) === idOf(row));
  if (at < 0) return false;
  reading.rows[at] = row;
  return true;
}

/** Takes a row out, by id. Returns whether it was there. */
export function removeRow<Row>(reading: Reading<Row>, id: string, idOf: (row: Row) => string): boolean {
  const at = reading.rows.findIndex((row) => idOf(row) === id);
  if (at < 0) return false;
  reading.rows.splice(at, 1);
  reading.ids.delete(id);
  return true;
}

/** Puts a row before the first that is `before`, if the list has been read as far as that. Returns whether it was put there. */
export function insertRow<Row>(
  { rows, ids, started, nextKey }: Reading<Row>,
  row: Row,
  before: (other: Row) => boolean,
  idOf: (row: Row) => string,
): boolean {
  const id = idOf(row);
  if (!started || ids.has(id)) return false;
  const at = rows.findIndex(before);
  if (at < 0 && nextKey !== undefined) return false;
  rows.splice(at < 0 ? rows.length : at, 0, row);
  ids.add(id);
  return true;
}
