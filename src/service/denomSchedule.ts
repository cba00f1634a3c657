import { type FileSearch, scanAgain } from './fileSearch.ts';
import type { FoundSchedule, StakingSink, UnbondingTotals } from './modules/staking.ts';
import { scalarText } from './scan/jsonValue.ts';

/** A search for the coins of a denom that will have vested, and the tokens that will have unbonded, by a time. */
export interface ScheduleTask extends FileSearch {
  readonly kind: 'schedule';
  readonly denom: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** Reads the whole file, because an index of unbonding entries would be too large to keep. */
export async function findSchedule(task: ScheduleTask): Promise<FoundSchedule> {
  const { denom, until } = task;
  const unbondings = new UnbondingReader(until);
  const reader = await scanAgain(task, unbondings);
  return { vesting: reader.vestingBy(denom, new Date(until)) ?? null, unbonding: unbondings.totals };
}

/** The limit for the days that are told. */
const maxDays = 20;
/** The limit for the days that are counted. An unbonding lasts weeks. */
const maxCounted = 10_000;

interface Sum {
  amount: bigint;
  entries: number;
}

/** Sums the entries of unbonding delegations by the day on which they end. */
class UnbondingReader implements StakingSink {
  readonly #until: number;
  readonly #all: Sum = { amount: 0n, entries: 0 };
  readonly #days = new Map<string, Sum>();
  #byThen = 0n;

  constructor(until: number) {
    this.#until = until;
  }

  get totals(): UnbondingTotals {
    const days = [...this.#days].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return {
      amount: `${this.#all.amount}`,
      entries: this.#all.entries,
      by_then: `${this.#byThen}`,
      days: days.slice(0, maxDays).map(([day, { amount, entries }]) => ({ day, amount: `${amount}`, entries })),
      more_days: Math.max(0, days.length - maxDays),
    };
  }

  delegation(): void {}

  delegationRange(): void {}

  unbonding(_delegation: unknown, { balance, completion_time: time }: Parameters<StakingSink['unbonding']>[1]): void {
    const amount = BigInt(scalarText(balance));
    const end = new Date(scalarText(time));
    add(this.#all, amount);
    if (Number.isNaN(end.getTime())) return;
    if (end.getTime() <= this.#until) this.#byThen += amount;
    const day = end.toISOString().slice(0, -14);
    const known = this.#days.get(day);
    if (known) add(known, amount);
    else if (this.#days.size < maxCounted) this.#days.set(day, { amount, entries: 1 });
  }
}

function add(sum: Sum, amount: bigint): void {
  sum.amount += amount;
  sum.entries++;
}
