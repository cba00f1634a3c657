import type { Clock } from './clock.ts';

/** Differences that ordinary clock keeping and a busy machine make. */
const tolerance = 2000;
const longestDelay = 8000;

/**
 * Tells when time did something that timers do not notice: the machine slept, or somebody set the clock. Asked at every
 * beat, `expected` milliseconds after the one before.
 */
export class JumpDetector {
  readonly #clock: Clock;
  #wall: number;
  #monotonic: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wall = clock.now();
    this.#monotonic = clock.monotonic();
  }

  jumped(expected: number): boolean {
    const wall = this.#clock.now();
    const monotonic = this.#clock.monotonic();
    const wallPassed = wall - this.#wall;
    const passed = monotonic - this.#monotonic;
    this.#wall = wall;
    this.#monotonic = monotonic;
    return Math.abs(wallPassed - passed) > tolerance || passed > expected + longestDelay;
  }
}
