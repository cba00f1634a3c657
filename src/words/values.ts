import { type Coin, type DenomUnit, displayAmount, groupDigits } from '../chain/coin.ts';
import { basisPoints, percent, type Ratio, sharesOf } from '../chain/ratio.ts';
import type { SplitRow, SupplySplit } from '../chain/supplySplit.ts';
import { escapeForUi } from '../chain/text.ts';
import type { SupplyArrangement, SupplyOrder } from '../lists/supply.ts';
import { type Language, listText, type Translate } from './language.ts';
import { timeText } from './time.ts';

/** `1,234.5 ATOM` if the unit is known, otherwise the base units with their denom. Always exact. */
export function amountText(coin: Coin, unit: DenomUnit | undefined): string {
  return unit
    ? `${displayAmount(coin.amount, unit.exponent)} ${unit.symbol}`
    : `${groupDigits(coin.amount)} ${coin.denom}`.trim();
}

/**
 * The amounts of a column, as `rowAmount`, with equal numbers of decimals. The longest amount decides, up to two
 * decimals. An amount that would become zero, or is 10^15 or more, stays as in a row.
 */
export function columnAmounts(amounts: readonly bigint[], exponent: number): readonly string[] {
  const shown = amounts.map((amount) => rowAmount(amount, exponent));
  const places = (text: string): number => (/×/.test(text) ? 0 : (text.split('.')[1] ?? '').length);
  const most = shown.map(places).reduce((found, own) => (own <= 2 ? Math.max(found, own) : found), 0);
  return shown.map((text) => {
    const [own, missing] = [places(text), most - places(text)];
    return missing <= 0 || /×/.test(text) ? text : `${text}${own === 0 ? '.' : ''}${'0'.repeat(missing)}`;
  });
}

/** An amount with its sign: `+1,250`, `-3`. */
export function signed(amount: bigint, write: (amount: bigint) => string): string {
  return `${amount > 0n ? '+' : ''}${write(amount)}`;
}

/** Shortens an address. Both ends stay, since they tell addresses apart. */
export function shortAddress(address: string): string {
  return address.length <= 20 ? address : `${address.slice(0, 10)}…${address.slice(-5)}`;
}

/**
 * Hundredths of a percent as text: 6251 → `62.51 %`. `part` is the amount behind the share. If it is not zero, the text
 * is never `0.00 %`.
 */
export function percentText(points: number, part: bigint): string {
  if (points === 0 && part > 0n) return '<0.01 %';
  return `${Math.floor(points / 100)}.${String(points % 100).padStart(2, '0')} %`;
}

/**
 * A ratio in percent, cut after two decimals. `points` replaces its hundredths of a percent. All decimals are shown if
 * the ratio would otherwise seem to be on the other side of `limit`.
 */
export function ratioText(ratio: Ratio, limit?: Ratio, points = basisPoints(ratio)): string {
  const limitPoints = limit === undefined ? undefined : basisPoints(limit);
  if (limit === undefined || limitPoints === undefined) return percentText(points, ratio);
  if (ratio === limit) return `${percent(ratio)} %`;
  const isTold = ratio < limit ? points < limitPoints : points > limitPoints;
  if (isTold) return percentText(points, ratio);
  const digits = (ratio * 100n).toString().padStart(19, '0');
  const decimals = digits.slice(-18).replace(/(?<!0)0+$/, '');
  return `${digits.slice(0, -18)}.${decimals.padEnd(2, '0')} %`;
}

/** A ratio in percent with all decimals, as a parameter states it: `33.4 %`, `0.0001 %`. */
export function exactRatioText(ratio: Ratio): string {
  return `${displayAmount(ratio, 16)} %`;
}

const scales = ['', ' K', ' M', ' B', ' T'];

/**
 * An amount that is needed, in millions of a display unit: `24.23 M ATOM`. Two decimals, rounded up so that the amount
 * is enough.
 */
export function enoughText(coin: Coin, unit: DenomUnit | undefined): string {
  if (!unit) return amountText(coin, unit);
  const scale = scales.findLastIndex((_, at) => coin.amount >= 10n ** BigInt(unit.exponent + 3 * at));
  if (scale < 2) return amountText(coin, unit);
  const step = 10n ** BigInt(unit.exponent + 3 * scale - 2);
  return `${displayAmount((coin.amount + step - 1n) / step, 2)}${scales[scale]} ${unit.symbol}`;
}

/**
 * The number of an amount in a row, in units of 10^`exponent` base units. Digits are grouped, and decimals are cut.
 * From 10^15 on as `largeAmount`.
 */
export function rowAmount(amount: bigint, exponent: number): string {
  if (amount < 0n) return `-${rowAmount(-amount, exponent)}`;
  const [integer = '', fraction = ''] = displayAmount(amount, exponent).split('.');
  const units = integer.replaceAll(',', '');
  if (units.length > 15) return largeAmount(units);
  // Two decimals, or as many as are needed to show one that is not zero.
  const shown = integer === '0' ? Math.max(2, fraction.search(/[1-9]/) + 1) : 2;
  const digits = fraction.slice(0, shown).replace(/(?<!0)0+$/, '');
  return digits === '' ? integer : `${integer}.${digits}`;
}

/** The first three digits of a whole number and its power of ten, cut and not rounded: `2.41 × 10²⁹`. */
function largeAmount(digits: string): string {
  const power = String(digits.length - 1).replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)));
  return `${digits.charAt(0)}.${digits.slice(1, 3)} × 10${power}`;
}

/** The amount in display units if these are known, and always the base units: `1.5 ATOM (1,500,000)`. */
export function amountWithRaw(coin: Coin, unit: DenomUnit | undefined): string {
  const raw = groupDigits(coin.amount);
  if (!unit) return raw;
  return unit.exponent > 0 ? `${amountText(coin, unit)} (${raw})` : amountText(coin, unit);
}

/** Shortens a denom to leave space for its amount. Both ends stay, since they tell denoms apart. */
export function denomLabel(denom: string): string {
  return denom.length <= 22 ? denom : `${denom.slice(0, 12)}…${denom.slice(-6)}`;
}

/** Says how much of a list is loaded: `50 of 70 loaded`. */
export function loadedWords(loaded: number, total: bigint | undefined, t: Translate): string {
  const shown = groupDigits(loaded);
  if (isCounted(loaded, total)) return t('{0} of {1} loaded', shown, groupDigits(total));
  return t('{0} loaded, total unknown', shown);
}

/** Whether a total can be right. A total below the number of loaded rows was miscounted, or is of another time. */
function isCounted(loaded: number, total: bigint | undefined): total is bigint {
  return total !== undefined && total >= BigInt(loaded);
}

/** How much of a list is loaded: `12 of 70`, `50 loaded`, `12`. */
export function loadedText(loaded: number, total: bigint | undefined, hasMore: boolean, t: Translate): string {
  const shown = groupDigits(loaded);
  if (!hasMore) return shown;
  return isCounted(loaded, total) ? t('{0} of {1}', shown, groupDigits(total)) : t('{0} loaded', shown);
}

/** How many loaded rows match a text: `"ibc" 12 of 50`. */
export function matchesText(text: string, shown: number, loaded: number, t: Translate): string {
  return t('"{0}" {1} of {2}', escapeForUi(text), groupDigits(shown), groupDigits(loaded));
}

/** How many loaded rows of the supply match a text, and their order: `"ibc" 12 of 50, by amount`. */
export function supplyText(arrangement: SupplyArrangement, shown: number, loaded: number, t: Translate): string {
  const parts = [
    ...(arrangement.text ? [matchesText(arrangement.text, shown, loaded, t)] : []),
    ...(arrangement.order === 'value' ? [] : [orderName(arrangement.order, t)]),
  ];
  return listText(parts, t);
}

/** The name of an order of the supply. */
function orderName(order: SupplyOrder, t: Translate): string {
  return {
    value: t('known denoms first'),
    denom: t('by denom'),
    amount: t('by amount in base units'),
    symbol: t('by symbol'),
  }[order];
}

/** The origin of an `ibc/…` denom: `uatom via transfer/channel-0`. "" if it is not known. */
export function originText(origin: { readonly path: string; readonly base: string } | undefined, t: Translate): string {
  return origin ? t('{0} via {1}', origin.base, origin.path) : '';
}

/**
 * A past block: `height 12,345, Mar 3, 2026, 14:02`. The height is given in digits, the time (RFC 3339) if it is known.
 */
export function heightText(
  block: { readonly height: string; readonly time?: string | undefined },
  language: Language,
): string {
  const shown = language.t('height {0}', groupDigits(BigInt(block.height)));
  return block.time === undefined
    ? shown
    : listText([shown, timeText(new Date(block.time), language.locale)], language.t);
}

/** The name of a row of a split: `Bonded`, `IBC escrow`, `Other accounts`. */
export function splitClassName(row: Pick<SplitRow, 'class' | 'name'>, t: Translate): string {
  const modules: Readonly<Partial<Record<string, string>>> = {
    bonded_tokens_pool: t('Bonded'),
    not_bonded_tokens_pool: t('Unbonding'),
    distribution: t('Distribution'),
    gov: t('Deposits'),
  };
  return {
    module: modules[row.name] ?? t('Other modules'),
    escrow: t('IBC escrow'),
    contract: t('Contracts'),
    vesting_locked: t('Vesting, locked'),
    vesting_free: t('Vesting, unlocked'),
    other: t('Other accounts'),
    residue: t('Residue'),
  }[row.class];
}

/** Rows of a split with the same name, taken together. `points` are hundredths of a percent, and add up to 100 %. */
export interface ClassShare {
  readonly label: string;
  readonly amount: bigint;
  readonly points: number;
}

/** Sums a split by the names of its rows, in their order. */
export function classShares({ rows }: Pick<SupplySplit, 'rows'>, t: Translate): readonly ClassShare[] {
  const sums = new Map<string, bigint>();
  const labelOf = classLabels(t);
  for (const row of rows) sums.set(labelOf(row), (sums.get(labelOf(row)) ?? 0n) + row.amount);
  const points = sharesOf([...sums.values()].map((amount) => (amount > 0n ? amount : 0n)));
  return [...sums].map(([label, amount], at) => ({ label, amount, points: points[at] ?? 0 }));
}

/**
 * The shares of lines in hundredths of a percent. A line has some rows of a split. The lines of a class add up to its
 * share.
 */
export function lineShares(lines: readonly (readonly SplitRow[])[], t: Translate): readonly number[] {
  const labelOf = classLabels(t);
  const parts = new Map<string, bigint[]>();
  for (const [at, rows] of lines.entries())
    for (const row of rows) {
      const sums = parts.get(labelOf(row)) ?? lines.map(() => 0n);
      parts.set(labelOf(row), sums);
      sums[at] = (sums[at] ?? 0n) + (row.amount > 0n ? row.amount : 0n);
    }
  const shares = lines.map(() => 0);
  for (const { label, points } of classShares({ rows: lines.flat() }, t))
    for (const [at, share] of sharesOf(parts.get(label) ?? [], points).entries())
      shares[at] = (shares[at] ?? 0) + share;
  return shares;
}

/** Returns a function that names rows. Each class is worded once, since a split may have very many rows. */
function classLabels(t: Translate): (row: SplitRow) => string {
  const labels = new Map<string, string>();
  return (row) => {
    const key = row.class === 'module' ? `module ${row.name}` : row.class;
    const known = labels.get(key);
    if (known !== undefined) return known;
    const label = splitClassName(row, t);
    labels.set(key, label);
    return label;
  };
}
