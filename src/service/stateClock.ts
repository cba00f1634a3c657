import type { ListVisitor, ObjectVisitor, Visitor } from './jsonScanner.ts';
import { type Fields, isFields, objectVisitor, valueVisitor } from './jsonValue.ts';

/** When a state is of (docs/decisions.md#the-time-of-a-state-file-is-its-own). */
export interface Clock {
  /** Milliseconds since 1970; undefined where the state names no moment of the past. */
  readonly time: number | undefined;
  /** The field that the time is estimated from (`staking.validators.commission.update_time`); undefined where it is stated. */
  readonly from: string | undefined;
}

interface Moment {
  readonly time: number;
  readonly from: string;
}

/** What else is needed to tell the time of a state. */
export interface ClockFacts {
  readonly genesisTime: unknown;
  /** Whether the state is one before the first block. */
  readonly isGenesis: boolean;
  /** Milliseconds that tokens are unbonded for. */
  readonly unbondingTime: number | undefined;
}

/** A moment as states write it; undefined for the times that stand for none, which are of 1970 and before, and of 9999. */
export function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value) || value.startsWith('9999-')) return undefined;
  const time = Date.parse(value);
  return time > 0 ? time : undefined;
}

/** Finds the latest moment that a state names as past, in any of its modules. */
export class ClockReader {
  #past: Moment | undefined;
  /** Moments that are past unless the chain ends votes in a way of its own. */
  #likely: Moment | undefined;
  /** The latest end of an unbonding by its field: what it has begun with is past. */
  readonly #ends = new Map<string, number>();
  /** The earliest end of an unbonding that has not ended, and of a vote or deposit period that has not. */
  readonly #open = { unbonding: Number.POSITIVE_INFINITY, proposal: Number.POSITIVE_INFINITY };
  #ofOthers: Moment | undefined;

  /** Hears of a moment that is past. */
  note(from: string, value: unknown): void {
    this.#past = later(this.#past, from, momentOf(value));
  }

  /** Hears of the end of a vote that has ended. */
  noteEnd(from: string, value: unknown): void {
    this.#likely = later(this.#likely, from, momentOf(value));
  }

  /** Hears of the end of a vote or of a deposit period that runs. */
  noteOpen(value: unknown): void {
    this.#open.proposal = Math.min(momentOf(value) ?? Number.POSITIVE_INFINITY, this.#open.proposal);
  }

  /** Hears of the end of what lasts as long as an unbonding. `isOpen`: it has not ended. */
  noteUnbonding(from: string, value: unknown, isOpen: boolean): void {
    const end = momentOf(value);
    if (end === undefined) return;
    this.#ends.set(from, Math.max(end, this.#ends.get(from) ?? 0));
    if (isOpen) this.#open.unbonding = Math.min(end, this.#open.unbonding);
  }

  /** Hears of a moment by the clock of another chain. */
  noteOther(from: string, value: unknown): void {
    this.#ofOthers = later(this.#ofOthers, from, momentOf(value));
  }

  finish({ genesisTime, isGenesis, unbondingTime }: ClockFacts): Clock {
    const past = this.#latest(unbondingTime);
    const genesis = momentOf(genesisTime);
    if (genesis !== undefined && genesis >= (past?.time ?? 0))
      return { time: genesis, from: isGenesis ? undefined : 'genesis_time' };
    const { time, from } = past ?? this.#ofOthers ?? {};
    return { time, from };
  }

  /**
   * The end of a vote, or of an unbonding less its time, is the latest only where nothing that is open had ended by then: the time
   * may have been shortened since, and a genesis may have written an unbonding of any length.
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

/** Fields that are past by their name, in any module: `last_applied`, `previous_block_time`. */
const pastName =
  /^(?:last|previous)_(?:applied|updated?|block|mint|epoch|accrual|accumulation|distribution|payout|inflation)(?:_time|_at)?$/;

/** Names of the file that stand in the name of a field. */
const plainName = /^\w{1,40}$/;

/** Visits a module that is read for its moments alone: its own fields and those one level below, and the lists that name any. */
export function momentsVisitor(clock: ClockReader, module: string): ObjectVisitor {
  const visit = (path: string, depth: number): ObjectVisitor => ({
    kind: 'object',
    isOptional: true,
    member: (name): Visitor | undefined => {
      const from = `${path}.${name}`;
      if (pastName.test(name)) return { ...valueVisitor((value) => clock.note(from, value)), isOptional: true };
      if (!plainName.test(name)) return undefined;
      const field = depth === 1 && Object.hasOwn(pastFields, from) ? pastFields[from] : undefined;
      if (field !== undefined) return momentRows((row) => noteRow(clock, `${from}.${field}`, row[field], row));
      return depth < deepestField ? visit(from, depth + 1) : undefined;
    },
  });
  return visit(module, 1);
}

/** In levels of a module. */
const deepestField = 2;

function noteRow(clock: ClockReader, from: string, value: unknown, row: Fields): void {
  // The start of an epoch that was not begun may lie in the future.
  if (row.epoch_counting_started !== false) clock.note(from, value);
}

/** `ibc.client_genesis.clients_consensus`: what other chains had for the time. */
export function consensusVisitor(clock: ClockReader): ListVisitor {
  const consensus_states = momentRows(({ consensus_state: state }) => {
    if (isFields(state)) clock.noteOther('ibc.client_genesis.clients_consensus.timestamp', state.timestamp);
  });
  const client: ObjectVisitor = { ...objectVisitor({ consensus_states }), isOptional: true };
  return { kind: 'list', isOptional: true, element: () => client };
}

/** A list of objects, those of amino without what is around them. What is none is passed over. */
function momentRows(use: (row: Fields) => void): ListVisitor {
  const row: Visitor = {
    ...valueVisitor((value) => {
      if (isFields(value)) use(isFields(value.value) ? value.value : value);
    }),
    isOptional: true,
  };
  return { kind: 'list', isOptional: true, element: () => row };
}
