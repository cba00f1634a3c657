import { fromBase64, toBase64 } from '../chain/bytes.ts';
import type { WirePage } from './replySchemas.ts';

/** One page of a list with rows of any kind. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The start of the next page, in base64 as it came; undefined at the end of the list. */
  readonly nextKey: string | undefined;
  /** The number of rows of the whole list; undefined if the node did not count. */
  readonly total: bigint | undefined;
  readonly info: ReplyInfo;
}

/** The facts that come with a reply beside its body. */
export interface ReplyInfo {
  /** The height that the node says it answered at (`grpc-metadata-x-cosmos-block-height`). */
  readonly height?: bigint | undefined;
  /** The node's clock: `Date`, or `Chain-Inspector-Time` for a state file, which has milliseconds. */
  readonly date?: Date | undefined;
  /** True if `date` is the time of a state, and not a clock. */
  readonly isOfState?: boolean | undefined;
  /** The field that the time of a state file is estimated from; undefined if the time is stated. */
  readonly dateFrom?: string | undefined;
  /** The length of the body in characters. */
  readonly characters?: number | undefined;
  /** The reason if the height that was asked for was given up: the node's own words, or that it ignores heights. */
  readonly unpinnedReason?: string | undefined;
  readonly faults?: readonly RowFault[] | undefined;
}

/**
 * A row that cannot be read, by its denom or address, or else by its position. In a list that is read page by page, the
 * position counts from the start of the list.
 */
export interface RowFault {
  readonly row: string | number;
  /** The cause in one sentence. */
  readonly reason: string;
}

/** Gives the name of a row that cannot be read, or its position: `[3]`. */
export function faultName({ row }: RowFault): string {
  return typeof row === 'number' ? `[${row}]` : row;
}

/** Gives the faults of a page that begins at this position of its list. */
export function faultsFrom(place: number, { info }: Page<unknown>): readonly RowFault[] {
  const { faults = [] } = info;
  return faults.map(({ row, reason }) => ({ row: typeof row === 'number' ? row + place : row, reason }));
}

/** One page to read: `limit` rows from `key` on, at `height` if it is pinned. Without a key, from the start. */
export interface PageRequest {
  readonly key?: string | undefined;
  readonly limit?: number | undefined;
  /** The height to read at. Nodes that do not echo it ignore it. */
  readonly height?: bigint | undefined;
}

/** One page of a list that the node may count. The number of all rows is known for the first page only. */
export interface ListRequest extends PageRequest {
  readonly countTotal?: boolean | undefined;
}

/** The page size of nodes if none is asked for (docs/nodes.md#pagination). */
export const defaultLimit = 100;

/** Paging parameters, by our names. */
export interface PageQuery {
  readonly key?: string;
  readonly offset?: string;
  readonly limit: string;
  readonly countTotal?: string;
  readonly reverse?: string;
}

/**
 * Gives the paging parameters of a request. The limit is always sent: without one, nodes count the whole list, and old
 * ones lose rows while they count. A count is never sent with a key, since it has no effect there.
 */
export function pageQuery(
  request: ListRequest & { readonly offset?: number | undefined; readonly reverse?: boolean | undefined },
): PageQuery {
  return {
    ...(request.key !== undefined ? { key: request.key } : {}),
    ...(request.key === undefined && request.offset ? { offset: String(request.offset) } : {}),
    limit: String(request.limit ?? defaultLimit),
    ...(request.countTotal && request.key === undefined ? { countTotal: 'true' } : {}),
    ...(request.reverse ? { reverse: 'true' } : {}),
  };
}

/**
 * Makes a page of a checked reply and its rows. It has no total if the node was not asked to count, or counted fewer
 * than the rows.
 */
export function toPage<Row>(
  answer: { readonly reply: { readonly pagination?: WirePage | null | undefined }; readonly info: ReplyInfo },
  { rows, faults = [] }: { readonly rows: readonly Row[]; readonly faults?: readonly RowFault[] },
  request: ListRequest,
): Page<Row> {
  const { info } = answer;
  const wire = answer.reply.pagination;
  const isAsked = request.countTotal && request.key === undefined;
  const text = isAsked && typeof wire?.total === 'string' && /^\d{1,20}$/.test(wire.total) ? wire.total : undefined;
  const total = text !== undefined && BigInt(text) >= BigInt(rows.length) ? BigInt(text) : undefined;
  return { rows, nextKey: wire?.next_key || undefined, total, info: faults.length > 0 ? { ...info, faults } : info };
}

/** A list that has no rows. */
export const emptyPage: Page<never> = { rows: [], nextKey: undefined, total: undefined, info: {} };

/** Gives the same page with other rows. */
export function mapRows<From, To>(page: Page<From>, toRow: (row: From) => To): Page<To> {
  return { ...page, rows: page.rows.map((row) => toRow(row)) };
}

/**
 * Gives the page key (base64) at which a supply list begins with `denom`, or with the next one
 * (docs/nodes.md#page-keys).
 */
export function denomKey(denom: string): string {
  return toBase64(Buffer.from(denom));
}

/** Gives the page key (base64) at which a proposal list begins with `id`, or with the next one: 8 bytes, big-endian. */
export function idKey(id: bigint): string {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, id);
  return toBase64(bytes);
}

/** Gives the id in a page key of a proposal list. Undefined if the key has another form. */
export function idOfKey(key: string): bigint | undefined {
  const { bytes, rest } = fromBase64(key);
  if (rest !== '' || bytes.length !== 8) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
}
