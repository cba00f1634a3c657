/**
 * The contract as one table of values: every operation that a client may send, with the schema of its reply. Client, tests
 * and types derive from here. How real nodes answer: docs/nodes.md; what forks change: docs/governance.md.
 */
import * as z from 'zod/mini';
import { type Fields, isFields } from './wireValues.ts';

/** Longest amount, count or power that is read, in digits. The SDK's own integers have at most 78. */
const digits = z.string().check(z.regex(/^\d{1,100}$/, 'expected a string of 1 to 100 digits'));
const id = z.string().check(z.regex(/^\d{1,20}$/, 'expected a string of 1 to 20 digits'));
const time = z
  .string()
  .check(z.regex(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d))?$/, 'expected a time of RFC 3339'));
const text = z.string();
// Not a record: that would leave out a member called `__proto__`.
const fields = z.custom<Fields>(isFields, 'expected an object');
const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema));

/** A time that is one: neither empty nor in a 13th month. */
const moment = time.check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'expected a time of RFC 3339'));

/** What a value had to be: `expected an object`. */
export function expectation(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_type') return `expected ${article(issue.expected)}`;
  if (issue?.code === 'invalid_union') return 'expected a string or a number';
  // The contract's own checks have a message.
  return issue?.message || 'not what the contract says';
}

/** A word behind its article. */
export function article(word: string): string {
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`;
}

/** Members of one list inside a row (messages, coins, options of a vote, units), and of an object in a proposal. */
export const mostMembers = 10_000;

/** A list that is read up to its first faulty member: a hundred thousand of them are one fault. */
function listOf<T extends z.ZodMiniType>(member: T) {
  const members = z.array(z.unknown()).check(z.maxLength(mostMembers, `expected at most ${mostMembers} members`));
  return z.pipe(
    members,
    z.transform((values, { issues }): z.infer<T>[] => {
      const read: z.infer<T>[] = [];
      for (const [at, value] of values.entries()) {
        const checked = member.safeParse(value, { reportInput: true });
        if (checked.success) read.push(checked.data);
        else {
          const [first] = checked.error.issues;
          const message = expectation(first);
          issues.push({ code: 'custom', message, path: [at, ...(first?.path ?? [])], input: first?.input });
          break;
        }
      }
      return read;
    }),
  );
}

/** `denom` and `amount` in base units, a string of decimal digits. */
export const coinSchema = z.looseObject({ denom: text, amount: digits });

/** `next_key` is base64; null, "" and absent all end a list. `total` is "0" where the node did not count. */
const pageSchema = z.looseObject({
  next_key: maybe(text.check(z.maxLength(4096, 'expected a page key of at most 4096 characters'))),
  total: z.optional(z.unknown()),
});
const page = maybe(pageSchema);
/** Rows of one reply; a node without paging answers all denoms at once. */
const mostRows = 200_000;
const rows = z.array(z.unknown()).check(z.maxLength(mostRows, `expected at most ${mostRows} rows`));

/** A status by name, or the bare number that a node sends for a status that it has no name for. */
const status = z.union([z.string(), z.number()]);

const tallySchema = z.looseObject({ yes: digits, abstain: digits, no: digits, no_with_veto: digits });

/** AtomOne has no veto. */
const tallyV1Schema = z.looseObject({
  yes_count: digits,
  abstain_count: digits,
  no_count: digits,
  no_with_veto_count: z.optional(digits),
});

const runningTallyV1 = z.pipe(
  tallyV1Schema,
  z.transform((tally) => ({
    yes: tally.yes_count,
    abstain: tally.abstain_count,
    no: tally.no_count,
    no_with_veto: tally.no_with_veto_count ?? '0',
  })),
);

/** `option` is set up to 0.45 only, `options` since 0.43 (docs/nodes.md#votes). Options by name, or a number that has none. */
export const voteSchema = z.looseObject({
  voter: text,
  option: z.optional(status),
  options: maybe(listOf(z.looseObject({ option: status, weight: text }))),
});

const times = {
  submit_time: maybe(time),
  deposit_end_time: maybe(time),
  voting_start_time: maybe(time),
  voting_end_time: maybe(time),
};

/** A proposal in the v1beta1 form (docs/nodes.md#proposals). */
export const proposalSchema = z.looseObject({
  proposal_id: id,
  /** `{"@type", …}` (nodes), `{type_url, value}` (published descriptions), a bare Msg, or null. */
  content: maybe(fields),
  status,
  final_tally_result: maybe(tallySchema),
  total_deposit: maybe(listOf(coinSchema)),
  ...times,
  /** Sei. */
  is_expedited: maybe(z.boolean()),
});

/** A proposal in the gov v1 form (docs/nodes.md#gov-v1). */
export const proposalV1Schema = z.looseObject({
  id,
  messages: maybe(listOf(fields)),
  status,
  final_tally_result: maybe(tallyV1Schema),
  total_deposit: maybe(listOf(coinSchema)),
  ...times,
  metadata: maybe(text),
  title: maybe(text),
  summary: maybe(text),
  proposer: maybe(text),
  expedited: maybe(z.boolean()),
  failed_reason: maybe(text),
});

export const metadataSchema = z.looseObject({
  base: text,
  display: maybe(text),
  symbol: maybe(text),
  name: maybe(text),
  description: maybe(text),
  denom_units: maybe(listOf(z.looseObject({ denom: text, exponent: z.number() }))),
});

/** `description` is the operator's own (docs/nodes.md#votes). */
export const validatorSchema = z.looseObject({
  operator_address: text,
  tokens: digits,
  status: maybe(text),
  jailed: maybe(z.boolean()),
  commission: maybe(z.looseObject({ commission_rates: maybe(z.looseObject({ rate: maybe(text) })) })),
  description: maybe(z.looseObject({ moniker: maybe(text) })),
});

const pageQuery = {
  key: 'pagination.key',
  offset: 'pagination.offset',
  limit: 'pagination.limit',
  countTotal: 'pagination.count_total',
  reverse: 'pagination.reverse',
} as const;

const params = z.looseObject({ params: maybe(fields) });
const coinOf = z.looseObject({ amount: coinSchema });

/**
 * One operation: where it lies, its query parameters (our name to the name on the wire) and the schema of a 200 reply.
 * `path` is below `segment` where that is fixed, else below the segment of the node, or of its gov module for `gov/…`;
 * `{name}` stands for a path parameter, `{name*}` for one that may hold slashes, `{form}` for `v1` or `v1beta1`.
 */
export interface OperationShape {
  readonly segment?: string | undefined;
  /** Whether it is about the node and not about the state at a height. */
  readonly isOfNode?: boolean | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly reply: z.ZodMiniType;
}

export const operations = {
  supply: { path: 'bank/v1beta1/supply', query: pageQuery, reply: z.looseObject({ supply: rows, pagination: page }) },
  /** SDK up to 0.45; `supplyByDenom` since 0.46. */
  supplyOf: { path: 'bank/v1beta1/supply/{denom}', reply: coinOf },
  supplyByDenom: { path: 'bank/v1beta1/supply/by_denom', query: { denom: 'denom' }, reply: coinOf },
  denomsMetadata: {
    path: 'bank/v1beta1/denoms_metadata',
    query: pageQuery,
    reply: z.looseObject({ metadatas: rows, pagination: page }),
  },
  proposals: {
    path: 'gov/{form}/proposals',
    query: { ...pageQuery, status: 'proposal_status', voter: 'voter', depositor: 'depositor' },
    reply: z.looseObject({ proposals: rows, pagination: page }),
  },
  proposal: { path: 'gov/{form}/proposals/{proposalId}', reply: z.looseObject({ proposal: fields }) },
  votes: {
    path: 'gov/{form}/proposals/{proposalId}/votes',
    query: pageQuery,
    reply: z.looseObject({ votes: rows, pagination: page }),
  },
  /** One vote; "not voted", "voting is over" and "no such proposal" are one error (docs/nodes.md#votes). */
  vote: { path: 'gov/{form}/proposals/{proposalId}/votes/{voter}', reply: z.looseObject({ vote: voteSchema }) },
  tally: {
    path: 'gov/{form}/proposals/{proposalId}/tally',
    reply: z.looseObject({ tally: z.union([runningTallyV1, tallySchema]) }),
  },
  /** Initia's own tally, which names its denominators (docs/governance.md#initia). */
  tallyInitia: {
    segment: 'initia',
    path: 'gov/v1/proposals/{proposalId}/tally',
    reply: z.looseObject({
      tally_result: z.looseObject({
        v1_tally_result: runningTallyV1,
        total_staking_power: text,
        total_vesting_power: maybe(text),
      }),
    }),
  },
  /**
   * `kind`: voting, deposit or tallying; only that group is filled. `params` of gov v1 holds everything since 0.47
   * (docs/nodes.md#gov-params).
   */
  govParams: {
    path: 'gov/{form}/params/{kind}',
    reply: z.looseObject({
      params: maybe(fields),
      voting_params: maybe(fields),
      deposit_params: maybe(fields),
      tally_params: maybe(fields),
    }),
  },
  govParamsInitia: { segment: 'initia', path: 'gov/v1/params', reply: params },
  /** AtomOne: the quorums of today, which move with the turnout (docs/governance.md#atomone). */
  govQuorums: { path: 'gov/v1/quorums', reply: fields },
  /** The status is taken by its name only. */
  validators: {
    path: 'staking/v1beta1/validators',
    query: { ...pageQuery, status: 'status' },
    reply: z.looseObject({ validators: rows, pagination: page }),
  },
  stakingPool: {
    path: 'staking/v1beta1/pool',
    reply: z.looseObject({ pool: z.looseObject({ bonded_tokens: digits }) }),
  },
  /** Initia: stake of several denoms. */
  mstakingPool: {
    segment: 'initia',
    path: 'mstaking/v1/pool',
    reply: z.looseObject({ pool: z.looseObject({ bonded_tokens: listOf(coinSchema) }) }),
  },
  /** Proof of authority (docs/governance.md#voting-power). */
  totalPower: { path: 'poa/v1/total_power', reply: z.looseObject({ total_power: digits }) },
  /** The legacy parameters: `value` is a JSON text. */
  param: {
    path: 'params/v1beta1/params',
    query: { subspace: 'subspace', key: 'key' },
    reply: z.looseObject({ param: z.looseObject({ subspace: text, key: text, value: text }) }),
  },
  /** The parameters of a module, by the path before `params`: `staking/v1beta1`. */
  moduleParams: { path: '{module*}/params', reply: params },
  /** ibc-go since 10; `ibcDenomTrace` before (docs/nodes.md#ibc-denoms). */
  ibcDenom: {
    segment: 'ibc',
    path: 'apps/transfer/v1/denoms/{hash}',
    reply: z.looseObject({
      denom: z.looseObject({ base: text, trace: maybe(listOf(z.looseObject({ port_id: text, channel_id: text }))) }),
    }),
  },
  ibcDenomTrace: {
    segment: 'ibc',
    path: 'apps/transfer/v1/denom_traces/{hash}',
    reply: z.looseObject({ denom_trace: z.looseObject({ path: text, base_denom: text }) }),
  },
  /** `height`: a number, or `latest`. */
  block: {
    isOfNode: true,
    path: 'base/tendermint/v1beta1/blocks/{height}',
    reply: z.looseObject({
      block: z.looseObject({ header: z.looseObject({ chain_id: maybe(text), height: digits, time: moment }) }),
    }),
  },
  /** `height` is "0" for a plan that was never applied. */
  appliedPlan: { path: 'upgrade/v1beta1/applied_plan/{name}', reply: z.looseObject({ height: digits }) },
  /** What the community pool holds; amounts are decimals of 18 digits. */
  communityPool: {
    path: 'distribution/v1beta1/community_pool',
    reply: z.looseObject({ pool: z.array(z.looseObject({ denom: text, amount: text })) }),
  },
  /** SDK 0.46 and later. */
  moduleAccounts: {
    path: 'auth/v1beta1/module_accounts',
    reply: z.looseObject({
      accounts: z.array(z.looseObject({ name: maybe(text), base_account: maybe(z.looseObject({ address: text })) })),
    }),
  },
  nodeInfo: {
    isOfNode: true,
    path: 'base/tendermint/v1beta1/node_info',
    reply: z.looseObject({
      default_node_info: maybe(z.looseObject({ network: maybe(text) })),
      application_version: maybe(z.looseObject({ cosmos_sdk_version: maybe(text) })),
    }),
  },
} as const satisfies Record<string, OperationShape>;

export type Operation = keyof typeof operations;

type PathNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Plain}*` ? Plain : Name) | PathNames<Rest>
  : never;

/** The path parameters of an operation, unescaped. */
export type Params<O extends Operation> = Readonly<Record<PathNames<(typeof operations)[O]['path']>, string>>;

/** The query parameters of an operation by our names; absent ones are not sent. */
export type Query<O extends Operation> = (typeof operations)[O] extends { readonly query: infer Names }
  ? Readonly<Partial<Record<keyof Names & string, string>>>
  : Readonly<Record<never, string>>;

/** The checked 200 reply of an operation; snake_case strings as on the wire, unknown fields kept. */
export type Reply<O extends Operation> = z.infer<(typeof operations)[O]['reply']>;

export type WireCoin = z.infer<typeof coinSchema>;
export type WirePage = z.infer<typeof pageSchema>;
export type WireProposal = z.infer<typeof proposalSchema>;
export type WireProposalV1 = z.infer<typeof proposalV1Schema>;
export type WireVote = z.infer<typeof voteSchema>;
/** A tally in the form of v1beta1, which running tallies of gov v1 are brought into. */
export type WireTally = z.infer<typeof tallySchema>;
export type WireValidator = z.infer<typeof validatorSchema>;
export type WireMetadata = z.infer<typeof metadataSchema>;
