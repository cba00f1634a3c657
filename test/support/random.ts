/** Repeatable random numbers (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 up to `end`, exclusive. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  /** A text of letters from `alphabet`. */
  text(alphabet: string, length: number): string {
    const letters = [...alphabet];
    return Array.from({ length }, () => letters[this.below(letters.length)]).join('');
  }
}

/** The seed of this run: `SEED`, or a fixed one. A failure prints it. */
export const seed = Number(process.env.SEED ?? 20_240_101);

/** `full` under `npm run test:full`, otherwise `sample`. */
export function runs(sample: number, full: number): number {
  return process.env.TEST_FULL ? full : sample;
}
