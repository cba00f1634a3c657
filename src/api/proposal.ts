import type { WireProposalRow } from './node.ts';
import type { Speaker } from './speaker.ts';

/** One proposal by its id. Rejects as `Speaker.get` does: `HttpError` 404 where there is none. */
export async function readProposal(speaker: Speaker, id: bigint, signal?: AbortSignal): Promise<WireProposalRow> {
  const { reply } = await speaker.get('proposal', { params: { proposalId: String(id) }, signal });
  return { form: 'v1beta1', proposal: reply.proposal };
}
