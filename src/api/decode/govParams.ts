import { type Coin, readCoins } from '../../chain/coin.ts';
import type { Fields } from '../../chain/fields.ts';
import { type GovParams, toSeconds } from '../../chain/gov/params.ts';
import { toRatio } from '../../chain/ratio.ts';
import type { GovParamsReply, StatedGovParams } from '../node.ts';

/** Adds the values to the parameters. */
export function withValues(reply: GovParamsReply): StatedGovParams {
  return { ...reply, values: toGovParams(reply) };
}

/** Reads gov parameters in any form (docs/nodes.md#gov-params). A group of v1beta1 that is all zeros is unknown. */
export function toGovParams(reply: GovParamsReply): GovParams {
  const v1: Fields = { ...reply.v1, ...reply.quorums };
  const tally = asked(reply.tally, ['quorum', 'threshold', 'veto_threshold', 'veto']);
  const deposit = asked(reply.deposit, ['min_deposit', 'max_deposit_period']);
  const voting = asked(reply.voting, ['voting_period']);
  return {
    quorum: toRatio(v1.quorum) ?? toRatio(tally.quorum),
    threshold: toRatio(v1.threshold) ?? toRatio(tally.threshold),
    vetoThreshold: toRatio(v1.veto_threshold) ?? toRatio(tally.veto_threshold) ?? toRatio(tally.veto),
    expeditedThreshold: toRatio(v1.expedited_threshold) ?? toRatio(tally.expedited_threshold),
    expeditedQuorum: toRatio(tally.expedited_quorum),
    lawQuorum: toRatio(v1.law_quorum),
    lawThreshold: toRatio(v1.law_threshold),
    amendmentQuorum: toRatio(v1.constitution_amendment_quorum),
    amendmentThreshold: toRatio(v1.constitution_amendment_threshold),
    minDeposit: readMinimum(v1.min_deposit) ?? readMinimum(deposit.min_deposit),
    expeditedMinDeposit: readMinimum(v1.expedited_min_deposit) ?? readMinimum(deposit.min_expedited_deposit),
    minDepositRatio: toRatio(v1.min_deposit_ratio),
    minInitialDepositRatio: toRatio(v1.min_initial_deposit_ratio),
    maxDepositPeriod: periodSeconds(v1.max_deposit_period) ?? periodSeconds(deposit.max_deposit_period),
    votingPeriod: periodSeconds(v1.voting_period) ?? periodSeconds(voting.voting_period),
    expeditedVotingPeriod: periodSeconds(v1.expedited_voting_period) ?? periodSeconds(voting.expedited_voting_period),
    quorumTimeout: periodSeconds(v1.quorum_timeout),
    burnVoteQuorum: readFlag(v1.burn_vote_quorum),
    burnVoteVeto: readFlag(v1.burn_vote_veto),
    burnDepositPrevote: readFlag(v1.burn_proposal_deposit_prevote),
    burnNoThreshold: toRatio(v1.burn_deposit_no_threshold),
    cancelRatio: toRatio(v1.proposal_cancel_ratio),
    cancelDestination: typeof v1.proposal_cancel_dest === 'string' ? v1.proposal_cancel_dest : undefined,
    lowThresholdFunctions: textList(v1.low_threshold_functions),
  };
}

function asked(group: Fields | undefined, names: readonly string[]): Fields {
  return group && names.some((name) => !isUnset(group[name])) ? group : {};
}

function isUnset(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value !== 'string' || value === '' || /^[0.]+s?$/.test(value);
}

/** Reads the coins of a parameter. An empty list counts as absent, because a proposal always costs something. */
function readMinimum(value: unknown): readonly Coin[] | undefined {
  const coins = readCoins(value);
  return coins?.length ? coins : undefined;
}

/** Reads a period. Zero is not one. */
function periodSeconds(value: unknown): number | undefined {
  return toSeconds(value) || undefined;
}

function readFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function textList(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}
