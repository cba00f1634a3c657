import type { GovParamsReply } from '../api/node.ts';
import { type Coin, readCoins } from './coin.ts';
import { type Ratio, toRatio } from './ratio.ts';

/** The rules of a vote, each undefined where the source does not tell it. Periods in seconds. */
export interface GovParams {
  /** Smallest turnout of bonded tokens; a turnout equal to it is enough. */
  readonly quorum: Ratio | undefined;
  /** Yes must be more than this share of all votes but abstain. */
  readonly threshold: Ratio | undefined;
  /** No with veto must not be more than this share of all votes. */
  readonly vetoThreshold: Ratio | undefined;
  /** Stands for `threshold` in an expedited vote (SDK 0.50 and later). */
  readonly expeditedThreshold: Ratio | undefined;
  readonly minDeposit: readonly Coin[] | undefined;
  readonly expeditedMinDeposit: readonly Coin[] | undefined;
  readonly maxDepositPeriod: number | undefined;
  readonly votingPeriod: number | undefined;
  readonly expeditedVotingPeriod: number | undefined;
  /** Whether deposits are burnt when quorum is missed, and when the vote is vetoed (SDK 0.47 and later). */
  readonly burnVoteQuorum: boolean | undefined;
  readonly burnVoteVeto: boolean | undefined;
}

type Group = Readonly<Record<string, unknown>>;

/**
 * Gov parameters in any of their forms (contract-facts sections 5 and 8): the `params` of gov v1, the three groups of
 * v1beta1, amino. A group of v1beta1 that holds nothing but zeros was not asked for, and is unknown.
 */
export function toGovParams(reply: GovParamsReply | undefined): GovParams {
  const v1 = reply?.v1 ?? {};
  const tally = asked(reply?.tally, ['quorum', 'threshold', 'veto_threshold', 'veto']);
  const deposit = asked(reply?.deposit, ['min_deposit', 'max_deposit_period']);
  const voting = asked(reply?.voting, ['voting_period']);
  return {
    quorum: toRatio(v1.quorum) ?? toRatio(tally.quorum),
    threshold: toRatio(v1.threshold) ?? toRatio(tally.threshold),
    vetoThreshold: toRatio(v1.veto_threshold) ?? toRatio(tally.veto_threshold) ?? toRatio(tally.veto),
    expeditedThreshold: toRatio(v1.expedited_threshold),
    minDeposit: readMinimum(v1.min_deposit) ?? readMinimum(deposit.min_deposit),
    expeditedMinDeposit: readMinimum(v1.expedited_min_deposit),
    maxDepositPeriod: readSeconds(v1.max_deposit_period) ?? readSeconds(deposit.max_deposit_period),
    votingPeriod: readSeconds(v1.voting_period) ?? readSeconds(voting.voting_period),
    expeditedVotingPeriod: readSeconds(v1.expedited_voting_period),
    burnVoteQuorum: readFlag(v1.burn_vote_quorum),
    burnVoteVeto: readFlag(v1.burn_vote_veto),
  };
}

/** The group, or none of it where all that is asked of it is zero. */
function asked(group: Group | undefined, names: readonly string[]): Group {
  const values = names.map((name) => group?.[name]);
  return group && values.some((value) => !isZero(value)) ? group : {};
}

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value !== 'string' || value === '' || /^[0.]+s?$/.test(value);
}

/** Coins of a parameter; an empty list is as good as none (a proposal always costs something). */
function readMinimum(value: unknown): readonly Coin[] | undefined {
  const coins = readCoins(value);
  return coins?.length ? coins : undefined;
}

/** `172800s`, or the nanoseconds of the amino form; zero is not a period. */
function readSeconds(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const seconds = /^\d+(\.\d+)?s$/.test(value) ? Number(value.slice(0, -1)) : Number(value) / 1e9;
  return seconds > 0 ? seconds : undefined;
}

function readFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
