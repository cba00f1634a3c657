/**
 * The contract (service.md) as one table of values, and what nodes answer beside it. Client, service tests and types
 * all derive from here; nothing about the wire is written twice.
 */
import * as z from 'zod/mini';

const digits = z.string('expected a string of digits').check(z.regex(/^\d+$/, 'expected a string of digits'));
const optionalText = z.optional(z.nullable(z.string()));

/** `denom` and `amount` in base units, a string of decimal digits. */
export const coinSchema = z.looseObject({ denom: z.string(), amount: digits });

/** `next_key` is base64; null, "" and absent all end a list. `total` is "0" where the node did not count. */
export const pageSchema = z.looseObject({ next_key: optionalText, total: z.optional(z.nullable(digits)) });

/** `{type_url, value}` (service.md), `{"@type", …}` (real nodes), a bare Msg, or null. */
const contentSchema = z.optional(z.nullable(z.record(z.string(), z.unknown())));

/** A status by name, or the bare number that a node sends for a status it does not know itself. */
const statusSchema = z.union([z.string(), z.number()]);

const tallySchema = z.looseObject({ yes: digits, abstain: digits, no: digits, no_with_veto: digits });

/** A proposal in the v1beta1 form of service.md section 2. */
export const proposalSchema = z.looseObject({
  proposal_id: digits,
  content: contentSchema,
  status: statusSchema,
  final_tally_result: z.optional(z.nullable(tallySchema)),
  submit_time: optionalText,
  deposit_end_time: optionalText,
  total_deposit: z.optional(z.nullable(z.array(coinSchema))),
  voting_start_time: optionalText,
  voting_end_time: optionalText,
});

const tallyV1Schema = z.looseObject({
  yes_count: z.optional(digits),
  abstain_count: z.optional(digits),
  no_count: z.optional(digits),
  no_with_veto_count: z.optional(digits),
});

/** A proposal in the gov v1 form (SDK 0.46 and later): any number of messages, title and summary since 0.47. */
export const proposalV1Schema = z.looseObject({
  id: digits,
  messages: z.optional(z.nullable(z.array(z.record(z.string(), z.unknown())))),
  status: statusSchema,
  final_tally_result: z.optional(z.nullable(tallyV1Schema)),
  submit_time: optionalText,
  deposit_end_time: optionalText,
  total_deposit: z.optional(z.nullable(z.array(coinSchema))),
  voting_start_time: optionalText,
  voting_end_time: optionalText,
  metadata: z.optional(z.nullable(z.string())),
  title: z.optional(z.nullable(z.string())),
  summary: z.optional(z.nullable(z.string())),
  proposer: z.optional(z.nullable(z.string())),
  expedited: z.optional(z.nullable(z.boolean())),
  failed_reason: z.optional(z.nullable(z.string())),
});

/** The paging parameters of service.md section 2: query name on the wire by our own name. */
export const pageQuery = {
  key: 'pagination.key',
  offset: 'pagination.offset',
  limit: 'pagination.limit',
  countTotal: 'pagination.count_total',
  reverse: 'pagination.reverse',
} as const;

/**
 * One operation: its path below the segment (`{name}` stands for a path parameter), its query parameters (our name to
 * the name on the wire) and the schema of a 200 reply.
 */
interface EndpointShape {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly reply: z.ZodMiniType;
}

/** The four operations of service.md section 4. */
export const endpoints = {
  supply: {
    path: 'bank/v1beta1/supply',
    query: pageQuery,
    reply: z.looseObject({ supply: z.array(coinSchema), pagination: z.optional(z.nullable(pageSchema)) }),
  },
  supplyOf: {
    path: 'bank/v1beta1/supply/{denom}',
    query: {},
    reply: z.looseObject({ amount: coinSchema }),
  },
  proposals: {
    path: 'gov/v1beta1/proposals',
    query: { ...pageQuery, status: 'proposal_status', voter: 'voter', depositor: 'depositor' },
    reply: z.looseObject({ proposals: z.array(proposalSchema), pagination: z.optional(z.nullable(pageSchema)) }),
  },
  proposal: {
    path: 'gov/v1beta1/proposals/{proposalId}',
    query: {},
    reply: z.looseObject({ proposal: proposalSchema }),
  },
} as const satisfies Record<string, EndpointShape>;

const metadataSchema = z.looseObject({
  base: z.string(),
  display: z.optional(z.nullable(z.string())),
  symbol: z.optional(z.nullable(z.string())),
  name: z.optional(z.nullable(z.string())),
  description: z.optional(z.nullable(z.string())),
  denom_units: z.optional(z.nullable(z.array(z.looseObject({ denom: z.string(), exponent: z.number() })))),
});

/** Beyond service.md: asked only when something on screen needs it, never required. contract-facts sections 2, 3 and 8. */
export const extras = {
  supplyByDenom: {
    path: 'bank/v1beta1/supply/by_denom',
    query: { denom: 'denom' },
    reply: z.looseObject({ amount: coinSchema }),
  },
  denomsMetadata: {
    path: 'bank/v1beta1/denoms_metadata',
    query: pageQuery,
    reply: z.looseObject({ metadatas: z.array(metadataSchema), pagination: z.optional(z.nullable(pageSchema)) }),
  },
  tally: {
    path: 'gov/v1beta1/proposals/{proposalId}/tally',
    query: {},
    reply: z.looseObject({ tally: tallySchema }),
  },
  proposalsV1: {
    path: 'gov/v1/proposals',
    query: { ...pageQuery, status: 'proposal_status', voter: 'voter', depositor: 'depositor' },
    reply: z.looseObject({ proposals: z.array(proposalV1Schema), pagination: z.optional(z.nullable(pageSchema)) }),
  },
  proposalV1: {
    path: 'gov/v1/proposals/{proposalId}',
    query: {},
    reply: z.looseObject({ proposal: proposalV1Schema }),
  },
  govParams: {
    path: 'gov/v1beta1/params/{kind}',
    query: {},
    reply: z.looseObject({
      voting_params: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
      deposit_params: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
      tally_params: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
    }),
  },
  govParamsV1: {
    path: 'gov/v1/params/{kind}',
    query: {},
    reply: z.looseObject({ params: z.optional(z.nullable(z.record(z.string(), z.unknown()))) }),
  },
  stakingPool: {
    path: 'staking/v1beta1/pool',
    query: {},
    reply: z.looseObject({ pool: z.looseObject({ bonded_tokens: digits, not_bonded_tokens: digits }) }),
  },
  param: {
    path: 'params/v1beta1/params',
    query: { subspace: 'subspace', key: 'key' },
    reply: z.looseObject({ param: z.looseObject({ subspace: z.string(), key: z.string(), value: z.string() }) }),
  },
  nodeInfo: {
    path: 'base/tendermint/v1beta1/node_info',
    query: {},
    reply: z.looseObject({
      default_node_info: z.optional(z.nullable(z.looseObject({ network: optionalText }))),
      application_version: z.optional(
        z.nullable(z.looseObject({ cosmos_sdk_version: optionalText, app_name: optionalText, version: optionalText })),
      ),
    }),
  },
} as const satisfies Record<string, EndpointShape>;

/** Every operation that a client may send, by name. */
export const operations = { ...endpoints, ...extras } as const;

export type Operation = keyof typeof operations;

type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;

/** The path parameters of an operation, unescaped. */
export type Params<O extends Operation> = Readonly<Record<PathNames<(typeof operations)[O]['path']>, string>>;

/** The query parameters of an operation by our names; absent ones are not sent. */
export type Query<O extends Operation> = Readonly<
  Partial<Record<keyof (typeof operations)[O]['query'] & string, string>>
>;

/** The checked 200 reply of an operation; snake_case strings as on the wire, unknown fields kept. */
export type Reply<O extends Operation> = z.infer<(typeof operations)[O]['reply']>;

export type WireCoin = z.infer<typeof coinSchema>;
export type WirePage = z.infer<typeof pageSchema>;
export type WireProposal = z.infer<typeof proposalSchema>;
export type WireProposalV1 = z.infer<typeof proposalV1Schema>;
export type WireMetadata = z.infer<typeof metadataSchema>;
