import type { Ratio } from '../ratio.ts';
import type { GovParams } from './params.ts';
import type { Proposal } from './proposal.ts';

/** The checks of a tally, in the SDK's order; docs/governance.md#checks. */
export type RuleName = 'bonded' | 'quorum' | 'notAllAbstain' | 'veto' | 'threshold';

/** An input of a rule. */
export type VoteInput = 'tally' | 'bonded' | 'quorum' | 'vetoThreshold' | 'threshold' | 'expeditedThreshold';

/** A module that states the total of turnout: the SDK's, Initia's, or that of a proof of authority. */
export type PowerModule = 'staking' | 'mstaking' | 'poa';

/** The source of the voting power that turnout is a share of: a module, or the tally's own figure. */
export type PowerSource = PowerModule | 'tally';

/** Current facts for counting votes. Each may be unknown. */
export interface VoteInputs {
  readonly params: GovParams;
  /** The voting power that turnout is a share of, in base units of the bond denom. */
  readonly votingPower: bigint | undefined;
  /** The source of `votingPower`. The staking pool if absent. */
  readonly powerSource?: PowerSource | undefined;
  /** The version as the node states it: `v0.50.13`. */
  readonly sdkVersion?: string | undefined;
}

/** The properties of a proposal that decide which limits apply. */
export type VoteKind = Pick<Proposal, 'expedited' | 'emergency' | 'endorsed' | 'contents'>;

/** The parameters that limit a vote. */
export type LimitName =
  | 'quorum'
  | 'expeditedQuorum'
  | 'lawQuorum'
  | 'amendmentQuorum'
  | 'threshold'
  | 'expeditedThreshold'
  | 'lawThreshold'
  | 'amendmentThreshold';

/** The way in which a family of chains decides votes (docs/governance.md#variants). */
export interface Variant {
  readonly name: string;
  /** The name for people, in English. */
  readonly label: string;
  /** The rules in the order in which the chain applies them. */
  readonly rules: readonly RuleName[];
  /** The parameters whose highest value is the quorum. */
  readonly quorum: (vote: VoteKind) => readonly LimitName[];
  readonly threshold: (vote: VoteKind, params: GovParams) => readonly LimitName[];
  /** True if an expedited vote that fails goes on as a regular one. */
  readonly retries: boolean;
  /** True if a validator's vote includes the power of delegators that did not vote themselves. */
  readonly inheritsVotes: boolean;
}

/** Gives the highest of some limits; undefined if one of them is not known. */
export function highest(params: GovParams, names: readonly LimitName[]): Ratio | undefined {
  const known = names.flatMap((name) => params[name] ?? []);
  return known.length === names.length ? known.toSorted((a, b) => (a < b ? 1 : -1))[0] : undefined;
}

/** The ways in which a proposal can end that matter for its deposits. `any` is each of the possible ways. */
export type DepositCase = 'quorum' | 'veto' | 'manyNo' | 'minimum' | 'cancelled' | 'otherwise' | 'any';

/** The effect on the deposits in a case, and the parameter that decides it; absent if the version of the SDK does. */
export interface DepositRule {
  readonly case: DepositCase;
  /** With `partly`, each depositor loses the share `ratio`, which `recipient` receives; "" burns it. */
  readonly effect: 'returned' | 'burned' | 'partly';
  readonly parameter: string | undefined;
  /** The parameter that would decide, and that the source does not have. */
  readonly absent?: string | undefined;
  readonly ratio?: Ratio | undefined;
  readonly recipient?: string | undefined;
}

/**
 * The flags of SDK 0.47 and later, and the behavior of gov v1 before them: 0.46, and the pre-releases of 0.47 (x/gov
 * abci.go and keeper/tally.go; docs/governance.md#deposits).
 */
const depositTable = [
  { case: 'quorum', flag: 'burnVoteQuorum', parameter: 'burn_vote_quorum', withoutFlag: 'returned' },
  { case: 'veto', flag: 'burnVoteVeto', parameter: 'burn_vote_veto', withoutFlag: 'burned' },
  { case: 'minimum', flag: 'burnDepositPrevote', parameter: 'burn_proposal_deposit_prevote', withoutFlag: 'returned' },
] as const;

/**
 * Gives the rules for the deposits. Without flags, the proposal shows the version: gov v1 came with 0.46. Older versions
 * burn deposits, even if a service answers in the current form. Empty if `params` are unknown.
 */
export function depositRules(
  params: GovParams,
  variant: Variant,
  { isStoredAsV1 }: Pick<Proposal, 'isStoredAsV1'>,
): readonly DepositRule[] {
  if (params.quorum === undefined) return [];
  const rules: DepositRule[] = [];
  for (const row of depositTable) {
    const flag = params[row.flag];
    const effect = flag === undefined ? (isStoredAsV1 ? row.withoutFlag : 'burned') : flag ? 'burned' : 'returned';
    const parameter = flag === undefined ? undefined : row.parameter;
    const absent = flag === undefined && isStoredAsV1 ? { absent: row.parameter } : {};
    if (row.case !== 'veto' || variant.rules.includes('veto'))
      rules.push({ case: row.case, effect, parameter, ...absent });
  }
  if (params.burnNoThreshold !== undefined) {
    const ratio = params.burnNoThreshold;
    rules.push({ case: 'manyNo', effect: 'burned', parameter: 'burn_deposit_no_threshold', ratio });
  }
  if (params.cancelRatio !== undefined) {
    const { cancelRatio: ratio, cancelDestination: recipient } = params;
    rules.push({ case: 'cancelled', effect: 'partly', parameter: 'proposal_cancel_ratio', ratio, recipient });
  }
  return [...rules, { case: 'otherwise', effect: 'returned', parameter: undefined }];
}
