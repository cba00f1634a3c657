import type { LoadedPage } from '../../chain/loadedPage.ts';
import type { Pager } from '../../chain/pager.ts';
import { RepeatedKeyError } from '../../chain/reading.ts';

/** A page read beyond what is loaded. `heightDropped` says why the height could not be kept, where it could not. */
export interface ReadPage<Row> extends LoadedPage<Row> {
  readonly heightDropped?: string | undefined;
}

/** Reads the page at `key` (undefined: the first), at `height` where one is to be kept. */
export type ReadAt<Row> = (
  key: string | undefined,
  height: bigint | undefined,
  signal: AbortSignal,
) => Promise<ReadPage<Row>>;

/**
 * A list from its first row to its last: what a pager has loaded, then the pages after it, which are not kept anywhere.
 * Nothing that is loaded is asked for again; a row that comes twice is given once. All pages are asked for at the height of
 * the first one; a node that cannot is asked without from then on (decision 12). Rejects as `read` does, with `RepeatedKeyError` where a list never
 * ends, and with an `AbortError` once `signal` fires.
 */
export async function* readOn<Row>(
  pager: Pick<Pager<Row>, 'rows' | 'nextKey' | 'hasMore' | 'started' | 'height' | 'total'>,
  read: ReadAt<Row>,
  idOf: (row: Row) => string,
  signal: AbortSignal,
): AsyncGenerator<ReadPage<Row>> {
  const seen = new Set<string>();
  const fresh = (rows: readonly Row[]) =>
    rows.filter((row) => {
      const id = idOf(row);
      return !seen.has(id) && seen.add(id);
    });
  let { height, nextKey: key, hasMore } = pager;
  let pinned = true;
  if (pager.started) yield { rows: fresh(pager.rows), nextKey: key, total: pager.total, height };
  const keys = new Set<string>();
  while (hasMore) {
    signal.throwIfAborted();
    const page = await read(key, pinned ? height : undefined, signal);
    signal.throwIfAborted();
    height ??= page.height;
    pinned &&= page.heightDropped === undefined;
    yield { ...page, rows: fresh(page.rows) };
    if (key !== undefined) keys.add(key);
    key = page.nextKey;
    hasMore = key !== undefined;
    if (key !== undefined && keys.has(key)) throw new RepeatedKeyError(key);
  }
}
