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
  after(milliseconds, run): Disposable {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
};

/** When to read after a period's `end` (the node's time): soon, as the next block closes it, then ever more rarely. */
export function nextCheck(end: number, readAt: number | undefined): number {
  if (readAt === undefined || readAt < end) return end + 2 * second;
  const late = readAt - end;
  const [, delay] = checkDelays.find(([until]) => late < until) ?? [0, hour];
  return readAt + delay;
}

const checkDelays = [
  [10 * second, 3 * second],
  [minute, 5 * second],
  [10 * minute, 30 * second],
  [24 * hour, 5 * minute],
] as const;

/** Calls `check` when a period has ended, and again at growing distances (`nextCheck`) until the end is set anew. */
export class EndCheck implements Disposable {
  readonly #clock: Clock;
  readonly #check: () => Promise<void>;
  #isPaused = false;
  #isChecking = false;
  #end: number | undefined;
  #checkedAt: number | undefined;
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

  /** What was due while it was paused is called at once afterwards. */
  pause(paused: boolean): void {
    this.#isPaused = paused;
    this.#plan();
  }

  dispose(): void {
    this.pause(true);
  }

  #plan(): void {
    this.#timer?.dispose();
    if (this.#end === undefined || this.#isPaused || this.#isChecking) return;
    const left = nextCheck(this.#end, this.#checkedAt) - this.#clock.now();
    // A machine that slept, or whose clock was set, is noticed within a minute.
    if (left > 0) this.#timer = this.#clock.after(Math.min(left, minute), () => this.#plan());
    else void this.#run();
  }

  async #run(): Promise<void> {
    this.#isChecking = true;
    this.#checkedAt = this.#clock.now();
    await this.#check();
    this.#isChecking = false;
    this.#plan();
  }
}
