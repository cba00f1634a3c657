import { shorten } from '../api/errors.ts';
import { fromBase64, fromUtf8, isFields } from '../api/wireValues.ts';

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

/** In this order they are listed; an account that is of several counts as the first of them (docs/nodes.md#supply-split). */
export type SplitClass = 'module' | 'escrow' | 'contract' | 'vesting_locked' | 'vesting_free' | 'other' | 'residue';

/** What the accounts of a class hold, or one module, channel or client of it, in base units. */
export interface SplitRow {
  readonly class: SplitClass;
  /** Of the module; port and channel, or client, of an escrow; the type of vesting accounts that is not known; else "". */
  readonly name: string;
  /** Port and channel on the other chain, where they are known. */
  readonly counterparty?: string | undefined;
  /** Negative for `residue` alone: the stated supply less all other rows. */
  readonly amount: bigint;
}

/** A class that a node was not asked for to its end: the rest of its coins is among `other`. */
export interface SplitGap {
  readonly class: 'module' | 'escrow';
  /** `limit`: there are more than are asked for; `stopped`: by whoever asked. */
  readonly reason: 'unsupported' | 'limit' | 'stopped';
  /** The last that was asked for; undefined for none. */
  readonly last?: string | undefined;
}

/**
 * Where the coins of a denom are. The rows add up to the supply, digit by digit; a row of zero is left out, but for the residue
 * of a state. Of a node, `other` are all accounts that were not asked for one by one, vesting and contracts among them.
 */
export interface SupplySplit {
  readonly denom: string;
  readonly supply: bigint;
  readonly origin: 'state' | 'node';
  readonly rows: readonly SplitRow[];
  /** Accounts that hold some; of a state alone. */
  readonly holders?: bigint | undefined;
  /** What is not vested yet, delegated coins included; of a state alone. */
  readonly notVested?: bigint | undefined;
  /** What the distribution module keeps of its account, in 10^-18 base units; of a node the pool alone, in whole base units. */
  readonly distribution?: DistributionParts | undefined;
  readonly gaps: readonly SplitGap[];
  readonly height?: bigint | undefined;
  /** Why the rows may be of several heights, in the node's words. */
  readonly heightDropped?: string | undefined;
}

/** In 10^-18 base units; `dust` may be negative. */
export interface DistributionParts {
  readonly communityPool: bigint;
  readonly rewards?: bigint | undefined;
  readonly dust?: bigint | undefined;
}

/** An IBC channel: port and channel here, and on the other chain where that is known. */
export interface Channel {
  readonly name: string;
  readonly counterparty: string | undefined;
  /** Whether coins can be sent over it now. */
  readonly isOpenTransfer: boolean;
}

/** An account that holds much of a denom, in base units. */
export interface Holder extends Pick<SplitRow, 'name' | 'amount'> {
  readonly address: string;
  /** An account has one; what of a vesting account is locked depends on the denom. */
  readonly class: Exclude<SplitClass, 'vesting_locked' | 'vesting_free' | 'residue'> | 'vesting';
}

const longestName = 200;

/** A module, port or channel as it is shown: at most 200 characters, with a mark where it is cut. The whole name gives the address. */
export function shownName(name: string): string {
  return name.length <= longestName ? name : shorten(name, longestName - 1);
}

/** `1234567` → `1,234,567`; a whole number, exact for any length. */
export function groupDigits(amount: bigint | number): string {
  const digits = (amount < 0 ? -amount : amount).toString();
  const head = digits.slice(0, digits.length % 3);
  const groups = digits.slice(head.length).match(/\d{3}/g) ?? [];
  return `${amount < 0 ? '-' : ''}${[head, ...groups].filter(Boolean).join(',')}`;
}

/** Base units as display units with every digit kept: `displayAmount(1234567n, 6)` → `1.234567`, `(5n, 6)` → `0.000005`. */
export function displayAmount(amount: bigint, exponent: number): string {
  if (exponent === 0) return groupDigits(amount);
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(exponent + 1, '0');
  const fraction = digits.slice(-exponent).replace(/(?<!0)0+$/, '');
  return `${sign}${groupDigits(BigInt(digits.slice(0, -exponent)))}${fraction && `.${fraction}`}`;
}

/** The same without separators, for files and other programs: `displayAmount(1234567n, 0)` → `1,234,567`, here `1234567`. */
export function decimalAmount(amount: bigint, exponent: number): string {
  return displayAmount(amount, exponent).replaceAll(',', '');
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

/** A share as the chain counts it: an integer in units of 10^-18, so 0.334 is 334000000000000000n (LegacyDec of cosmossdk.io/math). */
export type Ratio = bigint;

/** 100 %. */
export const whole: Ratio = 10n ** 18n;

/** LegacyDec.Quo of cosmossdk.io/math: cut to 36 digits, rounded to 18, a half to even. Undefined where `of` is 0. */
export function quotient(part: bigint, of: bigint): Ratio | undefined {
  if (of === 0n) return undefined;
  const fine = (part * whole * whole) / of;
  const cut = fine / whole;
  const rest = (fine % whole) * 2n;
  return rest > whole || (rest === whole && cut % 2n === 1n) ? cut + 1n : cut;
}

/** Reads `0.334`, `1`, the integer in units of 10^-18, or base64 of either (protobuf `bytes`); else undefined. */
export function toRatio(text: unknown): Ratio | undefined {
  if (typeof text !== 'string') return undefined;
  const decimal = readDecimal(text);
  if (decimal !== undefined) return decimal;
  const { bytes, rest } = fromBase64(text);
  return rest ? undefined : readDecimal(fromUtf8(bytes) ?? '');
}

/** A ratio in percent, cut (not rounded) to two digits, so that no limit looks reached that is not: `33.40`. Nothing else rounds. */
export function percent(ratio: Ratio): string {
  return (basisPoints(ratio) / 100).toFixed(2);
}

/** A ratio in hundredths of a percent, cut. */
export function basisPoints(ratio: Ratio): number {
  return Number((ratio * 10_000n) / whole);
}

/**
 * Shares of a whole in hundredths of a percent that add up to 100 %, or to `points`: each is cut, and what is left goes to the
 * largest remainders, the first of equal ones. All are 0 where the whole is 0.
 */
export function sharesOf(parts: readonly bigint[], points = 10_000): readonly number[] {
  const total = parts.reduce((sum, part) => sum + part, 0n);
  if (total === 0n) return parts.map(() => 0);
  const all = BigInt(points);
  const cut = parts.map((part) => Number((part * all) / total));
  const missing = points - cut.reduce((sum, one) => sum + one, 0);
  const rest = (at: number): bigint => ((parts[at] ?? 0n) * all) % total;
  const byRest = [...parts.keys()].sort((a, b) => Number(rest(b) > rest(a)) - Number(rest(a) > rest(b)));
  const raised = new Set(byRest.slice(0, missing));
  return cut.map((one, at) => (raised.has(at) ? one + 1 : one));
}

function readDecimal(text: string): Ratio | undefined {
  const [, units, fraction] = /^(\d{1,40})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (units === undefined) return undefined;
  if (fraction === undefined && units.length > 15) return BigInt(units);
  return BigInt(units + (fraction ?? '').padEnd(18, '0'));
}

/** `10uatom,5ibc/…`: coins as the SDK writes them (types/coin.go), in their order or sorted by denom. */
export function coinsText(coins: readonly Coin[], order?: 'sorted'): string {
  const listed = order ? coins.toSorted((a, b) => (a.denom < b.denom ? -1 : 1)) : coins;
  return listed.map(({ denom, amount }) => `${amount}${denom}`).join(',');
}

/** For sorting, the largest amount first. */
export function descending(a: bigint, b: bigint): number {
  return a > b ? -1 : Number(a < b);
}
