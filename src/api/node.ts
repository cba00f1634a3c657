/**
 * What the rest of the extension asks of a chain: lists, single rows, and optional reads. Only types live here; `openNode` in
 * `open.ts` makes one.
 */
import type {
  Operation,
  Params,
  Query,
  Reply,
  WireCoin,
  WireMetadata,
  WireProposal,
  WireProposalV1,
  WireValidator,
  WireVote,
} from './contract.ts';
import type { DialectFacts } from './dialect.ts';
import type { Page, PageInfo, PageRequest } from './pages.ts';

/** One page of proposals or of the supply. */
export interface ListRequest extends PageRequest {
  /** Ask for the number of all rows; it is known of the first page only. */
  readonly countTotal?: boolean | undefined;
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

/** A field of a row that is not what the contract says; it is left out of the row. */
export interface FieldFault {
  /** Name of the row's own field, as on the wire. */
  readonly field: string;
  /** Place and cause in one sentence. */
  readonly reason: string;
}

/**
 * A proposal as it came; `form` selects how it is read. `raw` is its JSON as far as it is safe to show. `unreadable`: the
 * node cannot give it, or its id or status cannot be read; a negative id stands for one that is not known.
 */
export type WireProposalRow =
  | ProposalInForm<'v1beta1', WireProposal>
  | ProposalInForm<'v1', WireProposalV1>
  | { readonly form: 'unreadable'; readonly id: bigint; readonly reason: string };

interface ProposalInForm<Form, Proposal> {
  readonly form: Form;
  readonly id: bigint;
  readonly proposal: Proposal;
  readonly faults: readonly FieldFault[];
  readonly raw: Readonly<Record<string, unknown>>;
}

/** One proposal that was asked for by its id; `info` where its own reply brought it. */
export type WireProposalReply = WireProposalRow & { readonly info?: PageInfo | undefined };

/** Votes in base units, as digits. */
export interface WireTally {
  readonly yes: string;
  readonly abstain: string;
  readonly no: string;
  /** "0" where the chain has no veto. */
  readonly no_with_veto: string;
  /** What turnout is measured against, where the tally itself states it (Initia). */
  readonly power?: string | undefined;
}

/** What turnout is measured against, and the module that states it. */
export interface VotingPower {
  /** Digits; undefined where the module has no single number (stake of several denoms). */
  readonly total: string | undefined;
  readonly module: 'staking' | 'mstaking' | 'poa';
}

/**
 * Gov parameters in whatever form the node has them: `v1` is the whole `params` object of gov v1 (with what Initia adds to it),
 * the others are the groups of v1beta1. `quorums`: AtomOne's quorums of today.
 */
export interface GovParamsReply {
  readonly v1?: Readonly<Record<string, unknown>> | undefined;
  readonly voting?: Readonly<Record<string, unknown>> | undefined;
  readonly deposit?: Readonly<Record<string, unknown>> | undefined;
  readonly tally?: Readonly<Record<string, unknown>> | undefined;
  /** The quorums of today where the chain states them apart (AtomOne): `quorum`, `law_quorum`, `constitution_amendment_quorum`. */
  readonly quorums?: Readonly<Record<string, unknown>> | undefined;
}

/** Where an `ibc/…` denom comes from: `transfer/channel-0`, nearest hop first, and the denom at its origin. */
export interface IbcDenom {
  readonly path: string;
  readonly base: string;
}

/** Reads that are answered as they come; see `operations` in contract.ts. */
export type OptionalRead = Extract<Operation, 'block' | 'currentPlan' | 'appliedPlan'>;

/** What was learned of a node; each is undefined until it was needed. */
export type Dialect = Omit<DialectFacts, 'learnedAt' | 'failing' | 'failingIds' | 'slashes'>;

/**
 * A chain behind some address. Every method rejects with an error of `errors.ts`, or with an `AbortError` when `signal`
 * fires. Reads that may resolve to undefined are optional on nodes: undefined means "not offered", which is remembered.
 */
export interface ChainNode {
  readonly baseUrl: string;
  readonly dialect: Dialect;
  /** Whether `countTotal` is right for lists of one status (docs/nodes.md#filtered-lists); known once a list was read. */
  readonly countsFiltered: boolean;
  /** In byte order of the denoms. Coins that cannot be read are named in `info.faults`. */
  supply(request: ListRequest, signal?: AbortSignal): Promise<Page<WireCoin>>;
  /** The supply of one denom; amount "0" means that the chain holds none of it. */
  supplyOf(denom: string, signal?: AbortSignal): Promise<WireCoin>;
  /** Empty, and `dialect.gov` is `none`, where the chain has no gov module. */
  proposals(filter: ProposalFilter, request: ProposalsRequest, signal?: AbortSignal): Promise<Page<WireProposalRow>>;
  /** One proposal by id; rejects with `HttpError` 404 where there is none, with `ModuleError` where there is no gov module. */
  proposal(id: bigint, signal?: AbortSignal): Promise<WireProposalReply>;
  /** The running tally of an open vote. */
  tally(id: bigint, signal?: AbortSignal): Promise<WireTally | undefined>;
  /** The vote of an account; undefined where it has not voted, voting is over or there is no such proposal. */
  vote(id: bigint, voter: string, signal?: AbortSignal): Promise<WireVote | undefined>;
  /** By the bytes of the voters' addresses; empty where voting is over or there is no such proposal. */
  votes(id: bigint, request: ListRequest, signal?: AbortSignal): Promise<Page<WireVote> | undefined>;
  /** The bonded validators of the SDK's staking module. */
  validators(request: ListRequest, signal?: AbortSignal): Promise<Page<WireValidator> | undefined>;
  govParams(signal?: AbortSignal): Promise<GovParamsReply | undefined>;
  /** Of now: right for open votes only. */
  votingPower(signal?: AbortSignal): Promise<VotingPower | undefined>;
  denomsMetadata(request: PageRequest, signal?: AbortSignal): Promise<Page<WireMetadata> | undefined>;
  /** The current parameters of the module of a protobuf package (`cosmos.staking.v1beta1`). */
  moduleParams(protoPackage: string, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** The current value (a JSON text) of a legacy module parameter. */
  param(subspace: string, key: string, signal?: AbortSignal): Promise<string | undefined>;
  /** `hash`: the part behind `ibc/`. Also undefined where the chain does not know it, or states what it is not the hash of. */
  ibcDenom(hash: string, signal?: AbortSignal): Promise<IbcDenom | undefined>;
  nodeInfo(signal?: AbortSignal): Promise<Reply<'nodeInfo'> | undefined>;
  optional<O extends OptionalRead>(
    read: O,
    ask?: { readonly params?: Params<O>; readonly query?: Query<O> },
    signal?: AbortSignal,
  ): Promise<Reply<O> | undefined>;
  /** The GET address of an operation as this node takes it, for "Copy as cURL"; no secrets in it. */
  urlOf(what: 'supply' | 'proposals' | { denom: string } | { proposal: bigint }): string;
  /** Ends every request and socket. */
  dispose(): Promise<void>;
}
