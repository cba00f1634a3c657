import type { Fields } from '../chain/fields.ts';
import { parseExactly, toFields } from './scan/jsonValue.ts';
import { badParameter, GatewayError } from './serviceErrors.ts';

/** The body of an answer as JSON, or as the bytes of a page of rows. */
export type Body = string | Buffer;

/**
 * Packed rows in the byte order of their keys. Threads hand them over without copying, and the index holds them as they
 * are.
 */
export interface KeyedTable {
  readonly count: number;
  readonly keys: Texts;
  /** The rows as compact JSON with a comma after each, so that a page is cut out in one piece. */
  readonly rows: Texts;
  /** A number for each row, by which rows are filtered. */
  readonly tags: Uint8Array<ArrayBuffer>;
}

/** Texts, one after the other: the i-th goes from `begins[i]` to `begins[i + 1]`. */
interface Texts {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly begins: Uint32Array<ArrayBuffer>;
}

export interface KeyedRow {
  /** The key with one character for each byte (`toByteText`), so that keys are in the order of their bytes. */
  readonly key: string;
  /** The row as JSON text or its bytes. */
  readonly row: string | Buffer;
  readonly tag?: number;
}

/** Packs `entries` in any order. Their keys must differ. */
export function toTable(entries: readonly KeyedRow[]): KeyedTable {
  return packer([entries])(entries);
}

/**
 * Packs groups of entries, each in any order, into one buffer: there may be a hundred thousand groups, and each buffer
 * is handed over.
 */
export function toTables(groups: ReadonlyMap<bigint, readonly KeyedRow[]>): Record<string, KeyedTable> {
  const pack = packer([...groups.values()]);
  return Object.fromEntries([...groups].map(([id, entries]) => [id, pack(entries)]));
}

/** Gives a function that packs each group once, into a buffer with space for all of them. */
function packer(groups: readonly (readonly KeyedRow[])[]): (entries: readonly KeyedRow[]) => KeyedTable {
  const count = groups.reduce((sum, entries) => sum + entries.length, 0);
  // Numbers come first, so that their addresses are multiples of four.
  let numbersAt = 0;
  let bytesAt = 8 * (count + groups.length);
  const textSize = ({ key, row }: KeyedRow): number => key.length + Buffer.byteLength(row) + separator.length;
  const size = groups.reduce((sum, entries) => entries.reduce((all, entry) => all + textSize(entry), sum), 0);
  const buffer = new ArrayBuffer(bytesAt + size + count);
  // The space between the rows is filled with separators.
  const target = Buffer.from(buffer).fill(separator, bytesAt);
  const packTexts = (
    entries: readonly KeyedRow[],
    textOf: (entry: KeyedRow) => string | Buffer,
    encoding: Encoding,
    gap: number,
  ): Texts => {
    const begins = new Uint32Array(buffer, numbersAt, entries.length + 1);
    numbersAt += begins.byteLength;
    let end = 0;
    for (const [at, entry] of entries.entries()) {
      const text = textOf(entry);
      const place = bytesAt + end;
      end += typeof text === 'string' ? target.write(text, place, encoding) : text.copy(target, place);
      end += gap;
      begins[at + 1] = end;
    }
    bytesAt += end;
    return { bytes: new Uint8Array(buffer, bytesAt - end, end), begins };
  };
  return (entries): KeyedTable => {
    const sorted = sortByKey(entries);
    const keys = packTexts(sorted, ({ key }) => key, 'latin1', 0);
    const rows = packTexts(sorted, ({ row }) => row, 'utf8', separator.length);
    const tags = new Uint8Array(buffer, bytesAt, sorted.length);
    for (const [at, { tag = 0 }] of sorted.entries()) tags[at] = tag;
    bytesAt += sorted.length;
    return { count: sorted.length, keys, rows, tags };
  };
}

const firstCharacters = 6;

/**
 * Sorts entries by key. The first characters are compared as a number where they differ, which takes a fifth of the
 * time.
 */
function sortByKey(entries: readonly KeyedRow[]): readonly KeyedRow[] {
  const starts = Float64Array.from(entries, ({ key }) => {
    let start = 0;
    for (let at = 0; at < firstCharacters; at++) start = start * 256 + (at < key.length ? key.charCodeAt(at) : 0);
    return start;
  });
  const keyOf = (at: number): string => entries[at]?.key ?? '';
  const order = Uint32Array.from(entries.keys()).sort((one, other) => {
    const difference = (starts[one] ?? 0) - (starts[other] ?? 0);
    return difference === 0 && one !== other ? (keyOf(one) < keyOf(other) ? -1 : 1) : difference;
  });
  return Array.from(order, (at) => entries[at]).filter((entry) => entry !== undefined);
}

type Encoding = 'latin1' | 'utf8';

/** The separator after each row of a table. */
const separator = ',';

/** Gives the bytes of `text` as characters. */
export function toByteText(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

function bytesAt({ bytes, begins }: Texts, position: number): Uint8Array {
  return bytes.subarray(begins[position], begins[position + 1]);
}

/** Gives the JSON of the row at `position`. */
export function rowAt({ rows: { bytes, begins } }: KeyedTable, position: number): string {
  const end = (begins[position + 1] ?? 0) - separator.length;
  return Buffer.from(bytes.buffer, bytes.byteOffset).toString('utf8', begins[position], end);
}

/** Gives the row at `position` as a value. */
export function fieldsAt(table: KeyedTable, position: number): Fields {
  return toFields(parseExactly(rowAt(table, position)));
}

/** Finds the position of the first row whose key is at or after `key`; `count` if there is none. */
function lowerBound(table: KeyedTable, key: Uint8Array): number {
  let low = 0;
  let high = table.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Buffer.compare(bytesAt(table.keys, middle), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds the position of the row with exactly this key, or -1. */
export function findKey(table: KeyedTable, key: Uint8Array): number {
  const position = lowerBound(table, key);
  return position < table.count && Buffer.compare(bytesAt(table.keys, position), key) === 0 ? position : -1;
}

interface PageOptions {
  readonly matches?: ((position: number) => boolean) | undefined;
  /** Gives the JSON of a row; absent to take the row as it is. */
  readonly toRow?: (position: number) => string;
}

/**
 * Gives the page that `query` asks for: `{"<name>":[…],"pagination":{…}}`. Keys are inclusive and need not exist. In
 * reverse, the page starts with the last row at or before the key. With `matches`, offset and total count matching
 * rows, and the next key is that of the next match. Throws a `GatewayError` (400, code 3) that names the parameter.
 */
export function tablePage(
  name: string,
  table: KeyedTable,
  query: URLSearchParams,
  { matches, toRow }: PageOptions = {},
): Buffer {
  const { begins } = table.rows;
  const { key, offset, limit, reverse, countTotal } = readPageRequest(query);
  let at = reverse ? table.count - 1 : 0;
  if (key) at = reverse && findKey(table, key) < 0 ? lowerBound(table, key) - 1 : lowerBound(table, key);
  const positions: number[] = [];
  let size = 0;
  for (let skip = offset; at >= 0 && at < table.count; at += reverse ? -1 : 1) {
    if (matches && !matches(at)) continue;
    if (skip > 0) skip--;
    else if (positions.length === limit) break;
    else {
      size += (begins[at + 1] ?? 0) - (begins[at] ?? 0);
      if (size > largestPage)
        throw new GatewayError('resourceExhausted', `received message larger than max (${size} vs. ${largestPage})`);
      positions.push(at);
    }
  }
  const rows = toRow ? [Buffer.from(positions.map(toRow).join(separator))] : piecesOf(table, positions);
  const hasNext = at >= 0 && at < table.count;
  const nextKey = hasNext ? `"${Buffer.from(bytesAt(table.keys, at)).toString('base64')}"` : 'null';
  const count = (): number => (matches ? [...table.tags.keys()].filter(matches).length : table.count);
  const total = countTotal ? count() : 0;
  const end = Buffer.from(`],"pagination":{"next_key":${nextKey},"total":"${total}"}}`);
  return joined([Buffer.from(`{"${name}":[`), ...rows, end]);
}

/** Gives the rows at these positions with the commas between them. Neighbors are one piece. */
function piecesOf({ rows: { bytes, begins } }: KeyedTable, positions: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let first = 0; first < positions.length; ) {
    let last = first;
    while (positions[last + 1] === (positions[last] ?? 0) + 1) last++;
    const behind = last + 1 === positions.length ? separator.length : 0;
    const end = (begins[(positions[last] ?? 0) + 1] ?? 0) - behind;
    pieces.push(bytes.subarray(begins[positions[first] ?? 0], end));
    first = last + 1;
  }
  return pieces;
}

/** Joins pieces in an allocation of its own. A slice of the pool would keep the whole pool alive. */
function joined(pieces: readonly Uint8Array[]): Buffer {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * The limit for the rows of one page in bytes, since clients read at most 32 MiB. A larger page is refused in the words
 * of nodes (docs/nodes.md#message-size).
 */
const largestPage = 30 * 1024 * 1024;
const defaultPageSize = 100;

interface TablePage {
  readonly key: Uint8Array | undefined;
  readonly offset: number;
  readonly limit: number;
  readonly countTotal: boolean;
  readonly reverse: boolean;
}

/** Reads a page request (docs/nodes.md#pagination). An empty value counts as absent, and numbers are decimal. */
function readPageRequest(query: URLSearchParams): TablePage {
  const key = decodeKey(query.get('pagination.key') ?? '');
  const offset = readNumber(query, 'pagination.offset');
  const limit = readNumber(query, 'pagination.limit');
  const countTotal = readBoolean(query, 'pagination.count_total', 'pagination.countTotal');
  if (key && offset > 0)
    throw new GatewayError('invalidArgument', 'invalid request, either offset or key is expected, got both');
  return {
    key,
    offset,
    limit: limit || defaultPageSize,
    countTotal: !key && (countTotal || limit === 0),
    reverse: readBoolean(query, 'pagination.reverse'),
  };
}

/** Reads a number. Nothing beyond 2^53 is ever counted, so the nearest number is enough. */
function readNumber(query: URLSearchParams, name: string): number {
  return Number(readUint64(query.get(name) || '0', name));
}

/** Reads a decimal number of 64 bits. Throws `GatewayError` (400) for any other text. */
export function readUint64(text: string, name: string): bigint {
  const shown = JSON.stringify(text.slice(0, 80));
  if (!/^\d+$/.test(text)) throw badParameter(name, `strconv.ParseUint: parsing ${shown}: invalid syntax`);
  const value = text.length > 40 ? 2n ** 64n : BigInt(text);
  if (value >= 2n ** 64n) throw badParameter(name, `strconv.ParseUint: parsing ${shown}: value out of range`);
  return value;
}

/** Reads a boolean in the words of Go's `strconv.ParseBool`. */
function readBoolean(query: URLSearchParams, name: string, alias = name): boolean {
  const text = query.get(name) ?? query.get(alias) ?? '';
  if (text === '' || /^(0|f|F|false|False|FALSE)$/.test(text)) return false;
  if (/^(1|t|T|true|True|TRUE)$/.test(text)) return true;
  throw badParameter(name, `strconv.ParseBool: parsing ${JSON.stringify(text.slice(0, 80))}: invalid syntax`);
}

const longestKey = 4096;

/** Reads padded base64 in the standard or the URL alphabet. */
function decodeKey(text: string): Uint8Array | undefined {
  if (text === '') return undefined;
  if (text.length > longestKey) throw badParameter('pagination.key', `longer than ${longestKey} characters`);
  const illegal = /[^A-Za-z0-9+/_-]/.exec(text.replace(/={1,2}$/, ''))?.index ?? text.length;
  if (illegal === text.length && text.length % 4 === 0) return Buffer.from(text, 'base64');
  throw badParameter('pagination.key', `illegal base64 data at input byte ${illegal}`);
}

/** Lists all buffers of tables, which are handed to another thread instead of copied. */
export function buffersOf(modules: object): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
    } else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) visit(inner);
  };
  visit(modules);
  return [...found];
}
