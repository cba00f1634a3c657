import { type Fields, isFields, toCoin, toFields, toList } from './jsonValue.ts';
import { readModuleParams } from './moduleParams.ts';
import { ValueError } from './serviceErrors.ts';
import type { State } from './state.ts';
import { fieldsAt, type Table } from './table.ts';
import { decodeAddress, encodeAddress, statedOptions, tallyNames } from './votes.ts';

/** What one cell of a table holds; bytes are ASCII text. Timestamps are microseconds since 1970 (docs/tables.md). */
export type Cell = string | Buffer | bigint | boolean | null;

export interface Column {
  readonly name: string;
  /** Texts of a `unique` column hardly repeat. */
  readonly type: 'text' | 'unique' | 'integer' | 'boolean' | 'timestamp';
  readonly isOptional: boolean;
  /** Throws `ValueError`. */
  readonly read: (row: Fields) => Cell;
}

export interface Layout {
  readonly columns: readonly Column[];
  /** The lists of a state whose faults are those of the table. */
  readonly lists: readonly string[];
  /** What the rows are made of; absent for large lists, whose rows are written while they are read. */
  readonly source?: (state: Partial<State>) => Iterable<Fields>;
  /** The rows that one source value has; without it, it is one. Throws `ValueError`. */
  readonly split?: (fields: Fields) => readonly Fields[];
}

/** To be raised with every change of a column. */
export const layoutVersion = 1;

const column =
  (type: Column['type'], isOptional: boolean) =>
  (name: string, read: Column['read'] = (row) => toCell(row[name])): Column => ({ name, type, isOptional, read });
const text = column('text', false);
const unique = column('unique', false);
const maybe = column('text', true);
const texts = (...names: readonly string[]) => names.map((name) => maybe(name));
const integer = (name: string, isOptional = false) =>
  column('integer', isOptional)(name, (row) => toInteger(row[name]));
const boolean = (name: string) => column('boolean', true)(name, (row) => row[name] === true);
const time = (name: string): readonly Column[] => [
  column('timestamp', true)(name, (row) => toMicros(row[name])),
  maybe(`${name}_text`, (row) => finerText(row[name])),
];
const proposalId = integer('proposal_id');
const times = ['submit_time', 'deposit_end_time', 'voting_start_time', 'voting_end_time'];

/** The layout of every table: docs/tables.md. */
export const layouts = {
  supply: {
    columns: [text('denom'), maybe('amount')],
    lists: ['bank.supply', 'supply.supply'],
    source: ({ bank }) => rowsOf(bank?.supply),
  },
  supply_split: {
    columns: [text('denom'), text('class'), text('name'), text('amount')],
    lists: ['bank.balances', 'accounts', 'auth.accounts'],
    source: ({ split }) => rowsOf(split?.denoms),
    split: ({ denom, classes }) => toList(classes, '.classes').map((row) => ({ denom, ...toFields(row) })),
  },
  denom_metadata: {
    columns: [text('base'), ...texts('display', 'name', 'symbol', 'description', 'uri', 'uri_hash', 'denom_units')],
    lists: ['bank.denom_metadata'],
    source: ({ bank }) => rowsOf(bank?.metadata),
  },
  balances: {
    columns: [unique('address'), text('denom'), unique('amount')],
    lists: ['bank.balances', 'accounts', 'auth.accounts'],
  },
  delegations: {
    columns: [unique('delegator_address'), text('validator_address'), unique('shares')],
    lists: ['staking.delegations', 'staking.bonds', 'stake.delegations', 'stake.bonds'],
  },
  unbonding_delegations: {
    columns: [
      ...texts('delegator_address', 'validator_address'),
      integer('creation_height', true),
      ...time('completion_time'),
      ...texts('initial_balance', 'balance'),
    ],
    lists: ['staking.unbonding_delegations', 'stake.unbonding_delegations'],
  },
  validators: {
    columns: [
      text('operator_address'),
      maybe('account_address', ({ operator_address }) => accountOf(String(operator_address))),
      maybe('moniker', ({ description }) => toCell(inside(description).moniker)),
      maybe('status'),
      boolean('jailed'),
      ...texts('tokens', 'delegator_shares'),
      maybe('commission_rate', ({ commission }) => commissionRate(inside(commission))),
      ...texts('min_self_delegation', 'consensus_pubkey', 'description', 'commission'),
    ],
    lists: ['staking.validators', 'stake.validators'],
    source: ({ staking }) => rowsOf(staking?.validators),
  },
  proposals: {
    columns: [
      ...[proposalId, maybe('status'), maybe('title'), maybe('summary')],
      ...texts('proposer', 'metadata', 'failed_reason'),
      column('boolean', true)('expedited', ({ expedited }) => (typeof expedited === 'boolean' ? expedited : null)),
      ...times.flatMap(time),
      ...texts('total_deposit', ...tallyNames),
    ],
    lists: ['gov.proposals'],
    source: ({ gov }) => rowsOf(gov?.proposals),
    split: (proposal) => {
      const { title, description } = inside(proposal.content);
      const tally = inside(proposal.final_tally_result);
      const counted = tallyNames.map((name) => [name, tally[name] ?? tally[`${name}_count`]]);
      const proposal_id = proposal.proposal_id ?? proposal.id;
      return [{ title, summary: description, ...proposal, ...Object.fromEntries(counted), proposal_id }];
    },
  },
  proposal_messages: {
    columns: [proposalId, integer('position'), maybe('type_url'), maybe('content')],
    lists: ['gov.proposals'],
    source: ({ gov }) => rowsOf(gov?.proposals),
    split: (proposal) => {
      const { messages = [proposal.content] } = proposal;
      const all = (Array.isArray(messages) ? messages : [messages]).filter((message) => message !== null);
      const proposal_id = proposal.proposal_id ?? proposal.id;
      return all.map((content, position) => ({ proposal_id, position, type_url: inside(content)['@type'], content }));
    },
  },
  deposits: {
    columns: [proposalId, text('depositor'), text('denom'), text('amount')],
    lists: ['gov.deposits'],
    source: ({ gov }) => allRows(gov?.deposits),
    split: (deposit) =>
      toList(deposit.amount, '.amount').map((coin, index) => ({ ...deposit, ...toCoin(coin, `.amount[${index}]`) })),
  },
  votes: {
    columns: [proposalId, text('voter'), ...texts('option', 'weight', 'metadata')],
    lists: ['gov.votes'],
    source: ({ gov }) => allRows(gov?.votes),
    split: (vote) => statedOptions(vote).map((option) => ({ ...vote, ...inside(option) })),
  },
  params: {
    columns: [text('module'), text('name'), text('value', ({ value }) => JSON.stringify(value))],
    lists: [],
    source: ({ params }) =>
      Object.keys(params ?? {}).flatMap((module) =>
        Object.entries(readModuleParams(params ?? {}, module) ?? {}).map(([name, value]) => ({ module, name, value })),
      ),
  },
} satisfies Readonly<Record<string, Layout>>;

export type TableName = keyof typeof layouts;

export const tableNames = Object.keys(layouts).filter(isTableName);

export function isTableName(name: string): name is TableName {
  return Object.hasOwn(layouts, name);
}

function* rowsOf(table: Table | undefined): Generator<Fields> {
  if (table) for (let at = 0; at < table.count; at++) yield fieldsAt(table, at);
}

function* allRows(tables: Readonly<Record<string, Table>> | undefined): Generator<Fields> {
  for (const table of Object.values(tables ?? {})) yield* rowsOf(table);
}

function inside(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Text stays as it is; what else is not null becomes JSON text. */
function toCell(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function toInteger(value: unknown): bigint | null {
  if (value === undefined || value === null) return null;
  const number = /^-?\d{1,20}$/.test(String(value)) ? BigInt(String(value)) : undefined;
  if (number === undefined || BigInt.asIntN(64, number) !== number)
    throw new ValueError('Expected a whole number of at most 63 bits');
  return number;
}

const timestamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/** Microseconds since 1970; null for a time that is not set. */
function toMicros(value: unknown): bigint | null {
  const [, seconds = '', fraction = ''] = timestamp.exec(String(value)) ?? [];
  const ms = Date.parse(`${seconds}Z`);
  if (Number.isNaN(ms) || seconds.startsWith('0001-01-01')) return null;
  return BigInt(ms) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

/** The time as it came, where microseconds do not hold all of it; so does what is no time. */
function finerText(value: unknown): string | null {
  if (typeof value === 'string' && value !== '' && !value.startsWith('0001-01-01') && toMicros(value) === null)
    return value;
  const [, , fraction] = timestamp.exec(String(value)) ?? [undefined, undefined, '1234567'];
  return typeof value === 'string' && /[1-9]/.test((fraction ?? '').slice(6)) ? value : null;
}

/** The account of a validator: the same bytes with the prefix of accounts. Null where the operator is no such address. */
function accountOf(operator: string): string | null {
  const address = decodeAddress(operator);
  const prefix = /^(.+)valoper$/.exec(address?.prefix ?? '')?.[1];
  return address && prefix ? encodeAddress(prefix, address.bytes) : null;
}

/** Before SDK 0.38 the rate stands one level higher. */
function commissionRate({ commission_rates, rate }: Fields): string | null {
  return toCell(inside(commission_rates).rate ?? rate);
}
