import { bech32 } from '@scure/base';
import { ValueError } from './errors.ts';
import { type Fields, isFields, parseExactly, toCoin, toFields, toList } from './jsonValue.ts';
import type { State } from './state.ts';
import { rowOf, type Table } from './table.ts';
import { addressBytes, longestAddress, voteOptions } from './votes.ts';

/** What one cell of a table holds; bytes are ASCII text. Timestamps are microseconds since 1970 (docs/tables.md). */
export type Cell = string | Buffer | bigint | boolean | null;

export interface Column {
  readonly name: string;
  /** Texts of a `unique` column hardly repeat. */
  readonly type: 'text' | 'unique' | 'integer' | 'boolean' | 'timestamp';
  readonly isOptional: boolean;
}

interface Layout {
  readonly columns: readonly Column[];
  /** What the rows are made of; the rows of a large list are written while it is read. */
  readonly source: (state: State) => Iterable<Fields>;
  /** The rows of one source value. Throws `ValueError` where it has none. */
  readonly rows: (fields: Fields) => readonly (readonly Cell[])[];
  /** The lists of a state whose faults are those of the table. */
  readonly lists: readonly string[];
}

/** To be raised with every change of a column. */
export const layoutVersion = 1;

const column = (type: Column['type'], isOptional: boolean) => (name: string) => ({ name, type, isOptional });
const text = column('text', false);
const unique = column('unique', false);
const maybe = column('text', true);
const integer = column('integer', true);
const id = column('integer', false)('proposal_id');
const boolean = column('boolean', true);
const time = (name: string): readonly Column[] => [column('timestamp', true)(name), maybe(`${name}_text`)];
const times = ['submit_time', 'deposit_end_time', 'voting_start_time', 'voting_end_time'];
const metadataNames = ['display', 'name', 'symbol', 'description', 'uri', 'uri_hash', 'denom_units'];
const counts = ['yes', 'abstain', 'no', 'no_with_veto'];

/** The layout of every table: docs/tables.md. */
export const layouts = {
  supply: {
    columns: [text('denom'), maybe('amount')],
    source: ({ bank }) => rowsOf(bank.supply),
    rows: ({ denom, amount }) => [[toCell(denom), toCell(amount)]],
    lists: ['bank.supply', 'supply.supply'],
  },
  denom_metadata: {
    columns: [text('base'), ...metadataNames.map(maybe)],
    source: ({ bank }) => rowsOf(bank.metadata),
    rows: (metadata) => [['base', ...metadataNames].map((name) => toCell(metadata[name]))],
    lists: ['bank.denom_metadata'],
  },
  balances: {
    columns: [unique('address'), text('denom'), unique('amount')],
    source: () => [],
    rows: () => [],
    lists: ['bank.balances', 'accounts', 'auth.accounts'],
  },
  delegations: {
    columns: [unique('delegator_address'), text('validator_address'), unique('shares')],
    source: () => [],
    rows: () => [],
    lists: ['staking.delegations'],
  },
  unbonding_delegations: {
    columns: [
      ...['delegator_address', 'validator_address'].map(text),
      integer('creation_height'),
      ...time('completion_time'),
      ...['initial_balance', 'balance'].map(maybe),
    ],
    source: () => [],
    rows: (entry) => [
      [
        toCell(entry.delegator_address) ?? '',
        toCell(entry.validator_address) ?? '',
        toInteger(entry.creation_height),
        ...toTimes(entry.completion_time),
        toCell(entry.initial_balance),
        toCell(entry.balance),
      ],
    ],
    lists: ['staking.unbonding_delegations'],
  },
  validators: {
    columns: [
      text('operator_address'),
      ...['account_address', 'moniker', 'status'].map(maybe),
      boolean('jailed'),
      ...['tokens', 'delegator_shares', 'commission_rate', 'min_self_delegation', 'consensus_pubkey'].map(maybe),
      ...['description', 'commission'].map(maybe),
    ],
    source: ({ staking }) => rowsOf(staking.validators),
    rows: (validator) => [
      [
        toCell(validator.operator_address),
        accountOf(String(validator.operator_address)),
        toCell(inside(validator.description).moniker),
        toCell(validator.status),
        validator.jailed === true,
        ...[validator.tokens, validator.delegator_shares, commissionRate(validator.commission)].map(toCell),
        ...[validator.min_self_delegation, validator.consensus_pubkey].map(toCell),
        ...[validator.description, validator.commission].map(toCell),
      ],
    ],
    lists: ['staking.validators'],
  },
  proposals: {
    columns: [
      id,
      ...['status', 'title', 'summary', 'proposer', 'metadata', 'failed_reason'].map(maybe),
      boolean('expedited'),
      ...times.flatMap(time),
      ...['total_deposit', ...counts].map(maybe),
    ],
    source: ({ gov }) => rowsOf(gov.proposals),
    rows: (proposal) => {
      const content = inside(proposal.content);
      const tally = inside(proposal.final_tally_result);
      const { title = content.title, summary = content.description } = proposal;
      return [
        [
          toInteger(proposal.proposal_id ?? proposal.id),
          ...[proposal.status, title, summary, proposal.proposer, proposal.metadata, proposal.failed_reason].map(
            toCell,
          ),
          typeof proposal.expedited === 'boolean' ? proposal.expedited : null,
          ...times.flatMap((name) => toTimes(proposal[name])),
          toCell(proposal.total_deposit),
          ...counts.map((name) => toCell(tally[name] ?? tally[`${name}_count`])),
        ],
      ];
    },
    lists: ['gov.proposals'],
  },
  proposal_messages: {
    columns: [id, column('integer', false)('position'), ...['type_url', 'content'].map(maybe)],
    source: ({ gov }) => rowsOf(gov.proposals),
    rows: (proposal) => {
      const messages = 'messages' in proposal ? proposal.messages : [proposal.content];
      const all = (Array.isArray(messages) ? messages : [messages]).filter((message) => message !== null);
      const own = toInteger(proposal.proposal_id ?? proposal.id);
      return all.map((message, position) => [own, BigInt(position), toCell(inside(message)['@type']), toCell(message)]);
    },
    lists: ['gov.proposals'],
  },
  deposits: {
    columns: [id, ...['depositor', 'denom', 'amount'].map(text)],
    source: ({ gov }) => allRows(gov.deposits),
    rows: ({ proposal_id, depositor, amount }) =>
      toList(amount, '.amount').map((item, index) => {
        const coin = toCoin(item, `.amount[${index}]`);
        return [toInteger(proposal_id), toCell(depositor), coin.denom, coin.amount];
      }),
    lists: ['gov.deposits'],
  },
  votes: {
    columns: [id, text('voter'), ...['option', 'weight', 'metadata'].map(maybe)],
    source: ({ gov }) => allRows(gov.votes),
    rows: (vote) =>
      voteOptions(vote).map((item) => {
        const { option, weight } = inside(item);
        return [toInteger(vote.proposal_id), toCell(vote.voter), toCell(option), toCell(weight), toCell(vote.metadata)];
      }),
    lists: ['gov.votes'],
  },
  params: {
    columns: ['module', 'name', 'value'].map(text),
    source: ({ params }) =>
      Object.entries(params).flatMap(([module, json]) =>
        Object.entries(toFields(parseExactly(json))).map(([name, value]) => ({ module, name, value })),
      ),
    rows: ({ module, name, value }) => [[toCell(module), toCell(name), JSON.stringify(value)]],
    lists: [],
  },
} satisfies Readonly<Record<string, Layout>>;

export type TableName = keyof typeof layouts;

export const tableNames: readonly TableName[] = Object.keys(layouts).filter((name) => isTableName(name));

export function isTableName(name: string): name is TableName {
  return Object.hasOwn(layouts, name);
}

export function layoutOf(name: TableName): Layout {
  return layouts[name];
}

function* rowsOf(table: Table): Generator<Fields> {
  for (let at = 0; at < table.count; at++) yield toFields(parseExactly(Buffer.from(rowOf(table, at)).toString('utf8')));
}

function* allRows(tables: Readonly<Record<string, Table>>): Generator<Fields> {
  for (const table of Object.values(tables)) yield* rowsOf(table);
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

/** Microseconds, and the text where it says more than they do. The zero time means absent. */
function toTimes(value: unknown): readonly [bigint | null, string | null] {
  if (typeof value !== 'string' || value.startsWith('0001-01-01')) return [null, null];
  const [, seconds = '', fraction = ''] = timestamp.exec(value) ?? [];
  const ms = Date.parse(`${seconds}Z`);
  if (Number.isNaN(ms)) return [null, value];
  const micros = BigInt(ms) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
  return [micros, /[1-9]/.test(fraction.slice(6)) ? value : null];
}

/** The account of a validator: the same bytes with the prefix of accounts. Null where the operator is no such address. */
function accountOf(operator: string): string | null {
  const bytes = addressBytes(operator);
  const prefix = /^(.+)valoper1/i.exec(operator)?.[1];
  return bytes && prefix ? bech32.encode(prefix.toLowerCase(), bech32.toWords(bytes), longestAddress) : null;
}

function commissionRate(commission: unknown): unknown {
  const { rate, commission_rates } = inside(commission);
  return inside(commission_rates).rate ?? rate;
}
