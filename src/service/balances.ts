import { mostDigits } from './jsonValue.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const addressName = Buffer.from('"address"');
const coinsName = Buffer.from('"coins"');
const denomName = Buffer.from('"denom"');
const amountName = Buffer.from('"amount"');

/**
 * Reads the usual spelling of a balance byte by byte, without making an object or a string: half of a large export is
 * balances, and parsing them would take most of the time. Members in any order and spacing, no escapes, ASCII denoms.
 * All helpers return the index after what they passed, -1 for anything else.
 */
export class BalanceParser {
  /** Of each coin: where its denom starts and ends, where its amount starts and ends; the first `size` entries count. */
  readonly ranges: number[] = [];
  #size = 0;
  /** Of the last member beside the coins: where its name starts, where its text starts and ends. */
  #name = 0;
  #text = 0;
  #textEnd = 0;

  get size(): number {
    return this.#size;
  }

  /** Where the address of the balance that was read starts and ends; undefined where another member stands behind it. */
  address(bytes: Buffer): readonly [start: number, end: number] | undefined {
    const isLast = this.#textEnd > 0 && is(bytes, addressName, this.#name, this.#text);
    return isLast ? [this.#text, this.#textEnd] : undefined;
  }

  /**
   * Finds the coins of `{address, coins: [{denom, amount}]}`, which starts at `start`. Returns the index after it; -1 for any
   * other spelling and where it does not end before `end`.
   */
  read(bytes: Buffer, start: number, end: number): number {
    this.#size = 0;
    this.#textEnd = 0;
    if (start >= end || bytes[start] !== 0x7b) return -1;
    let hasCoins = false;
    let at = start;
    do {
      at = space(bytes, at + 1, end);
      if (!hasCoins && is(bytes, coinsName, at, end)) {
        hasCoins = true;
        at = this.#coins(bytes, pass(bytes, at + coinsName.length, end, colon), end);
      } else {
        this.#name = at;
        const value = pass(bytes, stringEnd(bytes, at, end), end, colon);
        const text = value < 0 ? -1 : space(bytes, value, end);
        at = text < 0 ? -1 : stringEnd(bytes, text, end);
        this.#text = text + 1;
        this.#textEnd = at - 1;
      }
      if (at < 0) return -1;
      at = space(bytes, at, end);
    } while (at < end && bytes[at] === comma);
    return hasCoins && at < end && bytes[at] === 0x7d ? at + 1 : -1;
  }

  #coins(bytes: Buffer, start: number, end: number): number {
    let at = pass(bytes, start, end, 0x5b);
    if (at < 0) return -1;
    const empty = pass(bytes, at, end, 0x5d);
    if (empty >= 0) return empty;
    for (;;) {
      at = this.#coin(bytes, at, end);
      if (at < 0) return -1;
      at = space(bytes, at, end);
      if (at >= end || bytes[at] !== comma) return at < end && bytes[at] === 0x5d ? at + 1 : -1;
      at++;
    }
  }

  #coin(bytes: Buffer, start: number, end: number): number {
    let denom = -1;
    let denomEnd = 0;
    let amount = -1;
    let amountEnd = 0;
    let at = pass(bytes, start, end, 0x7b) - 1;
    if (at < 0) return -1;
    do {
      at = space(bytes, at + 1, end);
      if (denom < 0 && is(bytes, denomName, at, end)) {
        denom = pass(bytes, pass(bytes, at + denomName.length, end, colon), end, quote);
        denomEnd = textEnd(bytes, denom, end);
        at = denomEnd;
      } else if (amount < 0 && is(bytes, amountName, at, end)) {
        amount = pass(bytes, pass(bytes, at + amountName.length, end, colon), end, quote);
        amountEnd = digitsEnd(bytes, amount, end);
        at = amountEnd;
      } else return -1;
      if (at < 0) return -1;
      at = space(bytes, at + 1, end);
    } while (at < end && bytes[at] === comma);
    if (denom < 0 || amount < 0 || at >= end || bytes[at] !== 0x7d) return -1;
    const { ranges } = this;
    ranges[this.#size++] = denom;
    ranges[this.#size++] = denomEnd;
    ranges[this.#size++] = amount;
    ranges[this.#size++] = amountEnd;
    return at + 1;
  }
}

/** Index of the next byte that is no white space. */
function space(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const byte = bytes[at] ?? 0;
    if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) return at;
    at++;
  }
  return at;
}

/** Index after `expected`, with white space before it. */
function pass(bytes: Buffer, start: number, end: number, expected: number): number {
  if (start < 0) return -1;
  if (start < end && bytes[start] === expected) return start + 1;
  const at = space(bytes, start, end);
  return at < end && bytes[at] === expected ? at + 1 : -1;
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

/** Index after a whole string, which must be ASCII without escapes. */
function stringEnd(bytes: Buffer, start: number, end: number): number {
  if (start >= end || bytes[start] !== quote) return -1;
  const close = textEnd(bytes, start + 1, end);
  return close < 0 ? -1 : close + 1;
}

/** Index of the quote that closes a text of one or more digits. */
function digitsEnd(bytes: Buffer, start: number, end: number): number {
  if (start < 0) return -1;
  let at = start;
  while (at < end && (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39) at++;
  return at > start && at < end && bytes[at] === quote && at - start <= mostDigits ? at : -1;
}

function is(bytes: Buffer, name: Buffer, start: number, end: number): boolean {
  if (end - start < name.length) return false;
  for (let at = 0; at < name.length; at++) if (bytes[start + at] !== name[at]) return false;
  return true;
}

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
