/** The sum of one denom: numbers as long as they are exact, bigints beyond. */
interface Sum {
  /** Below 2^53. */
  small: number;
  large: bigint;
}

/** Digits of a number that is exact, and can be added to another such number below 8 * 10^15 exactly, too. */
const exactDigits = 15;
const flushAt = 8e15;

/** Sums amounts by denom, exactly, for millions of coins. */
export class CoinSum {
  readonly #sums = new Map<string, Sum>();
  #lastDenom: Buffer = Buffer.alloc(0);
  #lastSum: Sum = { small: 0, large: 0n };

  /** Adds the coin whose denom (ASCII) and amount (decimal digits, as the caller has checked) stand in `bytes`. */
  addRanges(bytes: Buffer, denomStart: number, denomEnd: number, start: number, end: number): void {
    const sum = this.#find(bytes, denomStart, denomEnd);
    if (end - start > exactDigits) {
      sum.large += BigInt(bytes.toString('latin1', start, end));
      return;
    }
    let value = 0;
    for (let at = start; at < end; at++) value = value * 10 + (bytes[at] ?? 0) - 0x30;
    sum.small += value;
    if (sum.small >= flushAt) {
      sum.large += BigInt(sum.small);
      sum.small = 0;
    }
  }

  add(denom: string, amount: string): void {
    this.#sumOf(denom).large += BigInt(amount);
  }

  /** The sums, without those of zero. */
  totals(): Map<string, bigint> {
    const totals = new Map<string, bigint>();
    for (const [denom, { small, large }] of this.#sums) {
      const total = large + BigInt(small);
      if (total > 0n) totals.set(denom, total);
    }
    return totals;
  }

  /** Most coins of a chain are of one denom, and comparing bytes is cheaper than making the string. */
  #find(bytes: Buffer, start: number, end: number): Sum {
    const last = this.#lastDenom;
    let same = last.length === end - start && last.length > 0;
    for (let at = 0; same && at < last.length; at++) same = last[at] === bytes[start + at];
    if (same) return this.#lastSum;
    this.#lastDenom = Buffer.from(bytes.subarray(start, end));
    this.#lastSum = this.#sumOf(bytes.toString('latin1', start, end));
    return this.#lastSum;
  }

  #sumOf(denom: string): Sum {
    let sum = this.#sums.get(denom);
    if (!sum) {
      sum = { small: 0, large: 0n };
      this.#sums.set(denom, sum);
    }
    return sum;
  }
}
