import type { ChainNode } from '../api/node.ts';
import { Cursor, emptyPage, type LoadPage, type Page, readPages } from '../api/pages.ts';
import type { Coin } from '../chain/coin.ts';
import type { Pager } from '../chain/pager.ts';
import { type ListFilter, type ProposalRow, statusGroups } from '../chain/proposal.ts';
import type { ProposalStore } from '../chain/proposalStore.ts';
import type { SupplyStore } from '../chain/supplyStore.ts';

/** A whole list, at one height if the node can: what is loaded, then the pages after it. Rejects as `readPages`. */
export async function* readOn<Row>(
  pager: Pick<Pager<Row>, 'rows' | 'cursor'>,
  load: LoadPage<Row>,
  idOf: (row: Row) => string,
  limit: number,
  signal?: AbortSignal,
): AsyncGenerator<Page<Row>> {
  const { rows, cursor } = pager;
  if (cursor.started)
    yield { rows: [...rows], nextKey: cursor.nextKey, total: cursor.total, info: { height: cursor.height } };
  yield* readPages(load, { cursor, idOf, limit, pinned: true, signal });
}

/** The proposals of a filter, no id twice, going on where the store's lists stop. Rejects as `readPages`. */
export async function* readProposals(
  store: ProposalStore,
  node: ChainNode,
  filter: ListFilter,
  signal?: AbortSignal,
): AsyncGenerator<Page<ProposalRow>> {
  const { readGroup, readUnlisted } = await import('../chain/nodeReads.ts');
  const { voter, depositor } = filter;
  const isStores = voter === store.filter.voter && depositor === store.filter.depositor;
  const seen = new Set<bigint>();
  const unseen = (rows: readonly ProposalRow[]): ProposalRow[] =>
    rows.filter(({ id }): false | Set<bigint> => !seen.has(id) && seen.add(id));
  for (const group of filter.statuses ?? statusGroups) {
    const pager = isStores ? store.pager(group) : { rows: [], cursor: new Cursor() };
    const load: LoadPage<ProposalRow> = (request, abort) =>
      readGroup(node, group, { voter, depositor }, request, abort);
    for await (const page of readOn<ProposalRow>(pager, load, ({ id }) => `${id}`, 100, signal)) {
      yield { ...page, rows: unseen(page.rows) };
    }
  }
  // Rows that came beside a page's own group: an unreadable proposal may have any status.
  const beside = unseen([...(filter.statuses ? [] : store.rows('other')), ...store.rows('unreadable')]);
  if (beside.length > 0) yield { ...emptyPage, rows: beside };
  if (filter.statuses || voter || depositor || store.isWhole) return;
  yield* readUnlisted(node, seen, signal);
}

/** The whole supply in the chain's order, going on where the store's list stops. Rejects as `readPages` does. */
export function readSupply(store: SupplyStore, node: ChainNode, signal?: AbortSignal): AsyncGenerator<Page<Coin>> {
  const load: LoadPage<Coin> = async (request, abort) => {
    const { readSupplyPage } = await import('../chain/nodeReads.ts');
    return readSupplyPage(node, request, abort);
  };
  return readOn(store.pager, load, ({ denom }) => denom, 1000, signal);
}
