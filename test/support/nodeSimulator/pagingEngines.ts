/** The pagination engines of the SDK eras, bugs included (contract-facts section 1). Entries are sorted by key. */
export interface Entry<Row> {
  readonly key: Buffer;
  readonly row: Row;
}

export interface EnginePage {
  readonly key: Buffer | undefined;
  readonly offset: bigint;
  readonly limit: bigint;
  readonly countTotal: boolean;
  readonly reverse: boolean;
}

export interface EngineResult<Row> {
  readonly rows: Row[];
  readonly nextKey: Buffer | undefined;
  readonly total: bigint;
}

export type Engine = <Row>(
  entries: readonly Entry<Row>[],
  page: EnginePage,
  hit: (row: Row) => boolean,
) => EngineResult<Row>;

/** What Go says when an iterator is asked beyond its end. */
export class Panic extends Error {}

/** 0.40 to 0.47: `FilteredPaginate`. `overwritesNextKey`: up to 0.45 counting goes on overwriting the next key (#11407). */
export function filteredPaginate(options: { overwritesNextKey: boolean }): Engine {
  return (entries, page, hit) => {
    const rows: (typeof entries)[number]['row'][] = [];
    let nextKey: Buffer | undefined;
    let hits = 0n;
    if (page.key) {
      for (const entry of steppedFrom(entries, page.key, page.reverse)) {
        if (hits === page.limit) return { rows, nextKey: entry.key, total: 0n };
        if (!hit(entry.row)) continue;
        rows.push(entry.row);
        hits++;
      }
      return { rows, nextKey: undefined, total: 0n };
    }
    const end = page.offset + page.limit;
    for (const entry of page.reverse ? entries.toReversed() : entries) {
      const accumulate = hits >= page.offset && hits < end;
      if (hit(entry.row)) {
        if (accumulate) rows.push(entry.row);
        hits++;
      }
      if (hits === end + 1n) {
        if (!nextKey || options.overwritesNextKey) nextKey = entry.key;
        if (!page.countTotal) break;
      }
    }
    return { rows, nextKey, total: page.countTotal ? hits : 0n };
  };
}

/** `getIterator` up to 0.47: in reverse the upper bound is found by stepping past the key, which panics at the last one. */
function steppedFrom<Row>(entries: readonly Entry<Row>[], key: Buffer, reverse: boolean): readonly Entry<Row>[] {
  const at = entries.findIndex((entry) => Buffer.compare(entry.key, key) >= 0);
  if (!reverse) return at < 0 ? [] : entries.slice(at);
  if (at < 0) return entries.toReversed();
  if (at === entries.length - 1) throw new Panic('prefixIterator invalid, cannot call Key()');
  return entries.slice(0, at + 1).toReversed();
}

export interface CollectionBugs {
  /** 0.50.0 to 0.50.8: a page in reverse loses the row of its key (#20938). */
  readonly losesRowAtKey: boolean;
  /** 0.50: a keyed page looks at `limit` rows only, whether they match or not (#23771). */
  readonly countsMisses: boolean;
}

/** 0.50 and later: `CollectionFilteredPaginate`. */
export function collectionPaginate(bugs: CollectionBugs): Engine {
  return (entries, page, hit) =>
    page.key ? pageByKey(bugs, entries, page.key, page, hit) : pageByOffset(entries, page, hit);
}

function pageByKey<Row>(
  bugs: CollectionBugs,
  entries: readonly Entry<Row>[],
  key: Buffer,
  page: EnginePage,
  hit: (row: Row) => boolean,
): EngineResult<Row> {
  const rows: Row[] = [];
  let count = 0n;
  for (const entry of boundedBy(bugs, entries, key, page.reverse)) {
    const match = hit(entry.row);
    if (count === page.limit && (match || bugs.countsMisses)) return { rows, nextKey: entry.key, total: 0n };
    if (match) rows.push(entry.row);
    if (match || bugs.countsMisses) count++;
  }
  return { rows, nextKey: undefined, total: 0n };
}

function boundedBy<Row>(bugs: CollectionBugs, entries: readonly Entry<Row>[], key: Buffer, reverse: boolean) {
  if (!reverse) return entries.filter((entry) => Buffer.compare(entry.key, key) >= 0);
  const end = bugs.losesRowAtKey ? key : prefixEnd(key);
  return entries.filter((entry) => !end || Buffer.compare(entry.key, end) < 0).toReversed();
}

/** The first key that does not begin with `prefix`; undefined where there is none. */
function prefixEnd(prefix: Buffer): Buffer | undefined {
  const end = Buffer.from(prefix);
  for (let at = end.length - 1; at >= 0; at--) {
    const byte = end[at] ?? 0;
    if (byte === 255) continue;
    end[at] = byte + 1;
    return end.subarray(0, at + 1);
  }
  return undefined;
}

/** The offset skips rows before filtering (#25665); beyond the end nothing is counted. */
function pageByOffset<Row>(
  entries: readonly Entry<Row>[],
  page: EnginePage,
  hit: (row: Row) => boolean,
): EngineResult<Row> {
  if (page.offset > BigInt(entries.length)) return { rows: [], nextKey: undefined, total: 0n };
  const rows: Row[] = [];
  let nextKey: Buffer | undefined;
  let count = 0n;
  for (const entry of (page.reverse ? entries.toReversed() : entries).slice(Number(page.offset))) {
    if (count === page.limit) {
      nextKey = entry.key;
      if (!page.countTotal) return { rows, nextKey, total: 0n };
    }
    if (!hit(entry.row)) continue;
    if (count < page.limit) rows.push(entry.row);
    count++;
  }
  return { rows, nextKey, total: page.countTotal ? count + page.offset : 0n };
}
