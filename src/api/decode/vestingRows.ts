import type { DenomSchedule, VestingOf } from '../node.ts';
import type { Reply } from '../replySchemas.ts';

/** Reads seconds since 1970. */
function toDate(seconds: string): Date {
  return new Date(Number(seconds) * 1000);
}

/** Reads what vests of a denom, and what unbonds. */
export function toSchedule({ vesting, unbonding }: Reply<'schedule'>): DenomSchedule {
  const { amount, entries, by_then: byThen, days, more_days: moreDays } = unbonding;
  const endOf = (seconds: string | null | undefined): Date | undefined =>
    typeof seconds === 'string' ? toDate(seconds) : undefined;
  return {
    vesting: vesting
      ? {
          notVested: BigInt(vesting.not_vested),
          accounts: vesting.accounts,
          firstEnd: endOf(vesting.first_end),
          lastEnd: endOf(vesting.last_end),
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
  const rows = coins.map(({ denom, original, delegated, not_vested: left }) => {
    const amounts = { original: BigInt(original), delegated: BigInt(delegated) };
    return [denom, { ...amounts, notVested: typeof left === 'string' ? BigInt(left) : undefined }] as const;
  });
  return { kind, start: toDate(start), end: toDate(end), coins: new Map(rows) };
}
