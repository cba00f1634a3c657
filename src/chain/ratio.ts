import { fromBase64, fromUtf8 } from '../api/wireValues.ts';

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

function readDecimal(text: string): Ratio | undefined {
  const [, units, fraction] = /^(\d{1,40})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (units === undefined) return undefined;
  if (fraction === undefined && units.length > 15) return BigInt(units);
  return BigInt(units + (fraction ?? '').padEnd(18, '0'));
}
