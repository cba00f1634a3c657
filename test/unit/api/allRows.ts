import type { ChainNode, ProposalFilter, ProposalsRequest } from '../../../src/api/node.ts';
import type { ListRequest } from '../../../src/api/pages.ts';
import { type LoadPage, readPages } from '../../../src/api/readPages.ts';
import type { Coin } from '../../../src/chain/coin.ts';
import { type ProposalRow, statuses } from '../../../src/chain/gov/proposal.ts';
import { type StatusGroup, statusGroups } from '../../../src/chain/gov/proposalGroups.ts';

/** All rows of a list as its pages brought them, duplicates included, read as the extension reads lists. */
async function readAllPages<Row>(load: LoadPage<Row>, idOf: (row: Row) => string, limit: number): Promise<Row[]> {
  const all: Row[] = [];
  const loadAndKeep: LoadPage<Row> = async (request, abort) => {
    const page = await load(request, abort);
    all.push(...page.rows);
    return page;
  };
  const { signal } = new AbortController();
  for await (const _page of readPages(loadAndKeep, { idOf, limit, signal }));
  return all;
}

export function readAllCoins(node: ChainNode, page: ListRequest) {
  const load: LoadPage<Coin> = (request, signal) => node.supply({ ...page, ...request }, signal);
  return readAllPages(load, ({ denom }) => denom, page.limit ?? 100);
}

export function readAllProposals(
  node: ChainNode,
  filter: ProposalFilter,
  page: ProposalsRequest,
): Promise<ProposalRow[]> {
  const load: LoadPage<ProposalRow> = (request, signal) => node.proposals(filter, { ...page, ...request }, signal);
  return readAllPages(load, ({ id }) => `${id}`, page.limit ?? 100);
}

/** The status with a number on the wire, as a filter has it; undefined for 0, which stands for all. */
export function statusAt(number: number): StatusGroup | undefined {
  return statusGroups.find((status) => statuses[number] === status);
}

/** `12`, or `12!` for one that the node cannot say. */
export function idsOf(rows: readonly ProposalRow[]): string[] {
  return rows.map((row) => `${row.id}${row.kind === 'unreadable' ? '!' : ''}`);
}

/** The form of gov that a proposal was read in, or `unreadable`. */
export function formOf(row: ProposalRow | undefined): string | undefined {
  return row?.kind === 'proposal' ? row.form : row?.kind;
}
