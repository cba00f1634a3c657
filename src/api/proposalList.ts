import type { PageRequest, ProposalFilter, ProposalsPage } from './node.ts';
import { countedPage, pageParams } from './pageParams.ts';
import { isStatusNameRefused } from './replyFaults.ts';
import type { Speaker } from './speaker.ts';
import { statusNames } from './statusNames.ts';

/** One page of proposals as gov v1beta1 says them. Rejects as `Speaker.get` does. */
export async function readProposals(
  speaker: Speaker,
  filter: ProposalFilter,
  page: PageRequest,
  signal?: AbortSignal,
): Promise<ProposalsPage> {
  const { reply, info } = await withStatus(speaker, filter.status, (status) =>
    speaker.get('proposals', {
      query: { ...pageParams(page), ...filterParams(filter, status) },
      height: page.height,
      signal,
    }),
  );
  return {
    rows: reply.proposals.map((proposal) => ({ form: 'v1beta1', proposal })),
    page: countedPage(reply.pagination, page, reply.proposals.length),
    info,
  };
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
  if (status === undefined || number < 0) return send(status);
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
