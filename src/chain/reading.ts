import { shorten } from '../api/errors.ts';
import type { LoadedPage } from './loadedPage.ts';

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
