import type { Fields } from '../../chain/fields.ts';
import { readModuleParams } from '../modules/moduleParams.ts';
import { statedOptions, tallyNames } from '../modules/votes.ts';
import { isParsedObject, readCoin, scalarText, toFields, toList } from '../scan/jsonValue.ts';
import { ValueError } from '../serviceErrors.ts';
import { decodeAddress, encodeAddress } from '../stateAddresses.ts';
import type { State } from '../stateSnapshot.ts';
import { fieldsAt, type KeyedTable } from '../table.ts';

/** One cell of a table. Bytes are ASCII text. Timestamps are microseconds since 1970 (docs/tables.md). */
export type TableCell = string | Uint8Array | bigint | boolean | null;

export interface TableColumn {
  readonly name: string;
  /** The type of the column. Texts of a `unique` column hardly repeat. */
  readonly type: 'text' | 'unique' | 'integer' | 'boolean' | 'timestamp';
  readonly isOptional: boolean;
  /** Reads the cell of a row. Throws `ValueError`. */
  readonly read: (row: Fields) => TableCell;
}

/**
 * A type with `?` allows null. A `time?` makes two columns: microseconds, and the text of a time that microseconds
 * cannot hold.
 */
type ColumnType = 'text' | 'text?' | 'unique' | 'integer' | 'integer?' | 'boolean?' | 'time?';

/** Columns by name. A cell is the member of that name, unless `read` takes another value. */
type ColumnTable = Readonly<
  Record<string, ColumnType | { readonly type: ColumnType; readonly read: TableColumn['read'] }>
>;

export interface Layout {
  readonly columns: ColumnTable;
  /** Lists of the state whose faults count as faults of this table. */
  readonly lists: readonly string[];
  /** Gives the source values of the rows. Absent for large lists, whose rows are written during the scan. */
  readonly source?: (state: Partial<State>) => Iterable<Fields>;
  /** Gives the rows of one source value; absent if each value is one row. Throws `ValueError`. */
  readonly split?: (fields: Fields) => readonly Fields[];
}

/** The version of the layout. Raise it with every change of a column. */
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

/** The layout of every table (docs/tables.md). */
export const layouts: Readonly<Record<TableName, Layout>> = {
  supply: {
    columns: { denom: 'text', amount: 'text?' },
    lists: ['bank.supply', 'supply.supply'],
    source: ({ bank }) => keyedRows(bank?.supply),
  },
  supply_split: {
    columns: { denom: 'text', class: 'text', name: 'text', amount: 'text' },
    lists: ['bank.balances', 'accounts', 'auth.accounts'],
    source: ({ split }) => keyedRows(split?.denoms),
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
    source: ({ bank }) => keyedRows(bank?.metadata),
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
    source: ({ staking }) => keyedRows(staking?.validators),
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
    source: ({ gov }) => keyedRows(gov?.proposals),
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
    source: ({ gov }) => keyedRows(gov?.proposals),
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
      toList(deposit.amount, '.amount').map((coin, index) => ({ ...deposit, ...readCoin(coin, `.amount[${index}]`) })),
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

/** Gives the columns of a layout in their order. */
export function columnsOf({ columns }: Layout): readonly TableColumn[] {
  return Object.entries(columns).flatMap(([name, column]): readonly TableColumn[] => {
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

function* keyedRows(table: KeyedTable | undefined): Generator<Fields> {
  if (table) for (let at = 0; at < table.count; at++) yield fieldsAt(table, at);
}

function* allRows(tables: Readonly<Record<string, KeyedTable>> | undefined): Generator<Fields> {
  for (const table of Object.values(tables ?? {})) yield* keyedRows(table);
}

function inside(value: unknown): Fields {
  return isParsedObject(value) ? value : {};
}

/** Gives text as it is, and any other value but null as JSON. */
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

/** Gives microseconds since 1970; null for a time that is not set. */
function toMicros(value: unknown): bigint | null {
  const [, seconds = '', fraction = ''] = timestamp.exec(scalarText(value)) ?? [];
  const ms = Date.parse(`${seconds}Z`);
  if (Number.isNaN(ms) || seconds.startsWith('0001-01-01')) return null;
  return BigInt(ms) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

/** Gives the original text of a time that microseconds cannot hold, or that is no time; otherwise null. */
function finerText(value: unknown): string | null {
  if (typeof value === 'string' && value !== '' && !value.startsWith('0001-01-01') && toMicros(value) === null)
    return value;
  const [, , fraction] = timestamp.exec(scalarText(value)) ?? [undefined, undefined, '1234567'];
  return typeof value === 'string' && /[1-9]/.test((fraction ?? '').slice(6)) ? value : null;
}

/**
 * Gives the account of a validator: the same bytes with the prefix of accounts. Null if the operator is no valid
 * address.
 */
function accountOf(operator: string): string | null {
  const address = decodeAddress(operator);
  const prefix = /^(.+)valoper$/.exec(address?.prefix ?? '')?.[1];
  return address && prefix ? encodeAddress(prefix, address.bytes) : null;
}

/** Reads the commission rate, which stands one level higher before SDK 0.38. */
function commissionRate({ commission_rates, rate }: Fields): string | null {
  return toCell(inside(commission_rates).rate ?? rate);
}
