import { fromBase64, fromUtf8 } from './bytes.ts';

/**
 * A share as the chain counts it: an integer in units of 10^-18, so 0.334 is 334000000000000000n (LegacyDec of
 * cosmossdk.io/math).
 */
export type Ratio = bigint;

/** The ratio of 100 %. */
export const whole: Ratio = 10n ** 18n;

/**
 * Divides as LegacyDec.Quo of cosmossdk.io/math does: cut to 36 digits, rounded to 18, half to even. Undefined if `of`
 * is 0.
 */
export function quotient(part: bigint, of: bigint): Ratio | undefined {
  if (of === 0n) return undefined;
  return roundHalfEven((part * whole * whole) / of);
}

/** Rounds an amount in units of 10^-18 as LegacyDec.RoundInt of cosmossdk.io/math does: half to even. */
export function roundHalfEven(fine: bigint): bigint {
  const cut = fine / whole;
  const rest = (fine % whole) * 2n;
  return rest > whole || (rest === whole && cut % 2n === 1n) ? cut + 1n : cut;
}

/** Reads `0.334`, `1`, the integer in units of 10^-18, or base64 of either (protobuf `bytes`); otherwise undefined. */
export function toRatio(text: unknown): Ratio | undefined {
  if (typeof text !== 'string') return undefined;
  const decimal = parseRatio(text);
  if (decimal !== undefined) return decimal;
  const { bytes, rest } = fromBase64(text);
  return rest ? undefined : parseRatio(fromUtf8(bytes) ?? '');
}

/**
 * Writes a ratio in percent, cut to two digits: `33.40`. It is not rounded, so that no limit looks reached that is not.
 */
export function percent(ratio: Ratio): string {
  return (basisPoints(ratio) / 100).toFixed(2);
}

/** Gives a ratio in hundredths of a percent, cut. */
export function basisPoints(ratio: Ratio): number {
  return Number((ratio * 10_000n) / whole);
}

/**
 * Gives shares of a whole in hundredths of a percent that add up to 100 %, or to `points`. Each share is cut, and the
 * rest goes to the largest remainders, the first of equal ones. All are 0 if the whole is 0.
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

function parseRatio(text: string): Ratio | undefined {
  const [, units, fraction] = /^(\d{1,40})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (units === undefined) return undefined;
  if (fraction === undefined && units.length > 15) return BigInt(units);
  return BigInt(units + (fraction ?? '').padEnd(18, '0'));
}
