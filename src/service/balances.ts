import type { CoinSum } from './coinSum.ts';
import { isFields, parseKept, toCoin, toFields, toList } from './keptValue.ts';

/** Adds the coins of one balance (`{address, coins: [{denom, amount}]}`) to `sum`. Returns whose it is. */
export function addBalance(sum: CoinSum, bytes: Buffer, start: number, end: number): unknown {
  const balance = parseKept(bytes, start, end);
  addCoins(sum, balance);
  return isFields(balance) ? balance.address : undefined;
}

function addCoins(sum: CoinSum, value: unknown): void {
  const balance = toFields(value, '');
  toList(balance.coins, '.coins').forEach((item, index) => {
    const coin = toCoin(item, `.coins[${index}]`);
    sum.add(coin.denom, coin.amount);
  });
}

/**
 * Adds the coins of one account of before SDK 0.40: `{coins}`, or `{type, value}` around it, with the base account one or
 * two levels deeper in vesting accounts. False where the element is of a later SDK and holds no coins at all.
 */
export function addAminoAccount(sum: CoinSum, bytes: Buffer, start: number, end: number): boolean {
  let account: unknown = parseKept(bytes, start, end);
  for (let depth = 0; depth < 5 && isFields(account); depth++) {
    if ('@type' in account) return false;
    if (Array.isArray(account.coins)) {
      addCoins(sum, account);
      return true;
    }
    account = account.value ?? account.BaseVestingAccount ?? account.BaseAccount ?? account.base_account;
  }
  return true;
}
