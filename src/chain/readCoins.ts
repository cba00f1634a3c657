import type { Coin } from './coin.ts';
import { isFields } from './content/content.ts';

/** Coins as a list of `{denom, amount}`, or as the text of the command line. */
export function readCoins(value: unknown): readonly Coin[] | undefined {
  const parts: unknown = typeof value === 'string' ? value.split(',').map(readCoinText) : value;
  if (!Array.isArray(parts)) return undefined;
  const coins = parts.map(readCoin).filter((coin) => coin !== undefined);
  return coins.length === parts.length ? coins : undefined;
}

/** `{denom, amount}` with an amount of digits and nothing else. */
function readCoin(value: unknown): Coin | undefined {
  if (!isFields(value) || typeof value.denom !== 'string' || typeof value.amount !== 'string') return undefined;
  return /^\d+$/.test(value.amount) && Object.keys(value).length === 2
    ? { denom: value.denom, amount: BigInt(value.amount) }
    : undefined;
}

function readCoinText(text: string): unknown {
  const [, amount, denom] = /^\s*(\d+)\s*([a-zA-Z][\w/:.-]*)\s*$/.exec(text) ?? [];
  return { denom, amount };
}
