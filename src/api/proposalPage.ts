import type { PageRequest, ProposalFilter, ProposalsPage, WireProposalRow } from './node.ts';
import { countedPage, pageParams } from './pageParams.ts';
import { isStatusNameRefused } from './replyFaults.ts';
import type { Speaker } from './speaker.ts';
import { statusNames } from './statusNames.ts';

/** One page of proposals as the node says them in gov v1beta1 or gov v1. Rejects as `Speaker.get` does. */
export function readProposalPage(
  speaker: Speaker,
  form: 'v1beta1' | 'v1',
  filter: ProposalFilter,
  page: PageRequest,
  signal: AbortSignal | undefined,
): Promise<ProposalsPage> {
  const { height } = page;
  return withStatus(speaker, filter.status, async (status) => {
    const query = { ...pageParams(page), ...filterParams(filter, status) };
    if (form === 'v1') {
      const { reply, info } = await speaker.get('proposalsV1', { query, height, signal });
      const rows = reply.proposals.map((proposal) => ({ form, proposal }));
      return { rows, page: countedPage(reply.pagination, page, rows.length), info };
    }
    const { reply, info } = await speaker.get('proposals', { query, height, signal });
    const rows = reply.proposals.map((proposal) => ({ form, proposal }));
    return { rows, page: countedPage(reply.pagination, page, rows.length), info };
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
