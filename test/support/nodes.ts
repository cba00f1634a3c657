import type { ChainNode, ListRequest, ProposalFilter, ProposalsRequest, WireProposalRow } from '../../src/api/node.ts';
import { openNode } from '../../src/api/open.ts';
import type { Page } from '../../src/api/pages.ts';
import { idOfRow } from '../../src/api/proposalRows.ts';
import type { RequestLine } from '../../src/api/transportTypes.ts';
import { serveFile } from '../../src/service/serve.ts';
import { sampleFile } from './folders.ts';

/** A state file (the sample chain unless said otherwise) behind the real service and the real client, with the log of what was asked. */
export async function startSampleNode(file: string = sampleFile) {
  const service = await serveFile({ file, ...(file === sampleFile ? { rebase: new Date() } : {}) });
  const requests: RequestLine[] = [];
  const node: ChainNode = openNode({ baseUrl: service.baseUrl, onRequest: (line) => requests.push(line) });
  /** Path and query of every request, in order, without the address. */
  const asked = () => requests.map(({ url }) => url.replace(service.baseUrl, ''));
  const dispose = async () => {
    await node.dispose();
    await service.dispose();
  };
  return { node, service, requests, asked, dispose };
}

/** Follows next keys from the first page to the end, at most 2,000 pages; rows as they came, duplicates included. */
export async function readAllPages<Row>(readPage: (key: string | undefined) => Promise<Page<Row>>): Promise<Row[]> {
  const all: Row[] = [];
  let key: string | undefined;
  for (let page = 0; page < 2000; page++) {
    const { rows, nextKey } = await readPage(key);
    all.push(...rows);
    if (nextKey === undefined) return all;
    key = nextKey;
  }
  throw new Error('the list does not end');
}

export function readAllCoins(node: ChainNode, page: ListRequest) {
  return readAllPages((key) => node.supply({ ...page, key }));
}

export function readAllProposals(
  node: ChainNode,
  filter: ProposalFilter,
  page: ProposalsRequest,
): Promise<WireProposalRow[]> {
  return readAllPages((key) => node.proposals(filter, { ...page, key }));
}

/** `12`, or `12!` for one that the node cannot say. */
export function idsOf(rows: readonly WireProposalRow[]): string[] {
  return rows.map((row) => `${idOfRow(row)}${row.form === 'unreadable' ? '!' : ''}`);
}
