import type { WirePage } from './contract.ts';
import type { ProposalsRequest } from './node.ts';
import { Cursor, type LoadPage, type Page, type PageInfo, type PageRequest, PagingError, readPages } from './pages.ts';
import { isTooLarge } from './replyFaults.ts';

/** The page size of nodes when none is asked for (contract-facts section 1). */
export const defaultLimit = 100;

/** A page by its key, or by its place in the list. */
export interface WireRequest extends ProposalsRequest {
  readonly offset?: bigint | undefined;
}

/**
 * The paging parameters of a request, by our names. The limit is always sent: without one, nodes count the whole list,
 * and old ones lose rows while they count. `count_total` never goes with a key, where it has no effect.
 */
export function pageParams(page: WireRequest) {
  return {
    ...(page.key !== undefined ? { key: page.key } : {}),
    ...(page.offset ? { offset: String(page.offset) } : {}),
    limit: String(page.limit ?? defaultLimit),
    ...(page.countTotal && page.key === undefined ? { countTotal: 'true' } : {}),
    ...(page.reverse ? { reverse: 'true' } : {}),
  };
}

/** A reply as a page; without its total where the node was not asked to count, or where the rows exceed the count. */
export function toPage<Row>(
  rows: readonly Row[],
  wire: WirePage | null | undefined,
  request: ProposalsRequest,
  info: PageInfo,
): Page<Row> {
  const total = wire?.total && request.countTotal && request.key === undefined ? BigInt(wire.total) : undefined;
  const isCounted = total !== undefined && total >= BigInt(rows.length);
  return { rows, nextKey: wire?.next_key || undefined, total: isCounted ? total : undefined, info };
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
  readonly info: PageInfo;
}

/** More rows than any list that must be read whole is expected to have. */
const mostRows = 50_000;

/**
 * Reads a list forward to its end; `keyOf` is the page key of a row.
 *
 * @throws PagingError `tooManyRows` when the list has more than 50,000 rows; as `readPages`.
 */
export async function readWhole<Row>(
  keyOf: (row: Row) => string,
  limit: number,
  height: bigint | undefined,
  load: LoadPage<Row>,
  signal: AbortSignal,
): Promise<WholeList<Row>> {
  const byKey = new Map<string, Row>();
  let info: PageInfo = {};
  const cursor = new Cursor();
  cursor.height = height;
  for await (const page of readPages(load, { idOf: keyOf, limit, cursor, pinned: true, signal })) {
    info = page.info;
    for (const row of page.rows) byKey.set(keyOf(row), row);
    if (byKey.size > mostRows) {
      throw new PagingError('tooManyRows', `The list has more than ${mostRows} rows and cannot be read whole`);
    }
  }
  return toWhole(byKey, info);
}

/** Rows by their page keys, in the order that nodes list them in. */
export function toWhole<Row>(byKey: ReadonlyMap<string, Row>, info: PageInfo): WholeList<Row> {
  const entries = [...byKey].map(([key, row]) => ({ key, row, bytes: Buffer.from(key, 'base64') }));
  entries.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  return { rows: entries.map(({ row }) => row), keys: entries.map(({ key }) => key), info };
}

/** The page of a whole list that a node would give for `page`: inclusive keys, an exact total. */
export function slicePage<Row>(list: WholeList<Row>, page: ProposalsRequest): Page<Row> {
  const order = list.keys.map((key, at) => ({ at, key }));
  if (page.reverse) order.reverse();
  let start = 0;
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
    nextKey: order[end]?.key,
    total: page.countTotal && page.key === undefined ? BigInt(order.length) : undefined,
    info: list.info,
  };
}
