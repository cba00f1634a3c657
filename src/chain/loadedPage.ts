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
