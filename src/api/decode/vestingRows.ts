import type { DenomSchedule, VestingOf } from '../node.ts';
import type { Reply } from '../replySchemas.ts';

/** Reads seconds since 1970. */
function toDate(seconds: string): Date {
  return new Date(Number(seconds) * 1000);
}

/** Reads what vests of a denom, and what unbonds. */
export function toSchedule({ vesting, unbonding }: Reply<'schedule'>): DenomSchedule {
  const { amount, entries, by_then: byThen, days, more_days: moreDays } = unbonding;
  const dateOf = (seconds: string | null | undefined): Date | undefined =>
    typeof seconds === 'string' ? toDate(seconds) : undefined;
  return {
    vesting: vesting
      ? {
          notVested: BigInt(vesting.not_vested),
          accounts: vesting.accounts,
          firstEnd: dateOf(vesting.first_end),
          lastEnd: dateOf(vesting.last_end),
          kinds: vesting.kinds.map(({ kind, accounts, original, first_start: start, last_end: end }) => {
            return { kind, accounts, original: BigInt(original), firstStart: dateOf(start), lastEnd: dateOf(end) };
          }),
        }
      : undefined,
    unbonding: {
      amount: BigInt(amount),
      entries,
      byThen: BigInt(byThen),
      days: days.map((day) => ({ day: day.day, amount: BigInt(day.amount), entries: day.entries })),
      moreDays,
    },
  };
}

/** Reads how the coins of an account vest. */
export function toVesting({ kind, start, end, coins }: NonNullable<Reply<'stake'>['stake']['vesting']>): VestingOf {
  const known = (amount: string | null | undefined): bigint | undefined =>
    typeof amount === 'string' ? BigInt(amount) : undefined;
  const rows = coins.map(({ denom, original, delegated, not_vested: left, locked }) => {
    const amounts = { original: BigInt(original), delegated: BigInt(delegated) };
    return [denom, { ...amounts, notVested: known(left), locked: known(locked) }] as const;
  });
  return { kind, start: toDate(start), end: toDate(end), coins: new Map(rows) };
}
