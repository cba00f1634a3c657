import type { Clock } from './clock.ts';

const hour = 3_600_000;

/** Counts what the watch list asks of nodes. */
export class RequestMeter {
  readonly #clock: Clock;
  #times: number[] = [];
  #total = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  count(): void {
    this.#times.push(this.#clock.monotonic());
    this.#total += 1;
  }

  /** Requests since this window started. */
  get total(): number {
    return this.#total;
  }

  /** Requests of the last 60 minutes. */
  get lastHour(): number {
    const since = this.#clock.monotonic() - hour;
    this.#times = this.#times.filter((time) => time > since);
    return this.#times.length;
  }
}
