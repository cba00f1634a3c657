// Proposals as a node is asked for them. Entry of a lazily loaded part: brings the decoders of contents.
import type { ChainNode } from '../api/node.ts';
import { mapRows, type Page, type PageRequest, readPages } from '../api/pages.ts';
import type { WireProposalRow } from '../api/readReply.ts';
import { toProposalRow } from './fromWire.ts';
import { type ListFilter, type ProposalRow, type StatusGroup, wireStatus } from './proposal.ts';

/** A page of a group, newest first; others' rows too where the node does not filter. Rejects as `proposals`. */
export async function readGroup(
  node: ChainNode,
  group: StatusGroup,
  { voter, depositor }: ListFilter,
  request: PageRequest,
  signal: AbortSignal | undefined,
): Promise<Page<ProposalRow>> {
  const filter = { voter, depositor, status: wireStatus[group] };
  const page = { ...request, reverse: true, countTotal: request.key === undefined };
  return toRows(await node.proposals(filter, page, signal));
}

/** Rows of the wire as the model has them, each with the height of its page. */
export function toRows(page: Page<WireProposalRow>): Page<ProposalRow> {
  return mapRows(page, (row) => ({ ...toProposalRow(row), height: page.info.height }));
}

/** Reads one proposal. Rejects as `ChainNode.proposal` does. */
export async function readProposal(node: ChainNode, id: bigint, signal: AbortSignal | undefined): Promise<ProposalRow> {
  const reply = await node.proposal(id, signal);
  return { ...toProposalRow(reply), height: reply.info?.height };
}

/** The proposals not in the lists by status (`listed`), if a count shows that there are any. Rejects as `proposals`. */
export async function* readUnlisted(
  node: ChainNode,
  listed: { readonly size: number; has(id: bigint): boolean },
  signal: AbortSignal | undefined,
): AsyncGenerator<Page<ProposalRow>> {
  const known = listed.size;
  const { total } = await node.proposals({}, { limit: 1, countTotal: true }, signal);
  let missing = Number(total ?? 0) - known;
  if (missing <= 0) return;
  const load = async (request: PageRequest, abort: AbortSignal | undefined) =>
    toRows(await node.proposals({}, { ...request, reverse: true }, abort));
  for await (const page of readPages(load, { idOf: ({ id }) => `${id}`, limit: 100, enough: 2000, signal })) {
    const rows = page.rows.filter(({ id }) => !listed.has(id));
    missing -= rows.length;
    if (rows.length > 0) yield { ...page, rows };
    if (missing <= 0) return;
  }
}
