import type { ChainNode, PageRequest, ProposalFilter, WireProposalRow } from '../../src/api/node.ts';
import { idOfRow } from '../../src/api/proposalRows.ts';

/** Follows next keys from the first page to the end, at most 2,000 pages; rows as they came, duplicates included. */
export async function readAllPages<Row>(
  readPage: (key: string | undefined) => Promise<{ rows: readonly Row[]; nextKey: string | null | undefined }>,
): Promise<Row[]> {
  const all: Row[] = [];
  let key: string | undefined;
  for (let page = 0; page < 2000; page++) {
    const { rows, nextKey } = await readPage(key);
    all.push(...rows);
    if (!nextKey) return all;
    key = nextKey;
  }
  throw new Error('the list does not end');
}

export function readAllCoins(node: ChainNode, page: PageRequest) {
  return readAllPages(async (key) => {
    const answer = await node.supply({ ...page, key });
    return { rows: answer.coins, nextKey: answer.page?.next_key };
  });
}

export function readAllProposals(
  node: ChainNode,
  filter: ProposalFilter,
  page: PageRequest,
): Promise<WireProposalRow[]> {
  return readAllPages(async (key) => {
    const answer = await node.proposals(filter, { ...page, key });
    return { rows: answer.rows, nextKey: answer.page?.next_key };
  });
}

/** `12`, or `12!` for one that the node cannot say. */
export function idsOf(rows: readonly WireProposalRow[]): string[] {
  return rows.map((row) => `${idOfRow(row)}${row.form === 'unreadable' ? '!' : ''}`);
}
