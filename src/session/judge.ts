import type { ChainNode } from '../api/node.ts';
import { type Proposal, type Tally, toVote, voteOptions } from '../chain/proposal.ts';
import { type Known, toVerdict } from '../chain/verdict.ts';

/**
 * The running tally of `known`, with the options that single votes name where zeros of the tally leave the verdict open
 * (docs/governance.md#whole-units): only then, one page of votes is read, which must be all. Rejects only when `signal` fires.
 */
export async function settleZeros(
  node: ChainNode,
  proposal: Proposal,
  known: Known,
  signal: AbortSignal,
): Promise<Tally | undefined> {
  const { liveTally: tally } = known;
  if (proposal.status !== 'voting' || !tally) return tally;
  const stated = voteOptions.filter((option) => tally[option] > 0n);
  const outcomeWith = (voted: Tally['voted']) => {
    return toVerdict(proposal, { ...known, liveTally: { ...tally, voted } }).outcome.kind;
  };
  if (outcomeWith(undefined) === outcomeWith(stated)) return tally;
  const page = await node.votes(proposal.id, {}, signal).catch(() => undefined);
  signal.throwIfAborted();
  if (!page || page.nextKey !== undefined || page.info.faults?.length) return tally;
  const cast = new Set(page.rows.flatMap(toVote).map(({ option }) => option));
  // A list that does not name what was counted is not that of all votes.
  if (cast.has('unknown') || stated.some((option) => !cast.has(option))) return tally;
  return { ...tally, voted: voteOptions.filter((option) => cast.has(option)) };
}
