import type { Tally } from '../../chain/proposal.ts';
import type { BasisPoints, VoteOption } from './protocol.ts';

/** The options in the order of the bar. */
export const voteOptions = ['yes', 'abstain', 'no', 'noWithVeto'] as const satisfies readonly VoteOption[];

export function totalVotes(tally: Tally): bigint {
  return tally.yes + tally.abstain + tally.no + tally.noWithVeto;
}

/** Shares in hundredths of a percent that add up to exactly 10000 (largest remainder); undefined without a vote. */
export function toShares(tally: Tally): Readonly<Record<VoteOption, BasisPoints>> | undefined {
  const total = totalVotes(tally);
  if (total === 0n) return undefined;
  const parts = voteOptions.map((option) => {
    const scaled = tally[option] * 10_000n;
    return { option, points: Number(scaled / total), rest: scaled % total };
  });
  let missing = 10_000 - parts.reduce((sum, part) => sum + part.points, 0);
  const shares = { yes: 0, abstain: 0, no: 0, noWithVeto: 0 };
  for (const part of [...parts].sort((a, b) => (a.rest === b.rest ? 0 : a.rest < b.rest ? 1 : -1))) {
    shares[part.option] = part.points + (missing > 0 ? 1 : 0);
    missing -= missing > 0 ? 1 : 0;
  }
  return shares;
}

/** 6251 → `62.51 %`. */
export function percentText(points: BasisPoints): string {
  return `${Math.floor(points / 100)}.${String(points % 100).padStart(2, '0')} %`;
}
