import type { PowerModule } from '../api/node.ts';
import type { ForkName } from '../api/operations.ts';
import type { Ratio } from './coin.ts';
import type { GovParams } from './params.ts';
import type { Proposal } from './proposal.ts';

/** The checks of a tally, in the SDK's order; docs/governance.md#checks. */
export type RuleName = 'bonded' | 'quorum' | 'notAllAbstain' | 'veto' | 'threshold';

/** An input of a rule. */
export type VoteInput = 'tally' | 'bonded' | 'quorum' | 'vetoThreshold' | 'threshold' | 'expeditedThreshold';

/** A family of chains that decide votes in the same way; docs/governance.md#variants. */
export type VariantName = 'sdk' | ForkName;

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

/** The limit of a rule, and which parameter it is. */
export interface Limit {
  readonly input: VoteInput;
  readonly ratio: Ratio | undefined;
}

/** How a family of chains decides a vote. */
export interface Variant {
  readonly name: VariantName;
  /** For people, in English. */
  readonly label: string;
  /** Whether it is that of a chain with these parameters, whose turnout is counted against `power`. */
  readonly applies: (params: GovParams, power: PowerSource) => boolean;
  /** In the order in which the chain applies them. */
  readonly rules: readonly RuleName[];
  readonly quorum: (params: GovParams, vote: VoteKind) => Ratio | undefined;
  readonly threshold: (params: GovParams, vote: VoteKind) => Limit;
  /** Whether an expedited vote that fails goes on as a regular one. */
  readonly retries: boolean;
  /** Whether a validator that votes adds what its delegators did not vote with themselves. */
  readonly inheritsVotes: boolean;
}

/** cosmos/cosmos-sdk x/gov/keeper/tally.go, 0.40 to 0.54; the only rules that nodes were run against. */
const sdk: Variant = {
  name: 'sdk',
  label: 'Cosmos SDK',
  applies: () => true,
  rules: ['bonded', 'quorum', 'notAllAbstain', 'veto', 'threshold'],
  quorum: (params) => params.quorum,
  threshold: (params, { expedited }) => thresholdOf(params, expedited),
  retries: true,
  inheritsVotes: true,
};

/** The first that applies is that of a chain; each with the source of its rules. */
const variants: Readonly<Record<ForkName, Variant>> = {
  // atomone-hub/atomone x/gov/keeper/tally.go: no veto; the highest limits among the kinds of the messages.
  atomone: {
    name: 'atomone',
    label: 'AtomOne',
    applies: (params) => params.lawThreshold !== undefined && params.vetoThreshold === undefined,
    rules: ['bonded', 'quorum', 'notAllAbstain', 'threshold'],
    quorum: (params, vote) => {
      const law = has(vote, 'MsgProposeLaw') ? [params.lawQuorum] : [];
      return highest(params.quorum, ...law, ...(has(vote, amendment) ? [params.amendmentQuorum] : []));
    },
    threshold: (params, vote) => {
      const law = has(vote, 'MsgProposeLaw') && !vote.endorsed ? [params.lawThreshold] : [];
      const amending = has(vote, amendment) ? [params.amendmentThreshold] : [];
      return { input: 'threshold', ratio: highest(params.threshold, ...law, ...amending) };
    },
    retries: false,
    inheritsVotes: false,
  },
  // initia-labs/initia x/gov/keeper/tally.go: own voting power; emergencies take the threshold of expedited votes.
  initia: {
    ...sdk,
    name: 'initia',
    label: 'Initia',
    applies: (params, power) => power === 'tally' || params.lowThresholdFunctions !== undefined,
    threshold: (params, vote) =>
      thresholdOf(params, (vote.expedited || vote.emergency) && !isLowThreshold(params, vote)),
  },
  // sei-protocol/sei-chain sei-cosmos/x/gov/keeper/tally.go: expedited votes have a quorum of their own.
  sei: {
    ...sdk,
    name: 'sei',
    label: 'Sei',
    applies: (params) => params.expeditedQuorum !== undefined,
    quorum: (params, { expedited }) => (expedited ? params.expeditedQuorum : params.quorum),
  },
  // cosmos/cosmos-sdk enterprise/poa: the power of validators in place of bonded tokens.
  poa: { ...sdk, name: 'poa', label: 'proof of authority', applies: (_, power) => power === 'poa' },
};

/** How the chain with these parameters, whose turnout is counted against `power`, decides. */
export function variantOf(params: GovParams, power: PowerSource): Variant {
  return Object.values(variants).find(({ applies }) => applies(params, power)) ?? sdk;
}

function thresholdOf(params: GovParams, expedited: boolean): Limit {
  return expedited
    ? { input: 'expeditedThreshold', ratio: params.expeditedThreshold }
    : { input: 'threshold', ratio: params.threshold };
}

const amendment = 'MsgProposeConstitutionAmendment';

function has({ contents }: VoteKind, message: string): boolean {
  return contents.some(({ typeUrl }) => typeUrl.endsWith(`.${message}`));
}

/** Undefined where one of them is not known. */
function highest(...ratios: readonly (Ratio | undefined)[]): Ratio | undefined {
  const known = ratios.filter((ratio) => ratio !== undefined);
  return known.length === ratios.length ? known.toSorted((a, b) => (a < b ? 1 : -1))[0] : undefined;
}

function isLowThreshold({ lowThresholdFunctions }: GovParams, { contents }: VoteKind): boolean {
  return contents.every(({ typeUrl, fields }) => {
    if (!/\.MsgExecute(JSON)?$/.test(typeUrl)) return false;
    const { module_address: address, module_name: module, function_name: name } = fields;
    return lowThresholdFunctions?.includes(`${String(address)}::${String(module)}::${String(name)}`) ?? false;
  });
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
