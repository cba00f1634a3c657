import type { Disposable } from '../chain/emitter.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Time as the watch list and the panel read it; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970 by this machine's clock; jumps when the clock is set. */
  now(): number;
  /** Whole milliseconds that never jump. Whether they run on while the machine sleeps depends on the system. */
  monotonic(): number;
  /** Runs once, `milliseconds` from now. */
  after(milliseconds: number, run: () => void): Disposable;
}

/** The machine's own clock. Its timers hold no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.floor(performance.now()),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
};

/**
 * The time of a node: the `Date` header of its last reply, carried on by a clock that cannot be set. This machine's time
 * where the node never sent one.
 */
export class NodeClock {
  readonly #clock: Clock;
  #learned: { readonly time: number; readonly at: number } | undefined;
  #isKnown = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#learned ? this.#learned.time + this.#clock.monotonic() - this.#learned.at : this.#clock.now();
  }

  /** Whether the node has answered since the time was last in doubt. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Called for each reply. The header is cut to seconds, so half a second is added. */
  learn(date: Date | undefined): void {
    this.#isKnown = true;
    if (date) this.#learned = { time: date.getTime() + second / 2, at: this.#clock.monotonic() };
  }

  /** The machine slept, or its clock was set: the time is not known until the next reply. */
  doubt(): void {
    this.#isKnown = false;
    this.#learned = undefined;
  }
}

/** Differences that clock keeping and a busy machine make. */
const tolerance = 2 * second;

/** Detects what timers do not notice: that the machine slept, or that its clock was set. */
export class ClockJumps {
  readonly #clock: Clock;
  #offset: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offset = clock.now() - clock.monotonic();
  }

  /** Whether there was a jump since the last call. */
  check(): boolean {
    const before = this.#offset;
    this.#offset = this.#clock.now() - this.#clock.monotonic();
    return Math.abs(this.#offset - before) > tolerance;
  }
}

/**
 * When to read a proposal whose period ended at `end`. The chain closes it with its next block, so: soon, and more and more
 * rarely while blocks do not come. `readAt` is when it was last read. All times are of the node's clock.
 */
export function nextCheck(end: number, readAt: number | undefined): number {
  return readAt === undefined || readAt < end ? end + 2 * second : readAt + checkDelay(readAt - end);
}

function checkDelay(late: number): number {
  if (late < 10 * second) return 3 * second;
  if (late < minute) return 5 * second;
  if (late < 10 * minute) return 30 * second;
  return late < 24 * hour ? 5 * minute : hour;
}

/**
 * Milliseconds to wait before an endpoint that has not answered for `downFor` milliseconds is asked again. While the result
 * of an ended period is due there (`overdue`): every 8 s for a quarter of an hour. Never more than 10 minutes.
 */
export function retryDelay(downFor: number, overdue: boolean): number {
  return overdue
    ? Math.min(5 * minute, Math.max(8 * second, Math.round(downFor / 120)))
    : Math.min(10 * minute, Math.max(15 * second, Math.round(downFor / 2)));
}
