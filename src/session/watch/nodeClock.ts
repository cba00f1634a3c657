import type { Clock } from './clock.ts';

/** Clocks of two machines drift apart; after so long the node is to be asked again. */
const goodFor = 12 * 3_600_000;

/**
 * The time of a node, told by the `Date` header of its replies and carried on by a clock that nobody can set; the
 * machine's own time until the node has told it.
 */
export class NodeClock {
  readonly #clock: Clock;
  #told: { readonly time: number; readonly at: number } | undefined;
  #doubted = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#told ? this.#told.time + (this.#clock.monotonic() - this.#told.at) : this.#clock.now();
  }

  /** Whether the next request should be one that tells the time. */
  get isUnsure(): boolean {
    return this.#doubted || !this.#told || this.#clock.monotonic() - this.#told.at > goodFor;
  }

  /** Whether time may have gone by unnoticed. */
  get doubted(): boolean {
    return this.#doubted;
  }

  /** Takes in the header of a reply that just came. It is cut to seconds, so half a second is added. */
  learn(date: Date | undefined): void {
    this.#doubted = false;
    if (date) this.#told = { time: date.getTime() + 500, at: this.#clock.monotonic() };
  }

  /** The machine slept, or its clock was set: the time is a lower bound until the next reply. */
  doubt(): void {
    this.#doubted = true;
  }
}
