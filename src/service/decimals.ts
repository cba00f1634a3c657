import { toFraction, toText } from './scan/jsonValue.ts';
import { ValueError } from './serviceErrors.ts';

// Decimal numbers as integers in units of 10^-18, like `LegacyDec` of the SDK.

/** One. */
export const decimalOne = 10n ** 18n;

const mostShares = 10n ** 118n;

/** Reads a decimal number such as `"0.334"`, or a fraction (`63/2`) rounded half to even, in units of 10^-18. */
export function toShares(value: unknown, path: string): bigint {
  const text = toText(value, path);
  const fraction = toFraction(text);
  const shares = fraction && divide(fraction.dividend * decimalOne, fraction.divisor);
  if (shares !== undefined && shares < mostShares) return shares;
  if (!/^\d{1,100}(?:\.\d{1,18})?$/.test(text)) throw new ValueError('Expected a decimal number', path);
  const [units = '', decimals = ''] = text.split('.');
  return BigInt(units + decimals.padEnd(18, '0'));
}

/** Writes units of 10^-18 as a number with 18 decimals: `0.334000000000000000`. */
export function toDecimals(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(19, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`;
}

/** Divides two whole numbers and rounds half to even, as the decimals of the SDK do (math/dec.go). */
export function divide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  return twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient;
}
