import type { Clock } from './clock.ts';

/** Proposals in voting change at known times only, so they are looked at on every sixth slow look. */
const votingLook = 6;

/** How much is looked at: `all` includes proposals in voting. */
export type LookSize = 'all' | 'some';

/** When all that is watched of a source is looked at: at once when that is wanted, slowly while somebody is there. */
export class LookSchedule {
  readonly #clock: Clock;
  readonly #interval: () => number;
  readonly #focused: () => boolean;
  #wanted: LookSize | undefined = 'all';
  #lookedAt: number | undefined;
  #slowLooks = 0;

  /** `interval`: milliseconds between slow looks, 0 for none. */
  constructor(clock: Clock, interval: () => number, focused: () => boolean) {
    this.#clock = clock;
    this.#interval = interval;
    this.#focused = focused;
  }

  /** Wishes for a look now; one that is wished for already stays as it is. */
  want(size: LookSize): void {
    this.#wanted ??= size;
  }

  /** Wishes for a look at everything now. */
  wantAll(): void {
    this.#wanted = 'all';
  }

  /** Whether a slow look was missed while nobody was there. */
  get isMissed(): boolean {
    const interval = this.#interval();
    return interval > 0 && (this.#lookedAt === undefined || this.#clock.monotonic() - this.#lookedAt >= interval);
  }

  /** When the next one is due, by the monotonic clock; 0 is now, infinite is not by itself. */
  get dueAt(): number {
    return this.#wanted === undefined ? this.#clock.monotonic() + this.#untilSlowLook() : 0;
  }

  /** The look that is wanted or due, taken off the list of wishes. */
  take(): LookSize | undefined {
    const wanted = this.#wanted;
    if (wanted === undefined && this.#untilSlowLook() > 0) return undefined;
    this.#wanted = undefined;
    this.#lookedAt = this.#clock.monotonic();
    this.#slowLooks += 1;
    return wanted === 'all' || this.#slowLooks % votingLook === 0 ? 'all' : 'some';
  }

  #untilSlowLook(): number {
    const interval = this.#interval();
    if (interval <= 0 || !this.#focused()) return Number.POSITIVE_INFINITY;
    return (this.#lookedAt ?? Number.NEGATIVE_INFINITY) + interval - this.#clock.monotonic();
  }
}
