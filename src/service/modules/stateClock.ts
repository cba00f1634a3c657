import { type Fields, ownValue } from '../../chain/fields.ts';
import type { ListVisitor, ObjectVisitor, ValueVisitor, Visitor } from '../scan/jsonScanner.ts';
import { isParsedObject, objectVisitor, parseValue, valueVisitor } from '../scan/jsonValue.ts';

/** The time of a state (docs/decisions.md#the-time-of-a-state-file-is-its-own). */
export interface StateClock {
  /** Milliseconds since 1970; undefined if the state names no moment of the past. */
  readonly time: number | undefined;
  /**
   * The field that the time is estimated from (`staking.validators.commission.update_time`); undefined if the state
   * states its time.
   */
  readonly from: string | undefined;
}

interface Moment {
  readonly time: number;
  readonly from: string;
}

/** Further facts that the time of a state depends on. */
interface ClockInputs {
  readonly genesisTime: unknown;
  /** True for a state before the first block. */
  readonly isGenesis: boolean;
  /** The unbonding time in milliseconds. */
  readonly unbondingTime: number | undefined;
}

/** Reads a moment; undefined for the times that mean "not set": 1970 and earlier, and 9999. */
export function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value) || value.startsWith('9999-')) return undefined;
  const time = Date.parse(value);
  return time > 0 ? time : undefined;
}

/** Matches fields of a time, which may hold a number. Any other number is an amount or a height. */
const timeField = /(?:_time|_at|_updated?|\.timestamp)$/;

/** Reads a whole number of seconds, or of milliseconds, microseconds or nanoseconds, since 1970 (2001 to 2096). */
function unixMoment(field: string, value: unknown): number | undefined {
  const digits = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  if (!timeField.test(field) || !/^[1-3]\d{9}(?:\d{3}){0,3}$/.test(digits)) return undefined;
  return Number(digits.slice(0, 10)) * 1000 + Number(digits.slice(10, 13) || 0);
}

/** Finds the latest moment that a state names as past, in any of its modules. */
export class ClockReader {
  #past: Moment | undefined;
  /** The latest moment that is past unless the chain ends votes in its own way. */
  #likely: Moment | undefined;
  /** The latest end of an unbonding, by its field. Its start is past. */
  readonly #ends = new Map<string, number>();
  /** The earliest ends that have not come: of an unbonding, and of a vote or deposit period. */
  readonly #open = { unbonding: Number.POSITIVE_INFINITY, proposal: Number.POSITIVE_INFINITY };
  #ofOthers: Moment | undefined;

  /** Notes a moment of the past: a text, or a number in a field of a time. */
  note(from: string, value: unknown): void {
    this.#past = later(this.#past, from, momentOf(value) ?? unixMoment(from, value));
  }

  /** Notes the end of a vote that has ended. */
  noteEnd(from: string, value: unknown): void {
    this.#likely = later(this.#likely, from, momentOf(value));
  }

  /** Notes the end of an open vote or deposit period. */
  noteOpen(value: unknown): void {
    this.#open.proposal = Math.min(momentOf(value) ?? Number.POSITIVE_INFINITY, this.#open.proposal);
  }

  /** Notes the end of a period that lasts as long as an unbonding. `isOpen` is true before its end. */
  noteUnbonding(from: string, value: unknown, isOpen: boolean): void {
    const end = momentOf(value);
    if (end === undefined) return;
    this.#ends.set(from, Math.max(end, this.#ends.get(from) ?? 0));
    if (isOpen) this.#open.unbonding = Math.min(end, this.#open.unbonding);
  }

  /** Notes a moment by the clock of another chain. */
  noteOther(from: string, value: unknown): void {
    this.#ofOthers = later(this.#ofOthers, from, momentOf(value));
  }

  finish({ genesisTime, isGenesis, unbondingTime }: ClockInputs): StateClock {
    const past = this.#latest(unbondingTime);
    const genesis = momentOf(genesisTime);
    if (genesis !== undefined && genesis >= (past?.time ?? 0))
      return { time: genesis, from: isGenesis ? undefined : 'genesis_time' };
    const { time, from } = past ?? this.#ofOthers ?? {};
    return { time, from };
  }

  /**
   * Gives the latest moment. The end of a vote, or of an unbonding less its time, counts only if nothing that is open
   * had ended by then: the unbonding time may have become shorter since, and a genesis may hold unbondings of any
   * length.
   */
  #latest(unbondingTime: number | undefined): Moment | undefined {
    const begun = [...this.#ends].map(([from, end]) => ({ from, time: end - (unbondingTime ?? end) }));
    const known = this.#past;
    const { unbonding, proposal } = this.#open;
    const bounds = [unbonding, proposal].filter((end) => end > (known?.time ?? 0));
    const derived = [...begun, ...(this.#likely ? [this.#likely] : [])];
    return derived
      .filter(({ time }) => time > 0 && bounds.every((end) => time < end))
      .reduce((latest, { from, time }) => later(latest, from, time), known);
  }
}

function later(known: Moment | undefined, from: string, time: number | undefined): Moment | undefined {
  return time === undefined || time <= (known?.time ?? 0) ? known : { time, from };
}

/** Lists whose rows name a moment of the past, by module and list. */
const pastFields: Readonly<Record<string, string>> = {
  'epochs.epochs': 'current_epoch_start_time',
  'evidence.evidence': 'time',
  'group.groups': 'created_at',
  'group.group_policies': 'created_at',
  'group.proposals': 'submit_time',
  'group.votes': 'submit_time',
};

/** Matches fields whose name says that they are past: `last_applied`, `previous_block_time`, `created_at`. */
const pastName =
  /^(?:last|previous)_(?:[a-z]+_){0,3}?(?:applied|updated?|changed?|block|mint|epoch|accrual|accumulation|distribution|payout|inflation)(?:_time|_at)?$|^(?:created|submitted|updated)_at$|^(?:creation|submit)_time$/;

/** Matches objects whose name says that their time is past, such as `last_min_deposit` of the module gov of AtomOne. */
const pastObject =
  /^(?:last|previous)_(?:[a-z]+_){0,3}?(?:update|change|block|mint|epoch|accrual|accumulation|distribution|payout|inflation|deposit)$/;

/** Matches names of the file that may become part of the name of a field. */
const plainName = /^\w{1,40}$/;

/** Visits a module only for its moments: its own fields, those one level below, and the rows of lists in both. */
export function momentsVisitor(clock: ClockReader, module: string): ObjectVisitor {
  return visitFields((name) => fieldVisitor(clock, module, name, deepestField));
}

function visitFields(member: ObjectVisitor['member']): ObjectVisitor {
  return { kind: 'object', isOptional: true, member };
}

/** Visits a field of a module; with `levels` of 2 also the fields and lists in it. */
function fieldVisitor(clock: ClockReader, path: string, name: string, levels: number): Visitor | undefined {
  const from = `${path}.${name}`;
  const moment = pastVisitor(from, name, (field, value) => clock.note(field, value));
  if (moment) return moment;
  if (!plainName.test(name)) return undefined;
  const field = ownValue(pastFields, from);
  if (field !== undefined) return momentRows((row) => noteRow(clock, `${from}.${field}`, row[field], row));
  if (levels < 2) return visitRows(clock, from);
  const inside = visitFields((inner) => fieldVisitor(clock, from, inner, levels - 1));
  return { ...inside, otherwise: visitRows(clock, from) };
}

/**
 * Visits the rows of a list for the fields that are past in the first row, or in an object in it. A list without them is
 * skipped.
 */
function visitRows(clock: ClockReader, path: string): ListVisitor {
  const known = new Map<string, Visitor>();
  const first = visitFields((name) => {
    const visitor = rowFieldVisitor(clock, path, name, () => {
      if (visitor && known.size < mostMoments) known.set(name, visitor);
    });
    return visitor;
  });
  const later = visitFields((name) => known.get(name));
  let isFirst = true;
  return {
    kind: 'list',
    isOptional: true,
    element: (): Visitor | undefined => {
      if (!isFirst) return known.size > 0 ? later : undefined;
      isFirst = false;
      return first;
    },
  };
}

/** The fields of a row that are visited. */
const mostMoments = 20;

/** Visits a field of a row, and the fields of an object there. `found` is called for a moment. */
function rowFieldVisitor(clock: ClockReader, path: string, name: string, found: () => void): Visitor | undefined {
  const note = (from: string, value: unknown): void => {
    found();
    clock.note(from, value);
  };
  const from = `${path}.${name}`;
  const moment = pastVisitor(from, name, note);
  if (moment || !plainName.test(name)) return moment;
  return visitFields((field) => pastVisitor(`${from}.${field}`, field, note));
}

/** Visits a field whose name says that it is past: a moment, or an object with one. Undefined for any other field. */
function pastVisitor(from: string, name: string, use: (from: string, value: unknown) => void): Visitor | undefined {
  const moment = momentVisitor((value) => use(from, value));
  if (!pastObject.test(name)) return pastName.test(name) ? moment : undefined;
  const inside = visitFields((field) => {
    const isMoment = field === 'time' || field === 'timestamp' || pastName.test(field);
    return isMoment ? momentVisitor((value) => use(`${from}.${field}`, value)) : undefined;
  });
  return { ...inside, otherwise: moment };
}

const longestMoment = 40;

/** Visits a text that may be a moment. Longer values are not parsed. */
function momentVisitor(use: (value: unknown) => void): ValueVisitor {
  return {
    kind: 'value',
    isOptional: true,
    value: (bytes, start, end): void => {
      if (end - start <= longestMoment) use(parseValue(bytes, start, end));
    },
  };
}

/** Notes the fields whose name says that they are past, of an object that was parsed for something else. */
export function noteMoments(clock: ClockReader, path: string, fields: Fields): void {
  for (const [name, value] of Object.entries(fields)) if (pastName.test(name)) clock.note(`${path}.${name}`, value);
}

/** The levels of a module that are visited. */
const deepestField = 2;

function noteRow(clock: ClockReader, from: string, value: unknown, row: Fields): void {
  // An epoch that has not begun may start in the future.
  if (row.epoch_counting_started !== false) clock.note(from, value);
}

/** Visits `ibc.client_genesis.clients_consensus`, the clocks of other chains. */
export function consensusVisitor(clock: ClockReader): ListVisitor {
  const consensus_states = momentRows(({ consensus_state: state }) => {
    if (isParsedObject(state)) clock.noteOther('ibc.client_genesis.clients_consensus.timestamp', state.timestamp);
  });
  const client: ObjectVisitor = { ...objectVisitor({ consensus_states }), isOptional: true };
  return { kind: 'list', isOptional: true, element: () => client };
}

/** Visits a list of objects, without the wrapping of amino. Other values are passed over. */
function momentRows(use: (row: Fields) => void): ListVisitor {
  const row: Visitor = {
    ...valueVisitor((value) => {
      if (isParsedObject(value)) use(isParsedObject(value.value) ? value.value : value);
    }),
    isOptional: true,
  };
  return { kind: 'list', isOptional: true, element: () => row };
}
