import { mostDigits } from './jsonValue.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
/** What stands around the texts of a balance, in the two orders that exporters write. */
const beforeAddress = Buffer.from('{"address":"');
const beforeCoins = Buffer.from('","coins":[');
const beforeDenom = Buffer.from('{"denom":"');
const thenAmount = Buffer.from('","amount":"');
const beforeAmount = Buffer.from('{"amount":"');
const thenDenom = Buffer.from('","denom":"');
const coinEnd = Buffer.from('"}');
const balanceEnd = Buffer.from(']}');

/**
 * Reads balances as exporters spell them byte by byte, without making an object or a string: half of a large export is
 * balances, and parsing them would take most of the time. No white space, no escapes, ASCII. Positions are -1 for anything else.
 */
export class BalanceParser {
  /** Of each coin: where its denom starts and ends, where its amount starts and ends; the first `size` entries count. */
  readonly ranges: number[] = [];
  size = 0;
  /** Where the address starts and ends. */
  address = 0;
  addressEnd = 0;

  /** Reads the balance that starts at `start`. Returns the index after it; -1 where it does not end before `end`. */
  read(bytes: Buffer, start: number, end: number): number {
    this.size = 0;
    this.address = pass(bytes, beforeAddress, start, end);
    this.addressEnd = textEnd(bytes, this.address, end);
    let at = pass(bytes, beforeCoins, this.addressEnd, end);
    const empty = pass(bytes, balanceEnd, at, end);
    if (empty >= 0) return empty;
    for (;;) {
      at = this.#coin(bytes, at, end);
      if (at < 0 || at >= end) return -1;
      if (bytes[at] !== comma) return pass(bytes, balanceEnd, at, end);
      at++;
    }
  }

  #coin(bytes: Buffer, start: number, end: number): number {
    let denom = pass(bytes, beforeDenom, start, end);
    let denomEnd: number;
    let amount: number;
    let amountEnd: number;
    if (denom >= 0) {
      denomEnd = textEnd(bytes, denom, end);
      amount = pass(bytes, thenAmount, denomEnd, end);
      amountEnd = digitsEnd(bytes, amount, end);
    } else {
      amount = pass(bytes, beforeAmount, start, end);
      amountEnd = digitsEnd(bytes, amount, end);
      denom = pass(bytes, thenDenom, amountEnd, end);
      denomEnd = textEnd(bytes, denom, end);
    }
    const { ranges } = this;
    ranges[this.size++] = denom;
    ranges[this.size++] = denomEnd;
    ranges[this.size++] = amount;
    ranges[this.size++] = amountEnd;
    return pass(bytes, coinEnd, Math.min(denomEnd, amountEnd) < 0 ? -1 : Math.max(denomEnd, amountEnd), end);
  }
}

/** Index after `expected`, where it stands at `start`. */
function pass(bytes: Buffer, expected: Buffer, start: number, end: number): number {
  const { length } = expected;
  if (start < 0 || end - start < length) return -1;
  for (let at = 0; at < length; at++) if (bytes[start + at] !== expected[at]) return -1;
  return start + length;
}

/** Index of the quote that closes the text, which must be ASCII without escapes. */
function textEnd(bytes: Buffer, start: number, end: number): number {
  if (start < 0) return -1;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) return at;
    if (byte === backslash || byte >= 0x80 || byte < 0x20) return -1;
  }
  return -1;
}

/** Index of the quote that closes a text of one or more digits. */
function digitsEnd(bytes: Buffer, start: number, end: number): number {
  if (start < 0) return -1;
  let at = start;
  while (at < end && (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39) at++;
  return at > start && at < end && bytes[at] === quote && at - start <= mostDigits ? at : -1;
}

/** A denom that is found by its bytes, without making a string of them again. */
interface Known {
  readonly denom: string;
  readonly position: number;
}

/** Digits of a number that is exact, and can be added to another such number below 8 * 10^15 exactly, too. */
const exactDigits = 15;
const flushAt = 8e15;

/** Sums amounts by denom, exactly, for millions of coins: as numbers as long as they are exact, as bigints beyond. */
export class CoinSum {
  readonly #positions = new Map<string, number>();
  readonly #known = new Map<number, Known>();
  /** By position, below 2^53. */
  #small = new Float64Array(64);
  readonly #large: bigint[] = [];
  readonly #denoms: string[] = [];
  /** Positions of what was added last. */
  readonly #added: number[] = [];

  /** Adds coins whose denoms (ASCII) and amounts (decimal digits) were found by `BalanceParser`. */
  addRanges(bytes: Buffer, ranges: readonly number[], size: number): void {
    for (let at = 0; at < size; at += 4) {
      const position = this.#find(bytes, ranges[at] ?? 0, ranges[at + 1] ?? 0);
      this.#added[at >> 2] = position;
      this.#addRange(bytes, position, ranges[at + 2] ?? 0, ranges[at + 3] ?? 0);
    }
  }

  /** The denom of a coin that was added last by `addRanges`: the same string for all coins of it. */
  addedDenom(index: number): string {
    return this.#denoms[this.#added[index] ?? 0] ?? '';
  }

  #addRange(bytes: Buffer, position: number, start: number, end: number): void {
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
    const known = this.#known.get(hash);
    if (known && isAt(known.denom, bytes, start, end)) return known.position;
    const denom = bytes.toString('latin1', start, end);
    const position = this.#positionOf(denom);
    // Of denoms with the same hash the others are found by the map.
    if (!known) this.#known.set(hash, { denom, position });
    return position;
  }

  #positionOf(denom: string): number {
    const known = this.#positions.get(denom);
    if (known !== undefined) return known;
    const position = this.#positions.size;
    this.#positions.set(denom, position);
    this.#denoms.push(denom);
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
