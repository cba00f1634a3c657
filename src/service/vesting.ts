import { type Fields, isFields, scalarText, toCoin, toFields, toList } from './jsonValue.ts';
import { ValueError } from './serviceErrors.ts';
import { divide, wholeVote as unit } from './votes.ts';

type Amounts = ReadonlyMap<string, bigint>;

/** What of an account vests when; times and lengths in seconds (x/auth/vesting/types/vesting_account.go). */
export interface Vesting {
  readonly kind: VestingKind;
  readonly original: Amounts;
  readonly delegated: Amounts;
  readonly start: bigint;
  readonly end: bigint;
  /** Of each denom, what vests when: a period and those before it are over at `end`. */
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
 * The type of an account, its fields on one level. SDK 0.34 to 0.37 writes none: there the fields tell it, as `ToAccount` of
 * x/auth and x/genaccounts has it. Undefined where they tell none, and for a schedule of a fork.
 */
export function accountType(account: Fields): string | undefined {
  const type = account['@type'] ?? account.type;
  if (type !== undefined) return typeof type === 'string' ? type : undefined;
  if (typeof account.module_name === 'string' && account.module_name !== '') return 'ModuleAccount';
  const { original_vesting: original, vesting_schedules: schedules } = account;
  if (!Array.isArray(original) || original.every(isZero) || isZero(account.end_time)) return undefined;
  if (Array.isArray(schedules) && schedules.length > 0) return undefined;
  return isZero(account.start_time) ? 'DelayedVestingAccount' : 'ContinuousVestingAccount';
}

/** Of a number, or a coin. */
function isZero(value: unknown): boolean {
  return /^0*$/.test(scalarText(isFields(value) ? value.amount : value));
}

/** The vesting of an account, its fields on one level; undefined for a type that is not known. Throws `ValueError`. */
export function readVesting(type: string | undefined, account: Fields): Vesting | undefined {
  const kind = vestingKinds.find((name) => name === type);
  if (kind === undefined) return undefined;
  const start = toSeconds(account.start_time, '.start_time');
  return {
    kind,
    original: toAmounts(account.original_vesting, '.original_vesting'),
    delegated: toAmounts(account.delegated_vesting, '.delegated_vesting'),
    start,
    end: toSeconds(account.end_time, '.end_time'),
    periods: account.vesting_periods === undefined ? noPeriods : toPeriods(account.vesting_periods, start),
  };
}

/** Shared by most accounts, of which there may be a million. */
const noPeriods: Vesting['periods'] = new Map();
const noAmounts: Amounts = new Map();

/** About how many bytes of memory a vesting takes. */
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
    time += toSeconds(period.length, `${path}.length`);
    // A length may be negative, and no period is over before the one ahead of it.
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
      const { denom, amount } = toCoin(item, `${path}[${index}]`);
      return [denom, BigInt(amount)];
    }),
  );
}

/** Amino writes seconds as text, too; absent is 0. */
function toSeconds(value: unknown, path: string): bigint {
  if (value === undefined || value === null) return 0n;
  if (Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,20}$/.test(value)))
    return BigInt(`${value}`);
  throw new ValueError('Expected a number of seconds', path);
}

/** What is locked and still in the account, whose balance is `balance`, at the time `now`: `LockedCoinsFromVesting` of the SDK. */
export function lockedOf(vesting: Vesting, denom: string, balance: bigint, now: Date): bigint {
  const original = vesting.original.get(denom) ?? 0n;
  const time = BigInt(Math.floor(now.getTime() / 1000));
  const locked = original - vestedOf(vesting, denom, time) - (vesting.delegated.get(denom) ?? 0n);
  if (locked <= 0n) return 0n;
  return locked < balance ? locked : balance;
}

/** What is not vested yet at the time `now`, by denom, delegated coins included: whatever the account still holds. */
export function unvestedOf(vesting: Vesting, now: Date): readonly (readonly [denom: string, amount: bigint])[] {
  const time = BigInt(Math.floor(now.getTime() / 1000));
  return [...vesting.original].map(([denom, all]) => [denom, all - vestedOf(vesting, denom, time)]);
}

function vestedOf({ kind, original, start, end, periods }: Vesting, denom: string, time: bigint): bigint {
  const all = original.get(denom) ?? 0n;
  if (kind === 'PermanentLockedAccount') return 0n;
  if (time >= end && (kind === 'DelayedVestingAccount' || time > start)) return all;
  if (kind === 'DelayedVestingAccount' || time <= start) return 0n;
  if (kind === 'ContinuousVestingAccount') return divide(all * ratio(time - start, end - start), unit);
  const over = (periods.get(denom) ?? []).filter((period) => period.end <= time);
  return over.reduce((vested, { amount }) => vested + amount, 0n);
}

/** `LegacyDec.Quo` of two whole numbers: cut off at 36 decimals, then rounded to 18, half to even. */
function ratio(dividend: bigint, divisor: bigint): bigint {
  return divide((dividend * unit * unit) / divisor, unit);
}
