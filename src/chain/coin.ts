import { isFields } from './fields.ts';

/** An exact amount of one denom in base units. */
export interface Coin {
  readonly denom: string;
  readonly amount: bigint;
}

/** The display unit of a denom as metadata states it; never guessed. `source` names the metadata. */
export interface DenomUnit {
  readonly symbol: string;
  /** One display unit has 10^exponent base units. */
  readonly exponent: number;
  readonly source: 'chain' | 'registry';
}

/** The metadata that a chain states for a denom. Each text is absent if the chain states none. */
export interface DenomMetadata {
  readonly base: string;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly display: string | undefined;
  readonly description: string | undefined;
  /** The denoms of the metadata. One has 10^exponent base units. */
  readonly units: readonly { readonly denom: string; readonly exponent: number }[];
  /** The display unit; undefined if there is none, or if the metadata contradict themselves. */
  readonly unit: DenomUnit | undefined;
}

/**
 * Tells why metadata have no display unit. `none`: they have no units. `display`: `display` is none of them, letter for
 * letter. `base`: the base denom has an exponent other than 0. `exponent`: no exponent that amounts have.
 */
export function unitFault({
  base,
  display: name,
  units,
}: Pick<DenomMetadata, 'base' | 'display' | 'units'>): 'none' | 'display' | 'base' | 'exponent' | undefined {
  if (units.length === 0) return 'none';
  const [display, own] = [name, base].map((denom) => units.find((unit) => unit.denom === denom));
  if (own && own.exponent !== 0) return 'base';
  if (!display) return 'display';
  const { exponent } = display;
  return Number.isInteger(exponent) && exponent >= 0 && exponent <= 77 ? undefined : 'exponent';
}

/** The way of a coin from another chain, and its denom there. ICS 20 calls it a denomination trace. */
export interface DenomTrace {
  /** `transfer/channel-141`, or several such pairs. The last channel comes first. */
  readonly path: string;
  readonly base: string;
}

/** Groups the digits of a whole number of any length: `1234567` → `1,234,567`. */
export function groupDigits(amount: bigint | number): string {
  const digits = (amount < 0 ? -amount : amount).toString();
  const head = digits.slice(0, digits.length % 3);
  const groups = digits.slice(head.length).match(/\d{3}/g) ?? [];
  return `${amount < 0 ? '-' : ''}${[head, ...groups].filter(Boolean).join(',')}`;
}

/**
 * Writes base units as display units with every digit: `displayAmount(1234567n, 6)` → `1.234567`, `(5n, 6)` →
 * `0.000005`.
 */
export function displayAmount(amount: bigint, exponent: number): string {
  if (exponent === 0) return groupDigits(amount);
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(exponent + 1, '0');
  const fraction = digits.slice(-exponent).replace(/(?<!0)0+$/, '');
  return `${sign}${groupDigits(BigInt(digits.slice(0, -exponent)))}${fraction && `.${fraction}`}`;
}

/** Writes the same without separators, for files and other programs: `decimalAmount(1234567n, 0)` → `1234567`. */
export function decimalAmount(amount: bigint, exponent: number): string {
  return displayAmount(amount, exponent).replaceAll(',', '');
}

/**
 * Reads coins from a list of `{denom, amount}` or a text of the command line (`5uatom,7stake`). Undefined for anything
 * else.
 */
export function readCoins(value: unknown): readonly Coin[] | undefined {
  const parts: unknown = typeof value === 'string' ? value.split(',').map(readCoinText) : value;
  if (!Array.isArray(parts)) return undefined;
  const coins = parts.map(coinIn).filter((coin) => coin !== undefined);
  return coins.length === parts.length ? coins : undefined;
}

function coinIn(value: unknown): Coin | undefined {
  if (!isFields(value) || typeof value.denom !== 'string' || typeof value.amount !== 'string') return undefined;
  return /^\d{1,100}$/.test(value.amount) && Object.keys(value).length === 2
    ? { denom: value.denom, amount: BigInt(value.amount) }
    : undefined;
}

function readCoinText(text: string): unknown {
  const [, amount, denom] = /^\s*(\d{1,100})\s*([a-zA-Z][\w/:.-]*)\s*$/.exec(text) ?? [];
  return { denom, amount };
}

/** Writes coins as the SDK does (types/coin.go), in their order or sorted by denom: `10uatom,5ibc/…`. */
export function coinsText(coins: readonly Coin[], order?: 'sorted'): string {
  const listed = order ? coins.toSorted((a, b) => (a.denom < b.denom ? -1 : 1)) : coins;
  return listed.map(({ denom, amount }) => `${amount}${denom}`).join(',');
}

/** Sorts the largest amount first. */
export function descending(a: bigint, b: bigint): number {
  return a > b ? -1 : Number(a < b);
}

/** A deposit of an account on a proposal, in base units. */
export interface Deposit {
  readonly depositor: string;
  readonly coins: readonly Coin[];
}
