import type { VestingOf } from '../node.ts';
import type { Reply } from '../replySchemas.ts';

/** Reads how the coins of an account vest. */
export function toVesting({ kind, start, end, coins }: NonNullable<Reply<'stake'>['stake']['vesting']>): VestingOf {
  const toDate = (seconds: string): Date => new Date(Number(seconds) * 1000);
  const rows = coins.map(({ denom, original, delegated, not_vested: left }) => {
    const amounts = { original: BigInt(original), delegated: BigInt(delegated) };
    return [denom, { ...amounts, notVested: typeof left === 'string' ? BigInt(left) : undefined }] as const;
  });
  return { kind, start: toDate(start), end: toDate(end), coins: new Map(rows) };
}
