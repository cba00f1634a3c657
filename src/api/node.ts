/**
 * What the rest of the house asks of a chain: the four operations of the contract, told in the dialect of the node
 * behind them, and a few optional ones. Only types live here; `openNode` in `open.ts` makes one.
 */
import type { Reply, WireCoin, WireMetadata, WireProposal, WireProposalV1 } from './contract.ts';
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

/** The filter of service.md 4.3. `status` is a name of `statusNames`. */
export interface ProposalFilter {
  readonly status?: string | undefined;
  readonly voter?: string | undefined;
  readonly depositor?: string | undefined;
}

/** A proposal as it came: the form tells how to read it. `unreadable`: the node cannot say it, `reason` is the node's own. */
export type WireProposalRow =
  | { readonly form: 'v1beta1'; readonly proposal: WireProposal }
  | { readonly form: 'v1'; readonly proposal: WireProposalV1 }
  | { readonly form: 'unreadable'; readonly id: bigint; readonly reason: string };

/** One proposal that was asked for by its id; `info` where its own reply brought it. */
export type WireProposalReply = WireProposalRow & { readonly info?: PageInfo | undefined };

/** What was learned of a node; shown by Test Connection. Unknown until asked. */
export interface Dialect {
  /** First path segment: `chain` (service.md) or `cosmos` (nodes). */
  readonly segment: string | undefined;
  readonly supplyOf: 'path' | 'byDenom' | 'list' | undefined;
  readonly status: 'name' | 'number' | undefined;
  /** Whether gov v1 is offered. */
  readonly govV1: boolean | undefined;
  /** Whether the node's `reverse` can be trusted for proposals; where not, their lists are read whole (bounded). */
  readonly reverse: boolean | undefined;
  /** Whether the node echoes the height it was asked for. */
  readonly height: boolean | undefined;
  readonly sdkVersion: string | undefined;
  readonly chainId: string | undefined;
  /** Operations that the node answered 501 or 404 to. */
  readonly notOffered: readonly string[];
}

/**
 * A chain behind some address. Every method rejects with an error of `errors.ts`, or with an `AbortError` when `signal`
 * fires. Methods that return `undefined` are optional on nodes: undefined means "not offered", which is remembered.
 */
export interface ChainNode {
  readonly baseUrl: string;
  readonly dialect: Dialect;
  /** In byte order of the denoms. */
  supply(request: ListRequest, signal?: AbortSignal): Promise<Page<WireCoin>>;
  /** The supply of one denom; amount "0" means that the chain holds none of it. */
  supplyOf(denom: string, signal?: AbortSignal): Promise<WireCoin>;
  proposals(filter: ProposalFilter, request: ProposalsRequest, signal?: AbortSignal): Promise<Page<WireProposalRow>>;
  /** One proposal by id; rejects with `HttpError` 404 where there is none. */
  proposal(id: bigint, signal?: AbortSignal): Promise<WireProposalReply>;
  tally(id: bigint, signal?: AbortSignal): Promise<Reply<'tally'>['tally'] | undefined>;
  /** Gov parameters in whatever form the node has them; `v1` is the whole `params` object of gov v1. */
  govParams(signal?: AbortSignal): Promise<GovParamsReply | undefined>;
  /** Bonded tokens of today, base units as digits. */
  bondedTokens(signal?: AbortSignal): Promise<string | undefined>;
  denomsMetadata(request: PageRequest, signal?: AbortSignal): Promise<Page<WireMetadata> | undefined>;
  /** The current value (a JSON text) of a module parameter. */
  param(subspace: string, key: string, signal?: AbortSignal): Promise<string | undefined>;
  nodeInfo(signal?: AbortSignal): Promise<Reply<'nodeInfo'> | undefined>;
  /** The GET address of an operation as this node takes it, for "Copy as cURL"; no secrets in it. */
  urlOf(what: 'supply' | 'proposals' | { denom: string } | { proposal: bigint }): string;
  /** Ends every request and socket. */
  dispose(): Promise<void>;
}

export interface GovParamsReply {
  readonly v1?: Readonly<Record<string, unknown>> | undefined;
  readonly voting?: Readonly<Record<string, unknown>> | undefined;
  readonly deposit?: Readonly<Record<string, unknown>> | undefined;
  readonly tally?: Readonly<Record<string, unknown>> | undefined;
  /** The quorums of today where the chain states them apart (AtomOne): `quorum`, `law_quorum`, `constitution_amendment_quorum`. */
  readonly quorums?: Readonly<Record<string, unknown>> | undefined;
}
