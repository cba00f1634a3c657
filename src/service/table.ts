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
}

export interface Entry {
  /** One character for each byte, so that keys are in the order of their bytes: `toByteText`. */
  readonly key: string;
  /** JSON text. */
  readonly row: string;
}

/** Packs `entries`, in any order; keys must differ. */
export function toTable(entries: readonly Entry[]): Table {
  const sorted = [...entries].sort((a, b) => (a.key < b.key ? -1 : 1));
  const [keys, keyAt] = pack(
    sorted.map(({ key }) => key),
    '',
    'latin1',
  );
  const [rows, rowAt] = pack(
    sorted.map(({ row }) => row),
    ',',
    'utf8',
  );
  return { count: sorted.length, keys, keyAt, rows, rowAt };
}

/** The bytes of `text` as characters. */
export function toByteText(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

/** So many texts are encoded by one call, which costs the same as encoding one of them. */
const atOnce = 1000;

/** All texts in one array, `end` after each, and where each of them begins; the array is no part of another one. */
function pack(texts: readonly string[], end: ',' | '', encoding: 'latin1' | 'utf8') {
  const groups: (readonly string[])[] = [];
  for (let first = 0; first < texts.length; first += atOnce) groups.push(texts.slice(first, first + atOnce));
  const joined = groups.map((group) => group.join(end) + end);
  const sizes = joined.map((text) => Buffer.byteLength(text, encoding));
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  const begins = new Uint32Array(texts.length + 1);
  const target = Buffer.from(bytes.buffer);
  let at = 0;
  let count = 0;
  groups.forEach((group, index) => {
    const text = joined[index] ?? '';
    target.write(text, at, encoding);
    const isPlain = sizes[index] === text.length;
    for (const one of group) {
      at += (isPlain ? one.length : Buffer.byteLength(one, encoding)) + end.length;
      begins[++count] = at;
    }
  });
  return [bytes, begins] as const;
}

/** The key of the row at `position`. */
export function keyOf(table: Table, position: number): Uint8Array {
  return table.keys.subarray(table.keyAt[position], table.keyAt[position + 1]);
}

/** The JSON of the row at `position`. */
export function rowOf(table: Table, position: number): Uint8Array {
  return table.rows.subarray(table.rowAt[position], (table.rowAt[position + 1] ?? 1) - 1);
}

/** Position of the first row whose key is at or after `key`; `count` where there is none. */
export function lowerBound(table: Table, key: Uint8Array): number {
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

/** The rows at `positions` as the inside of a JSON list; neighbours are cut out in one piece. */
export function joinRows(table: Table, positions: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let first = 0; first < positions.length; ) {
    let last = first;
    while (positions[last + 1] === (positions[last] ?? 0) + 1) last++;
    const from = table.rowAt[positions[first] ?? 0] ?? 0;
    const to = table.rowAt[(positions[last] ?? 0) + 1] ?? 0;
    const ends = last + 1 === positions.length;
    pieces.push(table.rows.subarray(from, ends ? to - 1 : to));
    first = last + 1;
  }
  return pieces;
}
