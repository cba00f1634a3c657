import type { WirePage } from './contract.ts';
import { InputError, ReplyError, shorten } from './errors.ts';
import type { PageRequest, ReplyInfo } from './node.ts';
import { isTooLarge } from './replyFaults.ts';

/** The page size of nodes when none is asked for (contract-facts section 1). */
export const defaultLimit = 100;

/**
 * The paging parameters of a request, by our names. The limit is always sent: without one, nodes count the whole list,
 * and old ones lose rows while they count. `count_total` never goes with a key, where it has no effect.
 */
export function pageParams(page: PageRequest) {
  if (page.key !== undefined && page.offset) {
    throw new InputError('A page is asked for by its key or by its offset, not by both');
  }
  return {
    ...(page.key !== undefined ? { key: page.key } : {}),
    ...(page.offset ? { offset: String(page.offset) } : {}),
    limit: String(page.limit ?? defaultLimit),
    ...(page.countTotal && page.key === undefined ? { countTotal: 'true' } : {}),
    ...(page.reverse ? { reverse: 'true' } : {}),
  };
}

/** `wire` without its total where the node was not asked to count, or where `rows` belie the count. */
export function countedPage(wire: WirePage | null | undefined, asked: PageRequest, rows: number): WirePage | undefined {
  if (!wire) return undefined;
  const { total, ...rest } = wire;
  const counted = asked.countTotal && asked.key === undefined && total && BigInt(total) >= BigInt(rows);
  return counted ? { ...rest, total } : rest;
}

/** Page keys as nodes make them (contract-facts section 1): inclusive, the key of the first row of the page. */

/** The page key (base64) at which a supply list begins with `denom`, or with the next one where there is none. */
export function denomKey(denom: string): string {
  return Buffer.from(denom, 'utf8').toString('base64');
}

/** The page key (base64) at which a proposal list begins with `id`: 8 bytes, big-endian. */
export function idKey(id: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, id));
  return bytes.toString('base64');
}

/** The id in a page key of a proposal list; undefined where the key is of another make. */
export function idOfKey(key: string): bigint | undefined {
  const bytes = Buffer.from(key, 'base64');
  return bytes.length === 8 ? bytes.readBigUInt64BE() : undefined;
}

/** Byte order of UTF-8, in which nodes list denoms; negative where `a` comes first. */
export function compareDenoms(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}

/** Pages that fit read well this often before a larger one is tried again. */
const growAfter = 4;

/**
 * Keeps the pages of one list as small as the node needs them (contract-facts section 4: 10 MiB between gateway and
 * application, answered 429 code 8): halves a page that is too large, and lets pages grow again later.
 */
export class FittingPages {
  #most = Number.POSITIVE_INFINITY;
  #fitted = 0;

  /** Sends the page, smaller where it must be; rejects as `send` does, also with the fault of a single row that is too large. */
  async ask<T>(page: PageRequest, send: (page: PageRequest) => Promise<T>): Promise<T> {
    for (let limit = Math.min(page.limit ?? defaultLimit, this.#most); ; limit = this.#most) {
      try {
        const answer = await send({ ...page, limit });
        this.#fits(limit);
        return answer;
      } catch (error) {
        if (!isTooLarge(error) || limit <= 1) throw error;
        this.#most = Math.floor(limit / 2);
        this.#fitted = 0;
      }
    }
  }

  #fits(limit: number): void {
    if (limit < this.#most) return;
    this.#fitted += 1;
    if (this.#fitted < growAfter) return;
    this.#most *= 2;
    this.#fitted = 0;
  }
}

/** A list that was read to its end: `keys` are the page keys (base64) of `rows`, ascending by their bytes. */
export interface WholeList<Row> {
  readonly rows: readonly Row[];
  readonly keys: readonly string[];
  readonly info: ReplyInfo;
}

/** A page of a list as a node would give it. */
interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextKey: string | undefined;
  readonly info: ReplyInfo;
}

/** More rows than any list that must be read whole is expected to have; a stop for nodes that never end one. */
const mostRows = 50_000;

/**
 * Reads a list forward to its end; duplicates are dropped by `keyOf`.
 *
 * @throws ReplyError when a next key comes twice or the list has more than 50,000 rows; what `readPage` throws.
 */
export async function readWhole<Row>(
  url: string,
  keyOf: (row: Row) => string,
  readPage: (key: string | undefined) => Promise<Page<Row>>,
  onProgress?: (rows: number) => void,
): Promise<WholeList<Row>> {
  const byKey = new Map<string, Row>();
  const seen = new Set<string>();
  let key: string | undefined;
  let info: ReplyInfo = {};
  do {
    const page = await readPage(key);
    info = page.info;
    for (const row of page.rows) byKey.set(keyOf(row), row);
    onProgress?.(byKey.size);
    key = page.nextKey;
    if (key !== undefined && seen.has(key)) throw new ReplyError(url, `the node repeated the next key ${shorten(key)}`);
    if (byKey.size > mostRows)
      throw new ReplyError(url, `the list has more than ${mostRows} rows and cannot be read whole`);
    if (key !== undefined) seen.add(key);
  } while (key !== undefined);
  return toWhole(byKey, info);
}

/** Rows by their page keys, in the order that nodes list them in. */
export function toWhole<Row>(byKey: ReadonlyMap<string, Row>, info: ReplyInfo): WholeList<Row> {
  const entries = [...byKey].map(([key, row]) => ({ key, row, bytes: Buffer.from(key, 'base64') }));
  entries.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  return { rows: entries.map(({ row }) => row), keys: entries.map(({ key }) => key), info };
}

/** The page of a whole list that a node would give for `page`: inclusive keys, a null next key at the end, an exact total. */
export function slicePage<Row>(list: WholeList<Row>, page: PageRequest) {
  const order = list.keys.map((key, at) => ({ at, key }));
  if (page.reverse) order.reverse();
  let start = Number(page.offset ?? 0n);
  if (page.key !== undefined) {
    const from = Buffer.from(page.key, 'base64');
    const reached = (key: string) => {
      const order = Buffer.compare(Buffer.from(key, 'base64'), from);
      return page.reverse ? order <= 0 : order >= 0;
    };
    const found = order.findIndex(({ key }) => reached(key));
    start = found < 0 ? order.length : found;
  }
  const end = start + (page.limit ?? defaultLimit);
  return {
    rows: order.slice(start, end).flatMap(({ at }) => list.rows.slice(at, at + 1)),
    page: {
      next_key: order[end]?.key ?? null,
      ...(page.countTotal && page.key === undefined ? { total: String(order.length) } : {}),
    },
    info: list.info,
  };
}
