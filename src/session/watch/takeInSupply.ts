import type { AmountAt, DenomReading } from './reading.ts';
import type { Found, Taken } from './takeIn.ts';
import type { SupplyRule, WatchRules } from './watchRules.ts';

const day = 24 * 3_600_000;

/** What a read of a denom's supply changes and whether that is worth a word. `now` is the node's time. */
export function takeInSupply(
  rules: WatchRules,
  before: DenomReading | undefined,
  amount: bigint,
  now: number,
): Taken<DenomReading> {
  const read: AmountAt = { amount: amount.toString(), at: now };
  if (!before) return { reading: { kind: 'denom', ...read, base: read, earlier: read, newer: read }, found: [] };
  // Two samples, so that the older one is between one and two days old once there is that much to look back on.
  const rotate = now - before.newer.at >= day;
  const [earlier, newer] = rotate ? [before.newer, read] : [before.earlier, before.newer];
  const reading: DenomReading = { kind: 'denom', ...read, base: before.base, earlier, newer };
  const { base } = before;
  if (!rules.supply || !isBeyond(rules.supply, BigInt(base.amount), amount)) return { reading, found: [] };
  const found: Found = {
    id: `supply ${base.amount} ${base.at}`,
    what: { kind: 'supply', from: base.amount, to: read.amount, since: base.at },
    silent: false,
  };
  return { reading: { ...reading, base: read }, found: [found] };
}

/** Exact: percents are compared in ten-thousandths. */
function isBeyond(rule: SupplyRule, from: bigint, to: bigint): boolean {
  const change = to > from ? to - from : from - to;
  if (rule.kind === 'amount') return change > rule.amount;
  const tenThousandths = BigInt(Math.round(rule.percent * 10_000));
  return change * 1_000_000n > from * tenThousandths;
}
