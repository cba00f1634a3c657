import type { ChainNode } from '../../api/node.ts';
import type { ListFilter } from '../../chain/listFilter.ts';
import type { ProposalRow } from '../../chain/proposal.ts';
import { statusGroups } from '../../chain/proposalGroup.ts';
import type { ProposalStore } from '../../chain/proposalStore.ts';
import { readGroup } from '../../chain/readGroup.ts';
import { readUnlisted } from '../../chain/unlisted.ts';
import { type ReadPage, readOn } from './readOn.ts';

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
