/** A running sum in limbs of 12 digits: ten times as fast as adding bigints coin by coin, and as exact. */
interface Limbs {
  readonly parts: Float64Array;
  added: number;
}

const limbDigits = 12;
const limbBase = 10 ** limbDigits;
/** A limb holds this many additions before it must be carried over (2^53 / 10^12, with room). */
const beforeCarry = 8000;

/** Sums amounts by denom, exactly, for millions of coins. */
export class CoinSum {
  readonly #sums = new Map<string, Limbs>();

  /** Adds the decimal digits `bytes[start, end)`; the caller has checked that they are digits. */
  addDigits(denom: string, bytes: Uint8Array, start: number, end: number): void {
    let sum = this.#sums.get(denom);
    if (!sum) {
      sum = { parts: new Float64Array(8), added: 0 };
      this.#sums.set(denom, sum);
    }
    const needed = Math.ceil((end - start) / limbDigits) + 1;
    if (needed > sum.parts.length) sum = this.#widen(denom, sum, needed);
    let stop = end;
    for (let limb = 0; stop > start; limb++) {
      const from = Math.max(start, stop - limbDigits);
      let value = 0;
      for (let at = from; at < stop; at++) value = value * 10 + (bytes[at] ?? 0) - 0x30;
      sum.parts[limb] = (sum.parts[limb] ?? 0) + value;
      stop = from;
    }
    if (++sum.added === beforeCarry) this.#carry(denom, sum);
  }

  add(denom: string, amount: string): void {
    const digits = Buffer.from(amount, 'latin1');
    this.addDigits(denom, digits, 0, digits.length);
  }

  get size(): number {
    return this.#sums.size;
  }

  /** The sums, without those of zero. */
  totals(): Map<string, bigint> {
    const totals = new Map<string, bigint>();
    for (const [denom, { parts }] of this.#sums) {
      let total = 0n;
      for (let limb = parts.length - 1; limb >= 0; limb--) total = total * BigInt(limbBase) + BigInt(parts[limb] ?? 0);
      if (total > 0n) totals.set(denom, total);
    }
    return totals;
  }

  #widen(denom: string, sum: Limbs, size: number): Limbs {
    const parts = new Float64Array(size + 1);
    parts.set(sum.parts);
    const wider = { parts, added: sum.added };
    this.#sums.set(denom, wider);
    return wider;
  }

  #carry(denom: string, sum: Limbs): void {
    const last = sum.parts.length - 1;
    const { parts } = (sum.parts[last] ?? 0) > 0 ? this.#widen(denom, sum, last + 2) : sum;
    for (let limb = 0; limb < parts.length - 1; limb++) {
      const value = parts[limb] ?? 0;
      const over = Math.floor(value / limbBase);
      parts[limb] = value - over * limbBase;
      parts[limb + 1] = (parts[limb + 1] ?? 0) + over;
    }
    const carried = this.#sums.get(denom);
    if (carried) carried.added = 0;
  }
}
