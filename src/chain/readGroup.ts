import type { ChainNode } from '../api/node.ts';
import type { ListFilter } from './listFilter.ts';
import { type LoadedPage, type PageWish, toLoadedPage } from './loadedPage.ts';
import type { ProposalRow } from './proposal.ts';
import { type StatusGroup, wireStatus } from './proposalGroup.ts';

/**
 * One page of a group, newest first; rows of other groups may be among it, where the node cannot say them or does not filter.
 * The first page asks for a count. Rejects as `ChainNode.proposals` does.
 */
export async function readGroup(
  node: ChainNode,
  group: StatusGroup,
  { voter, depositor }: ListFilter,
  { key, limit, height }: PageWish & { readonly key: string | undefined },
  signal: AbortSignal,
): Promise<LoadedPage<ProposalRow>> {
  const request = { key, limit, height, reverse: true, countTotal: key === undefined };
  const { rows, page, info } = await node.proposals({ voter, depositor, status: wireStatus[group] }, request, signal);
  // The readers of contents are large and wait for the first proposal.
  const { toProposalRow } = await import('./toProposal.ts');
  return toLoadedPage(rows.map(toProposalRow), page, info);
}
