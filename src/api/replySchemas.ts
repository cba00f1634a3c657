/**
 * The schema of the reply of each operation of the contract (operations.ts). Client, tests and types use these schemas.
 * docs/nodes.md tells how real nodes answer, docs/governance.md how forks differ.
 */

import * as z from 'zod/mini';
import { type Fields, isFields } from '../chain/fields.ts';
import type { Operation } from './operations.ts';
import { lazy } from './sharing.ts';
import { maxMembers } from './wireValues.ts';

/** An amount, count or power. The limit is 100 digits; the SDK's own integers have at most 78. */
const digits = z.string().check(z.regex(/^\d{1,100}$/, 'expected a string of 1 to 100 digits'));
const id = z.string().check(z.regex(/^\d{1,20}$/, 'expected a string of 1 to 20 digits'));
const time = z
  .string()
  .check(z.regex(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d))?$/, 'expected an RFC 3339 time'));
const decimal = z.string().check(z.regex(/^-?\d{1,100}\.\d{18}$/, 'expected a decimal number with 18 decimal places'));
const text = z.string();
// Not a record, which would drop a member called `__proto__`.
const fields = z.custom<Fields>(isFields, 'expected an object');
const maybe = <T extends z.ZodMiniType>(schema: T): z.ZodMiniOptional<z.ZodMiniNullable<T>> =>
  z.optional(z.nullable(schema));

/** A valid time: neither empty nor in a 13th month. */
const moment = time.check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'expected an RFC 3339 time'));

/** Tells what a value had to be, such as `expected an object`. */
export function expectation(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_type') return `expected ${article(issue.expected)}`;
  if (issue?.code === 'invalid_union') return 'expected a string or a number';
  // The contract's own checks have a message.
  return issue?.message || 'not as specified';
}

/** Puts the article before a word. */
export function article(word: string): string {
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`;
}

/** A list that is read up to its first faulty member, so that a hundred thousand of them are one fault. */
function listOf<T extends z.ZodMiniType>(member: T): z.ZodMiniType<z.infer<T>[]> {
  const members = z.array(z.unknown()).check(z.maxLength(maxMembers, `expected at most ${maxMembers} members`));
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

/** A coin: `denom`, and `amount` in base units as a string of decimal digits. */
export const coinSchema = z.looseObject({ denom: text, amount: digits });

/**
 * The paging part of a reply. `next_key` is base64; null, "" and absent all end a list. `total` is "0" if the node did
 * not count.
 */
const pageSchema = z.looseObject({
  next_key: maybe(text.check(z.maxLength(4096, 'expected a page key of at most 4096 characters'))),
  total: z.optional(z.unknown()),
});
const page = maybe(pageSchema);
/** The limit for rows of one reply. A node without paging answers all denoms at once. */
const maxRows = 200_000;
const rows = z.array(z.unknown()).check(z.maxLength(maxRows, `expected at most ${maxRows} rows`));

/** A status by name, or by number if the node has no name for it. */
const status = z.union([z.string(), z.number()]);

const tallySchema = z.looseObject({ yes: digits, abstain: digits, no: digits, no_with_veto: digits });

/** How the coins of an account vest. Times are in seconds since 1970. */
const vestingSchema = lazy(() =>
  z.looseObject({
    kind: text,
    start: text,
    end: text,
    coins: z.array(
      z.looseObject({
        denom: text,
        original: digits,
        delegated: digits,
        not_vested: maybe(digits),
        locked: maybe(digits),
      }),
    ),
  }),
);

/** A tally of gov v1. AtomOne has no veto. */
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

/**
 * A vote. `option` is set in 0.45 and earlier only, `options` since 0.43 (docs/nodes.md#votes). Options have a name, or
 * a number if they have no name.
 */
export const voteSchema = z.looseObject({
  voter: text,
  option: z.optional(status),
  options: maybe(listOf(z.looseObject({ option: status, weight: text }))),
});

export const depositSchema = z.looseObject({ depositor: text, amount: listOf(coinSchema) });

const times = {
  submit_time: maybe(time),
  deposit_end_time: maybe(time),
  voting_start_time: maybe(time),
  voting_end_time: maybe(time),
};

/** A proposal in the v1beta1 form (docs/nodes.md#proposals). */
export const proposalSchema = z.looseObject({
  proposal_id: id,
  /** The content: `{"@type", …}` (nodes), `{type_url, value}` (published descriptions), a bare message, or null. */
  content: maybe(fields),
  status,
  final_tally_result: maybe(tallySchema),
  total_deposit: maybe(listOf(coinSchema)),
  ...times,
  /** Set by Sei. */
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

export const denomMetadataSchema = z.looseObject({
  base: text,
  display: maybe(text),
  symbol: maybe(text),
  name: maybe(text),
  description: maybe(text),
  denom_units: maybe(listOf(z.looseObject({ denom: text, exponent: z.number() }))),
});

/** A validator. The operator writes `description` (docs/nodes.md#votes). */
export const validatorSchema = z.looseObject({
  operator_address: text,
  tokens: digits,
  status: maybe(text),
  jailed: maybe(z.boolean()),
  commission: maybe(z.looseObject({ commission_rates: maybe(z.looseObject({ rate: maybe(text) })) })),
  description: maybe(z.looseObject({ moniker: maybe(text) })),
});

export const signingInfoSchema = z.looseObject({
  address: text,
  jailed_until: maybe(text),
  tombstoned: maybe(z.boolean()),
  missed_blocks_counter: maybe(digits),
});

export const channelSchema = z.looseObject({
  port_id: text,
  channel_id: text,
  state: text,
  counterparty: maybe(z.looseObject({ port_id: maybe(text), channel_id: maybe(text) })),
});

const splitClass = z.enum(['module', 'escrow', 'contract', 'vesting_locked', 'vesting_free', 'other', 'residue']);

/**
 * The parts of a supply, in base units. The residue may be negative. Amounts of the distribution module are decimals.
 */
const splitSchema = lazy(() =>
  z.looseObject({
    denom: text,
    supply: digits,
    holders: digits,
    /** Absent for 0, null if it is not known. */
    not_vested: maybe(digits),
    classes: z.array(
      z.looseObject({
        class: splitClass,
        name: text,
        counterparty: z.optional(text),
        amount: z.string().check(z.regex(/^-?\d{1,100}$/, 'expected a whole number')),
      }),
    ),
    distribution: z.optional(
      z.looseObject({ community_pool: decimal, outstanding_rewards: decimal, dust: z.optional(decimal) }),
    ),
  }),
);

const holderClass = z.enum(['module', 'escrow', 'contract', 'vesting', 'other']);
const holderSchema = lazy(() =>
  z.looseObject({ address: text, amount: digits, class: holderClass, name: text, vesting_end: maybe(text) }),
);

const ownerSchema = z.looseObject({ address: text, balance: coinSchema });

const params = z.looseObject({ params: maybe(fields) });
const coinMember = z.looseObject({ amount: coinSchema });

/** Gives the schema of the 200 reply of each operation. Most are never read, and making all would delay the first. */
export const replies = {
  supply: lazy(() => z.looseObject({ supply: rows, pagination: page })),
  supplyOf: lazy(() => coinMember),
  supplyByDenom: lazy(() => coinMember),
  denomsMetadata: lazy(() => z.looseObject({ metadatas: rows, pagination: page })),
  sendEnabled: lazy(() =>
    z.looseObject({
      send_enabled: z
        .array(z.looseObject({ denom: text, enabled: maybe(z.boolean()) }))
        .check(z.maxLength(maxRows, `expected at most ${maxRows} rows`)),
      pagination: page,
    }),
  ),
  proposals: lazy(() => z.looseObject({ proposals: rows, pagination: page })),
  proposal: lazy(() => z.looseObject({ proposal: fields })),
  votes: lazy(() => z.looseObject({ votes: rows, pagination: page })),
  vote: lazy(() => z.looseObject({ vote: voteSchema })),
  deposits: lazy(() => z.looseObject({ deposits: rows, pagination: page })),
  deposit: lazy(() => z.looseObject({ deposit: fields })),
  tally: lazy(() => z.looseObject({ tally: z.union([runningTallyV1, tallySchema]) })),
  tallyWithPower: lazy(() =>
    z.looseObject({
      tally_result: z.looseObject({
        v1_tally_result: runningTallyV1,
        total_staking_power: text,
        total_vesting_power: maybe(text),
      }),
    }),
  ),
  govParams: lazy(() =>
    z.looseObject({
      params: maybe(fields),
      voting_params: maybe(fields),
      deposit_params: maybe(fields),
      tally_params: maybe(fields),
    }),
  ),
  forkParams: lazy(() => params),
  govConstitution: lazy(() => z.looseObject({ constitution: text })),
  govQuorums: lazy(() => fields),
  validators: lazy(() => z.looseObject({ validators: rows, pagination: page })),
  signingInfos: lazy(() => z.looseObject({ info: rows, pagination: page })),
  stakingPool: lazy(() =>
    z.looseObject({ pool: z.looseObject({ bonded_tokens: digits, not_bonded_tokens: z.optional(digits) }) }),
  ),
  mstakingPool: lazy(() => z.looseObject({ pool: z.looseObject({ bonded_tokens: listOf(coinSchema) }) })),
  totalPower: lazy(() => z.looseObject({ total_power: digits })),
  param: lazy(() => z.looseObject({ param: z.looseObject({ subspace: text, key: text, value: text }) })),
  moduleParams: lazy(() => params),
  ibcDenom: lazy(() =>
    z.looseObject({
      denom: z.looseObject({ base: text, trace: maybe(listOf(z.looseObject({ port_id: text, channel_id: text }))) }),
    }),
  ),
  ibcDenomTrace: lazy(() => z.looseObject({ denom_trace: z.looseObject({ path: text, base_denom: text }) })),
  block: lazy(() =>
    z.looseObject({
      block: z.looseObject({ header: z.looseObject({ chain_id: maybe(text), height: digits, time: moment }) }),
    }),
  ),
  appliedPlan: lazy(() => z.looseObject({ height: digits })),
  currentPlan: lazy(() => z.looseObject({ plan: maybe(fields) })),
  communityPool: lazy(() => z.looseObject({ pool: z.array(z.looseObject({ denom: text, amount: text })) })),
  inflation: lazy(() => z.looseObject({ inflation: text })),
  annualProvisions: lazy(() => z.looseObject({ annual_provisions: text })),
  moduleAccounts: lazy(() =>
    z.looseObject({
      accounts: z.array(z.looseObject({ name: maybe(text), base_account: maybe(z.looseObject({ address: text })) })),
    }),
  ),
  balances: lazy(() => z.looseObject({ balances: rows, pagination: page })),
  balance: lazy(() => z.looseObject({ balance: coinSchema })),
  channels: lazy(() => z.looseObject({ channels: rows, pagination: page })),
  escrowAddress: lazy(() => z.looseObject({ escrow_address: text })),
  clientStatus: lazy(() => z.looseObject({ status: text })),
  clientState: lazy(() => z.looseObject({ client_state: fields })),
  clientConsensus: lazy(() => z.looseObject({ consensus_state: z.looseObject({ timestamp: maybe(text) }) })),
  implementations: lazy(() => z.looseObject({ implementation_message_names: z.array(text) })),
  stateParams: lazy(() =>
    z.looseObject({ modules: z.array(z.looseObject({ name: text, params: fields })), names: maybe(z.array(text)) }),
  ),
  supplySplit: lazy(() => z.looseObject({ split: splitSchema() })),
  stake: lazy(() =>
    z.looseObject({
      stake: z.looseObject({
        delegated: maybe(digits),
        voting_power: digits,
        unbonding: digits,
        unbonding_entries: z.array(z.looseObject({ time: text, amount: digits })),
        vesting: maybe(vestingSchema()),
        delegations: z.array(
          z.looseObject({ validator: text, moniker: text, amount: maybe(digits), bonded: z.boolean() }),
        ),
        delegation_count: z.number(),
      }),
    }),
  ),
  schedule: lazy(() =>
    z.looseObject({
      vesting: z.nullable(
        z.looseObject({
          not_vested: digits,
          accounts: z.number(),
          first_end: maybe(text),
          last_end: maybe(text),
          kinds: z.array(
            z.looseObject({
              kind: text,
              accounts: z.number(),
              original: digits,
              first_start: maybe(text),
              last_end: maybe(text),
            }),
          ),
        }),
      ),
      unbonding: z.looseObject({
        amount: digits,
        entries: z.number(),
        by_then: digits,
        days: z.array(z.looseObject({ day: text, amount: digits, entries: z.number() })),
        more_days: z.number(),
      }),
    }),
  ),
  genesisValidators: lazy(() =>
    z.looseObject({
      validators: z.array(z.looseObject({ moniker: text, operator_address: text, commission: text, amount: text })),
    }),
  ),
  tallyDetails: lazy(() =>
    z.looseObject({
      fractions: z.array(text),
      votes: digits,
      largest: z.array(z.looseObject({ voter: text, power: digits })),
      validators: z.array(z.looseObject({ operator: text, power: digits, own: digits })),
    }),
  ),
  largestHolders: lazy(() => z.looseObject({ holders: z.array(holderSchema()) })),
  denomOwners: lazy(() => z.looseObject({ denom_owners: z.array(ownerSchema), pagination: maybe(pageSchema) })),
  denomOwnersByQuery: lazy(() => z.looseObject({ denom_owners: z.array(ownerSchema), pagination: maybe(pageSchema) })),
  account: lazy(() => z.looseObject({ account: fields })),
  simulate: lazy(() => z.looseObject({ gas_info: z.looseObject({ gas_used: digits }) })),
  nodeInfo: lazy(() =>
    z.looseObject({
      default_node_info: maybe(z.looseObject({ network: maybe(text) })),
      application_version: maybe(z.looseObject({ cosmos_sdk_version: maybe(text) })),
    }),
  ),
} as const satisfies Readonly<Record<Operation, () => z.ZodMiniType>>;

/** The checked 200 reply of an operation. Strings are snake_case as on the wire. Unknown fields stay. */
export type Reply<O extends Operation> = z.infer<ReturnType<(typeof replies)[O]>>;

export type WireCoin = z.infer<typeof coinSchema>;
export type WirePage = z.infer<typeof pageSchema>;
export type WireProposal = z.infer<typeof proposalSchema>;
export type WireProposalV1 = z.infer<typeof proposalV1Schema>;
export type WireVote = z.infer<typeof voteSchema>;
export type WireDeposit = z.infer<typeof depositSchema>;
/** A tally in the form of v1beta1. Running tallies of gov v1 are converted to it. */
export type WireTally = z.infer<typeof tallySchema>;
export type WireSigningInfo = z.infer<typeof signingInfoSchema>;
export type WireValidator = z.infer<typeof validatorSchema>;
export type WireMetadata = z.infer<typeof denomMetadataSchema>;
export type WireChannel = z.infer<typeof channelSchema>;
export type WireSplit = z.infer<ReturnType<typeof splitSchema>>;
export type WireHolder = z.infer<ReturnType<typeof holderSchema>>;
