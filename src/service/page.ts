import type { PageRequest } from './pageRequest.ts';
import { findKey, joinRows, keyOf, lowerBound, type Table } from './table.ts';

/** A page of a table: positions in the order of the answer, and the key of the row that the next page starts with. */
export interface Page {
  readonly positions: readonly number[];
  readonly nextKey: Uint8Array | undefined;
  /** Undefined where it was not to be counted. */
  readonly total: number | undefined;
}

/**
 * Cuts a page. Keys are inclusive and need not exist; in reverse the page starts with the last row at or before the key.
 * With `matches`, offset and total count matching rows and the next key is that of the next match.
 */
export function readPage(table: Table, request: PageRequest, matches?: (position: number) => boolean): Page {
  const { reverse, limit } = request;
  const step = reverse ? -1 : 1;
  let at = firstPosition(table, request);
  if (!matches && !request.key) at += step * Math.min(request.offset, table.count);
  let skip = matches && !request.key ? request.offset : 0;
  const positions: number[] = [];
  for (; at >= 0 && at < table.count; at += step) {
    if (matches && !matches(at)) continue;
    if (skip > 0) skip--;
    else if (positions.length === limit) break;
    else positions.push(at);
  }
  const more = at >= 0 && at < table.count;
  const total = request.countTotal ? countMatches(table, matches) : undefined;
  return { positions, nextKey: more ? keyOf(table, at) : undefined, total };
}

/** The page as JSON: `{"<name>":[…],"pagination":{…}}`. */
export function pageJson(name: string, rows: readonly Uint8Array[], page: Page): Buffer {
  const nextKey = page.nextKey ? `"${Buffer.from(page.nextKey).toString('base64')}"` : 'null';
  const end = `],"pagination":{"next_key":${nextKey},"total":"${page.total ?? 0}"}}`;
  return Buffer.concat([Buffer.from(`{"${name}":[`), ...rows, Buffer.from(end)]);
}

/** A page of the table's own rows. */
export function tablePage(name: string, table: Table, request: PageRequest): Buffer {
  const page = readPage(table, request);
  return pageJson(name, joinRows(table, page.positions), page);
}

function firstPosition(table: Table, { key, reverse }: PageRequest): number {
  if (!key) return reverse ? table.count - 1 : 0;
  if (!reverse) return lowerBound(table, key);
  const exact = findKey(table, key);
  return exact >= 0 ? exact : lowerBound(table, key) - 1;
}

function countMatches(table: Table, matches?: (position: number) => boolean): number {
  if (!matches) return table.count;
  let count = 0;
  for (let position = 0; position < table.count; position++) if (matches(position)) count++;
  return count;
}
