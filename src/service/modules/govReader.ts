import { statusNames } from '../../api/wireValues.ts';
import { type Fields, ownValue } from '../../chain/fields.ts';
import type { GovForm } from '../../chain/gov/proposal.ts';
import type { ObjectVisitor, Visitor } from '../scan/jsonScanner.ts';
import {
  fieldsVisitor,
  isParsedObject,
  objectVisitor,
  RowSpace,
  rowsVisitor,
  scalarText,
  toDigits,
  toEnumName,
  toFields,
  valueVisitor,
} from '../scan/jsonValue.ts';
import { ValueError } from '../serviceErrors.ts';
import { decodeAddress, encodeAddress, toAddressKey, toAddressText } from '../stateAddresses.ts';
import { type KeyedRow, type KeyedTable, toTable, toTables } from '../table.ts';
import type { ClockReader } from './stateClock.ts';
import { readVote, type StateVote, tallyNames } from './votes.ts';

export interface GovState {
  /**
   * The key is `toIdKey` of the id. The row is the proposal as the state holds it, with the id first. The tag is the
   * index of its status in `statusNames`, or 255.
   */
  readonly proposals: KeyedTable;
  /** The form of the proposals: v1 if at least one proposal has it. */
  readonly form: GovForm;
  /** True if the state names any vote, readable or not. */
  readonly hasVotes: boolean;
  /** The votes by proposal id. The key is `toAddressKey` of the voter, the row the vote as it came. */
  readonly votes: Readonly<Record<string, KeyedTable>>;
  /**
   * The deposits by proposal id. The key is `toAddressKey` of the depositor, the row
   * `{"proposal_id","depositor","amount"}`.
   */
  readonly deposits: Readonly<Record<string, KeyedTable>>;
  /** The groups of parameters as JSON, as they came. */
  readonly params: string;
  /** The constitution (SDK 0.50 and later); undefined if the state has none. */
  readonly constitution: string | undefined;
  /** The address of the gov module; "" if no address of the state shows the chain's prefix. */
  readonly authority: string;
}

const names: readonly string[] = statusNames;
/** The tag of proposals in their voting period. */
export const votingPeriod = statusNames.indexOf('PROPOSAL_STATUS_VOTING_PERIOD');
const depositPeriod = statusNames.indexOf('PROPOSAL_STATUS_DEPOSIT_PERIOD');
/** Statuses of proposals whose vote has ended. */
const endedStatuses = ['PASSED', 'REJECTED', 'FAILED'].map((name) => names.indexOf(`PROPOSAL_STATUS_${name}`));

/** Collects `app_state.gov` during the scan. */
export class GovReader {
  readonly #proposals = new Map<bigint, StoredProposal>();
  /** The bytes that are left for proposals. */
  #space = maxProposalBytes;
  /** Votes by proposal, then by the key of the voter. */
  readonly #votes = new Map<bigint, Map<string, StateVote>>();
  readonly #deposits = new Map<bigint, Map<string, KeyedRow>>();
  readonly #params = new Map<string, unknown>();
  readonly #clock: ClockReader;
  #unreadableVotes = 0;
  #constitution: string | undefined;
  /** True if a proposal has a form that SDK 0.36 dropped. */
  isBefore036 = false;
  /** The prefix of the chain's addresses, once an address has been read. */
  #prefix: string | undefined;

  constructor(clock: ClockReader) {
    this.#clock = clock;
  }

  visitor(end: () => void): ObjectVisitor {
    const group = (name: string): Visitor => valueVisitor((value) => this.#params.set(name, value));
    const element = (): ObjectVisitor => {
      const space = new RowSpace(this.#space);
      const add = (fields: unknown): void => {
        if (space.isUsed) throw new ValueError(noSpace);
        this.#addProposal(fields);
      };
      return fieldsVisitor(add, space, ['content']);
    };
    const members = {
      proposals: { kind: 'list' as const, element },
      votes: rowsVisitor(
        (vote) => this.#addVote(vote),
        () => this.#unreadableVotes++,
      ),
      deposits: rowsVisitor((deposit) => this.#addDeposit(deposit)),
      deposit_params: group('deposit_params'),
      voting_params: group('voting_params'),
      tally_params: group('tally_params'),
      constitution: valueVisitor((value) => {
        if (typeof value === 'string') this.#constitution = value;
      }),
      // The names of the same groups in SDK 0.25 and earlier.
      deposit_period: group('deposit_params'),
      voting_period: group('voting_params'),
      tallying_procedure: group('tally_params'),
    };
    return objectVisitor(members, end);
  }

  /**
   * Ends the scan. All times of the proposals move by `shift` milliseconds. `address` is any account of the chain and
   * shows its prefix.
   */
  finish(shift: number, address: string | undefined): GovState {
    const all = [...this.#proposals.values()];
    const rows = all.map(({ id, status, json }): KeyedRow => {
      const row = shift === 0 ? json : shiftTimes(json.toString(), shift);
      return { key: toIdKey(id).toString('latin1'), row, tag: status };
    });
    this.#notePrefix(address);
    return {
      proposals: toTable(rows),
      form: all.some(({ form }) => form === 'v1') ? 'v1' : 'v1beta1',
      hasVotes: this.#votes.size + this.#unreadableVotes > 0,
      votes: toTables(valuesById(this.#votes)),
      deposits: toTables(valuesById(this.#deposits)),
      params: JSON.stringify(Object.fromEntries(this.#params)),
      constitution: this.#constitution,
      authority: this.#prefix === undefined ? '' : encodeAddress(this.#prefix, govAccount),
    };
  }

  /** Reads `params` of SDK 0.47 and later. */
  readParams(params: unknown): void {
    this.#params.set('params', params);
  }

  /** The votes on open proposals that have been read so far; undefined if one of them cannot be read. */
  get liveVotes(): ReadonlyMap<bigint, readonly StateVote[]> | undefined {
    if (this.#unreadableVotes > 0) return undefined;
    return valuesById(new Map([...this.#votes].filter(([id]) => this.#proposals.get(id)?.status === votingPeriod)));
  }

  #addProposal(fields: unknown): void {
    const wire = toFields(fields);
    const { id, form, status, fields: row } = readProposal(fromAmino(wire));
    this.isBefore036 ||= 'proposal_content' in wire || ('value' in wire && 'type' in wire);
    if (this.#proposals.has(id)) throw new ValueError(`Proposal ${id} appears twice`);
    const json = Buffer.from(JSON.stringify(row));
    if (json.length > this.#space) throw new ValueError(noSpace);
    this.#space -= json.length;
    this.#proposals.set(id, { id, form, status, json });
    this.#clock.note('gov.proposals.submit_time', row.submit_time);
    this.#clock.note('gov.proposals.voting_start_time', row.voting_start_time);
    if (status === votingPeriod) this.#clock.noteOpen(row.voting_end_time);
    if (status === depositPeriod) this.#clock.noteOpen(row.deposit_end_time);
    if (endedStatuses.includes(status)) this.#clock.noteEnd('gov.proposals.voting_end_time', row.voting_end_time);
  }

  #addVote(value: unknown): void {
    const { id, inner } = readGovItem(value, 'vote');
    const vote = readVote(inner, id);
    this.#notePrefix(vote.voter);
    addUnderId(this.#votes, id, vote);
  }

  #addDeposit(value: unknown): void {
    const { id, inner } = readGovItem(value, 'deposit');
    const depositor = toAddressText(inner.depositor ?? inner.depositer, '.depositor');
    const row = JSON.stringify({ proposal_id: String(id), depositor, amount: inner.amount ?? [] });
    this.#notePrefix(depositor);
    addUnderId(this.#deposits, id, { key: toAddressKey(depositor), row });
  }

  #notePrefix(address: string | undefined): void {
    this.#prefix ??= address === undefined ? undefined : decodeAddress(address)?.prefix;
  }
}

function addUnderId<T extends KeyedRow>(all: Map<bigint, Map<string, T>>, id: bigint, one: T): void {
  const own = all.get(id) ?? new Map<string, T>();
  all.set(id, own.set(one.key, one));
}

/** Flattens a map of maps into the rows of each proposal. */
function valuesById<T>(all: ReadonlyMap<bigint, ReadonlyMap<string, T>>): ReadonlyMap<bigint, readonly T[]> {
  return new Map([...all].map(([id, own]) => [id, [...own.values()]]));
}

/** Gives the key of a proposal: its id as 8 bytes, big-endian (docs/nodes.md#page-keys). */
export function toIdKey(id: bigint): Buffer {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(id);
  return key;
}

/** Reads a vote or a deposit. Before SDK 0.36, its address stands one level deeper, in `vote` or `deposit`. */
function readGovItem(value: unknown, wrapper: string): { readonly id: bigint; readonly inner: Fields } {
  const item = toFields(value);
  const inner = isParsedObject(item[wrapper]) ? item[wrapper] : item;
  return { id: toId(item.proposal_id ?? inner.proposal_id, '.proposal_id'), inner };
}

function toId(value: unknown, path: string): bigint {
  const id = BigInt(toDigits(value, path));
  if (id >= 2n ** 64n) throw new ValueError('The id is larger than 64 bits', path);
  return id;
}

/** The account of a module is the first 20 bytes of the SHA-256 of its name, here "gov" (x/auth/types/account.go). */
const govAccount = Buffer.from('7b5fe22b5446f7c62ea27b8bd71cef94e03f3df2', 'hex');

const zeroTime = '0001-01-01T00:00:00Z';

/** For each form: the names of the id and of the counts of a tally, and the values of fields that are not set. */
const forms = {
  v1beta1: {
    id: 'proposal_id',
    suffix: '',
    noTime: zeroTime,
    noTally: {},
    body: ({ content = null }: Fields): Fields => ({ content }),
  },
  v1: {
    id: 'id',
    suffix: '_count',
    noTime: null,
    noTally: null,
    body: ({ messages }: Fields): Fields => ({ messages: messages ?? [] }),
  },
} as const satisfies Readonly<Record<GovForm, object>>;

/** Tells the form of a proposal of a state by its first field. */
export function formOf(row: string): GovForm {
  return row.startsWith('{"id"') ? 'v1' : 'v1beta1';
}

/** A proposal as it is kept while a state is read: its text, and the few values that are asked of every proposal. */
interface StoredProposal {
  readonly id: bigint;
  readonly form: GovForm;
  readonly status: number;
  readonly json: Buffer;
}

/** The limit for all proposals of a state. Packing them needs this memory twice for a moment. */
const maxProposalBytes = 128 * 1024 * 1024;
const noSpace = `Earlier proposals already take up ${maxProposalBytes >> 20} MiB`;

interface ParsedProposal {
  readonly id: bigint;
  readonly form: GovForm;
  /** The status as a number of the wire. */
  readonly status: number;
  readonly fields: Fields;
}

/**
 * Reads a proposal. Missing fields become empty, as a node answers them; all others stay as they are. Throws
 * `ValueError` without an id.
 */
function readProposal(wire: Fields): ParsedProposal {
  const form: GovForm = !('proposal_id' in wire) && ('id' in wire || 'messages' in wire) ? 'v1' : 'v1beta1';
  const { id: idName, suffix, noTally } = forms[form];
  const id = toId(wire[idName], `.${idName}`);
  const { [idName]: _, ...rest } = wire;
  const body = forms[form].body(wire);
  const tally = wire.final_tally_result ?? noTally;
  const counts = isParsedObject(tally)
    ? { ...Object.fromEntries(tallyNames.map((name) => [name + suffix, '0'])), ...tally }
    : tally;
  const fields = { ...body, ...sharedFields(wire, form, counts) };
  // A repeated key keeps its first place and its last value, as in Go.
  const ordered: Fields = { [idName]: String(id), ...fields, ...rest, ...fields };
  return { id, form, status: statusNumber(wire.status), fields: ordered };
}

function sharedFields(wire: Fields, form: GovForm, final_tally_result: unknown): Fields {
  const { noTime } = forms[form];
  const toTime = (time: unknown): unknown => (time === zeroTime ? noTime : (time ?? noTime));
  return {
    status: wire.status ?? statusNames[0],
    final_tally_result,
    submit_time: toTime(wire.submit_time),
    deposit_end_time: toTime(wire.deposit_end_time),
    total_deposit: wire.total_deposit ?? [],
    voting_start_time: toTime(wire.voting_start_time),
    voting_end_time: toTime(wire.voting_end_time),
  };
}

/**
 * Gives the number of a status, by its name or by the number that a chain writes for a status of its own; 255 for any
 * other value.
 */
function statusNumber(wire: unknown): number {
  const index = typeof wire === 'number' ? wire : names.indexOf(scalarText(wire));
  return index in names ? index : 255;
}

/** Gives a tally the names of the other form. Missing counts become zero. A value that is no tally stays as it is. */
export function renameTally(tally: unknown, from: GovForm, to: GovForm): unknown {
  const counts = tally ?? {};
  if (!isParsedObject(counts)) return counts;
  const { suffix } = forms[to];
  return Object.fromEntries(tallyNames.map((name) => [name + suffix, counts[name + forms[from].suffix] ?? '0']));
}

/**
 * Converts v1 to v1beta1 as nodes of SDK 0.46.8 and later do: one legacy message gives its content, any other single
 * message stands as the content itself. Undefined for none or several messages, which nodes refuse to convert
 * (docs/nodes.md#v1-to-v1beta1).
 */
export function toV1beta1(v1: Fields): Fields | undefined {
  const messages: readonly unknown[] = Array.isArray(v1.messages) ? v1.messages : [v1.messages];
  const [message] = messages;
  if (messages.length !== 1) return undefined;
  const isLegacy = isParsedObject(message) && message['@type'] === '/cosmos.gov.v1.MsgExecLegacyContent';
  const content = isLegacy ? (message.content ?? null) : message;
  const tally = renameTally(v1.final_tally_result, 'v1', 'v1beta1');
  return { proposal_id: v1.id, content, ...sharedFields(v1, 'v1beta1', tally) };
}

/**
 * Converts v1beta1 to v1 as the migration to SDK 0.46 does (x/gov/migrations/v3). `authority` is the address of the gov
 * module, or "" if it is not known.
 */
export function toV1(v1beta1: Fields, authority: string): Fields {
  const { content } = v1beta1;
  const known = isParsedObject(content) ? content : {};
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const legacy = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content, authority };
  const tally = renameTally(v1beta1.final_tally_result, 'v1beta1', 'v1');
  return {
    id: v1beta1.proposal_id,
    messages: isParsedObject(content) ? [legacy] : (content ?? []),
    ...sharedFields(v1beta1, 'v1', tally),
    metadata: '',
    title: text(known.title),
    summary: text(known.description),
    proposer: '',
  };
}

const rfc3339 = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z"/g;

/** Moves every time in a JSON text by `shift` milliseconds. The zero time means "not set" and stays. */
function shiftTimes(json: string, shift: number): string {
  return json.replace(rfc3339, (text, seconds: string, fraction: string | undefined) => {
    const time = Date.parse(`${seconds}Z`);
    if (Number.isNaN(time) || seconds.startsWith('0001-01-01')) return text;
    return JSON.stringify(new Date(time + Math.round(Number(fraction ?? 0) * 1000) + shift).toISOString());
  });
}

/** Modules of contents that had no module in their name before SDK 0.40. */
const contentModules: Readonly<Record<string, string>> = {
  TextProposal: 'gov',
  ParameterChangeProposal: 'params',
  CommunityPoolSpendProposal: 'distribution',
  SoftwareUpgradeProposal: 'upgrade',
  CancelSoftwareUpgradeProposal: 'upgrade',
};

/**
 * Converts a proposal of SDK 0.39 and earlier to the v1beta1 form; returns any other value as it is. There are three
 * older forms: `{content: {type, value}, id, proposal_status}` (0.36 to 0.39), `{proposal_content: {…}, proposal_id}`
 * (0.34), and `{type, value: {title, description, proposal_id, …}}` with the content among the other fields (0.33 and
 * earlier).
 */
function fromAmino(wire: Fields): Fields {
  const value = typeof wire.type === 'string' && isParsedObject(wire.value) ? wire.value : wire;
  // A fork of SDK 0.2x keeps the common fields one level deeper.
  const proposal = isParsedObject(value.BasicProposal) ? { ...value.BasicProposal, ...value } : value;
  if (!('proposal_status' in proposal)) return wire;
  const { id, proposal_status, content, proposal_content, title, description, proposal_type, tally_result, ...others } =
    proposal;
  const { BasicProposal: _, ...rest } = others;
  return {
    ...rest,
    final_tally_result: isParsedObject(tally_result) ? toWholeTally(tally_result) : rest.final_tally_result,
    proposal_id: proposal.proposal_id ?? id,
    content: toContent(
      content ?? proposal_content ?? { type: wire.type, value: { title, description, proposal_type } },
    ),
    status: toEnumName(proposal_status || 'Unspecified', 'PROPOSAL_STATUS_', statusNames),
  };
}

/** Cuts counts to whole units, as nodes do. SDK 0.30 and earlier write decimals. */
function toWholeTally(tally: Fields): Fields {
  const cut = (count: unknown): unknown => (typeof count === 'string' ? count.replace(/^(\d+)\.\d+$/, '$1') : count);
  return Object.fromEntries(Object.entries(tally).map(([name, count]) => [name, cut(count)]));
}

/** The contents that a text of SDK 0.34 and earlier may be of, by its `proposal_type` (x/gov/proposals.go). */
const contentsByKind: Readonly<Record<string, string>> = {
  ParameterChange: 'ParameterChangeProposal',
  SoftwareUpgrade: 'SoftwareUpgradeProposal',
};

/** Converts `{type, value}` to `{"@type", …}`. An unknown name stays as it is. */
function toContent(amino: unknown): unknown {
  if (!isParsedObject(amino) || typeof amino.type !== 'string' || !isParsedObject(amino.value)) return amino;
  const { proposal_type: kind, ...value } = amino.value;
  const [, stated = ''] = /^(?:gov|cosmos-sdk)\/(\w+)$/.exec(amino.type) ?? [];
  const isKind = stated === 'TextProposal' && typeof kind === 'string' && Object.hasOwn(contentsByKind, kind);
  const name = isKind ? (contentsByKind[kind] ?? stated) : stated;
  const module = ownValue(contentModules, name);
  return { '@type': module ? `/cosmos.${module}.v1beta1.${name}` : amino.type, ...value };
}
