/** Numbers that look random and are the same on every machine and every run. */
export interface SeededRandom {
  /** An integer from 0 to `end` - 1. */
  below(end: number): number;
  /** A decimal integer of exactly `digits` digits, never starting with 0. */
  digits(digits: number): bigint;
  /** The same items in another order. */
  shuffle<T>(items: readonly T[]): T[];
}

/** A generator of its own (xorshift32), so that made-up data never depends on the engine. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    digits(digits) {
      let text = String(1 + below(9));
      while (text.length < digits) text += String(below(10));
      return BigInt(text);
    },
    shuffle(items) {
      return items
        .map((item) => ({ item, rank: next() }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ item }) => item);
    },
  };
}
