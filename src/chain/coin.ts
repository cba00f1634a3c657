import { isFields } from '../api/wireValues.ts';

/** An amount of one denom in base units, exact. */
export interface Coin {
  readonly denom: string;
  readonly amount: bigint;
}

/** The display unit of a denom, as metadata states it; never guessed. `source` is where it is stated. */
export interface DenomUnit {
  readonly symbol: string;
  /** 10^exponent base units are one display unit. */
  readonly exponent: number;
  readonly source: 'chain' | 'registry';
}

/** What a chain says of a denom, in its own words; each text is absent where it says nothing. */
export interface DenomMetadata {
  readonly base: string;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly display: string | undefined;
  readonly description: string | undefined;
  /** Its denoms: 10^exponent base units are one. */
  readonly units: readonly { readonly denom: string; readonly exponent: number }[];
  /** The display unit; undefined where there is none, or where the metadata contradict themselves. */
  readonly unit: DenomUnit | undefined;
}

/** `1234567` → `1,234,567`; exact for any length. */
export function groupDigits(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString();
  const head = digits.slice(0, digits.length % 3);
  const groups = digits.slice(head.length).match(/\d{3}/g) ?? [];
  return `${amount < 0n ? '-' : ''}${[head, ...groups].filter(Boolean).join(',')}`;
}

/** Base units as display units with every digit kept: `displayAmount(1234567n, 6)` → `1.234567`, `(5n, 6)` → `0.000005`. */
export function displayAmount(amount: bigint, exponent: number): string {
  if (exponent === 0) return groupDigits(amount);
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(exponent + 1, '0');
  const fraction = digits.slice(-exponent).replace(/(?<!0)0+$/, '');
  return `${sign}${groupDigits(BigInt(digits.slice(0, -exponent)))}${fraction && `.${fraction}`}`;
}

/** Coins as a list of `{denom, amount}`, or as the text of the command line (`5uatom,7stake`). Undefined where any is neither. */
export function readCoins(value: unknown): readonly Coin[] | undefined {
  const parts: unknown = typeof value === 'string' ? value.split(',').map(readCoinText) : value;
  if (!Array.isArray(parts)) return undefined;
  const coins = parts.map(readCoin).filter((coin) => coin !== undefined);
  return coins.length === parts.length ? coins : undefined;
}

function readCoin(value: unknown): Coin | undefined {
  if (!isFields(value) || typeof value.denom !== 'string' || typeof value.amount !== 'string') return undefined;
  return /^\d{1,100}$/.test(value.amount) && Object.keys(value).length === 2
    ? { denom: value.denom, amount: BigInt(value.amount) }
    : undefined;
}

function readCoinText(text: string): unknown {
  const [, amount, denom] = /^\s*(\d{1,100})\s*([a-zA-Z][\w/:.-]*)\s*$/.exec(text) ?? [];
  return { denom, amount };
}
