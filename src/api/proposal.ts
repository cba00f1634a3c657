import { isHttpError } from './errors.ts';
import type { WireProposalReply, WireProposalRow } from './node.ts';
import { hidesTitle } from './proposalPage.ts';
import { isNodeFault, isNotOffered, isPoisoned, isTooLarge } from './replyFaults.ts';
import type { Speaker } from './speaker.ts';

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
