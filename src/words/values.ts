import { type Coin, type DenomUnit, displayAmount, groupDigits, percent, type Ratio } from '../chain/coin.ts';

/** `1,234.5 ATOM` where the unit is known, else the base units with their denom; exact either way. */
export function amountText(coin: Coin, unit: DenomUnit | undefined): string {
  return unit
    ? `${displayAmount(coin.amount, unit.exponent)} ${unit.symbol}`
    : `${groupDigits(coin.amount)} ${coin.denom}`.trim();
}

/** Every digit after the point, zeros too, so that a column lines up. */
export function alignedAmount(amount: bigint, exponent: number): string {
  if (exponent === 0) return groupDigits(amount);
  const digits = String(amount < 0n ? -amount : amount).padStart(exponent + 1, '0');
  return `${amount < 0n ? '-' : ''}${groupDigits(BigInt(digits.slice(0, -exponent)))}.${digits.slice(-exponent)}`;
}

/** Both ends of an address tell it apart. */
export function shortAddress(address: string): string {
  return address.length <= 20 ? address : `${address.slice(0, 10)}…${address.slice(-5)}`;
}

/** Hundredths of a percent: 6251 → `62.51 %`. */
export function percentText(points: number): string {
  return `${Math.floor(points / 100)}.${String(points % 100).padStart(2, '0')} %`;
}

/** A ratio in percent, cut after two digits; with all its digits where it would look like `limit` and is not. */
export function ratioText(ratio: Ratio, limit?: Ratio): string {
  const short = percent(ratio);
  if (limit === undefined || ratio === limit || short !== percent(limit)) return `${short} %`;
  const digits = (ratio * 100n).toString().padStart(19, '0');
  const decimals = digits.slice(-18).replace(/(?<!0)0+$/, '');
  return `${digits.slice(0, -18)}.${decimals.padEnd(2, '0')} %`;
}

/** A ratio in percent with all its digits, as a parameter states it: `33.4 %`, `0.0001 %`. */
export function exactRatioText(ratio: Ratio): string {
  return `${displayAmount(ratio, 16)} %`;
}

const scales = ['', ' K', ' M', ' B', ' T'];

/** What is needed of an amount: millions of a display unit with two decimals, rounded up so that it is enough: `24.23 M ATOM`. */
export function enoughText(coin: Coin, unit: DenomUnit | undefined): string {
  if (!unit) return amountText(coin, unit);
  const scale = scales.findLastIndex((_, at) => coin.amount >= 10n ** BigInt(unit.exponent + 3 * at));
  if (scale < 2) return amountText(coin, unit);
  const step = 10n ** BigInt(unit.exponent + 3 * scale - 2);
  return `${displayAmount((coin.amount + step - 1n) / step, 2)}${scales[scale]} ${unit.symbol}`;
}

/** The number of an amount in a row, in its unit or in base units: grouped digits, cut and not rounded; from 10^15 on in trillions (`1,234 T`). */
export function rowAmount(amount: bigint, exponent: number): string {
  const [integer = '', fraction = ''] = displayAmount(amount, exponent).split('.');
  if (integer.length > 19) return `${groupDigits(BigInt(integer.replaceAll(',', '')) / 10n ** 12n)} T`;
  // Two digits behind the point, or as many as it takes to show one that is not zero.
  const shown = integer === '0' ? Math.max(2, fraction.search(/[1-9]/) + 1) : 2;
  const digits = fraction.slice(0, shown).replace(/(?<!0)0+$/, '');
  return digits === '' ? integer : `${integer}.${digits}`;
}

/** A command for a POSIX shell that reads an address. `header` names the user's own; its value, a secret, is a placeholder. */
export function toCurl(url: string, height: string | undefined, header: string | undefined): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const headers = [
    'Accept: application/json',
    ...(height === undefined ? [] : [`x-cosmos-block-height: ${height}`]),
    ...(header === undefined ? [] : [`${header}: YOUR-CREDENTIAL`]),
  ];
  return ['curl -sS', ...headers.map((line) => `-H ${quoted(line)}`), quoted(url)].join(' ');
}

/** The amount in display units where they are stated, and always the exact base units: `1.5 ATOM (1,500,000)`. */
export function amountWithRaw(coin: Coin, unit: DenomUnit | undefined): string {
  const raw = groupDigits(coin.amount);
  if (!unit) return raw;
  return unit.exponent > 0 ? `${amountText(coin, unit)} (${raw})` : amountText(coin, unit);
}

/** A denom short enough to leave space for its amount; both ends stay, since they tell denoms apart. */
export function denomLabel(denom: string): string {
  return denom.length <= 22 ? denom : `${denom.slice(0, 12)}…${denom.slice(-6)}`;
}
