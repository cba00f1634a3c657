/** A denom that is found by its bytes, without making a string of them again. */
interface Known {
  readonly denom: string;
  readonly position: number;
  /** Another denom with the same hash. */
  readonly next: Known | undefined;
}

/** Digits of a number that is exact, and can be added to another such number below 8 * 10^15 exactly, too. */
const exactDigits = 15;
const flushAt = 8e15;
const mostAlike = 4;

/** Sums amounts by denom, exactly, for millions of coins: as numbers as long as they are exact, as bigints beyond. */
export class CoinSum {
  readonly #positions = new Map<string, number>();
  readonly #known = new Map<number, Known>();
  /** By position, below 2^53. */
  #small = new Float64Array(64);
  readonly #large: bigint[] = [];

  /** Adds the coin whose denom (ASCII) and amount (decimal digits, as the caller has checked) stand in `bytes`. */
  addRanges(bytes: Buffer, denomStart: number, denomEnd: number, start: number, end: number): void {
    const position = this.#find(bytes, denomStart, denomEnd);
    if (end - start > exactDigits) {
      this.#addLarge(position, BigInt(bytes.toString('latin1', start, end)));
      return;
    }
    let value = 0;
    for (let at = start; at < end; at++) value = value * 10 + (bytes[at] ?? 0) - 0x30;
    this.#addSmall(position, value);
  }

  /** `amount` consists of decimal digits. */
  add(denom: string, amount: string): void {
    const position = this.#positionOf(denom);
    if (amount.length > exactDigits) this.#addLarge(position, BigInt(amount));
    else this.#addSmall(position, Number(amount));
  }

  /** The sums as decimal digits, without those of zero. */
  totals(): Map<string, string> {
    const totals = new Map<string, string>();
    for (const [denom, position] of this.#positions) {
      const small = this.#small[position] ?? 0;
      const large = this.#large[position] ?? 0n;
      const total = large === 0n ? String(small) : String(large + BigInt(small));
      if (total !== '0') totals.set(denom, total);
    }
    return totals;
  }

  #addSmall(position: number, amount: number): void {
    const sum = (this.#small[position] ?? 0) + amount;
    this.#small[position] = sum;
    if (sum < flushAt) return;
    this.#addLarge(position, BigInt(sum));
    this.#small[position] = 0;
  }

  #addLarge(position: number, amount: bigint): void {
    this.#large[position] = (this.#large[position] ?? 0n) + amount;
  }

  #find(bytes: Buffer, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
    const first = this.#known.get(hash);
    let alike = 0;
    for (let known = first; known; known = known.next) {
      if (isAt(known.denom, bytes, start, end)) return known.position;
      alike++;
    }
    const denom = bytes.toString('latin1', start, end);
    const position = this.#positionOf(denom);
    // Denoms may be chosen to have the same hash: the list of them stays short, and the map finds the others.
    if (alike < mostAlike) this.#known.set(hash, { denom, position, next: first });
    return position;
  }

  #positionOf(denom: string): number {
    const known = this.#positions.get(denom);
    if (known !== undefined) return known;
    const position = this.#positions.size;
    this.#positions.set(denom, position);
    this.#large.push(0n);
    if (position === this.#small.length) {
      const longer = new Float64Array(position * 2);
      longer.set(this.#small);
      this.#small = longer;
    }
    return position;
  }
}

function isAt(denom: string, bytes: Buffer, start: number, end: number): boolean {
  if (denom.length !== end - start) return false;
  for (let at = 0; at < denom.length; at++) if (denom.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}
