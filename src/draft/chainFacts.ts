import type { IbcClient } from '../api/node.ts';
import type { Coin, DenomMetadata } from '../chain/coin.ts';
import type { Fields } from '../chain/fields.ts';
import type { GovParams } from '../chain/gov/params.ts';
import type { Proposal } from '../chain/gov/proposal.ts';
import type { VoteInputs } from '../chain/gov/rules.ts';

/**
 * The facts of a chain that a draft is checked against, all of one time. A fact is undefined, or absent from a map, if
 * it was not asked for or had no answer. No fact is guessed.
 */
export interface ChainFacts {
  /** `cosmoshub-4`. */
  readonly chainId?: string | undefined;
  /** The time of reading, by the clock of this machine. */
  readonly readAt?: Date | undefined;
  /** The last block and its time. */
  readonly height?: bigint | undefined;
  readonly time?: Date | undefined;
  /** The time from one block to the next, in seconds. Measured over many blocks. */
  readonly blockSeconds?: number | undefined;
  /** The number of measured blocks. Undefined if `blockSeconds` comes from the mint parameter "blocks per year". */
  readonly measuredBlocks?: number | undefined;
  /** The SDK version that the node states, such as `v0.53.8`. Forks have versions of their own. */
  readonly sdkVersion?: string | undefined;
  /** Whether the node offers gov v1, which has proposals with messages. */
  readonly hasGovV1?: boolean | undefined;
  /** Empty if the chain has no gov module. */
  readonly govParams?: GovParams | undefined;
  /** The inputs by which a vote would be judged today. */
  readonly votes?: VoteInputs | undefined;
  /** The address of the gov module's account. */
  readonly govAccount?: string | undefined;
  /** The prefix of account addresses, such as `cosmos`. */
  readonly prefix?: string | undefined;
  /** Names of modules by the address of their account. */
  readonly moduleAccounts?: ReadonlyMap<string, string> | undefined;
  /** Whether the chain has a proof-of-authority module. Its admin may be the authority in place of gov. */
  readonly isProofOfAuthority?: boolean | undefined;
  /** Today's parameters by package (`cosmos.staking.v1beta1`), as the module's own query answers them. */
  readonly moduleParams: ReadonlyMap<string, Fields>;
  /**
   * Today's legacy parameters by `subspace/key`, each a JSON text. "" if the chain answers but holds no value. Null if
   * it has no such subspace.
   */
  readonly legacyParams: ReadonlyMap<string, string | null>;
  /** Whether the facts come from a state file, which has no legacy parameters. */
  readonly isState?: boolean | undefined;
  /** The modules of a state file that have parameters. */
  readonly stateModules?: ReadonlySet<string> | undefined;
  /** All modules of a state file that is a whole export. */
  readonly heldModules?: ReadonlySet<string> | undefined;
  /** The coins of the community pool, in whole base units. */
  readonly communityPool?: readonly Coin[] | undefined;
  /** Heights at which upgrades were applied, by their name. 0 for never. */
  readonly appliedPlans: ReadonlyMap<string, bigint>;
  /** Supplies by denom, in base units. 0 for a denom that does not exist. */
  readonly supplies?: ReadonlyMap<string, bigint> | undefined;
  /** Balances of the gov account by denom. */
  readonly govBalances?: ReadonlyMap<string, bigint> | undefined;
  /**
   * The deposits of open proposals by denom, which the gov account holds. A denom that is absent has none. Undefined if
   * not all of these proposals are known.
   */
  readonly openDeposits?: ReadonlyMap<string, bigint> | undefined;
  /** The stake of each bonded validator, the largest first. */
  readonly bondedStakes?: readonly bigint[] | undefined;
  /** IBC clients by their id. Null if the chain has no such client. */
  readonly clients?: ReadonlyMap<string, IbcClient | null> | undefined;
  /** The upgrades that proposals in their deposit or voting period plan. */
  readonly openPlans?: readonly ProposedPlan[] | undefined;
  /** The parameters that proposals in their deposit or voting period set. */
  readonly openParams?: readonly ProposedParam[] | undefined;
  /** The upgrades that proposals planned which passed, as far as a state has them. Read where it has no applied ones. */
  readonly passedPlans?: readonly ProposedPlan[] | undefined;
  /** The proposals that a draft names, by their ids. Null if the chain has none with this id. */
  readonly proposals?: ReadonlyMap<string, NamedProposal | null> | undefined;
  /** Whether the addresses that a draft makes accounts at have one today. */
  readonly accounts?: ReadonlyMap<string, boolean> | undefined;
  /** The operator addresses of all validators. */
  readonly operators?: ReadonlySet<string> | undefined;
  /** The operator addresses of the validators that the gov account delegates to. Only a state has them. */
  readonly delegations?: ReadonlySet<string> | undefined;
  /** The types of messages that the chain can execute. */
  readonly messageTypes?: ReadonlySet<string> | undefined;
  /** The metadata of denoms by their base denom, as far as the chain states them. */
  readonly units?: ReadonlyMap<string, DenomMetadata> | undefined;
}

/** The facts of a proposal that a draft names. Proposals up to SDK 0.46 have no proposer. */
export type NamedProposal = Pick<Proposal, 'status' | 'proposer'> &
  Partial<Pick<Proposal, 'votingStartTime' | 'votingEndTime' | 'expedited'>>;

/** The plan of a proposal. */
export interface ProposedPlan {
  readonly id: bigint;
  readonly name: string;
  /** Undefined if the plan names a time instead. */
  readonly height: bigint | undefined;
}

/** A parameter that a proposal sets. */
export interface ProposedParam {
  readonly id: bigint;
  /** `package/name` or `subspace/key`. */
  readonly name: string;
  /** The JSON text of the value. */
  readonly json: string;
}

/** The key of a legacy parameter in `legacyParams`. */
export function legacyName({ subspace, key }: { readonly subspace: string; readonly key: string }): string {
  return `${subspace}/${key}`;
}

/** Gives today's values of parameters as JSON texts, by `package/name` and by `subspace/key`. */
export function currentValues({ moduleParams, legacyParams }: ChainFacts): ReadonlyMap<string, string> {
  const current = new Map<string, string>();
  for (const [module, params] of moduleParams)
    for (const [name, value] of Object.entries(params)) current.set(`${module}/${name}`, JSON.stringify(value));
  for (const [name, value] of legacyParams) if (value) current.set(name, value);
  return current;
}

/** The facts without a chain. Only checks of the form are left. */
export const nothingKnown: ChainFacts = {
  moduleParams: new Map(),
  legacyParams: new Map(),
  appliedPlans: new Map(),
};

/** The ages of gov in their order. Each has the rules of the ages before it. */
const ages = ['legacy', 'messages', 'titles', 'expedited'] as const;
/**
 * The age of a chain's gov rules. `legacy`: up to SDK 0.45. `messages`: 0.46. `titles`: 0.47, title and summary are
 * required. `expedited`: 0.50.
 */
export type GovAge = (typeof ages)[number];

/** The age of the gov rules. The parameters show it, otherwise the version. Undefined if neither is known. */
export function govAge({ govParams, hasGovV1, sdkVersion }: ChainFacts): GovAge | undefined {
  if (govParams?.expeditedVotingPeriod !== undefined && hasGovV1 !== false) return 'expedited';
  if (govParams?.burnVoteVeto !== undefined || govParams?.burnNoThreshold !== undefined) return 'titles';
  const minor = Number(/^v?0\.(\d{2})\./.exec(sdkVersion ?? '')?.[1] ?? Number.NaN);
  if (minor >= 50) return 'expedited';
  if (minor >= 47) return 'titles';
  if (minor === 46) return 'messages';
  return minor <= 45 || hasGovV1 === false ? 'legacy' : undefined;
}

/** Whether the rules of an age hold. Undefined if that is not known. */
export function isSince(facts: ChainFacts, age: GovAge): boolean | undefined {
  const known = govAge(facts);
  return known && ages.indexOf(known) >= ages.indexOf(age);
}
