import { type Fields, isFields, scalarText, toCoin, toFields, toList } from './jsonValue.ts';
import { readModuleParams } from './moduleParams.ts';
import { ValueError } from './serviceErrors.ts';
import type { State } from './state.ts';
import { fieldsAt, type Table } from './table.ts';
import { decodeAddress, encodeAddress, statedOptions, tallyNames } from './votes.ts';

/** What one cell of a table holds; bytes are ASCII text. Timestamps are microseconds since 1970 (docs/tables.md). */
export type Cell = string | Uint8Array | bigint | boolean | null;

export interface Column {
  readonly name: string;
  /** Texts of a `unique` column hardly repeat. */
  readonly type: 'text' | 'unique' | 'integer' | 'boolean' | 'timestamp';
  readonly isOptional: boolean;
  /** Throws `ValueError`. */
  readonly read: (row: Fields) => Cell;
}

/** With `?`: a cell may be null. A `time?` is two columns: microseconds, and the text of what they do not hold. */
type ColumnType = 'text' | 'text?' | 'unique' | 'integer' | 'integer?' | 'boolean?' | 'time?';

/** The columns by their names; a cell is the member of that name unless `read` says otherwise. */
type ColumnTable = Readonly<Record<string, ColumnType | { readonly type: ColumnType; readonly read: Column['read'] }>>;

export interface Layout {
  readonly columns: ColumnTable;
  /** The lists of a state whose faults are those of the table. */
  readonly lists: readonly string[];
  /** What the rows are made of; absent for large lists, whose rows are written while they are read. */
  readonly source?: (state: Partial<State>) => Iterable<Fields>;
  /** The rows that one source value has; without it, it is one. Throws `ValueError`. */
  readonly split?: (fields: Fields) => readonly Fields[];
}

/** To be raised with every change of a column. */
export const layoutVersion = 1;

export const tableNames = [
  'supply',
  'supply_split',
  'denom_metadata',
  'balances',
  'delegations',
  'unbonding_delegations',
  'validators',
  'proposals',
  'proposal_messages',
  'deposits',
  'votes',
  'params',
] as const;

export type TableName = (typeof tableNames)[number];

/** The layout of every table: docs/tables.md. */
export const layouts: Readonly<Record<TableName, Layout>> = {
  supply: {
    columns: { denom: 'text', amount: 'text?' },
    lists: ['bank.supply', 'supply.supply'],
    source: ({ bank }) => rowsOf(bank?.supply),
  },
  supply_split: {
    columns: { denom: 'text', class: 'text', name: 'text', amount: 'text' },
    lists: ['bank.balances', 'accounts', 'auth.accounts'],
    source: ({ split }) => rowsOf(split?.denoms),
    split: ({ denom, classes }) => toList(classes, '.classes').map((row) => ({ denom, ...toFields(row) })),
  },
  denom_metadata: {
    columns: {
      base: 'text',
      display: 'text?',
      name: 'text?',
      symbol: 'text?',
      description: 'text?',
      uri: 'text?',
      uri_hash: 'text?',
      denom_units: 'text?',
    },
    lists: ['bank.denom_metadata'],
    source: ({ bank }) => rowsOf(bank?.metadata),
  },
  balances: {
    columns: { address: 'unique', denom: 'text', amount: 'unique' },
    lists: ['bank.balances', 'accounts', 'auth.accounts'],
  },
  delegations: {
    columns: { delegator_address: 'unique', validator_address: 'text', shares: 'unique' },
    lists: ['staking.delegations', 'staking.bonds', 'stake.delegations', 'stake.bonds'],
  },
  unbonding_delegations: {
    columns: {
      delegator_address: 'text?',
      validator_address: 'text?',
      creation_height: 'integer?',
      completion_time: 'time?',
      initial_balance: 'text?',
      balance: 'text?',
    },
    lists: ['staking.unbonding_delegations', 'stake.unbonding_delegations'],
  },
  validators: {
    columns: {
      operator_address: 'text',
      account_address: { type: 'text?', read: ({ operator_address }) => accountOf(scalarText(operator_address)) },
      moniker: { type: 'text?', read: ({ description }) => toCell(inside(description).moniker) },
      status: 'text?',
      jailed: { type: 'boolean?', read: ({ jailed }) => jailed === true },
      tokens: 'text?',
      delegator_shares: 'text?',
      commission_rate: { type: 'text?', read: ({ commission }) => commissionRate(inside(commission)) },
      min_self_delegation: 'text?',
      consensus_pubkey: 'text?',
      description: 'text?',
      commission: 'text?',
    },
    lists: ['staking.validators', 'stake.validators'],
    source: ({ staking }) => rowsOf(staking?.validators),
  },
  proposals: {
    columns: {
      proposal_id: 'integer',
      status: 'text?',
      title: 'text?',
      summary: 'text?',
      proposer: 'text?',
      metadata: 'text?',
      failed_reason: 'text?',
      expedited: 'boolean?',
      submit_time: 'time?',
      deposit_end_time: 'time?',
      voting_start_time: 'time?',
      voting_end_time: 'time?',
      total_deposit: 'text?',
      yes: 'text?',
      abstain: 'text?',
      no: 'text?',
      no_with_veto: 'text?',
    },
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
    columns: { proposal_id: 'integer', position: 'integer', type_url: 'text?', content: 'text?' },
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
    columns: { proposal_id: 'integer', depositor: 'text', denom: 'text', amount: 'text' },
    lists: ['gov.deposits'],
    source: ({ gov }) => allRows(gov?.deposits),
    split: (deposit) =>
      toList(deposit.amount, '.amount').map((coin, index) => ({ ...deposit, ...toCoin(coin, `.amount[${index}]`) })),
  },
  votes: {
    columns: { proposal_id: 'integer', voter: 'unique', option: 'text?', weight: 'text?', metadata: 'text?' },
    lists: ['gov.votes'],
    source: ({ gov }) => allRows(gov?.votes),
    split: (vote) => statedOptions(vote).map((option) => ({ ...vote, ...inside(option) })),
  },
  params: {
    columns: { module: 'text', name: 'text', value: { type: 'text', read: ({ value }) => JSON.stringify(value) } },
    lists: [],
    source: ({ params }) =>
      Object.keys(params ?? {}).flatMap((module) =>
        Object.entries(readModuleParams(params ?? {}, module) ?? {}).map(([name, value]) => ({ module, name, value })),
      ),
  },
};

export function isTableName(name: string): name is TableName {
  return Object.hasOwn(layouts, name);
}

/** The columns of a layout, in their order. */
export function columnsOf({ columns }: Layout): readonly Column[] {
  return Object.entries(columns).flatMap(([name, column]): readonly Column[] => {
    const { type: typeName, read } = typeof column === 'string' ? { type: column, read: undefined } : column;
    const isOptional = typeName.endsWith('?');
    switch (typeName) {
      case 'time?':
        return [
          { name, type: 'timestamp', isOptional, read: (row) => toMicros(row[name]) },
          { name: `${name}_text`, type: 'text', isOptional, read: (row) => finerText(row[name]) },
        ];
      case 'integer':
      case 'integer?':
        return [{ name, type: 'integer', isOptional, read: read ?? ((row) => toInteger(row[name])) }];
      case 'boolean?':
        return [{ name, type: 'boolean', isOptional, read: read ?? ((row) => toBoolean(row[name])) }];
      default: {
        const type = typeName === 'unique' ? 'unique' : 'text';
        return [{ name, type, isOptional, read: read ?? ((row) => toCell(row[name])) }];
      }
    }
  });
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

function toBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

function toInteger(value: unknown): bigint | null {
  if (value === undefined || value === null) return null;
  const number = /^-?\d{1,20}$/.test(scalarText(value)) ? BigInt(scalarText(value)) : undefined;
  if (number === undefined || BigInt.asIntN(64, number) !== number)
    throw new ValueError('Expected a whole number of at most 63 bits');
  return number;
}

const timestamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/** Microseconds since 1970; null for a time that is not set. */
function toMicros(value: unknown): bigint | null {
  const [, seconds = '', fraction = ''] = timestamp.exec(scalarText(value)) ?? [];
  const ms = Date.parse(`${seconds}Z`);
  if (Number.isNaN(ms) || seconds.startsWith('0001-01-01')) return null;
  return BigInt(ms) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

/** The time as it came, where microseconds do not hold all of it; so does what is no time. */
function finerText(value: unknown): string | null {
  if (typeof value === 'string' && value !== '' && !value.startsWith('0001-01-01') && toMicros(value) === null)
    return value;
  const [, , fraction] = timestamp.exec(scalarText(value)) ?? [undefined, undefined, '1234567'];
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
