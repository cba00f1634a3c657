import { Pool } from 'undici';
import { parseBaseUrl } from '../../src/api/baseUrl.ts';
import { openNode } from '../../src/api/open.ts';

/** Reads the whole supply of a service; resolves with the number of coins. */
export interface Crawler {
  readonly name: string;
  crawl(): Promise<number>;
  dispose(): Promise<void>;
}

/** The least that a crawl can be: undici and `JSON.parse`, nothing looked at. */
export function bareLoop(url: string, limit: number): Crawler {
  const pool = new Pool(url, { connections: 1 });
  return {
    name: 'bare loop of undici and JSON.parse',
    crawl: () =>
      crawl(async (key) => {
        const query = new URLSearchParams({
          ...(key ? { 'pagination.key': key } : {}),
          'pagination.limit': String(limit),
        });
        const { body } = await pool.request({ path: `/cosmos/bank/v1beta1/supply?${query}`, method: 'GET' });
        const page: { supply: unknown[]; pagination: { next_key: string | null } } = JSON.parse(await body.text());
        return { rows: page.supply.length, nextKey: page.pagination.next_key };
      }),
    dispose: () => pool.destroy(),
  };
}

/** Our client, page by page. */
export function ourClient(url: string, limit: number): Crawler {
  const node = openNode({ baseUrl: parseBaseUrl(url), segment: 'cosmos' });
  return {
    name: 'our client',
    crawl: () =>
      crawl(async (key) => {
        const { rows, nextKey } = await node.supply({ key, limit });
        return { rows: rows.length, nextKey };
      }),
    dispose: () => node.dispose(),
  };
}

/** Our client as "Load all" uses it: every page four times as large as the one before, up to `most` rows. */
export function growingPages(url: string, first: number, most: number): Crawler {
  const node = openNode({ baseUrl: parseBaseUrl(url), segment: 'cosmos' });
  return {
    name: 'our client, pages that grow',
    crawl: () => {
      let limit = first;
      return crawl(async (key) => {
        const { rows, nextKey } = await node.supply({ key, limit });
        limit = Math.min(limit * 4, most);
        return { rows: rows.length, nextKey };
      });
    },
    dispose: () => node.dispose(),
  };
}

/** Follows next keys to the end. */
export async function crawl(
  readPage: (key: string | undefined) => Promise<{ rows: number; nextKey: string | null | undefined }>,
): Promise<number> {
  let rows = 0;
  let key: string | undefined;
  do {
    const page = await readPage(key);
    rows += page.rows;
    key = page.nextKey || undefined;
  } while (key !== undefined);
  return rows;
}
