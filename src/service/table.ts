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
  readonly key: Buffer;
  /** JSON text. */
  readonly row: string;
}

/** Packs `entries`, in any order; keys must differ. */
export function toTable(entries: readonly Entry[]): Table {
  const sorted = [...entries].sort((a, b) => Buffer.compare(a.key, b.key));
  const rowSizes = sorted.map((entry) => Buffer.byteLength(entry.row) + 1);
  const keys = new Uint8Array(sorted.reduce((sum, entry) => sum + entry.key.length, 0));
  const rows = new Uint8Array(rowSizes.reduce((sum, size) => sum + size, 0));
  const keyAt = new Uint32Array(sorted.length + 1);
  const rowAt = new Uint32Array(sorted.length + 1);
  const text = Buffer.from(rows.buffer);
  let key = 0;
  let row = 0;
  sorted.forEach((entry, index) => {
    keys.set(entry.key, key);
    key += entry.key.length;
    row += text.write(`${entry.row},`, row);
    keyAt[index + 1] = key;
    rowAt[index + 1] = row;
  });
  return { count: sorted.length, keys, keyAt, rows, rowAt };
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
