import type { Fields } from '../../chain/fields.ts';
import { decimalOne, divide } from '../decimals.ts';
import { isParsedObject, readCoin, scalarText, toFields, toList } from '../scan/jsonValue.ts';
import { ValueError } from '../serviceErrors.ts';

type Amounts = ReadonlyMap<string, bigint>;

/** The vesting schedule of an account. Times and lengths are in seconds (x/auth/vesting/types/vesting_account.go). */
export interface Vesting {
  readonly kind: VestingKind;
  readonly original: Amounts;
  readonly delegated: Amounts;
  readonly start: bigint;
  readonly end: bigint;
  /** Periods by denom. At `end`, this period and all periods before it are over. */
  readonly periods: ReadonlyMap<string, readonly { readonly end: bigint; readonly amount: bigint }[]>;
}

const vestingKinds = [
  'ContinuousVestingAccount',
  'DelayedVestingAccount',
  'PeriodicVestingAccount',
  'PermanentLockedAccount',
] as const;
type VestingKind = (typeof vestingKinds)[number];

/**
 * Gives the type of an account whose fields are on one level. SDK 0.34 to 0.37 write no type: there, the fields tell
 * it, as `ToAccount` of x/auth and x/genaccounts does. Undefined if the fields tell no type, and for the schedule of a
 * fork.
 */
export function accountType(account: Fields): string | undefined {
  const type = account['@type'] ?? account.type;
  if (type !== undefined) return typeof type === 'string' ? type : undefined;
  if (typeof account.module_name === 'string' && account.module_name !== '') return 'ModuleAccount';
  const { original_vesting: original, vesting_schedules: schedules } = account;
  if (!Array.isArray(original) || original.every(isNothing) || isNothing(account.end_time)) return undefined;
  if (Array.isArray(schedules) && schedules.length > 0) return undefined;
  return isNothing(account.start_time) ? 'DelayedVestingAccount' : 'ContinuousVestingAccount';
}

/**
 * Accounts whose coins are locked as those of the account inside them: profiles of Desmos (`LockedCoins` in x/profiles/types/account.go)
 * and liquidity providers of e-Money, which embed any account (x/liquidityprovider/types/account.go).
 */
const passingAccounts = /^(?:\/desmos\.profiles\.v\d+(?:beta\d+)?\.Profile|e-money\/LiquidityProviderAccount)$/;

/** The type of the vesting account inside one that passes its vesting on; undefined for all others. */
export function innerVesting(account: Fields, inside: readonly Fields[]): string | undefined {
  if (!passingAccounts.test(scalarText(account['@type'] ?? account.type))) return undefined;
  const types = inside.map((level) => scalarText(level['@type'] ?? level.type));
  return types.find((type) => vestingKinds.some((kind) => type.endsWith(kind)));
}

/** True for zero, as a number or as the amount of a coin. */
function isNothing(value: unknown): boolean {
  return /^0*$/.test(scalarText(isParsedObject(value) ? value.amount : value));
}

/**
 * Reads the vesting schedule of an account whose fields are on one level. Undefined for an unknown type. Throws
 * `ValueError`.
 */
export function readVesting(type: string | undefined, account: Fields): Vesting | undefined {
  const kind = vestingKinds.find((name) => name === type);
  if (kind === undefined) return undefined;
  const start = readSeconds(account.start_time, '.start_time');
  return {
    kind,
    original: toAmounts(account.original_vesting, '.original_vesting'),
    delegated: toAmounts(account.delegated_vesting, '.delegated_vesting'),
    start,
    end: readSeconds(account.end_time, '.end_time'),
    periods: account.vesting_periods === undefined ? noPeriods : toPeriods(account.vesting_periods, start),
  };
}

/** One empty map for all accounts without periods, of which there may be a million. */
const noPeriods: Vesting['periods'] = new Map();
const noAmounts: Amounts = new Map();

/** Estimates the memory of a vesting schedule in bytes. */
export function weightOf({ original, delegated, periods }: Vesting): number {
  let weight = 150;
  for (const amounts of [original, delegated]) {
    if (amounts.size > 0) weight += 150;
    for (const denom of amounts.keys()) weight += 60 + denom.length;
  }
  for (const [denom, list] of periods) weight += 210 + denom.length + 100 * list.length;
  return weight;
}

function toPeriods(list: unknown, start: bigint): Vesting['periods'] {
  const periods = new Map<string, { readonly end: bigint; readonly amount: bigint }[]>();
  let [time, end] = [start, start];
  for (const [index, item] of toList(list, '.vesting_periods').entries()) {
    const path = `.vesting_periods[${index}]`;
    const period = toFields(item, path);
    time += readSeconds(period.length, `${path}.length`);
    // A length may be negative. A period never ends before the previous one.
    if (time > end) end = time;
    for (const [denom, amount] of toAmounts(period.amount, `${path}.amount`)) {
      const own = periods.get(denom);
      if (own) own.push({ end, amount });
      else periods.set(denom, [{ end, amount }]);
    }
  }
  return periods;
}

function toAmounts(coins: unknown, path: string): Amounts {
  const list = toList(coins, path);
  if (list.length === 0) return noAmounts;
  return new Map(
    list.map((item, index) => {
      const { denom, amount } = readCoin(item, `${path}[${index}]`);
      return [denom, BigInt(amount)];
    }),
  );
}

/** Reads seconds, which amino writes as text. An absent value is 0. */
function readSeconds(value: unknown, path: string): bigint {
  if (value === undefined || value === null) return 0n;
  if (Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,20}$/.test(value)))
    return BigInt(`${value}`);
  throw new ValueError('Expected a number of seconds', path);
}

/**
 * Gives the coins that are locked and still in the account at the time `now`, at most `balance`
 * (`LockedCoinsFromVesting` of the SDK).
 */
export function lockedOf(vesting: Vesting, denom: string, balance: bigint, now: Date): bigint {
  const original = vesting.original.get(denom) ?? 0n;
  const time = BigInt(Math.floor(now.getTime() / 1000));
  const locked = original - vestedOf(vesting, denom, time) - (vesting.delegated.get(denom) ?? 0n);
  if (locked <= 0n) return 0n;
  return locked < balance ? locked : balance;
}

/** The vesting of one account as plain JSON. Times are in seconds since 1970. */
export interface VestingJson {
  readonly kind: string;
  readonly start: string;
  readonly end: string;
  readonly coins: readonly {
    readonly denom: string;
    readonly original: string;
    readonly delegated: string;
    /** Undefined if the time is not known. */
    readonly not_vested: string | undefined;
    /** The part of `not_vested` that is not delegated (`LockedCoinsFromVesting` of the SDK). Undefined like it. */
    readonly locked: string | undefined;
  }[];
}

/** Gives the time at which all coins have vested, in seconds since 1970. Undefined if they never do. */
export function endOf({ kind, end }: Vesting): bigint | undefined {
  return kind === 'PermanentLockedAccount' ? undefined : end;
}

/** The limit for the denoms of a vesting account that are told. */
const maxVestingDenoms = 100;

/** Gives the vesting of an account in words, and what has not vested at the time `now`. */
export function toVestingJson(vesting: Vesting, now: Date | undefined): VestingJson {
  const unvested = new Map(now ? unvestedOf(vesting, now) : []);
  const coins = [...vesting.original].slice(0, maxVestingDenoms).map(([denom, original]) => ({
    denom,
    original: `${original}`,
    delegated: `${vesting.delegated.get(denom) ?? 0n}`,
    not_vested: unvested.get(denom)?.toString(),
    locked: now && `${lockedOf(vesting, denom, original, now)}`,
  }));
  return { kind: kindNames[vesting.kind], start: `${vesting.start}`, end: `${vesting.end}`, coins };
}

const kindNames: Readonly<Record<VestingKind, string>> = {
  ContinuousVestingAccount: 'continuous',
  DelayedVestingAccount: 'delayed',
  PeriodicVestingAccount: 'periodic',
  PermanentLockedAccount: 'permanent_locked',
};

/** Gives the coins that have not vested at the time `now`, by denom. Delegated coins count too. */
export function unvestedOf(vesting: Vesting, now: Date): readonly (readonly [denom: string, amount: bigint])[] {
  const time = BigInt(Math.floor(now.getTime() / 1000));
  return [...vesting.original].map(([denom, all]) => [denom, all - vestedOf(vesting, denom, time)]);
}

/** The vesting of a denom in all accounts as plain JSON. Amounts are in base units, times in seconds since 1970. */
export interface VestingTotals {
  /** The amount that will not have vested by the time that was asked for. */
  readonly not_vested: string;
  /** The accounts that will have some of it to vest yet at that time. */
  readonly accounts: number;
  /** The first and the last end of their schedules; undefined if none ends. */
  readonly first_end: string | undefined;
  readonly last_end: string | undefined;
  /** All accounts that vest or have vested the denom, by kind. */
  readonly kinds: readonly VestingKindTotals[];
}

/** The accounts of one kind. */
interface VestingKindTotals {
  readonly kind: string;
  readonly accounts: number;
  readonly original: string;
  /** Undefined for kinds without a start. */
  readonly first_start: string | undefined;
  /** Undefined for a kind that never ends. */
  readonly last_end: string | undefined;
}

/** Sums up schedules as of a time. */
export function vestingTotals(schedules: readonly Vesting[], denom: string, at: Date): VestingTotals {
  const time = BigInt(Math.floor(at.getTime() / 1000));
  const own = schedules.filter(({ original }) => (original.get(denom) ?? 0n) > 0n);
  const leftOf = (vesting: Vesting): bigint => (vesting.original.get(denom) ?? 0n) - vestedOf(vesting, denom, time);
  const open = own.filter((vesting) => leftOf(vesting) > 0n);
  const ends = open.flatMap((vesting) => endOf(vesting) ?? []);
  return {
    not_vested: `${own.reduce((sum, vesting) => sum + leftOf(vesting), 0n)}`,
    accounts: open.length,
    first_end: least(ends)?.toString(),
    last_end: greatest(ends)?.toString(),
    kinds: vestingKinds.flatMap((kind) => {
      const alike = own.filter((vesting) => vesting.kind === kind);
      return alike.length > 0 ? [kindTotals(kind, alike, denom)] : [];
    }),
  };
}

function kindTotals(kind: VestingKind, alike: readonly Vesting[], denom: string): VestingKindTotals {
  const hasStart = kind === 'ContinuousVestingAccount' || kind === 'PeriodicVestingAccount';
  const starts = hasStart ? alike.map(({ start }) => start) : [];
  return {
    kind: kindNames[kind],
    accounts: alike.length,
    original: `${alike.reduce((sum, { original }) => sum + (original.get(denom) ?? 0n), 0n)}`,
    first_start: least(starts)?.toString(),
    last_end: greatest(alike.flatMap((vesting) => endOf(vesting) ?? []))?.toString(),
  };
}

function least(numbers: readonly bigint[]): bigint | undefined {
  return numbers.reduce<bigint | undefined>((min, one) => (min === undefined || one < min ? one : min), undefined);
}

function greatest(numbers: readonly bigint[]): bigint | undefined {
  return numbers.reduce<bigint | undefined>((max, one) => (max === undefined || one > max ? one : max), undefined);
}

function vestedOf({ kind, original, start, end, periods }: Vesting, denom: string, time: bigint): bigint {
  const all = original.get(denom) ?? 0n;
  if (kind === 'PermanentLockedAccount') return 0n;
  if (time >= end && (kind === 'DelayedVestingAccount' || time > start)) return all;
  if (kind === 'DelayedVestingAccount' || time <= start) return 0n;
  if (kind === 'ContinuousVestingAccount') return divide(all * ratio(time - start, end - start), decimalOne);
  const over = (periods.get(denom) ?? []).filter((period) => period.end <= time);
  return over.reduce((vested, { amount }) => vested + amount, 0n);
}

/** Divides two whole numbers as `LegacyDec.Quo` does: cut at 36 decimals, then rounded to 18, half to even. */
function ratio(dividend: bigint, divisor: bigint): bigint {
  return divide((dividend * decimalOne * decimalOne) / divisor, decimalOne);
}
