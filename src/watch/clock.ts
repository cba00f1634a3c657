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

/** No timer runs longer: a machine that slept, or whose clock was set, is noticed within a minute. */
const longestWait = 60_000;

/**
 * Calls `check` when a period has ended, and again at growing distances (`nextCheck`) until another end is set, or none.
 * Nothing is called while it is paused; what was due meanwhile is called at once afterwards.
 */
export class EndCheck implements Disposable {
  readonly #clock: Clock;
  readonly #check: () => Promise<void>;
  #end: number | undefined;
  #checkedAt: number | undefined;
  #paused = false;
  #checking = false;
  #disposed = false;
  #timer: Disposable | undefined;

  /** `check` never rejects. */
  constructor(clock: Clock, check: () => Promise<void>) {
    this.#clock = clock;
    this.#check = check;
  }

  /** Milliseconds since 1970, or undefined where no period is open. The same end again changes nothing. */
  set(end: number | undefined): void {
    if (end === this.#end) return;
    this.#end = end;
    this.#checkedAt = undefined;
    this.#plan();
  }

  pause(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.#plan();
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
  }

  #plan(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#end === undefined || this.#paused || this.#checking || this.#disposed) return;
    const left = nextCheck(this.#end, this.#checkedAt) - this.#clock.now();
    if (left <= 0) void this.#run();
    else this.#timer = this.#clock.after(Math.min(left, longestWait), () => this.#plan());
  }

  async #run(): Promise<void> {
    this.#checking = true;
    this.#checkedAt = this.#clock.now();
    await this.#check();
    this.#checking = false;
    this.#plan();
  }
}
