import { type Coin, type DenomUnit, displayAmount, groupDigits } from '../../chain/coin.ts';
import type { Cell } from './block.ts';

/** A cell of one run of text. */
export function cell(text: string, more: Omit<Cell, 'spans'> = {}): Cell {
  return { spans: [{ text }], ...more };
}

/** `1,234.5 ATOM` where the unit is known, else the base units with their denom; exact either way. */
export function amountText(coin: Coin, unit: DenomUnit | undefined): string {
  return unit
    ? `${displayAmount(coin.amount, unit.exponent)} ${unit.symbol}`
    : `${groupDigits(coin.amount)} ${coin.denom}`;
}

/** An amount with its base units beside it where the display unit is another. */
export function amountCell(coin: Coin, unit: DenomUnit | undefined): Cell {
  const text = amountText(coin, unit);
  return unit ? cell(text, { note: `${coin.amount} ${coin.denom}` }) : cell(text);
}
