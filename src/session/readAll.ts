import type { ChainNode } from '../api/node.ts';
import { type Coin, toCoin } from '../chain/coin.ts';
import { type LoadedPage, type Pager, RepeatedKeyError, toLoadedPage } from '../chain/pager.ts';
import { type ListFilter, type ProposalRow, statusGroups } from '../chain/proposal.ts';
import { type ProposalStore, readGroup, readUnlisted } from '../chain/proposalStore.ts';
import type { SupplyStore } from '../chain/supplyStore.ts';

/** A page read beyond what is loaded. `heightDropped` says why the height could not be kept, where it could not. */
export interface ReadPage<Row> extends LoadedPage<Row> {
  readonly heightDropped?: string | undefined;
}

/** Reads the page at `key` (undefined: the first), at `height` where one is to be kept. */
export type ReadAt<Row> = (
  key: string | undefined,
  height: bigint | undefined,
  signal: AbortSignal,
) => Promise<ReadPage<Row>>;

/**
 * A list from its first row to its last: what a pager has loaded, then the pages after it, which are not kept anywhere.
 * Nothing that is loaded is asked for again; a row that comes twice is given once. All pages are asked for at the height of
 * the first one; a node that cannot is asked without from then on (decision 12). Rejects as `read` does, with `RepeatedKeyError` where a list never
 * ends, and with an `AbortError` once `signal` fires.
 */
export async function* readOn<Row>(
  pager: Pick<Pager<Row>, 'rows' | 'nextKey' | 'hasMore' | 'started' | 'height' | 'total'>,
  read: ReadAt<Row>,
  idOf: (row: Row) => string,
  signal: AbortSignal,
): AsyncGenerator<ReadPage<Row>> {
  const seen = new Set<string>();
  const fresh = (rows: readonly Row[]) =>
    rows.filter((row) => {
      const id = idOf(row);
      return !seen.has(id) && seen.add(id);
    });
  let { height, nextKey: key, hasMore } = pager;
  let pinned = true;
  if (pager.started) yield { rows: fresh(pager.rows), nextKey: key, total: pager.total, height };
  const keys = new Set<string>();
  while (hasMore) {
    signal.throwIfAborted();
    const page = await read(key, pinned ? height : undefined, signal);
    signal.throwIfAborted();
    height ??= page.height;
    pinned &&= page.heightDropped === undefined;
    yield { ...page, rows: fresh(page.rows) };
    if (key !== undefined) keys.add(key);
    key = page.nextKey;
    hasMore = key !== undefined;
    if (key !== undefined && keys.has(key)) throw new RepeatedKeyError(key);
  }
}

/** Rows of one page; proposals are large, and a node that finds them too many is asked for fewer. */
const pageRows = 100;

const unread = { rows: [], nextKey: undefined, hasMore: true, started: false, height: undefined, total: undefined };

/**
 * The proposals of a filter, group by group, newest first, each list going on where the store's stops; where the store
 * filters by other addresses, its lists are of no use and all is asked for. Last comes what no list holds. An id never comes
 * twice. Rejects as `readOn`.
 */
export async function* readProposals(
  store: ProposalStore,
  node: ChainNode,
  filter: ListFilter,
  signal: AbortSignal,
): AsyncGenerator<ReadPage<ProposalRow>> {
  const { voter, depositor } = filter;
  const isStores = voter === store.filter.voter && depositor === store.filter.depositor;
  const seen = new Set<bigint>();
  for (const group of filter.statuses ?? statusGroups) {
    const read = (key: string | undefined, height: bigint | undefined) =>
      readGroup(node, group, { voter, depositor }, { key, limit: pageRows, height }, signal);
    const pager = isStores ? store.pager(group) : unread;
    for await (const page of readOn<ProposalRow>(pager, read, ({ id }) => `${id}`, signal)) {
      const rows = page.rows.filter(({ id }) => !seen.has(id));
      for (const { id } of rows) seen.add(id);
      yield { ...page, rows };
    }
  }
  // What a page told beside its own group: ids that the node cannot say may have any status.
  const beside = [...(filter.statuses ? [] : store.rows('other')), ...store.rows('unreadable')];
  const rows = beside.filter(({ id }) => !seen.has(id));
  for (const { id } of rows) seen.add(id);
  if (rows.length > 0) yield { rows, nextKey: undefined, total: undefined };
  if (filter.statuses || voter || depositor || store.isWhole) return;
  for await (const page of readUnlisted(node, seen, signal)) yield { ...page, nextKey: undefined, total: undefined };
}

/** Rows of one page; a node that finds them too many is asked for fewer. */
const supplyPageRows = 1000;

/** The whole supply in the chain's order, going on where the store's list stops. Rejects as `readOn` does. */
export function readSupply(store: SupplyStore, node: ChainNode, signal: AbortSignal): AsyncGenerator<ReadPage<Coin>> {
  const read = async (key: string | undefined, height: bigint | undefined) => {
    const page = { key, limit: supplyPageRows, height, countTotal: key === undefined };
    const answer = await node.supply(page, signal);
    return toLoadedPage(answer.coins.map(toCoin), answer.page, answer.info);
  };
  return readOn(store.pager, read, ({ denom }) => denom, signal);
}
