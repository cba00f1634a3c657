import type { ChainNode } from '../api/node.ts';
import { idKey } from '../api/pages.ts';
import { groupOf, isStatusGroup, type ProposalGroup } from '../chain/proposal.ts';
import { mostOpen, type ProposalStore } from '../chain/proposalStore.ts';

/** `next` is further down in the lists, which is a lower id where they are newest first. */
export type Side = 'previous' | 'next';

/** The proposal before or after `id` in the order of the lists; the next id of the chain where they do not hold it. */
export async function findNeighbour(
  { proposals, node }: { readonly proposals: ProposalStore; readonly node: () => Promise<ChainNode> },
  id: bigint,
  side: Side,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const groups: readonly ProposalGroup[] = [...proposals.shownGroups, 'other', 'unreadable'];
  const ordered = side === 'next' ? groups : groups.toReversed();
  const row = proposals.known(id);
  const own = row && groupOf(row);
  const listed = own && groups.includes(own) ? await rowsOf(proposals, own, signal) : [];
  if (!own || !listed.some((other) => other.id === id)) return findById(await node(), id, side, signal);
  if (side === 'next' && isStatusGroup(own) && proposals.rows(own).at(-1)?.id === id)
    await proposals.pager(own).loadMore();
  let isBehind = false;
  for (const group of ordered.slice(ordered.indexOf(own))) {
    const rows = await rowsOf(proposals, group, signal);
    for (const other of side === 'next' ? rows : rows.toReversed()) {
      if (isBehind) return other.id;
      isBehind = other.id === id;
    }
  }
  return undefined;
}

/** The rows of a list, whose first page is read where nothing was. Open votes are sorted by their end: all are read. */
async function rowsOf(proposals: ProposalStore, group: ProposalGroup, signal: AbortSignal) {
  if (group === 'voting') await proposals.pager(group).loadAll({ signal, limit: mostOpen });
  else if (isStatusGroup(group) && !proposals.pager(group).started) await proposals.pager(group).loadMore();
  return proposals.rows(group);
}

/** The next lower (`next`) or higher id: keys of proposals are ids of 8 bytes, inclusive (docs/nodes.md#page-keys). */
export async function findById(
  node: ChainNode,
  id: bigint,
  side: Side,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const isLower = side === 'next';
  const from = isLower ? id - 1n : id + 1n;
  if (from < 1n || from >= 2n ** 64n) return undefined;
  const page = { key: idKey(from), limit: 1, reverse: isLower };
  const answer = await node.proposals({}, page, signal).catch(() => undefined);
  signal.throwIfAborted();
  const found = answer?.rows[0]?.id;
  return found !== undefined && (isLower ? found < id : found > id) ? found : undefined;
}
