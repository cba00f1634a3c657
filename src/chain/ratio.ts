/** A share as the chain counts it: an integer in units of 10^-18, so 0.334 is 334000000000000000n. */
export type Ratio = bigint;

/** 100 %. */
export const whole: Ratio = 10n ** 18n;

/**
 * `part / of` as the chain divides (LegacyDec.Quo of cosmossdk.io/math): 36 digits cut off, then rounded to 18, a half
 * to the even neighbour. Undefined where `of` is zero.
 */
export function quotient(part: bigint, of: bigint): Ratio | undefined {
  if (of === 0n) return undefined;
  const fine = (part * whole * whole) / of;
  const cut = fine / whole;
  const rest = (fine % whole) * 2n;
  return rest > whole || (rest === whole && cut % 2n === 1n) ? cut + 1n : cut;
}

/**
 * A ratio as nodes and state files write it: `0.334000000000000000`, `1`, the integer in units of 10^-18
 * (`334000000000000000`), or base64 of either (the protobuf field is `bytes`). Undefined for anything else.
 */
export function toRatio(text: unknown): Ratio | undefined {
  if (typeof text !== 'string') return undefined;
  return readDecimal(text) ?? readDecimal(textOfBase64(text));
}

/** A ratio in percent, cut (not rounded) after two digits, so that no limit looks reached that is not: `33.40`. */
export function percent(ratio: Ratio): string {
  const points = (ratio * 10_000n) / whole;
  const digits = (points < 0n ? -points : points).toString().padStart(3, '0');
  return `${points < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function readDecimal(text: string): Ratio | undefined {
  const [, units, fraction] = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (units === undefined) return undefined;
  if (fraction === undefined && units.length > 15) return BigInt(units);
  return BigInt(units + (fraction ?? '').padEnd(18, '0'));
}

function textOfBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
