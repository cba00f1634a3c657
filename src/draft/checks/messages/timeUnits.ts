/** A unit in which times since 1970 are written by mistake. */
export type TimeUnit = 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds';

/** How many of each unit are a second. */
const units: readonly (readonly [unit: TimeUnit, perSecond: bigint])[] = [
  ['seconds', 1n],
  ['milliseconds', 1000n],
  ['microseconds', 1_000_000n],
  ['nanoseconds', 1_000_000_000n],
];

/** From the middle of 2017, before which no message names a time, to the end of 2100, in seconds. */
const [firstSecond, lastSecond] = [1_500_000_000n, 4_133_980_800n];

/** The unit that a time since 1970 is most likely in, and the time in nanoseconds. Undefined for other numbers. */
export function unitOf(time: bigint): { readonly unit: TimeUnit; readonly nanoseconds: bigint } | undefined {
  const found = units.find(([, perSecond]) => time >= firstSecond * perSecond && time < lastSecond * perSecond);
  return found && { unit: found[0], nanoseconds: (time * 1_000_000_000n) / found[1] };
}

/** Whether digits are seconds since 1970 before any time that a message names, and rather a period. 0 is no time. */
export function isLongAgo(digits: string): boolean {
  return /^[1-9]\d{0,9}$/.test(digits) && BigInt(digits) < firstSecond;
}
