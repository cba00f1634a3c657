import { maxDigits } from './jsonValue.ts';

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

/** ASCII text that needs no escapes. */
export type Range = readonly [start: number, end: number];

/** Receives every coin of every balance. */
export interface BalanceSink {
  /** `address` is "" where the file has none. */
  add(address: string, denom: string, amount: string): void;
  /** The same with address and amount as ranges of `bytes`, which are valid during the call only. */
  addRange(bytes: Buffer, address: Range, denom: string, amount: Range): void;
}

/** Receives coins that are not summed, by the body of their address. */
export type LeftCoins = (body: string, denom: string, amount: bigint) => void;

/** Reads and sums balances as exporters spell them, and sums those that are read otherwise. Every implementation sums the same. */
export interface BalanceSummer {
  /**
   * Reads balances from the one at `start` on, as many as are spelled plainly and end in this chunk. Returns the index after the
   * last one, or -1. `left` receives coins of addresses that are left to the caller, and of few others; `sink` all coins.
   */
  read(bytes: Buffer, start: number, left: LeftCoins, sink: BalanceSink | undefined): number;
  /** How many balances `read` has read, or `readRewards` rewards. */
  readonly count: number;
  /**
   * From now on `read` leaves balances whose address has this body to the caller, or stops before them, and those of few others.
   * `rank`: of its account, from 1 on; nothing more needs to be read of accounts of that body that come after it.
   */
  leave(body: string, rank: number): void;
  add(denom: string, amount: bigint): void;
  /** What all balances come to, by denom, without those of zero. `left` receives what accounts hold that were left, and summed. */
  totals(left: LeftCoins): Map<string, Held>;
  /** The same as `read` for the rewards of validators. */
  readRewards(bytes: Buffer, start: number): number;
  /** What `readRewards` has read, by denom, in units of 10^-18; it is read once. */
  rewards(): Map<string, bigint>;
}

/** What of a denom accounts hold, and how many do. */
export interface Held {
  readonly amount: bigint;
  readonly holders: number;
}

/** Addresses are told apart by so many characters, the last ones of their bodies. */
export const markLength = 8;

/** So many balances are left to be parsed: reading them byte by byte is slow until the engine has compiled it. */
const parsedFirst = 16;

/** In JavaScript, byte by byte: for small files and where WebAssembly has no SIMD. */
export class ScriptSummer implements BalanceSummer {
  readonly #parser = new BalanceParser();
  readonly #sums = new CoinSum();
  readonly #left = new Set<string>();
  #calls = 0;
  count = 0;

  read(bytes: Buffer, start: number, _left: LeftCoins, sink: BalanceSink | undefined): number {
    this.count = 0;
    if (this.#calls++ < parsedFirst) return -1;
    let end = -1;
    for (let at = start; ; at = end + 1) {
      const next = this.#parser.read(bytes, at, bytes.length);
      if (next < 0 || this.#isLeft(bytes)) return end;
      this.#addCoins(bytes, sink);
      this.count++;
      end = next;
      if (bytes[end] !== comma) return end;
    }
  }

  leave(body: string): void {
    this.#left.add(body.slice(-markLength));
  }

  add(denom: string, amount: bigint): void {
    this.#sums.add(denom, amount);
  }

  totals(): Map<string, Held> {
    return this.#sums.totals();
  }

  readRewards(): number {
    return -1;
  }

  rewards(): Map<string, bigint> {
    return new Map();
  }

  #isLeft(bytes: Buffer): boolean {
    const { address, addressEnd } = this.#parser;
    const end = addressEnd - checksumLength;
    return end - markLength >= address && this.#left.has(bytes.toString('latin1', end - markLength, end));
  }

  #addCoins(bytes: Buffer, sink: BalanceSink | undefined): void {
    const { ranges, size, address, addressEnd } = this.#parser;
    for (let at = 0; at < size; at += 4) {
      const [start, end] = [ranges[at + 2] ?? 0, ranges[at + 3] ?? 0];
      const denom = this.#sums.addRange(bytes, ranges[at] ?? 0, ranges[at + 1] ?? 0, start, end);
      sink?.addRange(bytes, [address, addressEnd], denom, [start, end]);
    }
  }
}

/**
 * Reads balances as exporters spell them byte by byte, without making an object or a string: half of a large export is
 * balances, and parsing them would take most of the time. No white space, no escapes, ASCII. Positions are -1 for anything else.
 */
class BalanceParser {
  /** Of each coin: where its denom starts and ends, where its amount starts and ends; the first `size` entries count. */
  readonly ranges: number[] = [];
  size = 0;
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

function digitsEnd(bytes: Buffer, start: number, end: number): number {
  if (start < 0) return -1;
  let at = start;
  while (at < end && (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39) at++;
  return at > start && at < end && bytes[at] === quote && at - start <= maxDigits ? at : -1;
}

interface Sum {
  readonly denom: string;
  /** Added to `large` before it reaches 2^53. */
  small: number;
  large: bigint;
  holders: number;
}

/** Digits of a number that is exact, and can be added to another such number below 8 * 10^15 exactly, too. */
const exactDigits = 15;
const flushAt = 8e15;

/** Sums amounts by denom, exactly, for millions of coins: as numbers as long as they are exact, as bigints beyond. */
export class CoinSum {
  readonly #sums = new Map<string, Sum>();
  /** Found by the bytes of the denom, without making a string of them again. */
  readonly #byHash = new Map<number, Sum>();

  add(denom: string, amount: bigint): void {
    addLarge(this.#sumOf(denom), amount);
  }

  /** The same with denom and amount as ranges of ASCII. Returns the denom: the same string for all coins of it. */
  addRange(bytes: Buffer, denomStart: number, denomEnd: number, start: number, end: number): string {
    const sum = this.#find(bytes, denomStart, denomEnd);
    if (end - start > exactDigits) addLarge(sum, BigInt(bytes.toString('latin1', start, end)));
    else addSmall(sum, numberAt(bytes, start, end));
    return sum.denom;
  }

  /** `holders` accounts hold `amount` more. */
  addHeld(denom: string, { amount, holders }: Held): void {
    const sum = this.#sumOf(denom);
    sum.large += amount;
    sum.holders += holders;
  }

  totals(): Map<string, Held> {
    const totals = [...this.#sums.values()].map(({ denom, small, large, holders }): [string, Held] => {
      return [denom, { amount: large + BigInt(small), holders }];
    });
    return new Map(totals.filter(([, { amount }]) => amount > 0n));
  }

  #find(bytes: Buffer, start: number, end: number): Sum {
    let hash = 0;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
    const known = this.#byHash.get(hash);
    if (known && isAt(known.denom, bytes, start, end)) return known;
    const sum = this.#sumOf(bytes.toString('latin1', start, end));
    // Of denoms with the same hash the others are found by the map.
    if (!known) this.#byHash.set(hash, sum);
    return sum;
  }

  #sumOf(denom: string): Sum {
    const known = this.#sums.get(denom);
    if (known) return known;
    const sum: Sum = { denom, small: 0, large: 0n, holders: 0 };
    this.#sums.set(denom, sum);
    return sum;
  }
}

/** Decimal digits as an amount. */
export function amountAt(bytes: Buffer, start: number, end: number): bigint {
  if (end - start > exactDigits) return BigInt(bytes.toString('latin1', start, end));
  return BigInt(numberAt(bytes, start, end));
}

/** At most `exactDigits` decimal digits. */
function numberAt(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + (bytes[at] ?? 0) - 0x30;
  return value;
}

function addLarge(sum: Sum, amount: bigint): void {
  sum.large += amount;
  if (amount > 0n) sum.holders++;
}

function addSmall(sum: Sum, amount: number): void {
  if (amount > 0) sum.holders++;
  sum.small += amount;
  if (sum.small < flushAt) return;
  sum.large += BigInt(sum.small);
  sum.small = 0;
}

function isAt(denom: string, bytes: Buffer, start: number, end: number): boolean {
  if (denom.length !== end - start) return false;
  for (let at = 0; at < denom.length; at++) if (denom.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}

/** What stands on the accounts of the staking pools, by denom; undefined for one that no list holds. */
export interface PoolAccounts {
  bonded?: Map<string, bigint>;
  notBonded?: Map<string, bigint>;
}

/**
 * The bodies of their addresses, which are the same with every prefix: the first 20 bytes of the SHA-256 of
 * `bonded_tokens_pool` and `not_bonded_tokens_pool` (x/staking/types/pool.go).
 */
export const poolBodies: ReadonlyMap<string, keyof PoolAccounts> = new Map([
  ['fl48vsnmsdzcv85q5d2q4z5ajdha8yu3', 'bonded'],
  ['tygms3xhhs3yv487phx3dw4a95jn7t7l', 'notBonded'],
]);

const checksumLength = 6;

/** What of a bech32 address stands for its bytes: without prefix and checksum. "" for any other text that is as short as those. */
export function bodyOf(address: string): string {
  return address.slice(address.lastIndexOf('1') + 1, -checksumLength);
}
