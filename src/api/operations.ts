/**
 * Every operation of the contract: what the client may ask, and what the service answers by the same table. The schemas of the
 * replies stand in contract.ts, so that a service does not load them. How real nodes answer: docs/nodes.md.
 */

/** The forms in which a gov module is asked; v1, which loses nothing, is preferred (docs/nodes.md#v1-to-v1beta1). */
export const govForms = ['v1', 'v1beta1'] as const;
export type GovForm = (typeof govForms)[number];

/** The modules that voting power may come from, the commonest first (docs/governance.md#voting-power). */
export const powerModules = ['staking', 'mstaking', 'poa'] as const;

const pageQuery = {
  key: 'pagination.key',
  offset: 'pagination.offset',
  limit: 'pagination.limit',
  countTotal: 'pagination.count_total',
  reverse: 'pagination.reverse',
} as const;

/**
 * One operation: where it lies, and its query parameters (our name to the name on the wire). `path` is below `segment` where that
 * is fixed (`{fork}`: the one of the fork, which is named where it is asked), else below the segment of the node, or of its gov
 * module for `gov/…`; `{name}` stands for a path parameter, `{name*}` for one that may hold slashes, `{form}` for one of
 * `govForms`. A path is of the first operation that it fits.
 */
export interface OperationShape {
  readonly segment?: string | undefined;
  /** Whether it is about the node and not about the state at a height. */
  readonly isOfNode?: boolean | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

export const operations = {
  supply: { path: 'bank/v1beta1/supply', query: pageQuery },
  supplyByDenom: { path: 'bank/v1beta1/supply/by_denom', query: { denom: 'denom' } },
  /** SDK up to 0.45; `supplyByDenom` since 0.46. A service of the contract takes slashes in the denom as they are. */
  supplyOf: { path: 'bank/v1beta1/supply/{denom}' },
  denomsMetadata: { path: 'bank/v1beta1/denoms_metadata', query: pageQuery },
  proposals: {
    path: 'gov/{form}/proposals',
    query: { ...pageQuery, status: 'proposal_status', voter: 'voter', depositor: 'depositor' },
  },
  proposal: { path: 'gov/{form}/proposals/{proposalId}' },
  votes: { path: 'gov/{form}/proposals/{proposalId}/votes', query: pageQuery },
  /** One vote; "not voted", "voting is over" and "no such proposal" are one error (docs/nodes.md#votes). */
  vote: { path: 'gov/{form}/proposals/{proposalId}/votes/{voter}' },
  deposits: { path: 'gov/{form}/proposals/{proposalId}/deposits', query: pageQuery },
  deposit: { path: 'gov/{form}/proposals/{proposalId}/deposits/{depositor}' },
  tally: { path: 'gov/{form}/proposals/{proposalId}/tally' },
  /** With the voting power that turnout is a share of. */
  tallyWithPower: { segment: '{fork}', path: 'gov/v1/proposals/{proposalId}/tally' },
  /**
   * `kind`: voting, deposit or tallying; only that group is filled. `params` of gov v1 holds everything since 0.47
   * (docs/nodes.md#gov-params).
   */
  govParams: { path: 'gov/{form}/params/{kind}' },
  /** What a fork adds to the gov parameters. */
  forkParams: { segment: '{fork}', path: 'gov/v1/params' },
  /** Since SDK 0.50. */
  govConstitution: { path: 'gov/v1/constitution' },
  /** The quorums of today, where they move with the turnout (docs/governance.md#atomone). */
  govQuorums: { path: 'gov/v1/quorums' },
  /** The status is taken by its name only. */
  validators: { path: 'staking/v1beta1/validators', query: { ...pageQuery, status: 'status' } },
  stakingPool: { path: 'staking/v1beta1/pool' },
  /** Stake of several denoms. */
  mstakingPool: { segment: '{fork}', path: 'mstaking/v1/pool' },
  /** Proof of authority (docs/governance.md#voting-power). */
  totalPower: { path: 'poa/v1/total_power' },
  /** The legacy parameters: `value` is a JSON text. */
  param: { path: 'params/v1beta1/params', query: { subspace: 'subspace', key: 'key' } },
  /** The parameters of a module, by the path before `params`: `staking/v1beta1`. */
  moduleParams: { path: '{module*}/params' },
  /** ibc-go since 10; `ibcDenomTrace` before (docs/nodes.md#ibc-denoms). */
  ibcDenom: { segment: 'ibc', path: 'apps/transfer/v1/denoms/{hash}' },
  ibcDenomTrace: { segment: 'ibc', path: 'apps/transfer/v1/denom_traces/{hash}' },
  /** `height`: a number, or `latest`. */
  block: { isOfNode: true, path: 'base/tendermint/v1beta1/blocks/{height}' },
  /** `height` is "0" for a plan that was never applied. */
  appliedPlan: { path: 'upgrade/v1beta1/applied_plan/{name}' },
  /** What the community pool holds; amounts are decimals of 18 digits. */
  communityPool: { path: 'distribution/v1beta1/community_pool' },
  /** SDK 0.46 and later. */
  moduleAccounts: { path: 'auth/v1beta1/module_accounts' },
  balances: { path: 'bank/v1beta1/balances/{address}', query: pageQuery },
  balance: { path: 'bank/v1beta1/balances/{address}/by_denom', query: { denom: 'denom' } },
  channels: { segment: 'ibc', path: 'core/channel/v1/channels', query: pageQuery },
  escrowAddress: { segment: 'ibc', path: 'apps/transfer/v1/channels/{channel}/ports/transfer/escrow_address' },
  /** The parameters of all modules: as the next one. */
  stateParams: { path: 'inspector/v1/module_params' },
  /** Outside of the contract, as the next one: a service over a state alone (docs/nodes.md#supply-split). Without a denom a page of all. */
  supplySplit: { path: 'inspector/v1/supply_split', query: { denom: 'denom' } },
  largestHolders: { path: 'inspector/v1/largest_holders', query: { denom: 'denom', address: 'address' } },
  /** Since SDK 0.46; denoms with slashes by a query since 0.50. */
  denomOwners: { path: 'bank/v1beta1/denom_owners/{denom}', query: pageQuery },
  denomOwnersByQuery: { path: 'bank/v1beta1/denom_owners_by_query', query: { ...pageQuery, denom: 'denom' } },
  /** An account with its sequence, and a transaction that is tried and not sent on: the one operation that is a POST. */
  account: { path: 'auth/v1beta1/accounts/{address}' },
  simulate: { path: 'tx/v1beta1/simulate' },
  nodeInfo: { isOfNode: true, path: 'base/tendermint/v1beta1/node_info' },
} as const satisfies Record<string, OperationShape>;

export type Operation = keyof typeof operations;

/** The names of the path parameters in a path. */
export type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Plain}*` ? Plain : Name) | PathNames<Rest>
  : never;

/** The path parameters of an operation, unescaped. */
export type Params<O extends Operation> = Readonly<Record<PathNames<(typeof operations)[O]['path']>, string>>;

/** The query parameters of an operation by our names; absent ones are not sent. */
export type Query<O extends Operation> = (typeof operations)[O] extends { readonly query: infer Names }
  ? Readonly<Partial<Record<keyof Names & string, string>>>
  : Readonly<Record<never, string>>;
