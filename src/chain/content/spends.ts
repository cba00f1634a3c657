import type { Coin } from '../coin.ts';
import { readCoins } from '../readCoins.ts';
import { type Fields, isFields } from './content.ts';

/** What one account would get; amounts in base units. */
export interface Spend {
  readonly recipient: string;
  readonly coins: readonly Coin[];
}

/**
 * The spends of a community pool spend: `{recipient, amount}` (coins, or a text such as `5uatom,7stake`), or a list of
 * them in `recipient_list`. Undefined where any part is something else, or holds more.
 */
export function readSpends(fields: Fields): readonly Spend[] | undefined {
  const list = fields.recipient_list ?? [{ address: fields.recipient, amount: fields.amount }];
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const spends: Spend[] = [];
  for (const entry of list) {
    if (!isFields(entry) || typeof entry.address !== 'string' || Object.keys(entry).length > 2) return undefined;
    const coins = readCoins(entry.amount);
    if (!coins) return undefined;
    spends.push({ recipient: entry.address, coins });
  }
  return spends;
}
