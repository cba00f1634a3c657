import type { WirePage } from '../api/contract.ts';
import type { ReplyInfo } from '../api/node.ts';

/** One page as a loader gives it. `nextKey` undefined ends the list; `total` is undefined where the node did not count. */
export interface LoadedPage<Row> {
  readonly rows: readonly Row[];
  readonly nextKey: string | undefined;
  readonly total: bigint | undefined;
  readonly height?: bigint | undefined;
  /** Why the height that was wished for could not be kept, where it could not. */
  readonly heightDropped?: string | undefined;
  /** Characters of the reply, where somebody counted. */
  readonly bytes?: number | undefined;
}

/** How a page is to be read. */
export interface PageWish {
  /** Rows of the page. */
  readonly limit: number;
  /** The height that a crawl is pinned to. */
  readonly height: bigint | undefined;
}

/** Reads the page that starts at `key` (undefined: the first). */
export type LoadPage<Row> = (key: string | undefined, signal: AbortSignal, wish: PageWish) => Promise<LoadedPage<Row>>;

/** A node's page as a loader gives it; `page` may be absent, a key or a total be null, "" or absent. */
export function toLoadedPage<Row>(rows: readonly Row[], page: WirePage | undefined, info: ReplyInfo): LoadedPage<Row> {
  return {
    rows,
    nextKey: page?.next_key || undefined,
    total: page?.total ? BigInt(page.total) : undefined,
    height: info.height,
    heightDropped: info.heightDropped,
    bytes: info.bytes,
  };
}
