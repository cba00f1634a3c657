import { type Fields, parseExactly, toFields } from './jsonValue.ts';
import { badParameter, GatewayError } from './serviceErrors.ts';

/** Rows in the byte order of their keys, packed: handed between threads without copying, written to the index as is. */
export interface Table {
  readonly count: number;
  readonly keys: Texts;
  /** Compact JSON, a comma behind each, so that a page is cut out in one piece. */
  readonly rows: Texts;
  /** A number of each row, by which it is filtered. */
  readonly tags: Uint8Array<ArrayBuffer>;
}

/** Texts, one after the other: `begins[i]` to `begins[i + 1]` is the i-th. */
interface Texts {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly begins: Uint32Array<ArrayBuffer>;
}

export interface Entry {
  /** One character for each byte, so that keys are in the order of their bytes: `toByteText`. */
  readonly key: string;
  /** JSON text, or its bytes. */
  readonly row: string | Buffer;
  readonly tag?: number;
}

/** Packs `entries`, in any order; keys must differ. */
export function toTable(entries: readonly Entry[]): Table {
  return packer([entries])(entries);
}

/** Packs groups of entries, each in any order, into one buffer: there may be a hundred thousand, and each is handed over. */
export function toTables(groups: ReadonlyMap<bigint, readonly Entry[]>): Record<string, Table> {
  const pack = packer([...groups.values()]);
  return Object.fromEntries([...groups].map(([id, entries]) => [id, pack(entries)]));
}

/** Gives what packs the groups, each once, into a buffer in which all have place. */
function packer(groups: readonly (readonly Entry[])[]): (entries: readonly Entry[]) => Table {
  const count = groups.reduce((sum, entries) => sum + entries.length, 0);
  // Numbers come first, where their addresses are multiples of four.
  let numbersAt = 0;
  let bytesAt = 8 * (count + groups.length);
  const textSize = ({ key, row }: Entry): number => key.length + Buffer.byteLength(row) + separator.length;
  const size = groups.reduce((sum, entries) => entries.reduce((all, entry) => all + textSize(entry), sum), 0);
  const buffer = new ArrayBuffer(bytesAt + size + count);
  // What is left between the rows.
  const target = Buffer.from(buffer).fill(separator, bytesAt);
  const packTexts = (
    entries: readonly Entry[],
    textOf: (entry: Entry) => string | Buffer,
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
  return (entries): Table => {
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

/** In the order of their keys: by their first characters as a number, which takes a fifth of the time, where these differ. */
function sortByKey(entries: readonly Entry[]): readonly Entry[] {
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

/** Behind each row of a table. */
const separator = ',';

/** The bytes of `text` as characters. */
export function toByteText(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

function bytesAt({ bytes, begins }: Texts, position: number): Uint8Array {
  return bytes.subarray(begins[position], begins[position + 1]);
}

/** The JSON of the row at `position`. */
export function rowAt({ rows: { bytes, begins } }: Table, position: number): string {
  const end = (begins[position + 1] ?? 0) - separator.length;
  return Buffer.from(bytes.buffer, bytes.byteOffset).toString('utf8', begins[position], end);
}

/** The row at `position` as a value. */
export function fieldsAt(table: Table, position: number): Fields {
  return toFields(parseExactly(rowAt(table, position)));
}

/** Position of the first row whose key is at or after `key`; `count` where there is none. */
function lowerBound(table: Table, key: Uint8Array): number {
  let low = 0;
  let high = table.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Buffer.compare(bytesAt(table.keys, middle), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Position of the row with exactly this key, or -1. */
export function findKey(table: Table, key: Uint8Array): number {
  const position = lowerBound(table, key);
  return position < table.count && Buffer.compare(bytesAt(table.keys, position), key) === 0 ? position : -1;
}

interface PageOptions {
  readonly matches?: ((position: number) => boolean) | undefined;
  /** JSON of a row; the row as it is where absent. */
  readonly toRow?: (position: number) => string;
}

/**
 * The page that `query` asks for: `{"<name>":[…],"pagination":{…}}`. Keys are inclusive and need not exist; in reverse the page
 * starts with the last row at or before the key. With `matches`, offset and total count matching rows and the next key is that
 * of the next match. Throws a `GatewayError` 400, code 3, that names the parameter.
 */
export function tablePage(
  name: string,
  table: Table,
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
        throw new GatewayError(8, `received message larger than max (${size} vs. ${largestPage})`);
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

/** The rows at these positions, with the commas between them; neighbours are one piece. */
function piecesOf({ rows: { bytes, begins } }: Table, positions: readonly number[]): Uint8Array[] {
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

/** In an allocation of its own: a slice of the pool would keep all of that alive. */
function joined(pieces: readonly Uint8Array[]): Buffer {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Bytes of the rows of one page, which clients read within 32 MiB; refused in the words of nodes (docs/nodes.md#message-size). */
const largestPage = 30 * 1024 * 1024;
const defaultLimit = 100;

interface PageRequest {
  readonly key: Uint8Array | undefined;
  readonly offset: number;
  readonly limit: number;
  readonly countTotal: boolean;
  readonly reverse: boolean;
}

/** As docs/nodes.md#pagination describes, but an empty value is an absent one, and numbers are decimal. */
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

/** Beyond 2^53 nothing is ever counted, so the nearest number will do. */
function readNumber(query: URLSearchParams, name: string): number {
  return Number(readUint64(query.get(name) || '0', name));
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

/** All buffers of tables, to be handed to another thread instead of copied. */
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
