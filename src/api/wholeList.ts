import { ReplyError, shorten } from './errors.ts';
import type { PageRequest, ReplyInfo } from './node.ts';
import { defaultLimit } from './pageParams.ts';

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
