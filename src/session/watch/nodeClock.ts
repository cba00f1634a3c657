import type { Clock } from './clock.ts';

/**
 * The time of a node, told by the `Date` header of its replies and carried on by a clock that nobody can set; the
 * machine's own time until the node has told it.
 */
export class NodeClock {
  readonly #clock: Clock;
  #told: { readonly time: number; readonly at: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get known(): boolean {
    return this.#told !== undefined;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#told ? this.#told.time + (this.#clock.monotonic() - this.#told.at) : this.#clock.now();
  }

  /** Takes in the header of a reply that just came. It is cut to seconds, so half a second is added. */
  learn(date: Date | undefined): void {
    if (date) this.#told = { time: date.getTime() + 500, at: this.#clock.monotonic() };
  }

  /** The machine slept: how much time went by is not known until the next reply. */
  doubt(): void {
    this.#told = undefined;
  }
}
