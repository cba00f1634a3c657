import { codes } from '../scan/simdLayout.ts';

/** A range of ASCII text without escapes. */
export type Range = readonly [start: number, end: number];

/** Receives every coin of every balance. */
export interface BalanceSink {
  /** Receives one coin. `address` is "" if the file has none. */
  add(address: string, denom: string, amount: string): void;
  /** Receives one coin with address and amount as ranges of `bytes`, which are valid during the call only. */
  addRange(bytes: Buffer, address: Range, denom: string, amount: Range): void;
}

/** Receives coins that are not summed, by the body of their address. */
export type LeftCoins = (body: string, denom: string, amount: bigint) => void;

/**
 * Reads and sums balances as exporters write them, and sums those that are read in another way. Every implementation
 * gives the same sums.
 */
export interface BalanceSummer {
  /**
   * Reads balances from the one at `start` on, as long as they are written plainly and end in this chunk. Returns the
   * index after the last one, or -1. `left` receives the coins of addresses that are left to the caller, and of a few
   * others. `sink` receives all coins.
   */
  read(bytes: Buffer, start: number, left: LeftCoins, sink: BalanceSink | undefined): number;
  /** The number of balances that `read` has read, or of rewards that `readRewards` has read. */
  readonly count: number;
  /**
   * From now on, `read` leaves balances whose address has this body to the caller or stops before them, and so it does
   * for a few others. `rank` is the rank of its account, from 1 on. Later accounts of the same body need no further
   * reading.
   */
  leave(body: string, rank: number): void;
  add(denom: string, amount: bigint): void;
  /**
   * Gives the sums of all balances by denom, without zeros. `left` receives the sums of accounts that were left to the
   * caller.
   */
  totals(left: LeftCoins): Map<string, Held>;
  /** Reads the rewards of validators as `read` reads balances. */
  readRewards(bytes: Buffer, start: number): number;
  /** Gives the rewards that were read, by denom, in units of 10^-18. Call it once. */
  rewards(): Map<string, bigint>;
}

/** The amount of a denom in accounts, and the number of these accounts. */
export interface Held {
  readonly amount: bigint;
  readonly holders: number;
}

/**
 * Sums balances in JavaScript, for small files and where WebAssembly has no SIMD. It reads none itself: balances are
 * parsed one by one.
 */
export class ScriptSummer implements BalanceSummer {
  readonly #sums = new CoinSum();
  readonly count = 0;

  read(): number {
    return -1;
  }

  leave(): void {}

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
}

/** Sums amounts by denom. */
export class CoinSum {
  readonly #sums = new Map<string, { amount: bigint; holders: number }>();

  add(denom: string, amount: bigint): void {
    this.addHeld(denom, { amount, holders: amount > 0n ? 1 : 0 });
  }

  /** Adds `amount`, which is in `holders` accounts. */
  addHeld(denom: string, { amount, holders }: Held): void {
    const sum = this.#sums.get(denom);
    if (sum) {
      sum.amount += amount;
      sum.holders += holders;
    } else this.#sums.set(denom, { amount, holders });
  }

  totals(): Map<string, Held> {
    return new Map([...this.#sums].filter(([, { amount }]) => amount > 0n));
  }
}

/** The sums on the accounts of the staking pools, by denom; undefined for an account that no list holds. */
export interface PoolAccounts {
  bonded?: Map<string, bigint>;
  notBonded?: Map<string, bigint>;
}

/**
 * The bodies of the pools' addresses, which are the same with every prefix: the first 20 bytes of the SHA-256 of
 * `bonded_tokens_pool` and `not_bonded_tokens_pool` (x/staking/types/pool.go).
 */
export const poolBodies: ReadonlyMap<string, keyof PoolAccounts> = new Map([
  ['fl48vsnmsdzcv85q5d2q4z5ajdha8yu3', 'bonded'],
  ['tygms3xhhs3yv487phx3dw4a95jn7t7l', 'notBonded'],
]);

/**
 * Gives the body of a bech32 address, which stands for its bytes: the text without prefix and checksum. "" for a text
 * that is too short.
 */
export function bodyOf(address: string): string {
  return address.slice(address.lastIndexOf('1') + 1, -codes.checksumLength);
}
