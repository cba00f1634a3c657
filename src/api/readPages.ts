import { shorten } from '../chain/text.ts';
import { ApiError, isApiError, isTooLarge } from './errors.ts';
import { emptyPage, faultsFrom, type Page, type PageRequest } from './pages.ts';

/** Reads one page. `limit` is always set. */
export type LoadPage<Row> = (
  request: PageRequest & { readonly limit: number },
  signal: AbortSignal | undefined,
) => Promise<Page<Row>>;

/** The pages of a list that a node may not offer. The list is empty then. */
export class OptionalPages<Row> {
  readonly load: LoadPage<Row>;
  /** False once the node has refused the list. */
  isOffered = true;

  constructor(read: (...asked: Parameters<LoadPage<Row>>) => Promise<Page<Row> | undefined>) {
    this.load = async (request, signal): Promise<Page<Row>> => {
      const page = await read(request, signal);
      this.isOffered = page !== undefined;
      return page ?? emptyPage;
    };
  }
}

/**
 * Why a list cannot be read on. `repeatedKey`: the node gave a next key for the second time, and reading would never
 * end. `emptyPages`: 20 pages in a row had no new rows; reading may go on from the same cursor. `tooManyRows`: the
 * list is longer than any that is expected.
 */
export type PagingCode = 'repeatedKey' | 'emptyPages' | 'tooManyRows';

/** A list cannot be read to its end, although its pages are answered. The rows read before are valid. */
export class PagingError extends ApiError {
  readonly code: PagingCode;

  constructor(code: PagingCode, message: string) {
    super('paging', message);
    this.code = code;
  }
}

/** True if `error` is a `PagingError` with this code, from any bundle. */
export function isPagingError(error: unknown, code: PagingCode): boolean {
  return isApiError(error) && error.kind === 'paging' && 'code' in error && error.code === code;
}

/**
 * The position up to which a list was read. `readPages` moves it after each page, so that reading can go on after a
 * failure or a pause.
 */
export class Cursor {
  readonly ids = new Set<string>();
  readonly keys = new Set<string>();
  started = false;
  nextKey: string | undefined;
  total: bigint | undefined;
  height: bigint | undefined;
  /** The reason why later pages may be of other heights. */
  unpinnedReason: string | undefined;
  /** The number of rows that pages have brought, including unreadable rows and rows that came twice. */
  place = 0;
  /**
   * The number of rows of a page that the node could give after one that was too large (docs/nodes.md#message-size).
   */
  maxRows = Number.POSITIVE_INFINITY;

  /** The start of a list, or a copy of the cursor `from`. */
  constructor(from?: Cursor) {
    Object.assign(this, from, { ids: new Set(from?.ids), keys: new Set(from?.keys) });
  }

  /** True if there is more to read: nothing was read yet, or there is a next key. */
  get hasMore(): boolean {
    return !this.started || this.nextKey !== undefined;
  }

  get pinnedHeight(): bigint | undefined {
    return this.unpinnedReason === undefined && this.height !== 0n ? this.height : undefined;
  }
}

/** Moves the cursor past a page. Gives the page with its new rows, and the positions of the others in the list. */
function advance<Row>(cursor: Cursor, page: Page<Row>, idOf: (row: Row) => string): Page<Row> {
  if (cursor.nextKey !== undefined) cursor.keys.add(cursor.nextKey);
  cursor.started = true;
  cursor.nextKey = page.nextKey;
  cursor.total = page.total ?? cursor.total;
  cursor.height ??= page.info.height;
  cursor.unpinnedReason ??= page.info.unpinnedReason;
  const faults = faultsFrom(cursor.place, page);
  cursor.place += page.rows.length + faults.length;
  const rows = page.rows.filter((row) => {
    const id = idOf(row);
    return !cursor.ids.has(id) && cursor.ids.add(id);
  });
  return { ...page, rows, info: faults.length > 0 ? { ...page.info, faults } : page.info };
}

/** The way in which a list is read. */
export interface ReadOptions<Row> {
  /** Identifies a row. A row that comes twice is given once. */
  readonly idOf: (row: Row) => string;
  readonly signal?: AbortSignal | undefined;
  readonly limit: number;
  /** The number of rows of the largest page. Pages grow up to it while the node answers quickly. `limit` if absent. */
  readonly largest?: number | undefined;
  /** The place to start at. It is moved. The start of the list if absent. */
  readonly cursor?: Cursor | undefined;
  /** Asks for all pages at the height of the first one, until the node cannot. */
  readonly pinned?: boolean | undefined;
  /** The number of new rows after which reading stops. The last page may bring more. */
  readonly enough?: number | undefined;
  /** The limit for the rows of the whole list, counted from its start. `maxRowsOfList` if absent. */
  readonly maxRows?: number | undefined;
}

/** The limit for lists that never end. No list of a chain is known to have as many rows. */
export const maxRowsOfList = 2_000_000;

const maxEmptyPages = 20;

/**
 * Reads the pages of a list from the cursor on, and gives the rows that are new. No other code loops over pages. Pages
 * without a new row are skipped, and the next one has a larger limit (docs/nodes.md#pagination). Only a null or empty
 * next key ends a list.
 *
 * @throws PagingError `repeatedKey`, `emptyPages`, and `tooManyRows` before a page that exceeds `maxRows`; an
 * `AbortError` once `signal` fires; any error of `load`. Reading can then go on from the cursor.
 */
export async function* readPages<Row>(load: LoadPage<Row>, options: ReadOptions<Row>): AsyncGenerator<Page<Row>, void> {
  const { signal, idOf, cursor = new Cursor(), pinned = false, enough = Number.POSITIVE_INFINITY } = options;
  const { largest = options.limit, maxRows = maxRowsOfList } = options;
  let size = options.limit;
  let read = 0;
  let empty = 0;
  while (cursor.hasMore && read < enough) {
    signal?.throwIfAborted();
    const { nextKey } = cursor;
    if (nextKey !== undefined && cursor.keys.has(nextKey)) {
      cursor.nextKey = undefined;
      const reason = `The node repeated the next key ${shorten(nextKey)}. Loading stopped, and the rows loaded so far are kept`;
      throw new PagingError('repeatedKey', reason);
    }
    const wanted = empty > 0 ? size : Math.min(size, Math.max(options.limit, enough - read));
    const limit = Math.min(wanted, cursor.maxRows);
    const start = performance.now();
    const height = pinned ? cursor.pinnedHeight : undefined;
    const page = await load({ key: nextKey, limit, height }, signal).catch((error: unknown) => {
      if (limit > 1 && isTooLarge(error) && !signal?.aborted) return undefined;
      throw error;
    });
    signal?.throwIfAborted();
    if (page === undefined) {
      cursor.maxRows = Math.floor(limit / 2);
      continue;
    }
    // The next page may be a little larger again.
    cursor.maxRows = Math.ceil(cursor.maxRows * 1.25);
    const advanced = advance(cursor, page, idOf);
    const { rows } = advanced;
    if (cursor.ids.size > maxRows)
      throw new PagingError('tooManyRows', `The list has more rows than the limit of ${maxRows}`);
    if (rows.length === 0) size = Math.max(size, Math.min(maxAfterEmpty, size * factor));
    else size = nextSize(size, page, performance.now() - start, options.limit, largest);
    read += rows.length;
    empty = rows.length > 0 ? 0 : empty + 1;
    if (rows.length > 0 || page.info.faults?.length || !cursor.hasMore) yield advanced;
    if (empty >= maxEmptyPages && cursor.hasMore) {
      throw new PagingError('emptyPages', `${empty} pages in a row had no new rows`);
    }
  }
}

/** The time in milliseconds within which a page is quick enough for a larger one. */
const quick = 1500;

/** The size in characters from which a larger page would come near the limit of 32 MiB for a reply. */
const large = 6 * 1024 * 1024;

const maxAfterEmpty = 5000;

const factor = 4;

/**
 * Gives the number of rows of the next page. It grows while the node gives full pages quickly, and shrinks if it takes
 * long. A node that gives fewer rows than asked for has its own limit and is not asked for more.
 */
function nextSize(size: number, page: Page<unknown>, ms: number, first: number, largest: number): number {
  if (ms > quick * 4) return Math.max(first, Math.floor(size / 2));
  const isEasy = page.rows.length >= size && ms <= quick && (page.info.characters ?? 0) <= large;
  return isEasy ? Math.max(size, Math.min(largest, size * factor)) : size;
}
