import type { LoadedPage } from './pager.ts';

/** A node gave a key that it had given before; going on would never end. */
export class RepeatedKeyError extends Error {
  readonly key: string;

  constructor(key: string) {
    super(`The node repeated the next key ${key}; reading stopped, the rows so far are kept`);
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
