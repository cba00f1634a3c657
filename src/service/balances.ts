import { codes } from './simdLayout.ts';

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

/** In JavaScript, for small files and where WebAssembly has no SIMD: nothing is read here, and balances are parsed one by one. */
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

  /** `holders` accounts hold `amount` more. */
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

/** What of a bech32 address stands for its bytes: without prefix and checksum. "" for any other text that is as short as those. */
export function bodyOf(address: string): string {
  return address.slice(address.lastIndexOf('1') + 1, -codes.checksumLength);
}
