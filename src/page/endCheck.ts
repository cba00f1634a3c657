import type { Disposable } from '../chain/emitter.ts';
import { type Clock, nextCheck } from '../watch/clock.ts';

/** The longest timer, in milliseconds. A machine that slept, or whose clock was set, is noticed after this time. */
const longestTimer = 60_000;

/** Calls `check` when a period has ended, and again at growing intervals (`nextCheck`) until another end is set. */
export class EndCheck implements Disposable {
  readonly #clock: Clock;
  readonly #check: () => Promise<void>;
  #isPaused = false;
  #isChecking = false;
  #end: number | undefined;
  #checkedAt: number | undefined;
  #timer: Disposable | undefined;

  /** `check` must not reject. */
  constructor(clock: Clock, check: () => Promise<void>) {
    this.#clock = clock;
    this.#check = check;
  }

  /** Sets the end in milliseconds since 1970, or undefined if no period is open. An equal end changes nothing. */
  set(end: number | undefined): void {
    if (end === this.#end) return;
    this.#end = end;
    this.#checkedAt = undefined;
    this.#plan();
  }

  /** Pauses the checks. A check that became due meanwhile is called when the pause is over. */
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
    if (left > 0) this.#timer = this.#clock.after(Math.min(left, longestTimer), () => this.#plan());
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
