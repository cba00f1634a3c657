/**
 * What the rest of the house asks of a chain: the four operations of the contract, told in the dialect of the node
 * behind them, and a few optional ones. Only types live here; `openNode` in `open.ts` makes one.
 */
import type { Reply, WireCoin, WireMetadata, WirePage, WireProposal, WireProposalV1 } from './contract.ts';

/** One page to read. `key` (base64, as it came) and `offset` exclude each other; `limit` is a count of rows. */
export interface PageRequest {
  readonly key?: string | undefined;
  readonly offset?: bigint | undefined;
  readonly limit?: number | undefined;
  readonly countTotal?: boolean | undefined;
  /** Descending order. Where the node's `reverse` cannot be trusted, the list is read whole and turned round here. */
  readonly reverse?: boolean | undefined;
  /** Pin the read to this height; ignored by nodes that do not echo it. */
  readonly height?: bigint | undefined;
  /** Told how many rows were read, where a list must be read whole before its newest rows are known. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/** The filter of service.md 4.3. `status` is a name of `statusNames`. */
export interface ProposalFilter {
  readonly status?: string | undefined;
  readonly voter?: string | undefined;
  readonly depositor?: string | undefined;
}

/** What came with a reply beside its body. */
export interface ReplyInfo {
  /** Height that the node says it answered at (`grpc-metadata-x-cosmos-block-height`). */
  readonly height?: bigint | undefined;
  /** The node's clock (`Date` header). */
  readonly date?: Date | undefined;
  /** Length of the body in characters, for callers that let pages grow. */
  readonly bytes?: number | undefined;
  /** Why the height that was asked for was given up, where it was: the node's own words, or that it ignores heights. */
  readonly heightDropped?: string | undefined;
}

export interface SupplyPage {
  readonly coins: readonly WireCoin[];
  readonly page: WirePage | undefined;
  readonly info: ReplyInfo;
}

/** A proposal as it came: the form tells how to read it. `unreadable`: the node cannot say it, `reason` is the node's own. */
export type WireProposalRow =
  | { readonly form: 'v1beta1'; readonly proposal: WireProposal }
  | { readonly form: 'v1'; readonly proposal: WireProposalV1 }
  | { readonly form: 'unreadable'; readonly id: bigint; readonly reason: string };

/** One proposal that was asked for by its id; `info` where its own reply brought it. */
export type WireProposalReply = WireProposalRow & { readonly info?: ReplyInfo | undefined };

export interface ProposalsPage {
  readonly rows: readonly WireProposalRow[];
  readonly page: WirePage | undefined;
  readonly info: ReplyInfo;
}

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
  supply(page: PageRequest, signal?: AbortSignal): Promise<SupplyPage>;
  /** The supply of one denom; amount "0" means that the chain holds none of it. */
  supplyOf(denom: string, signal?: AbortSignal): Promise<WireCoin>;
  proposals(filter: ProposalFilter, page: PageRequest, signal?: AbortSignal): Promise<ProposalsPage>;
  /** One proposal by id; rejects with `HttpError` 404 where there is none. */
  proposal(id: bigint, signal?: AbortSignal): Promise<WireProposalReply>;
  tally(id: bigint, signal?: AbortSignal): Promise<Reply<'tally'>['tally'] | undefined>;
  /** Gov parameters in whatever form the node has them; `v1` is the whole `params` object of gov v1. */
  govParams(signal?: AbortSignal): Promise<GovParamsReply | undefined>;
  /** Bonded tokens of today, base units as digits. */
  bondedTokens(signal?: AbortSignal): Promise<string | undefined>;
  denomsMetadata(signal?: AbortSignal): Promise<readonly WireMetadata[] | undefined>;
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
}
