import { isHttpError } from './errors.ts';
import type { ProposalFilter, WireProposalReply, WireProposalRow } from './node.ts';
import type { Page } from './pages.ts';
import { isNodeFault, isNotOffered, isPoisoned, isStatusNameRefused, isTooLarge } from './replyFaults.ts';
import type { Speaker } from './speaker.ts';
import { statusNames } from './statusNames.ts';
import { pageParams, toPage, type WireRequest } from './wholeLists.ts';

/**
 * One proposal by its id: as gov v1beta1 says it, or gov v1 where v1beta1 cannot, or hides its title; else an unreadable
 * row with the node's reason. Rejects as `Speaker.get` does: `HttpError` 404 where there is none.
 */
export async function readProposal(speaker: Speaker, id: bigint, signal?: AbortSignal): Promise<WireProposalReply> {
  try {
    const { reply, info } = await speaker.get('proposal', { params: { proposalId: String(id) }, signal });
    const row = { form: 'v1beta1', proposal: reply.proposal, info } as const;
    return (hidesTitle(row) && (await readAsV1(speaker, id, signal))) || row;
  } catch (error) {
    if (!isNodeFault(error)) throw error;
    const row = await readAsV1(speaker, id, signal);
    if (row) return row;
    if (isPoisoned(error) || isTooLarge(error)) return unreadable(id, error);
    throw error;
  }
}

/** The proposal as gov v1 says it; undefined where the node has no gov v1 (remembered) or fails on it, too. */
export async function readAsV1(
  speaker: Speaker,
  id: bigint,
  signal: AbortSignal | undefined,
): Promise<WireProposalReply | undefined> {
  if (speaker.learned.govV1 === false) return undefined;
  try {
    const { reply, info } = await speaker.get('proposalV1', { params: { proposalId: String(id) }, signal });
    speaker.learned.learn({ govV1: true });
    return { form: 'v1', proposal: reply.proposal, info };
  } catch (error) {
    if (!isHttpError(error)) throw error;
    if (isNotOffered(error)) speaker.learned.learn({ govV1: false });
    return undefined;
  }
}

/** The row of a proposal that the node cannot say. */
export function unreadable(id: bigint, error: unknown): Extract<WireProposalRow, { form: 'unreadable' }> {
  const reason = isHttpError(error) ? (error.nodeMessage ?? `HTTP ${error.status}`) : String(error);
  return { form: 'unreadable', id, reason };
}

/** One page of proposals as the node says them in gov v1beta1 or gov v1. Rejects as `Speaker.get` does. */
export function readProposalPage(
  speaker: Speaker,
  form: 'v1beta1' | 'v1',
  filter: ProposalFilter,
  page: WireRequest,
  signal: AbortSignal | undefined,
): Promise<Page<WireProposalRow>> {
  const { height } = page;
  return withStatus(speaker, filter.status, async (status) => {
    const query = { ...pageParams(page), ...filterParams(filter, status) };
    if (form === 'v1') {
      const { reply, info } = await speaker.get('proposalsV1', { query, height, signal });
      const rows = reply.proposals.map((proposal) => ({ form, proposal }));
      return toPage(rows, reply.pagination, page, info);
    }
    const { reply, info } = await speaker.get('proposals', { query, height, signal });
    const rows = reply.proposals.map((proposal) => ({ form, proposal }));
    return toPage(rows, reply.pagination, page, info);
  });
}

/** The id of a row, in whatever form. */
export function idOfRow(row: WireProposalRow): bigint {
  switch (row.form) {
    case 'v1beta1':
      return BigInt(row.proposal.proposal_id);
    case 'v1':
      return BigInt(row.proposal.id);
    case 'unreadable':
      return row.id;
    default:
      return row satisfies never;
  }
}

/** Whether `row` has this status, by name or by number; an unreadable row may have any. */
export function hasStatus(row: WireProposalRow, status: string): boolean {
  if (row.form === 'unreadable') return true;
  const wire = row.proposal.status;
  return wire === status || statusNames[Number(wire)] === status;
}

/** Whether v1beta1 left out what the proposal is about: `content` is null, or a Msg without a title (contract-facts section 3). */
export function hidesTitle(row: WireProposalRow): boolean {
  if (row.form !== 'v1beta1') return false;
  const { content } = row.proposal;
  return !content || ('@type' in content && typeof content.title !== 'string');
}

function filterParams(filter: ProposalFilter, status: string | undefined) {
  return {
    ...(status ? { status } : {}),
    ...(filter.voter ? { voter: filter.voter } : {}),
    ...(filter.depositor ? { depositor: filter.depositor } : {}),
  };
}

/** Sends a status by its name, or by its number to nodes that refuse names (contract-facts section 3); which one is learned. */
async function withStatus<T>(
  { learned }: Speaker,
  status: string | undefined,
  send: (status: string | undefined) => Promise<T>,
): Promise<T> {
  const names: readonly string[] = statusNames;
  const number = status === undefined ? -1 : names.indexOf(status);
  if (number < 0) return send(status);
  if (learned.status === 'number') return send(String(number));
  try {
    const answer = await send(status);
    learned.learn({ status: 'name' });
    return answer;
  } catch (error) {
    if (!isStatusNameRefused(error)) throw error;
    const answer = await send(String(number));
    learned.learn({ status: 'number' });
    return answer;
  }
}
