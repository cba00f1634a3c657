import {
  basisPoints,
  type Coin,
  type DenomUnit,
  displayAmount,
  groupDigits,
  percent,
  type Ratio,
  type SplitRow,
  type SupplySplit,
  sharesOf,
} from '../chain/coin.ts';
import { escapeForUi } from '../chain/text.ts';
import type { SupplyOrder, SupplyView } from '../lists/supplyStore.ts';
import type { Language, Translate } from './language.ts';
import { timeText } from './time.ts';

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

/** A change by its sign, as every negative number has it: `+1,250`, `-3`. */
export function signed(amount: bigint, write: (amount: bigint) => string): string {
  return `${amount > 0n ? '+' : ''}${write(amount)}`;
}

/** Both ends of an address tell it apart. */
export function shortAddress(address: string): string {
  return address.length <= 20 ? address : `${address.slice(0, 10)}…${address.slice(-5)}`;
}

/** Hundredths of a percent: 6251 → `62.51 %`. */
export function percentText(points: number): string {
  return `${Math.floor(points / 100)}.${String(points % 100).padStart(2, '0')} %`;
}

/**
 * A ratio in percent, cut after two digits, or its `points`: hundredths of a percent. With all its digits where it would look
 * as if it were on another side of `limit`.
 */
export function ratioText(ratio: Ratio, limit?: Ratio, points = basisPoints(ratio)): string {
  const limitPoints = limit === undefined ? undefined : basisPoints(limit);
  if (limit === undefined || limitPoints === undefined) return `${(points / 100).toFixed(2)} %`;
  if (ratio === limit) return `${percent(ratio)} %`;
  const isTold = ratio < limit ? points < limitPoints : points > limitPoints;
  if (isTold) return `${(points / 100).toFixed(2)} %`;
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
  if (amount < 0n) return `-${rowAmount(-amount, exponent)}`;
  const [integer = '', fraction = ''] = displayAmount(amount, exponent).split('.');
  if (integer.length > 19) return `${groupDigits(BigInt(integer.replaceAll(',', '')) / 10n ** 12n)} T`;
  // Two digits behind the point, or as many as it takes to show one that is not zero.
  const shown = integer === '0' ? Math.max(2, fraction.search(/[1-9]/) + 1) : 2;
  const digits = fraction.slice(0, shown).replace(/(?<!0)0+$/, '');
  return digits === '' ? integer : `${integer}.${digits}`;
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

/** What is there of a list that goes on: `50 of 70 are loaded`. */
export function loadedWords(loaded: number, total: bigint | undefined, t: Translate): string {
  const shown = groupDigits(loaded);
  if (isCounted(loaded, total)) return t('{0} of {1} are loaded', shown, groupDigits(total));
  return t('{0} are loaded; how many there are the node does not say', shown);
}

/** A total that is smaller than what was loaded was counted wrong, or is of another time. */
function isCounted(loaded: number, total: bigint | undefined): total is bigint {
  return total !== undefined && total >= BigInt(loaded);
}

/** `12 of 70`, `50 loaded`, `12`: how much of a list is there. */
export function loadedText(loaded: number, total: bigint | undefined, hasMore: boolean, t: Translate): string {
  const shown = groupDigits(loaded);
  if (!hasMore) return shown;
  return isCounted(loaded, total) ? t('{0} of {1}', shown, groupDigits(total)) : t('{0} loaded', shown);
}

/** `“ibc” 12 of 50`: how many loaded rows a text finds. */
export function matchesText(text: string, shown: number, loaded: number, t: Translate): string {
  return t('“{0}” {1} of {2}', escapeForUi(text), groupDigits(shown), groupDigits(loaded));
}

/** The same for the supply: `“ibc” 12 of 50, by amount`. */
export function supplyText(view: SupplyView, shown: number, loaded: number, t: Translate): string {
  const parts = [
    ...(view.text ? [matchesText(view.text, shown, loaded, t)] : []),
    ...(view.order === 'value' ? [] : [orderName(view.order, t)]),
  ];
  return parts.join(', ');
}

/** What an order of the supply is called. */
export function orderName(order: SupplyOrder, t: Translate): string {
  return {
    value: t('known denoms first'),
    denom: t('by denom'),
    amount: t('by amount in base units'),
    symbol: t('by symbol'),
  }[order];
}

/** `uatom over transfer/channel-0`: where an `ibc/…` denom comes from; "" where that is not known. */
export function originText(origin: { readonly path: string; readonly base: string } | undefined, t: Translate): string {
  return origin ? t('{0} over {1}', origin.base, origin.path) : '';
}

/** `height 12,345, Mar 3, 2026, 2:02 PM`: a block of the past (its height in digits) and its time (RFC 3339), where it is known. */
export function heightText(
  block: { readonly height: string; readonly time?: string | undefined },
  language: Language,
): string {
  const shown = language.t('height {0}', groupDigits(BigInt(block.height)));
  return block.time === undefined ? shown : `${shown}, ${timeText(new Date(block.time), language.locale)}`;
}

/** What a row of a split is called: `Bonded`, `IBC escrow`, `Other accounts`. */
export function splitClassName(row: Pick<SplitRow, 'class' | 'name'>, t: Translate): string {
  const modules: Readonly<Partial<Record<string, string>>> = {
    bonded_tokens_pool: t('Bonded'),
    not_bonded_tokens_pool: t('Unbonding'),
    distribution: t('Distribution'),
    gov: t('Deposits'),
  };
  return {
    module: modules[row.name] ?? t('Module'),
    escrow: t('IBC escrow'),
    contract: t('Contracts'),
    vesting_locked: t('Vesting, locked'),
    vesting_free: t('Vesting, free'),
    other: t('Other accounts'),
    residue: t('Residue'),
  }[row.class];
}

/** The rows of a split that are called the same, together; `points`: hundredths of a percent, which add up. */
export interface ClassShare {
  readonly label: string;
  readonly amount: bigint;
  readonly points: number;
}

/** A split by the names of its classes, in their order. */
export function classShares({ rows }: Pick<SupplySplit, 'rows'>, t: Translate): readonly ClassShare[] {
  const sums = new Map<string, bigint>();
  const labelOf = classLabels(t);
  for (const row of rows) sums.set(labelOf(row), (sums.get(labelOf(row)) ?? 0n) + row.amount);
  const points = sharesOf([...sums.values()].map((amount) => (amount > 0n ? amount : 0n)));
  return [...sums].map(([label, amount], at) => ({ label, amount, points: points[at] ?? 0 }));
}

/** The shares of lines, each of some rows of a split, in hundredths of a percent: those of a class add up to its own. */
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

/** Words each class once: a split may have very many rows. */
function classLabels(t: Translate): (row: SplitRow) => string {
  const labels = new Map<string, string>();
  return (row) => {
    const key = row.class === 'module' ? `module ${row.name}` : row.class;
    const known = labels.get(key);
    if (known !== undefined) return known;
    const name = splitClassName(row, t);
    const label = name === t('Module') ? t('Other modules') : name;
    labels.set(key, label);
    return label;
  };
}
