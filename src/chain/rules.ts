import type { PowerModule } from '../api/node.ts';
import type { Ratio } from './coin.ts';
import type { GovParams } from './params.ts';
import type { Proposal } from './proposal.ts';

/** The checks of a tally, in the SDK's order; docs/governance.md#checks. */
export type RuleName = 'bonded' | 'quorum' | 'notAllAbstain' | 'veto' | 'threshold';

/** An input of a rule. */
export type VoteInput = 'tally' | 'bonded' | 'quorum' | 'vetoThreshold' | 'threshold' | 'expeditedThreshold';

/** Where the voting power comes from that turnout is a share of: a module, or the tally's own figure. */
export type PowerSource = PowerModule | 'tally';

/** What votes are counted with, as of now; each may be unknown. */
export interface VoteFacts {
  readonly params: GovParams;
  /** What turnout is a share of, in base units of the bond denom. */
  readonly bonded: bigint | undefined;
  /** What `bonded` is; the staking pool where absent. */
  readonly power?: PowerSource | undefined;
  /** As the node states it: `v0.50.13`. */
  readonly sdkVersion?: string | undefined;
}

/** What of a proposal decides which limits apply. */
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

/** How a family of chains decides a vote; docs/governance.md#variants. */
export interface Variant {
  readonly name: string;
  /** For people, in English. */
  readonly label: string;
  /** In the order in which the chain applies them. */
  readonly rules: readonly RuleName[];
  /** The parameters of which the highest counts. */
  readonly quorum: (vote: VoteKind) => readonly LimitName[];
  readonly threshold: (vote: VoteKind, params: GovParams) => readonly LimitName[];
  /** Whether an expedited vote that fails goes on as a regular one. */
  readonly retries: boolean;
  /** Whether a validator that votes adds what its delegators did not vote with themselves. */
  readonly inheritsVotes: boolean;
}

/** The highest of some limits; undefined where one of them is not known. */
export function highest(params: GovParams, names: readonly LimitName[]): Ratio | undefined {
  const known = names.flatMap((name) => params[name] ?? []);
  return known.length === names.length ? known.toSorted((a, b) => (a < b ? 1 : -1))[0] : undefined;
}

/** How a proposal can end, as far as its deposits are concerned; `any`: in each of the ways that are possible. */
export type DepositCase = 'quorum' | 'veto' | 'manyNo' | 'minimum' | 'cancelled' | 'otherwise' | 'any';

/** What becomes of the deposits in a case, and the parameter that decides; none where it is the version of the SDK. */
export interface DepositRule {
  readonly case: DepositCase;
  /** `partly`: each depositor loses the share `ratio`, which `recipient` gets; "" burns it. */
  readonly effect: 'returned' | 'burnt' | 'partly';
  readonly parameter: string | undefined;
  readonly ratio?: Ratio | undefined;
  readonly recipient?: string | undefined;
}

/** x/gov abci.go and keeper/tally.go: the flags of 0.47 and later, and what 0.46 did; docs/governance.md#deposits. */
const depositTable = [
  { case: 'quorum', flag: 'burnVoteQuorum', parameter: 'burn_vote_quorum', defaultOf046: 'returned' },
  { case: 'veto', flag: 'burnVoteVeto', parameter: 'burn_vote_veto', defaultOf046: 'burnt' },
  { case: 'minimum', flag: 'burnDepositPrevote', parameter: 'burn_proposal_deposit_prevote', defaultOf046: 'returned' },
] as const;

/**
 * Without flags the proposal shows the version: gov v1 came with 0.46, which has no titles; older ones burn, also where a service
 * gives them in the form of today. Empty where `params` are unknown.
 */
export function depositRules(
  params: GovParams,
  variant: Variant,
  { isOf046 }: Pick<Proposal, 'isOf046'>,
): readonly DepositRule[] {
  if (params.quorum === undefined) return [];
  const rules: DepositRule[] = [];
  for (const row of depositTable) {
    const flag = params[row.flag];
    const effect = flag === undefined ? (isOf046 ? row.defaultOf046 : 'burnt') : flag ? 'burnt' : 'returned';
    const parameter = flag === undefined ? undefined : row.parameter;
    if (row.case !== 'veto' || variant.rules.includes('veto')) rules.push({ case: row.case, effect, parameter });
  }
  if (params.burnNoThreshold !== undefined) {
    const ratio = params.burnNoThreshold;
    rules.push({ case: 'manyNo', effect: 'burnt', parameter: 'burn_deposit_no_threshold', ratio });
  }
  if (params.cancelRatio !== undefined) {
    const { cancelRatio: ratio, cancelDestination: recipient } = params;
    rules.push({ case: 'cancelled', effect: 'partly', parameter: 'proposal_cancel_ratio', ratio, recipient });
  }
  return [...rules, { case: 'otherwise', effect: 'returned', parameter: undefined }];
}
