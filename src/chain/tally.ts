import type { Tally } from './proposal.ts';

/** The options in the order in which they are shown. */
export const voteOptions = ['yes', 'abstain', 'no', 'noWithVeto'] as const;

export type VoteOption = (typeof voteOptions)[number];

/** All votes, abstain and veto included, in base units. */
export function totalVotes(tally: Tally): bigint {
  return tally.yes + tally.abstain + tally.no + tally.noWithVeto;
}

/**
 * The share of each option in hundredths of a percent. They always add up to 10,000: what cutting leaves over goes to
 * the options that lost most by it. Undefined where there are no votes.
 */
export function shares(tally: Tally): Readonly<Record<VoteOption, number>> | undefined {
  const total = totalVotes(tally);
  if (total === 0n) return undefined;
  const cut = (option: VoteOption) => Number((tally[option] * 10_000n) / total);
  const lost = (option: VoteOption) => (tally[option] * 10_000n) % total;
  const result = { yes: cut('yes'), abstain: cut('abstain'), no: cut('no'), noWithVeto: cut('noWithVeto') };
  const left = 10_000 - voteOptions.reduce((sum, option) => sum + result[option], 0);
  const byLoss = voteOptions.toSorted((a, b) => (lost(a) === lost(b) ? 0 : lost(a) < lost(b) ? 1 : -1));
  for (const option of byLoss.slice(0, left)) result[option]++;
  return result;
}
