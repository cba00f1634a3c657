/**
 * Every operation, with its path and query. The client asks and the service answers by this one table. It is the
 * contract, which nodes answer too, and the operations below `inspector/`, which only a service over a state answers.
 * The schemas of the replies stand in replySchemas.ts, so that the service does not load them. docs/nodes.md tells how
 * real nodes answer.
 */

import type { GovForm } from '../chain/gov/proposal.ts';
import type { PowerModule } from '../chain/gov/rules.ts';

/** The forms in which a gov module is asked. V1 loses nothing and is preferred (docs/nodes.md#v1-to-v1beta1). */
export const govForms = ['v1', 'v1beta1'] as const satisfies readonly GovForm[];

/** The modules that voting power may come from, the most common first (docs/governance.md#voting-power). */
export const powerModules = ['staking', 'mstaking', 'poa'] as const satisfies readonly PowerModule[];

const pageParams = {
  key: 'pagination.key',
  offset: 'pagination.offset',
  limit: 'pagination.limit',
  countTotal: 'pagination.count_total',
  reverse: 'pagination.reverse',
} as const;

/**
 * One operation: its path, and its query parameters (our name to the name on the wire). `path` is below `segment` if
 * that is fixed; `{fork}` is the fork's segment, which the caller names. Otherwise it is below the segment of the node,
 * or below that of its gov module for `gov/…`. `{name}` stands for a path parameter, `{name*}` for one that may hold
 * slashes, `{form}` for one of `govForms`. A path belongs to the first operation that it fits.
 */
export interface OperationShape {
  readonly segment?: string | undefined;
  /** True if it is about the node and not about the state at a height. */
  readonly isOfNode?: boolean | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

export const operations = {
  supply: { path: 'bank/v1beta1/supply', query: pageParams },
  supplyByDenom: { path: 'bank/v1beta1/supply/by_denom', query: { denom: 'denom' } },
  /**
   * SDK 0.45 and earlier; `supplyByDenom` since 0.46. A service of the contract takes slashes in the denom unescaped.
   */
  supplyOf: { path: 'bank/v1beta1/supply/{denom}' },
  denomsMetadata: { path: 'bank/v1beta1/denoms_metadata', query: pageParams },
  /** The denoms whose transfers are not left to the default of the bank module. SDK 0.47 and later. */
  sendEnabled: { path: 'bank/v1beta1/send_enabled', query: pageParams },
  proposals: {
    path: 'gov/{form}/proposals',
    query: { ...pageParams, status: 'proposal_status', voter: 'voter', depositor: 'depositor' },
  },
  proposal: { path: 'gov/{form}/proposals/{proposalId}' },
  votes: { path: 'gov/{form}/proposals/{proposalId}/votes', query: pageParams },
  /** One vote. "Not voted", "voting is over" and "no such proposal" are one error (docs/nodes.md#votes). */
  vote: { path: 'gov/{form}/proposals/{proposalId}/votes/{voter}' },
  deposits: { path: 'gov/{form}/proposals/{proposalId}/deposits', query: pageParams },
  deposit: { path: 'gov/{form}/proposals/{proposalId}/deposits/{depositor}' },
  tally: { path: 'gov/{form}/proposals/{proposalId}/tally' },
  /** A tally with the voting power that turnout is a share of. */
  tallyWithPower: { segment: '{fork}', path: 'gov/v1/proposals/{proposalId}/tally' },
  /**
   * The parameters. `kind` is voting, deposit or tallying, and only that group is filled. `params` of gov v1 holds all
   * of them since 0.47 (docs/nodes.md#gov-params).
   */
  govParams: { path: 'gov/{form}/params/{kind}' },
  /** The gov parameters that a fork adds. */
  forkParams: { segment: '{fork}', path: 'gov/v1/params' },
  /** SDK 0.50 and later. */
  govConstitution: { path: 'gov/v1/constitution' },
  /** Today's quorums, if they move with the turnout (docs/governance.md#atomone). */
  govQuorums: { path: 'gov/v1/quorums' },
  /** The validators. The status is accepted by name only. */
  validators: { path: 'staking/v1beta1/validators', query: { ...pageParams, status: 'status' } },
  /** The blocks that validators have missed, by consensus address. */
  signingInfos: { path: 'slashing/v1beta1/signing_infos', query: pageParams },
  stakingPool: { path: 'staking/v1beta1/pool' },
  /** Stake of several denoms. */
  mstakingPool: { segment: '{fork}', path: 'mstaking/v1/pool' },
  /** Proof of authority (docs/governance.md#voting-power). */
  totalPower: { path: 'poa/v1/total_power' },
  /** The legacy parameters: `value` is a JSON text. */
  param: { path: 'params/v1beta1/params', query: { subspace: 'subspace', key: 'key' } },
  /** The parameters of a module, by the path before `params`: `staking/v1beta1`. */
  moduleParams: { path: '{module*}/params' },
  /** ibc-go 10 and later; `ibcDenomTrace` before (docs/nodes.md#ibc-denoms). */
  ibcDenom: { segment: 'ibc', path: 'apps/transfer/v1/denoms/{hash}' },
  ibcDenomTrace: { segment: 'ibc', path: 'apps/transfer/v1/denom_traces/{hash}' },
  /** A block. `height` is a number, or `latest`. */
  block: { isOfNode: true, path: 'base/tendermint/v1beta1/blocks/{height}' },
  /** The height of an upgrade; "0" for a plan that was never applied. */
  appliedPlan: { path: 'upgrade/v1beta1/applied_plan/{name}' },
  /** The plan of the upgrade that is ahead; null for none. */
  currentPlan: { path: 'upgrade/v1beta1/current_plan' },
  /** The coins in the community pool. Amounts are decimals of 18 digits. */
  communityPool: { path: 'distribution/v1beta1/community_pool' },
  /** The share of the supply that is minted in a year, and that amount with its decimals, as of now. */
  inflation: { path: 'mint/v1beta1/inflation' },
  annualProvisions: { path: 'mint/v1beta1/annual_provisions' },
  /** SDK 0.46 and later. */
  moduleAccounts: { path: 'auth/v1beta1/module_accounts' },
  balances: { path: 'bank/v1beta1/balances/{address}', query: pageParams },
  balance: { path: 'bank/v1beta1/balances/{address}/by_denom', query: { denom: 'denom' } },
  channels: { segment: 'ibc', path: 'core/channel/v1/channels', query: pageParams },
  escrowAddress: { segment: 'ibc', path: 'apps/transfer/v1/channels/{channel}/ports/transfer/escrow_address' },
  /** The parameters of all modules. */
  stateParams: { path: 'inspector/v1/module_params' },
  /** The state of a client of another chain: whether it may be used, and its settings. */
  clientStatus: { segment: 'ibc', path: 'core/client/v1/client_status/{client}' },
  clientState: { segment: 'ibc', path: 'core/client/v1/client_states/{client}' },
  /** The consensus state of a client at a height. For a tendermint client, it has the time of that block. */
  clientConsensus: {
    segment: 'ibc',
    path: 'core/client/v1/consensus_states/{client}/revision/{revision}/height/{height}',
  },
  /** The types that implement an interface. Few nodes offer it. */
  implementations: { isOfNode: true, path: 'base/reflection/v1beta1/interfaces/{name}/implementations' },
  /** The holders of a denom's supply, or a page of all denoms if none is named (docs/nodes.md#supply-split). */
  supplySplit: { path: 'inspector/v1/supply_split', query: { denom: 'denom' } },
  largestHolders: {
    path: 'inspector/v1/largest_holders',
    query: { denom: 'denom', address: 'address', limit: 'limit' },
  },
  /** The stake of an account, and how its coins vest at a time. */
  stake: { path: 'inspector/v1/stake', query: { address: 'address', at: 'at' } },
  /** The coins that vest and unbond until a time. */
  schedule: { path: 'inspector/v1/schedule', query: { denom: 'denom', at: 'at' } },
  /** The validators that transactions of a genesis create. */
  genesisValidators: { path: 'inspector/v1/genesis_validators' },
  /** Facts of an open vote beside its tally. */
  tallyDetails: { path: 'inspector/v1/tally_details', query: { proposal: 'proposal_id' } },
  /** SDK 0.46 and later. Denoms with slashes are a query parameter since 0.50. */
  denomOwners: { path: 'bank/v1beta1/denom_owners/{denom}', query: pageParams },
  denomOwnersByQuery: { path: 'bank/v1beta1/denom_owners_by_query', query: { ...pageParams, denom: 'denom' } },
  /** An account with its sequence. */
  account: { path: 'auth/v1beta1/accounts/{address}' },
  /** A transaction that the node tries and does not send on. The only POST. */
  simulate: { path: 'tx/v1beta1/simulate' },
  nodeInfo: { isOfNode: true, path: 'base/tendermint/v1beta1/node_info' },
} as const satisfies Record<string, OperationShape>;

export type Operation = keyof typeof operations;

/** The names of the parameters in a path. */
export type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Plain}*` ? Plain : Name) | PathNames<Rest>
  : never;

/** The path parameters of an operation, unescaped. */
export type Params<O extends Operation> = Readonly<Record<PathNames<(typeof operations)[O]['path']>, string>>;

/** The query parameters of an operation by our names. Absent ones are not sent. */
export type Query<O extends Operation> = (typeof operations)[O] extends { readonly query: infer Names }
  ? Readonly<Partial<Record<keyof Names & string, string>>>
  : Readonly<Record<never, string>>;
