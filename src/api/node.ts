/** The port to a chain: types alone, so that whoever asks a node loads neither zod nor undici. */
import type {
  Reply,
  WireChannel,
  WireCoin,
  WireDeposit,
  WireHolder,
  WireMetadata,
  WireSplit,
  WireTally,
  WireValidator,
  WireVote,
} from './contract.ts';
import type { NodeFacts } from './dialect.ts';
import type { Operation, powerModules } from './operations.ts';
import type { ListRequest, Page, PageInfo } from './pages.ts';
import type { WireProposalRow } from './readReply.ts';
import type { Fields } from './wireValues.ts';

/**
 * Every read of a source: an endpoint over HTTP, or a state file or the sample chain answered in process. All reads are
 * of one height where the node was opened at one. Rows are wire rows; `src/chain` makes values of them.
 *
 * Every method rejects with `InputError`, `UnreachableError`, `HttpError` or `ReplyError` (`errors.ts`), or with an
 * `AbortError` when `signal` fires. A read that may resolve to undefined is optional on nodes: undefined means that the
 * node does not offer it, which is remembered (`offers`).
 */
export interface ChainNode {
  /** What every request begins with, without a slash at its end; "" for a source that is answered in process. */
  readonly baseUrl: string;

  /** What is known of the node so far; each fact is undefined until it was needed. */
  readonly dialect: Readonly<NodeFacts>;

  /** Whether `countTotal` is right for lists of one status (docs/nodes.md#filtered-lists); known once a list was read. */
  readonly countsFiltered: boolean;

  /** False once the node has refused every form of an optional operation. */
  offers(operation: Operation): boolean;

  /** The total supply in byte order of the denoms, in base units. Coins that cannot be read are named in `info.faults`. */
  supply(request: ListRequest, signal?: AbortSignal): Promise<Page<WireCoin>>;

  /** The supply of one denom, in base units; "0" means that the chain holds none of it. `InputError` for an empty denom. */
  supplyOf(denom: string, signal?: AbortSignal): Promise<WireCoin>;

  /** Units and names of denoms, in byte order of their bases. */
  denomsMetadata(request: ListRequest, signal?: AbortSignal): Promise<Page<WireMetadata> | undefined>;

  /**
   * Where an `ibc/…` denom comes from. `hash`: what stands behind `ibc/`. Also undefined where the chain does not know it, or
   * states what it is not the hash of.
   */
  ibcDenom(hash: string, signal?: AbortSignal): Promise<IbcDenom | undefined>;

  /**
   * Proposals in the order of their ids, complete whatever the node's paging does. Empty, and `dialect.gov` is `none`, where
   * the chain has no gov module. Also rejects with `PagingError`.
   */
  proposals(filter: ProposalFilter, request: ProposalsRequest, signal?: AbortSignal): Promise<Page<WireProposalRow>>;

  /**
   * One proposal by id, an unreadable row with the node's reason where no form of it can be had. `info` where a reply of its
   * own brought it. Also rejects with `HttpError` 404 where there is none, and with `ModuleError` where there is no gov module.
   */
  proposal(id: bigint, signal?: AbortSignal): Promise<WireProposalRow & { readonly info?: PageInfo }>;

  /** The running tally of an open vote, in base units of the bond denom; one that is not understood is not offered, never 0. */
  tally(id: bigint, signal?: AbortSignal): Promise<RunningTally | undefined>;

  /** The vote of an account; also undefined where it has not voted, voting is over or there is no such proposal. */
  vote(id: bigint, voter: string, signal?: AbortSignal): Promise<WireVote | undefined>;

  /** By the bytes of the voters' addresses; empty where voting is over or there is no such proposal. */
  votes(id: bigint, request: ListRequest, signal?: AbortSignal): Promise<Page<WireVote> | undefined>;

  /** By the bytes of the depositors' addresses; empty where the deposits were paid back or burnt. */
  deposits(id: bigint, request: ListRequest, signal?: AbortSignal): Promise<Page<WireDeposit> | undefined>;

  /** The validators of one status, or all, in the node's order; tokens in base units of the bond denom. */
  validators(request: ValidatorsRequest, signal?: AbortSignal): Promise<Page<WireValidator> | undefined>;

  /** The parameters of the gov module, in the form that the node has them in. */
  govParams(signal?: AbortSignal): Promise<GovParamsReply | undefined>;

  /** What turnout is measured against, as of now: right for open votes only. */
  votingPower(signal?: AbortSignal): Promise<VotingPower | undefined>;

  /** What the two accounts of the staking module hold of the bond denom. */
  stakingPool(signal?: AbortSignal): Promise<Reply<'stakingPool'>['pool'] | undefined>;

  /** The current parameters of the module of a protobuf package (`cosmos.staking.v1beta1`). */
  moduleParams(protoPackage: string, signal?: AbortSignal): Promise<Fields | undefined>;

  /** The parameters of all modules by their names, of a service over a state alone. */
  stateParams(signal?: AbortSignal): Promise<ReadonlyMap<string, Fields> | undefined>;

  /** The current value (a JSON text) of a legacy parameter: from the module itself, else from the legacy query. */
  param(subspace: string, key: string, signal?: AbortSignal): Promise<string | undefined>;

  /**
   * Today's value (a JSON text) of a legacy parameter as the legacy query alone states it: "" where its subspace holds none
   * of this key, null where the chain has no such subspace.
   */
  legacyParam(subspace: string, key: string, signal?: AbortSignal): Promise<string | null | undefined>;

  /** What the community pool holds, in whole base units (the chain counts fractions). */
  communityPool(signal?: AbortSignal): Promise<readonly WireCoin[] | undefined>;

  /** Name of a module → the address of its account. */
  moduleAccounts(signal?: AbortSignal): Promise<ReadonlyMap<string, string> | undefined>;

  /** What an account holds, by the bytes of the denoms. */
  balances(address: string, request: ListRequest, signal?: AbortSignal): Promise<Page<WireCoin> | undefined>;

  /** What an account holds of one denom; "0" for none. */
  balance(address: string, denom: string, signal?: AbortSignal): Promise<WireCoin | undefined>;

  /** The IBC channels of all ports and states. */
  channels(request: ListRequest, signal?: AbortSignal): Promise<Page<WireChannel> | undefined>;

  /** The account that holds what was sent over a channel of the transfer module. */
  escrowAddress(channel: string, signal?: AbortSignal): Promise<string | undefined>;

  /** Where the coins of a denom are: answered by a service over a state alone. Rejects with `HttpError` 404 where it has none of it. */
  supplySplit(denom: string, signal?: AbortSignal): Promise<WireSplit | undefined>;

  /** The ten accounts that hold most of a denom, the largest first; as `supplySplit`. */
  largestHolders(denom: string, signal?: AbortSignal): Promise<readonly WireHolder[] | undefined>;

  /** What an account holds of a denom, of a state too; as `balance`. */
  holding(address: string, denom: string, signal?: AbortSignal): Promise<string | undefined>;

  /** The accounts that hold a denom, in the node's order (SDK 0.46 and later); undefined of a service, too. */
  denomOwners(denom: string, request: ListRequest, signal?: AbortSignal): Promise<Page<Holding> | undefined>;

  /** The header of a block of the chain. */
  block(height: bigint | 'latest', signal?: AbortSignal): Promise<BlockHeader | undefined>;

  /** The first block of the version that an upgrade brought; 0 for a plan that was never applied. */
  appliedHeight(plan: string, signal?: AbortSignal): Promise<bigint | undefined>;

  /**
   * Has the node judge a message as a transaction of this account, without a key; nothing is kept or sent on. The only request
   * that is no GET; it is sent once. Rejects with `HttpError` where the node refuses, 404 where it does not know the account.
   */
  simulate(sender: string, message: Fields, signal?: AbortSignal): Promise<Simulation>;

  /** Chain id and SDK version as the node states them, which `dialect` keeps. */
  nodeInfo(signal?: AbortSignal): Promise<NodeInfo | undefined>;

  /** Forgets what is known of the node (`dialect`): another chain answers at its address. */
  forgetFacts(): void;

  /** The same node with all its reads at one height; it ends with this one. */
  at(height: bigint): ChainNode;

  /** The GET address of a read as this node takes it, for "Copy as cURL"; no secrets in it. */
  urlOf(what: Readable): string;

  /** Ends every request (with an `AbortError`), and the service that answers in process. */
  dispose(): Promise<void>;
}

/** What an account holds of one denom, in digits. */
export interface Holding {
  readonly address: string;
  readonly amount: string;
}

/** What has an address of its own. */
export type Readable =
  | 'supply'
  | 'validators'
  | { readonly denom: string }
  | { readonly proposal: bigint }
  | { readonly proposals: ProposalFilter };

/** One page of validators. */
export interface ValidatorsRequest extends ListRequest {
  /** All of them where absent. */
  readonly status?: 'BOND_STATUS_BONDED' | undefined;
}

/** One page of proposals. */
export interface ProposalsRequest extends ListRequest {
  /** Newest first. Where the node's `reverse` cannot be trusted, the list is read whole and reversed here. */
  readonly reverse?: boolean | undefined;
}

/** Which proposals are listed. `status` is a name of `statusNames`; addresses match open proposals only. */
export interface ProposalFilter {
  readonly status?: string | undefined;
  readonly voter?: string | undefined;
  readonly depositor?: string | undefined;
}

/**
 * Votes in base units, as digits; `no_with_veto` is "0" where the chain has no veto. `power`: what turnout is measured against,
 * where the tally itself states it.
 */
export type RunningTally = WireTally & { readonly power?: string | undefined };

export type PowerModule = (typeof powerModules)[number];

/** What turnout is measured against, and the module that states it. */
export interface VotingPower {
  /** Digits; undefined where the module has no single number (stake of several denoms). */
  readonly total: string | undefined;
  readonly module: PowerModule;
}

/**
 * Gov parameters in whatever form the node has them: `v1` is the whole `params` object of gov v1 (with what a fork adds to it),
 * `voting`, `deposit` and `tally` are the groups of v1beta1.
 */
export interface GovParamsReply {
  readonly v1?: Fields | undefined;
  readonly voting?: Fields | undefined;
  readonly deposit?: Fields | undefined;
  readonly tally?: Fields | undefined;
  /** The quorums of today where the chain states them apart: `quorum`, `law_quorum`, `constitution_amendment_quorum`. */
  readonly quorums?: Fields | undefined;
}

/** Where an `ibc/…` denom comes from: `transfer/channel-0`, nearest hop first, and the denom at its origin. */
export interface IbcDenom {
  readonly path: string;
  readonly base: string;
}

export interface BlockHeader {
  readonly chainId: string | undefined;
  readonly height: bigint;
  readonly time: Date;
  /** The same moment to the nanosecond, counted since 1970. */
  readonly nanoseconds: bigint;
}

/** What a transaction would take. */
export interface Simulation {
  readonly gasUsed: bigint;
}

export type NodeInfo = Reply<'nodeInfo'>;
