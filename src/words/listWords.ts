import { groupDigits, type SplitRow, type SupplySplit, sharesOf } from '../chain/coin.ts';
import type { SupplyOrder, SupplyView } from '../chain/supplyStore.ts';
import { escapeForUi } from '../chain/text.ts';
import type { Language, Translate } from './language.ts';
import { timeText } from './time.ts';

/** How much of a list is there: the rows, and how many the node counted. */
export interface Loaded {
  readonly rows: readonly unknown[];
  readonly total: bigint | undefined;
}

/** What is there of a list that goes on: `50 of 70 are loaded`. */
export function loadedWords({ rows, total }: Loaded, t: Translate): string {
  return isCounted(rows.length, total)
    ? t('{0} of {1} are loaded', count(rows.length), groupDigits(total))
    : t('{0} are loaded; how many there are the node does not say', count(rows.length));
}

/** `Load all (70)`; without the number where the node did not count. */
export function loadAllWords({ rows, total }: Loaded, t: Translate): string {
  return isCounted(rows.length, total) ? t('Load all ({0})', groupDigits(total)) : t('Load all');
}

function count(rows: number): string {
  return groupDigits(BigInt(rows));
}

/** A total that is smaller than what was loaded was counted wrong, or is of another time. */
function isCounted(loaded: number, total: bigint | undefined): total is bigint {
  return total !== undefined && total >= BigInt(loaded);
}

/** `12 of 70`, `50 loaded`, `12`: how much of a list is there. */
export function loadedText(loaded: number, total: bigint | undefined, hasMore: boolean, t: Translate): string {
  const shown = count(loaded);
  if (!hasMore) return shown;
  return isCounted(loaded, total) ? t('{0} of {1}', shown, groupDigits(total)) : t('{0} loaded', shown);
}

/** The same for the supply: `“ibc” 12 of 50, by amount`. */
export function supplyText(view: SupplyView, shown: number, loaded: number, t: Translate): string {
  const parts = [
    ...(view.text ? [t('“{0}” {1} of {2}', escapeForUi(view.text), shown, loaded)] : []),
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

/** What "Copy as cURL" says where there is no address to copy. */
export function servedInProcess(t: Translate): string {
  return t(
    'The editor reads this state itself, so there is no address for cURL. "npm run serve" in a checkout of the extension serves a state file over HTTP.',
  );
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
export function classShares({ rows }: SupplySplit, t: Translate): readonly ClassShare[] {
  const sums = new Map<string, bigint>();
  for (const row of rows) {
    const name = splitClassName(row, t);
    const label = name === t('Module') ? t('Other modules') : name;
    sums.set(label, (sums.get(label) ?? 0n) + row.amount);
  }
  const points = sharesOf([...sums.values()].map((amount) => (amount > 0n ? amount : 0n)));
  return [...sums].map(([label, amount], at) => ({ label, amount, points: points[at] ?? 0 }));
}
