import type { WireCoin } from '../api/contract.ts';

/** An amount of one denom in base units, exact. */
export interface Coin {
  readonly denom: string;
  readonly amount: bigint;
}

/** wire → Coin; the schema has already made sure that `amount` is digits. */
export function toCoin(wire: WireCoin): Coin {
  return { denom: wire.denom, amount: BigInt(wire.amount) };
}

/** How a denom is shown: only where metadata states it, never guessed. `source` says who states it. */
export interface DenomUnit {
  readonly symbol: string;
  /** 10^exponent base units are one display unit. */
  readonly exponent: number;
  readonly source: 'chain' | 'registry';
}

/** `1234567` → `1,234,567`; exact for any length. */
export function groupDigits(amount: bigint): string {
  return amount.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Base units as display units with every digit kept: `groupDisplay(1234567n, 6)` → `1.234567`, `(5n, 6)` → `0.000005`. */
export function displayAmount(amount: bigint, exponent: number): string {
  if (exponent === 0) return groupDigits(amount);
  const negative = amount < 0n;
  const text = (negative ? -amount : amount).toString().padStart(exponent + 1, '0');
  const whole = groupDigits(BigInt(text.slice(0, -exponent)));
  const fraction = text.slice(-exponent).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}
