import { sharesOf } from '../ratio.ts';

/** Votes in base units of the bond denom, cut to whole units. A chain without No with veto has no such count. */
export interface Tally {
  readonly yes: bigint;
  readonly abstain: bigint;
  readonly no: bigint;
  readonly noWithVeto: bigint;
  /** The voting power that turnout is a share of, if the chain states it with the tally (Initia). */
  readonly power?: bigint | undefined;
  /** The options that single votes name, if all of those are known. Every other option is exactly zero. */
  readonly voted?: readonly VoteOption[] | undefined;
  /** The options whose counts have decimals, if the source states them. All other counts are exact. */
  readonly fractions?: readonly VoteOption[] | undefined;
}

/** The options in the order in which they are shown. */
export const voteOptions = ['yes', 'abstain', 'no', 'noWithVeto'] as const;

export type VoteOption = (typeof voteOptions)[number];

/** The options of a single vote. `unknown` is an option that this version does not know. */
export const castOptions = [...voteOptions, 'unknown'] as const;

export type CastOption = (typeof castOptions)[number];

/** Sums all votes, including abstain and veto, in base units. */
export function totalVotes(tally: Tally): bigint {
  return tally.yes + tally.abstain + tally.no + tally.noWithVeto;
}

/** Gives the share of each option in all votes, in hundredths of a percent that add up (`sharesOf`). */
export function optionShares(tally: Tally): Readonly<Record<VoteOption, number>> {
  const [yes = 0, abstain = 0, no = 0, noWithVeto = 0] = sharesOf([
    tally.yes,
    tally.abstain,
    tally.no,
    tally.noWithVeto,
  ]);
  return { yes, abstain, no, noWithVeto };
}

/**
 * The options of a vote in the order of the chain. `weight` is a share of the voter's power as it was written (`1`,
 * `0.50`).
 */
export type Vote = readonly { readonly option: CastOption; readonly weight: string }[];

/** The vote of an account. */
export interface VoterRow {
  readonly voter: string;
  readonly vote: Vote;
}
