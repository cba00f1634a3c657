import { type Fields, parseExactly, toFields } from './jsonValue.ts';
import { badParameter, GatewayError } from './serviceErrors.ts';

/**
 * Rows in the byte order of their keys, packed into a few arrays: found by binary search, sliced into pages without
 * copying row by row, handed between threads without copying at all, and written to the cache as they are.
 */
export interface Table {
  readonly count: number;
  /** All keys, one after the other; `keyAt[i]` to `keyAt[i + 1]` is the i-th. */
  readonly keys: Uint8Array<ArrayBuffer>;
  readonly keyAt: Uint32Array<ArrayBuffer>;
  /** All rows as compact JSON, a comma after each; `rowAt[i]` to `rowAt[i + 1]` is the i-th with its comma. */
  readonly rows: Uint8Array<ArrayBuffer>;
  readonly rowAt: Uint32Array<ArrayBuffer>;
  /** A number of each row, by which it is filtered. */
  readonly tags: Uint8Array<ArrayBuffer>;
}

export interface Entry {
  /** One character for each byte, so that keys are in the order of their bytes: `toByteText`. */
  readonly key: string;
  /** JSON text. */
  readonly row: string;
  readonly tag?: number;
}

/** Packs `entries`, in any order; keys must differ. */
export function toTable(entries: readonly Entry[]): Table {
  const sorted = [...entries].sort((a, b) => (a.key < b.key ? -1 : 1));
  const keys = pack(sorted, ({ key }) => key, 'latin1');
  const rows = pack(sorted, ({ row }) => `${row},`, 'utf8');
  const tags = Uint8Array.from(sorted, ({ tag = 0 }) => tag);
  return { count: sorted.length, keys: keys.bytes, keyAt: keys.begins, rows: rows.bytes, rowAt: rows.begins, tags };
}

/** The bytes of `text` as characters. */
export function toByteText(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

/** All texts in one array, and where each of them begins; the array is no part of another one. */
function pack(entries: readonly Entry[], textOf: (entry: Entry) => string, encoding: 'latin1' | 'utf8') {
  const begins = new Uint32Array(entries.length + 1);
  entries.forEach((entry, at) => {
    begins[at + 1] = (begins[at] ?? 0) + Buffer.byteLength(textOf(entry), encoding);
  });
  const bytes = new Uint8Array(begins.at(-1) ?? 0);
  const target = Buffer.from(bytes.buffer);
  entries.forEach((entry, at) => void target.write(textOf(entry), begins[at] ?? 0, encoding));
  return { bytes, begins };
}

function keyOf(table: Table, position: number): Uint8Array {
  return table.keys.subarray(table.keyAt[position], table.keyAt[position + 1]);
}

/** The row at `position` as a value. */
export function fieldsAt(table: Table, position: number): Fields {
  return toFields(parseExactly(Buffer.from(rowsAt(table, [position])).toString('utf8')));
}

/** Position of the first row whose key is at or after `key`; `count` where there is none. */
function lowerBound(table: Table, key: Uint8Array): number {
  let low = 0;
  let high = table.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Buffer.compare(keyOf(table, middle), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Position of the row with exactly this key, or -1. */
export function findKey(table: Table, key: Uint8Array): number {
  const position = lowerBound(table, key);
  return position < table.count && Buffer.compare(keyOf(table, position), key) === 0 ? position : -1;
}

/** The rows at `positions` as the inside of a JSON list. */
export function rowsAt({ rows, rowAt }: Table, positions: readonly number[]): Uint8Array {
  return Buffer.concat(positions.map((at) => rows.subarray(rowAt[at], rowAt[at + 1]))).subarray(0, -1);
}

/** A page of a table: positions in the order of the answer, and the key of the row that the next page starts with. */
export interface TablePage {
  readonly positions: readonly number[];
  readonly nextKey: Uint8Array | undefined;
  /** Undefined where it was not to be counted. */
  readonly total: number | undefined;
}

/**
 * Cuts the page that `query` asks for. Keys are inclusive and need not exist; in reverse the page starts with the last row at or
 * before the key. With `matches`, offset and total count matching rows and the next key is that of the next match. Throws a
 * `GatewayError` 400, code 3, that names the parameter.
 */
export function readPage(table: Table, query: URLSearchParams, matches?: (position: number) => boolean): TablePage {
  const request = readPageRequest(query);
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

/** The page as JSON: `{"<name>":[…],"pagination":{…}}`; `rows` is the inside of the list. */
export function pageJson(name: string, page: TablePage, rows: Uint8Array): Buffer {
  const nextKey = page.nextKey ? `"${Buffer.from(page.nextKey).toString('base64')}"` : 'null';
  const end = `],"pagination":{"next_key":${nextKey},"total":"${page.total ?? 0}"}}`;
  return Buffer.concat([Buffer.from(`{"${name}":[`), rows, Buffer.from(end)]);
}

/** A page of the table's own rows. Throws as `readPage` does. */
export function tablePage(
  name: string,
  table: Table,
  query: URLSearchParams,
  matches?: (position: number) => boolean,
): Buffer {
  const page = readPage(table, query, matches);
  return pageJson(name, page, rowsAt(table, page.positions));
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

/** A page as it was asked for, checked. */
interface PageRequest {
  /** Where to start, inclusive. */
  readonly key: Uint8Array | undefined;
  readonly offset: number;
  readonly limit: number;
  readonly countTotal: boolean;
  readonly reverse: boolean;
}

const defaultLimit = 100;

/**
 * Reads `pagination.*` or the names in camelCase as docs/nodes.md#pagination describes, but an empty value is an absent
 * one, and numbers are decimal.
 */
function readPageRequest(query: URLSearchParams): PageRequest {
  const key = readKey(query.get('pagination.key') ?? '');
  const offset = readNumber(query, 'pagination.offset');
  const limit = readNumber(query, 'pagination.limit');
  const countTotal = readBoolean(query, 'pagination.count_total', 'pagination.countTotal');
  if (key && offset > 0) throw new GatewayError(3, 'invalid request, either offset or key is expected, got both');
  return {
    key,
    offset,
    limit: limit || defaultLimit,
    countTotal: !key && (countTotal || limit === 0),
    reverse: readBoolean(query, 'pagination.reverse'),
  };
}

/** Decimal digits up to 64 bits; beyond 2^53 nothing is ever counted, so the nearest number will do. */
function readNumber(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  if (text === '') return 0;
  return Number(readUint64(text, name));
}

/** Throws `GatewayError` 400 where `text` is no decimal number of 64 bits. */
export function readUint64(text: string, name: string): bigint {
  const shown = JSON.stringify(text.slice(0, 80));
  if (!/^\d+$/.test(text)) throw badParameter(name, `strconv.ParseUint: parsing ${shown}: invalid syntax`);
  const value = text.length > 40 ? 2n ** 64n : BigInt(text);
  if (value >= 2n ** 64n) throw badParameter(name, `strconv.ParseUint: parsing ${shown}: value out of range`);
  return value;
}

/** The words of Go's `strconv.ParseBool`. */
function readBoolean(query: URLSearchParams, name: string, alias = name): boolean {
  const text = query.get(name) ?? query.get(alias) ?? '';
  if (text === '' || /^(0|f|F|false|False|FALSE)$/.test(text)) return false;
  if (/^(1|t|T|true|True|TRUE)$/.test(text)) return true;
  throw badParameter(name, `strconv.ParseBool: parsing ${JSON.stringify(text.slice(0, 80))}: invalid syntax`);
}

const longestKey = 4096;

/** Base64, the standard alphabet or the URL one, padded. */
function readKey(text: string): Uint8Array | undefined {
  if (text === '') return undefined;
  if (text.length > longestKey) throw badParameter('pagination.key', `longer than ${longestKey} characters`);
  const illegal = /[^A-Za-z0-9+/_-]/.exec(text.replace(/={1,2}$/, ''))?.index ?? text.length;
  if (illegal === text.length && text.length % 4 === 0) return Buffer.from(text, 'base64');
  throw badParameter('pagination.key', `illegal base64 data at input byte ${illegal}`);
}
