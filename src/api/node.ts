/** The interface to a chain. It has types only, so that its users load neither zod nor undici. */

import type { Coin, DenomMetadata, DenomTrace, Deposit } from '../chain/coin.ts';
import type { Fields } from '../chain/fields.ts';
import type { GovParams } from '../chain/gov/params.ts';
import type { ProposalRow, ProposalStatus } from '../chain/gov/proposal.ts';
import type { StatusGroup } from '../chain/gov/proposalGroups.ts';
import type { PowerModule } from '../chain/gov/rules.ts';
import type { Tally, Vote, VoterRow } from '../chain/gov/tally.ts';
import type { Ratio } from '../chain/ratio.ts';
import type { Channel, Holder, SupplySplit } from '../chain/supplySplit.ts';
import type { Validator } from '../chain/validator.ts';
import type { Operation } from './operations.ts';
import type { ListRequest, Page } from './pages.ts';
import type { NodeTraits } from './rest/dialect.ts';

/**
 * All reads of a source: an endpoint over HTTP, or a state file or the sample chain, which are answered in process. If
 * the node was opened at a height, all reads are of this height. All reads give values of `src/chain`. JSON of the
 * chain is data in them.
 *
 * Every method rejects with `InputError`, `UnreachableError`, `HttpError` or `ReplyError` (`errors.ts`), or with an
 * `AbortError` when `signal` fires. A read that may resolve to undefined is optional on nodes. Undefined means that the
 * node does not offer it, which is remembered (`offers`).
 */
export interface ChainNode {
  /** The beginning of every request, without a slash at its end; "" for a source that is answered in process. */
  readonly baseUrl: string;

  /** The known traits of the node. A trait is undefined until it was needed. */
  readonly dialect: Readonly<NodeTraits>;

  /**
   * True if `countTotal` is right for lists of one status (docs/nodes.md#filtered-lists). Known once a list was read.
   */
  readonly countsFiltered: boolean;

  /** False once the node has refused every form of an optional operation. */
  offers(operation: Operation): boolean;

  /**
   * Reads the total supply in byte order of the denoms, in base units. `info.faults` names coins that cannot be read.
   */
  supply(request: ListRequest, signal?: AbortSignal): Promise<Page<Coin>>;

  /**
   * Reads the supply of one denom, in base units; 0 if the chain holds none. Rejects with `InputError` for an empty
   * denom.
   */
  supplyOf(denom: string, signal?: AbortSignal): Promise<Coin>;

  /** Reads units and names of denoms, in byte order of their base denoms. */
  denomsMetadata(request: ListRequest, signal?: AbortSignal): Promise<Page<DenomMetadata> | undefined>;

  /**
   * Reads the origin of an `ibc/…` denom. `hash` is the part after `ibc/`. Also undefined if the chain does not know
   * it, or states an origin that has another hash.
   */
  ibcDenom(hash: string, signal?: AbortSignal): Promise<DenomTrace | undefined>;

  /**
   * Reads proposals in the order of their ids. The list is complete even if the node's paging is not. If the chain has
   * no gov module, the list is empty and `dialect.gov` is `none`. Also rejects with `PagingError`.
   */
  proposals(filter: ProposalFilter, request: ProposalsRequest, signal?: AbortSignal): Promise<Page<ProposalRow>>;

  /**
   * Reads one proposal by id. Gives an unreadable row with the node's reason if no form of it can be read. Also rejects
   * with `HttpError` 404 if there is none, and with `ModuleError` if there is no gov module.
   */
  proposal(id: bigint, signal?: AbortSignal): Promise<ProposalRow>;

  /**
   * Reads the running tally of an open vote, in base units of the bond denom. A tally that is not understood gives
   * undefined, never 0.
   */
  tally(id: bigint, signal?: AbortSignal): Promise<Tally | undefined>;

  /** Reads the validators that transactions of a genesis create; undefined for any other source. */
  genesisValidators(signal?: AbortSignal): Promise<readonly GenesisValidator[] | undefined>;

  /** Reads the number of votes on an open proposal and its largest voters; undefined if the source does not state them. */
  voters(id: bigint, signal?: AbortSignal): Promise<Voters | undefined>;

  /** Reads the vote of an account. Also undefined if it has not voted, voting is over or there is no such proposal. */
  vote(id: bigint, voter: string, signal?: AbortSignal): Promise<Vote | undefined>;

  /** Reads votes by the bytes of the voters' addresses. Empty if voting is over or there is no such proposal. */
  votes(id: bigint, request: ListRequest, signal?: AbortSignal): Promise<Page<VoterRow> | undefined>;

  /**
   * Reads the rows of a list in the form of the contract, for tables of that form. Undefined if the node does not offer
   * it.
   */
  rawRows(list: RawList, request: ListRequest, signal?: AbortSignal): Promise<Page<RawRow> | undefined>;

  /** Reads deposits by the bytes of the depositors' addresses. Empty if the deposits were paid back or burned. */
  deposits(id: bigint, request: ListRequest, signal?: AbortSignal): Promise<Page<Deposit> | undefined>;

  /** Reads the validators of one status, or all, in the node's order. Tokens are in base units of the bond denom. */
  validators(request: ValidatorsRequest, signal?: AbortSignal): Promise<Page<Validator> | undefined>;

  /** Reads how validators have signed blocks, also validators of the past, in the node's order. */
  signingInfos(request: ListRequest, signal?: AbortSignal): Promise<Page<SigningInfo> | undefined>;

  /** Reads the parameters of the gov module, in the form that the node has. */
  govParams(signal?: AbortSignal): Promise<StatedGovParams | undefined>;

  /** Reads the power that turnout is a share of. It is today's, and so right for open votes only. */
  votingPower(signal?: AbortSignal): Promise<VotingPower | undefined>;

  /** Reads the denom that is staked. Undefined if the node does not state it. */
  bondDenom(signal?: AbortSignal): Promise<string | undefined>;

  /** Reads the amounts of the bond denom in the two accounts of the staking module. */
  stakingPool(signal?: AbortSignal): Promise<StakingPool | undefined>;

  /** Reads the current parameters of the module of a protobuf package (`cosmos.staking.v1beta1`). */
  moduleParams(protoPackage: string, signal?: AbortSignal): Promise<Fields | undefined>;

  /**
   * Reads the denoms whose transfers are not left to the default of the bank module. Undefined if the source does not
   * state them, or has more than 10,000.
   */
  sendEnabled(signal?: AbortSignal): Promise<readonly SendEnabled[] | undefined>;

  /** Reads the plan of the upgrade that is ahead in the form of the chain; null for none. No state has it. */
  currentPlan(signal?: AbortSignal): Promise<Fields | null | undefined>;

  /** Reads the parameters of all modules by their names. Only a service over a state has them. */
  stateParams(signal?: AbortSignal): Promise<ReadonlyMap<string, Fields> | undefined>;

  /** Reads the names of all modules of a state. Empty if they are not known. Only a service over a state has them. */
  stateModules(signal?: AbortSignal): Promise<readonly string[] | undefined>;

  /**
   * Reads the current value (a JSON text) of a legacy parameter. The module is asked first, and the legacy query if that
   * does not have it.
   */
  param(subspace: string, key: string, signal?: AbortSignal): Promise<string | undefined>;

  /**
   * Reads the current value (a JSON text) of a legacy parameter. The module itself is not asked. "" if its subspace does not
   * hold this key, null if the chain has no such subspace.
   */
  legacyParam(subspace: string, key: string, signal?: AbortSignal): Promise<string | null | undefined>;

  /** Reads the amounts in the community pool. */
  communityPool(signal?: AbortSignal): Promise<readonly PoolCoin[] | undefined>;

  /** Reads how much is minted as of now. Each part is undefined if the source does not state it. */
  minting(signal?: AbortSignal): Promise<Minting>;

  /** Reads the addresses of module accounts by the name of the module. */
  moduleAccounts(signal?: AbortSignal): Promise<ReadonlyMap<string, string> | undefined>;

  /**
   * Tells whether an account exists. Undefined if that is not known: a state has its holders, and nothing of an address
   * that holds no coins.
   */
  hasAccount(address: string, signal?: AbortSignal): Promise<boolean | undefined>;

  /** Reads the balances of an account, by the bytes of the denoms. */
  balances(address: string, request: ListRequest, signal?: AbortSignal): Promise<Page<Coin> | undefined>;

  /** Reads the balance of an account in one denom; 0 for none. */
  balance(address: string, denom: string, signal?: AbortSignal): Promise<Coin | undefined>;

  /** Reads the IBC channels of all ports and states. */
  channels(request: ListRequest, signal?: AbortSignal): Promise<Page<Channel> | undefined>;

  /** Reads a client of another chain; null if the chain has none with this id. */
  ibcClient(id: string, signal?: AbortSignal): Promise<IbcClient | null | undefined>;

  /** Reads the messages that the chain has handlers for, by their full types with a slash. Few nodes list them. */
  messageTypes(signal?: AbortSignal): Promise<ReadonlySet<string> | undefined>;

  /** Reads the account that holds the coins that were sent over a channel of the transfer module. */
  escrowAddress(channel: string, signal?: AbortSignal): Promise<string | undefined>;

  /**
   * Reads the classes of accounts that hold a denom, with their amounts. Only a service over a state answers it. Rejects with `HttpError` 404 if it
   * has none of the denom.
   */
  supplySplit(denom: string, signal?: AbortSignal): Promise<SupplySplit | undefined>;

  /**
   * Reads the `wanted` accounts that hold most of a denom, the largest first, up to 100,000. Answered like
   * `supplySplit`.
   */
  largestHolders(denom: string, wanted: number, signal?: AbortSignal): Promise<readonly Holder[] | undefined>;

  /** Reads the amount of a denom that an account holds. Unlike `balance`, also of a state. */
  holding(address: string, denom: string, signal?: AbortSignal): Promise<bigint | undefined>;

  /** Reads the stake of an account. Only a service over a state answers it, after it has read the file again. */
  stake(address: string, at?: Date, signal?: AbortSignal): Promise<Stake | undefined>;

  /**
   * Reads the amount of a denom that has not vested by a time, and the amount that unbonds until then. Only a service
   * over a state answers it, after it has read the file again.
   */
  schedule(denom: string, at: Date, signal?: AbortSignal): Promise<DenomSchedule | undefined>;

  /** Reads the accounts that hold a denom, in the node's order (SDK 0.46 and later). No service answers it. */
  denomOwners(denom: string, request: ListRequest, signal?: AbortSignal): Promise<Page<Holding> | undefined>;

  /** Reads the header of a block. */
  block(height: bigint | 'latest', signal?: AbortSignal): Promise<BlockHeader | undefined>;

  /** Reads the first block of the version that an upgrade brought; 0 for a plan that was never applied. */
  appliedHeight(plan: string, signal?: AbortSignal): Promise<bigint | undefined>;

  /**
   * Asks the node to run a message as a transaction of this account, without a key. Nothing is kept or sent on. This is
   * the only request that is not a GET, and it is sent once. Rejects with `HttpError` if the node refuses; 404 if it
   * does not know the account.
   */
  simulate(sender: string, message: Fields, signal?: AbortSignal): Promise<Simulation>;

  /** Reads the chain id and the SDK version that the node states. `dialect` keeps them. */
  nodeInfo(signal?: AbortSignal): Promise<NodeInfo | undefined>;

  /** Forgets the traits of the node (`dialect`), since another chain answers at its address. */
  forgetTraits(): void;

  /** Gives the same node with all its reads at one height. It ends with this one. */
  at(height: bigint): ChainNode;

  /** Gives the GET address of a read on this node, for "Copy as cURL". It has no secrets. */
  urlOf(what: Readable): string;

  /** Ends every request (with an `AbortError`), and the service that answers in process. */
  dispose(): Promise<void>;
}

/** An amount in the community pool: in whole base units, and with its fraction in 10^-18 of them (`exact`). */
export interface PoolCoin extends Coin {
  readonly exact: bigint;
}

/** Tells whether coins of a denom can be sent. */
export interface SendEnabled {
  readonly denom: string;
  readonly enabled: boolean;
}

/** A list that can be read in the form of the contract. */
export type RawList = 'supply' | 'denomsMetadata' | 'proposals' | { readonly votesOn: bigint };

/** A row in the form of the contract. */
export interface RawRow {
  /** Its denom, the id of its proposal, or the address of its voter. */
  readonly id: string;
  /** The fields that can be read; undefined if the row cannot be read. */
  readonly json: Fields | undefined;
  /** One sentence for each field that cannot be read, or for the row. */
  readonly faults: readonly string[];
  /** The status of a proposal. */
  readonly status?: ProposalStatus | undefined;
}

/** How a validator has signed blocks (x/slashing). */
export interface SigningInfo {
  /** The consensus address. */
  readonly address: string;
  /** The blocks that it has missed in the last `signed_blocks_window`; undefined if they are not stated. */
  readonly missed: bigint | undefined;
  /** The time until which it cannot leave jail; undefined if it was never jailed. */
  readonly jailedUntil: Date | undefined;
  /** True if it cannot leave jail at all. */
  readonly tombstoned: boolean;
}

/** The tokens that an account has staked, in base units of the denom that is staked, and how its coins vest. */
export interface Stake {
  /** The delegated tokens; undefined if a validator of them is not known. */
  readonly delegated: bigint | undefined;
  /** The tokens that are delegated to bonded validators. They count in votes. */
  readonly votingPower: bigint;
  readonly unbonding: bigint;
  /** The entries of `unbonding`, the earliest first. The time is as the chain writes it. */
  readonly unbondingEntries: readonly { readonly time: string; readonly amount: bigint }[];
  readonly vesting: VestingOf | undefined;
  /** The largest delegations, up to 200. An amount is undefined if the validator is not known. */
  readonly delegations: readonly {
    readonly validator: string;
    readonly moniker: string;
    readonly amount: bigint | undefined;
    readonly isBonded: boolean;
  }[];
  readonly delegationCount: number;
}

/** The coins of a denom that vest, and the tokens that unbond, in base units. */
export interface DenomSchedule {
  /** Undefined if an account vests by a schedule that is not known. The ends are those of accounts that still vest. */
  readonly vesting:
    | {
        readonly notVested: bigint;
        readonly accounts: number;
        readonly firstEnd: Date | undefined;
        readonly lastEnd: Date | undefined;
        /** All accounts that vest or have vested, by kind. */
        readonly kinds: readonly {
          readonly kind: string;
          readonly accounts: number;
          readonly original: bigint;
          readonly firstStart: Date | undefined;
          readonly lastEnd: Date | undefined;
        }[];
      }
    | undefined;
  readonly unbonding: {
    readonly amount: bigint;
    readonly entries: number;
    readonly byThen: bigint;
    /** The first days, in UTC, on which tokens become free (`2026-12-31`). */
    readonly days: readonly { readonly day: string; readonly amount: bigint; readonly entries: number }[];
    readonly moreDays: number;
  };
}

/** How the coins of an account vest. */
export interface VestingOf {
  readonly kind: string;
  readonly start: Date;
  readonly end: Date;
  /**
   * By denom. `notVested`, and `locked`, which is the part of it that is not delegated, are undefined if the time is not
   * known.
   */
  readonly coins: ReadonlyMap<
    string,
    {
      readonly original: bigint;
      readonly delegated: bigint;
      readonly notVested: bigint | undefined;
      readonly locked: bigint | undefined;
    }
  >;
}

/** A validator that a transaction of a genesis creates, in texts of the chain; "" for what it does not state. */
export interface GenesisValidator {
  readonly moniker: string;
  readonly operator: string;
  readonly commission: string;
  readonly amount: string;
}

/** The votes on an open proposal, as a state has them. */
export interface Voters {
  readonly votes: bigint;
  /** The accounts with the most power of their own, without bonded validators, at most ten. Power is in base units. */
  readonly largest: readonly { readonly voter: string; readonly power: bigint }[];
  /**
   * The weight that the votes of bonded validators have, or would have, by operator: their power without that of
   * delegators who voted. All their power counts for those that are not here. `own` is the part that the account of the
   * operator has delegated itself.
   */
  readonly validators: ReadonlyMap<string, { readonly power: bigint; readonly own: bigint }>;
}

/** The coins that x/mint makes as of now. */
export interface Minting {
  /** The share of the supply that is minted in a year. */
  readonly inflation: Ratio | undefined;
  /** The amount that is minted in a year, in 10^-18 base units of the denom that is minted. */
  readonly annualProvisions: bigint | undefined;
}

/** A client of another chain, in the form of ibc-go. */
export interface IbcClient {
  /** `Active`, `Expired`, `Frozen`, or another word of the client. */
  readonly status: string;
  /** Its settings, with their `@type`. */
  readonly state: Fields;
  /** The time of the last block that it knows of its chain. Its trusting period begins then. */
  readonly updated: Date | undefined;
}

/** The amount of one denom that an account holds, in base units. */
export interface Holding {
  readonly address: string;
  readonly amount: bigint;
}

/** A read that has an address of its own. */
export type Readable =
  | 'supply'
  | 'validators'
  | 'denomsMetadata'
  | { readonly denom: string }
  | { readonly proposal: bigint }
  | { readonly proposals: ProposalFilter };

/** One page of validators. */
export interface ValidatorsRequest extends ListRequest {
  /** The status; all validators if absent. */
  readonly status?: 'bonded' | undefined;
}

/** One page of proposals. */
export interface ProposalsRequest extends ListRequest {
  /** Newest first. If the node's `reverse` cannot be trusted, the list is read whole and reversed here. */
  readonly reverse?: boolean | undefined;
}

/** The proposals to list. Addresses match open proposals only. */
export interface ProposalFilter {
  readonly status?: StatusGroup | undefined;
  readonly voter?: string | undefined;
  readonly depositor?: string | undefined;
}

/** The power that turnout is a share of, and the module that states it. */
export interface VotingPower {
  /** The power; undefined if the module has no single number (stake of several denoms). */
  readonly total: bigint | undefined;
  readonly module: PowerModule;
}

/**
 * Gov parameters in any form that nodes have. `v1` is the whole `params` object of gov v1, with the additions of forks.
 * `voting`, `deposit` and `tally` are the groups of v1beta1.
 */
export interface GovParamsReply {
  readonly v1?: Fields | undefined;
  readonly voting?: Fields | undefined;
  readonly deposit?: Fields | undefined;
  readonly tally?: Fields | undefined;
  /** Today's quorums if the chain states them separately: `quorum`, `law_quorum`, `constitution_amendment_quorum`. */
  readonly quorums?: Fields | undefined;
}

/** Gov parameters in the node's form, and their values. */
export interface StatedGovParams extends GovParamsReply {
  readonly values: GovParams;
}

/** The amounts in the two accounts of the staking module, in base units of the bond denom. */
export interface StakingPool {
  readonly bonded: bigint;
  readonly notBonded: bigint;
}

export interface BlockHeader {
  readonly chainId: string | undefined;
  readonly height: bigint;
  readonly time: Date;
  /** The same moment in nanoseconds since 1970. */
  readonly nanoseconds: bigint;
}

/** The cost of a transaction. */
export interface Simulation {
  readonly gasUsed: bigint;
}

/** The chain id and the SDK version (`v0.50.13`). Each is undefined if the node does not state it. */
export interface NodeInfo {
  readonly chainId: string | undefined;
  readonly sdkVersion: string | undefined;
}
