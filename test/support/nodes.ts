import { parseBaseUrl } from '../../src/api/baseUrl.ts';
import type { WireCoin } from '../../src/api/contract.ts';
import type { ChainNode, ProposalFilter, ProposalsRequest } from '../../src/api/node.ts';
import { openNode } from '../../src/api/open.ts';
import { type ListRequest, type LoadPage, readPages } from '../../src/api/pages.ts';
import type { WireProposalRow } from '../../src/api/readReply.ts';
import type { RequestLine } from '../../src/api/transportTypes.ts';
import { serveFile } from '../../src/service/serve.ts';
import { sampleFile } from './folders.ts';

/** A state file (the sample chain unless said otherwise) behind the real service and the real client, with the log of what was asked. */
export async function startSampleNode(file: string = sampleFile) {
  const service = await serveFile({ file, ...(file === sampleFile ? { rebase: new Date() } : {}) });
  const requests: RequestLine[] = [];
  const node: ChainNode = openNode({
    baseUrl: parseBaseUrl(service.baseUrl),
    preferredForm: service.proposalForm,
    onRequest: (line) => requests.push(line),
  });
  /** Path and query of every request, in order, without the address. */
  const asked = () => requests.map(({ url }) => url.replace(service.baseUrl, ''));
  const dispose = async () => {
    await node.dispose();
    await service.dispose();
  };
  return { node, service, requests, asked, dispose };
}

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
  const load: LoadPage<WireCoin> = (request, signal) => node.supply({ ...page, ...request }, signal);
  return readAllPages(load, ({ denom }) => denom, page.limit ?? 100);
}

export function readAllProposals(
  node: ChainNode,
  filter: ProposalFilter,
  page: ProposalsRequest,
): Promise<WireProposalRow[]> {
  const load: LoadPage<WireProposalRow> = (request, signal) => node.proposals(filter, { ...page, ...request }, signal);
  return readAllPages(load, ({ id }) => `${id}`, page.limit ?? 100);
}

/** `12`, or `12!` for one that the node cannot say. */
export function idsOf(rows: readonly WireProposalRow[]): string[] {
  return rows.map((row) => `${row.id}${row.form === 'unreadable' ? '!' : ''}`);
}
