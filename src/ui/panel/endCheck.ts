import type { Disposable } from '../../chain/emitter.ts';
import type { Clock } from '../../session/watch/clock.ts';
import { nextCheck } from '../../session/watch/deadlineChecks.ts';

/** No timer runs longer: a machine that slept, or whose clock was set, is noticed within a minute (decision 15). */
const longestWait = 60_000;

/**
 * Looks at something when its period has ended, and again at growing distances (`nextCheck`) until another end is set,
 * or none. Nothing is asked while it is paused; what was missed meanwhile is asked at once afterwards.
 */
export class EndCheck implements Disposable {
  readonly #clock: Clock;
  readonly #look: () => Promise<void>;
  #end: number | undefined;
  #lookedAt: number | undefined;
  #paused = false;
  #looking = false;
  #disposed = false;
  #timer: Disposable | undefined;

  /** `look` never rejects. */
  constructor(clock: Clock, look: () => Promise<void>) {
    this.#clock = clock;
    this.#look = look;
  }

  /** Milliseconds since 1970, or undefined where nothing is to come. The same end again changes nothing. */
  set(end: number | undefined): void {
    if (end === this.#end) return;
    this.#end = end;
    this.#lookedAt = undefined;
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
    if (this.#end === undefined || this.#paused || this.#looking || this.#disposed) return;
    const left = nextCheck(this.#end, this.#lookedAt) - this.#clock.now();
    if (left <= 0) void this.#check();
    else this.#timer = this.#clock.after(Math.min(left, longestWait), () => this.#plan());
  }

  async #check(): Promise<void> {
    this.#looking = true;
    this.#lookedAt = this.#clock.now();
    await this.#look();
    this.#looking = false;
    this.#plan();
  }
}
