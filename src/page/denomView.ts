import {
  type Coin,
  type DenomMetadata,
  type DenomTrace,
  type DenomUnit,
  displayAmount,
  groupDigits,
} from '../chain/coin.ts';
import { sharesOf } from '../chain/ratio.ts';
import type { DistributionParts, Holder, SplitGap, SplitRow, SupplySplit } from '../chain/supplySplit.ts';
import { isNamed } from '../lists/supply.ts';
import type { StateTime } from '../session/source.ts';
import { listText, plural, type Translate } from '../words/language.ts';
import { denomLabel, lineShares, percentText, splitClassName } from '../words/values.ts';
import * as block from './blocks.ts';
import type { DenomAction } from './pageMessages.ts';
import type { BarBlock, Block, Cell, ClassSwatch, Fact, PageView, Section } from './pageView.ts';

/** The facts about a denom at one moment. Unknown ones are undefined. */
export interface DenomFacts {
  readonly denom: string;
  readonly sourceName: string;
  /** Whether the source is a past block. Its name then has the height. */
  readonly isPast: boolean;
  readonly chainId: string | undefined;
  readonly coin: Coin | undefined;
  readonly unit: DenomUnit | undefined;
  readonly metadata: DenomMetadata | undefined;
  readonly origin: DenomTrace | undefined;
  readonly isStaking: boolean;
  readonly split: SupplySplit | undefined;
  /** The number of a node's accounts that were asked for, while the split is read. */
  readonly progress: { readonly done: number; readonly of: number } | undefined;
  readonly isReading: boolean;
  readonly holders: readonly NamedHolder[] | undefined;
  readonly height: bigint | undefined;
  readonly readAt: Date | undefined;
  /** The time of a state file. Locked amounts are of this time. */
  readonly stateTime?: StateTime | undefined;
  /** In which days and times are written; English if absent. */
  readonly locale?: string;
  readonly failure: string | undefined;
}

/** `moniker` is the name of the validator that the account operates. */
export type NamedHolder = Holder & { readonly moniker?: string | undefined };

/** A row of the table: one row of the split, or several that are shown as one. */
interface SplitLine {
  readonly rows: readonly SplitRow[];
  readonly amount: bigint;
  /** The color in the bar. Undefined for the residue, which is not a class of accounts. */
  readonly look: ClassSwatch | undefined;
  readonly label: string;
  readonly holder: string;
}

/** The most lines of a class. All others are one line, in a fold. */
const maxLines = { module: 10, escrow: 5 } as const;

/** Makes the page of a denom. Pure: equal facts give equal views. */
export function toDenomView(facts: DenomFacts, t: Translate): PageView<DenomAction> {
  const { denom, unit, split, failure, sourceName, chainId, isStaking, isPast } = facts;
  const amount = split?.supply ?? facts.coin?.amount;
  const height = split?.height ?? facts.height;
  const symbol = isNamed(denom, unit) ? unit.symbol : undefined;
  const lines = split ? linesOf(split, t) : [];
  const shares = lineShares(
    lines.map((line) => line.rows),
    t,
  );
  const bar = barOf(lines, shares, t);
  const retry = block.buttons(['refreshSupply', t('Retry')]);
  return block.shownView(
    {
      badges: [
        { text: block.placeOf(facts) },
        ...(height === undefined || isPast ? [] : [{ text: t('height {0}', groupDigits(height)) }]),
        ...block.stateTimes(facts, t).map((text) => ({ text })),
        ...(isStaking ? [{ text: t('staking denom') }] : []),
        ...(split?.holders === undefined
          ? []
          : [{ text: plural(Number(split.holders), t('1 holder'), t('{0} holders', groupDigits(split.holders))) }]),
      ],
      id: '',
      title: symbol ?? denomLabel(denom),
      subtitle: symbol === undefined && denomLabel(denom) === denom ? undefined : denom,
      notices: failure === undefined ? [] : [{ tone: 'bad', text: failure }],
      overview: {
        amount: amount === undefined ? undefined : amountLine({ denom, amount }, unit),
        bar: bar ?? (failure === undefined ? undefined : retry),
      },
      sections: [
        whereSection(facts, lines, shares, t),
        holdersSection(facts, lines, shares, t),
        unitsSection(facts, t),
        originSection(facts, t),
      ].filter((section) => section !== undefined),
      about: [sourceName, ...(chainId ? [chainId] : [])],
      read: block.readTime(facts.readAt, t('loaded {0}')),
      clock: block.noClock,
    },
    t,
  );
}

function linesOf({ rows, origin }: SupplySplit, t: Translate): readonly SplitLine[] {
  const lines: SplitLine[] = [];
  const add = (some: readonly SplitRow[], holder: string, label: string): void => {
    const [first] = some;
    if (!first) return;
    const amount = some.reduce((sum, row) => sum + row.amount, 0n);
    lines.push({ rows: some, amount, look: lookOf(first), label, holder });
  };
  for (const name of ['module', 'escrow'] as const) {
    const own = rows.filter((row) => row.class === name);
    const isLong = own.length > maxLines[name] + 1;
    const shown = isLong ? own.slice(0, maxLines[name]) : own;
    const rest = own.slice(shown.length);
    for (const row of shown) add([row], holderOf(row, t), splitClassName(row, t));
    const count = groupDigits(rest.length);
    const text = name === 'module' ? t('{0} other modules', count) : t('{0} other channels', count);
    add(rest, text, splitClassName({ class: name, name: '' }, t));
  }
  const words = {
    contract: '',
    vesting_locked: t('not vested'),
    vesting_free: t('vested or received'),
    other: origin === 'node' ? t('includes vesting accounts and contracts') : '',
    residue: origin === 'node' ? t('amounts are from different heights') : t('total supply minus the rows above'),
  };
  for (const row of rows)
    if (row.class !== 'module' && row.class !== 'escrow' && (row.class !== 'residue' || row.amount !== 0n))
      add([row], row.name || words[row.class], splitClassName(row, t));
  return lines;
}

function lookOf({ class: name, name: of }: SplitRow): ClassSwatch | undefined {
  if (of === 'bonded_tokens_pool') return 'bonded';
  if (of === 'not_bonded_tokens_pool') return 'unbonding';
  if (name === 'vesting_locked' || name === 'vesting_free') return 'vesting';
  return name === 'residue' ? undefined : name;
}

/** The amount of the whole denom, with its base units below. */
function amountLine(coin: Coin, unit: DenomUnit | undefined): Cell {
  const { text, hint } = block.amountCell(coin, unit);
  return { text, note: hint };
}

/** `transfer/channel-141 to transfer/channel-0`, or the name of a module. */
function holderOf({ name, counterparty }: SplitRow, t: Translate): string {
  return counterparty === undefined ? name : t('{0} to {1}', name, counterparty);
}

/** The bar. Each name in the table has one part and one entry in the legend, with the sum of its lines. */
function barOf(lines: readonly SplitLine[], shares: readonly number[], t: Translate): BarBlock | undefined {
  const sums = new Map<string, { readonly look: ClassSwatch | undefined; readonly share: number }>();
  for (const [at, { look, label, amount }] of lines.entries())
    if (amount > 0n) sums.set(label, { look, share: (sums.get(label)?.share ?? 0) + (shares[at] ?? 0) });
  if (sums.size === 0) return undefined;
  const legend = [...sums].map(([label, { look, share }]) => {
    const value = percentText(share, 1n);
    return look ? { label, value, swatch: look } : { label, value };
  });
  return {
    kind: 'bar',
    label: listText(
      legend.map(({ label, value }) => `${label} ${value}`),
      t,
    ),
    parts: [...sums.values()].flatMap(({ look, share }) => (look ? [{ look, share }] : [])),
    marks: [],
    legend,
  };
}

function whereSection(
  facts: DenomFacts,
  lines: readonly SplitLine[],
  shares: readonly number[],
  t: Translate,
): Section<DenomAction> {
  const { split, unit, progress, isReading, failure } = facts;
  const [id, title] = ['where', t('Supply split')];
  const stop = block.buttons(['stopSplit', t('Stop')]);
  if (progress && isReading) {
    const text = t('Loading module accounts and escrows: {0} of {1}', progress.done, progress.of);
    return block.section(id, title, block.paragraph(text), stop);
  }
  if (!split) {
    const none = failure === undefined && !isReading && t('No coins of this denom.');
    return block.section(id, title, none ? block.paragraph(none) : isReading && block.paragraph(t('Loading…')));
  }
  const amounts = lines.map(({ amount }) => amount);
  const column = block.amountColumn(facts.denom, unit, amounts, t);
  const rows = lines.map((line, at): readonly Cell[] => [
    { text: line.label, swatch: line.look, note: line.holder || undefined },
    line.amount > 0n ? percentText(shares[at] ?? 0, line.amount) : '',
    column.cells[at] ?? '',
  ]);
  const gaps = split.gaps.map((gap): readonly Cell[] => {
    const label = splitClassName({ class: gap.class, name: '' }, t);
    return [{ text: label, note: gapText(gap, t) }, '', ''];
  });
  const columns = [t('Class'), t('Share'), column.name];
  const folds = lines.filter((line) => line.rows.length > 1).map((line) => foldOf(line, facts, t));
  return block.section(
    id,
    title,
    split.unpinnedReason !== undefined &&
      block.notice(t('Rows may be from different heights: {0}.', split.unpinnedReason)),
    block.table(title, columns, [...rows, ...gaps], [1, 2]),
    ...folds,
    failure !== undefined && block.buttons(['refreshSupply', t('Retry')]),
    split.gaps.some(({ reason }) => reason === 'stopped') && block.buttons(['continueSplit', t('Continue')]),
    split.distribution && distributionFacts(split.distribution, unit, t),
  );
}

function gapText({ reason, last }: SplitGap, t: Translate): string {
  if (reason === 'unsupported') return t('not available, counted as other accounts');
  if (last === undefined) return t('loading stopped');
  return reason === 'limit'
    ? t('stopped after {0} (limit), so the rest is counted as other accounts', last)
    : t('stopped after {0}, so the rest is counted as other accounts', last);
}

function foldOf({ rows, holder, label }: SplitLine, { denom, unit }: DenomFacts, t: Translate): Block {
  const shown = rows.slice(0, block.maxTableRows);
  const amounts = shown.map(({ amount }) => amount);
  const column = block.amountColumn(denom, unit, amounts, t);
  const cells = shown.map((row, at): readonly Cell[] => [block.codeCell(holderOf(row, t)), column.cells[at] ?? '']);
  const id = `rest-${rows[0]?.class}`;
  const more = rows.length > block.maxTableRows && t('first {0} (export to see all)', groupDigits(block.maxTableRows));
  const table = block.table(label, [t('Holder'), column.name], cells, [1]);
  return block.fold(id, holder, [table], more ? { note: more } : {});
}

/** The accounts of the distribution module, with all digits. The module has an account of its own since SDK 0.36. */
function distributionFacts(parts: DistributionParts, unit: DenomUnit | undefined, t: Translate): Block {
  const text = (amount: bigint): string => displayAmount(amount, (unit?.exponent ?? 0) + 18);
  const { communityPool, rewards, dust } = parts;
  return block.fold('distribution', t('In the distribution module'), [
    block.facts(
      { label: t('Community pool'), value: text(communityPool) },
      rewards !== undefined && { label: t('Unclaimed rewards'), value: text(rewards) },
      dust !== undefined && { label: t('Dust'), value: text(dust) },
    ),
  ]);
}

function holdersSection(
  { denom, holders, split, unit }: DenomFacts,
  lines: readonly SplitLine[],
  shares: readonly number[],
  t: Translate,
): Section | undefined {
  if (!split) return undefined;
  const [id, title] = ['holders', t('Largest holders')];
  const none = t('Nodes do not list holders. Open an exported state of this chain to see them.');
  if (!holders) return block.section(id, title, split.origin === 'node' && block.paragraph(none));
  const amounts = holders.map(({ amount }) => amount);
  const column = block.amountColumn(denom, unit, amounts, t);
  const points = holderShares(holders, split.supply, lines, shares);
  const rows = holders.map((holder, at): readonly Cell[] => {
    const kinds: Readonly<Partial<Record<Holder['class'], string>>> = {
      contract: t('Contract'),
      vesting: t('Vesting account'),
    };
    const named = holder.moniker ?? (holder.name || kinds[holder.class]);
    const cell = named ? { text: named, note: holder.address } : block.codeCell(holder.address);
    const share = split.supply > 0n ? percentText(points[at] ?? 0, holder.amount) : '';
    return [cell, share, column.cells[at] ?? ''];
  });
  return block.section(id, title, block.table(title, [t('Holder'), t('Share'), column.name], rows, [1, 2]));
}

/**
 * The shares of holders in hundredths of a percent. A holder that is also a line has the share of that line. The others
 * add up to what is left, together with the accounts that are not listed.
 */
function holderShares(
  holders: readonly Holder[],
  supply: bigint,
  lines: readonly SplitLine[],
  shares: readonly number[],
): readonly number[] {
  const own = holders.map(({ name, amount }) => {
    const isLine = ({ rows: [row, ...more], amount: all }: SplitLine): boolean =>
      name !== '' && row?.name === name && more.length === 0 && all === amount;
    return shares[lines.findIndex(isLine)];
  });
  const others = holders.map(({ amount }, at) => (own[at] === undefined ? amount : 0n));
  const unlisted = holders.reduce((left, { amount }) => left - amount, supply);
  const left = own.reduce<number>((sum, share) => sum - (share ?? 0), 10_000);
  const found = sharesOf([...others, unlisted > 0n ? unlisted : 0n], Math.max(left, 0));
  return own.map((share, at) => share ?? found[at] ?? 0);
}

function unitsSection({ denom, unit, metadata }: DenomFacts, t: Translate): Section {
  const source = unit?.source === 'chain' ? t('from chain metadata') : t('from the chain registry');
  const units =
    metadata &&
    listText(
      metadata.units.map((one) => `${one.denom} (10^${one.exponent})`),
      t,
    );
  const text = (label: string, value: string | undefined): Fact | false => (value ? { label, value } : false);
  return block.section(
    'units',
    t('Units and metadata'),
    block.facts(
      { label: t('Base unit'), value: block.codeCell(denom) },
      unit && { label: t('Unit'), value: { text: `1 ${unit.symbol} = 10^${unit.exponent} ${denom}`, note: source } },
      text(t('Name'), metadata?.name),
      text(t('Symbol'), metadata?.symbol),
      text(t('Display'), metadata?.display),
      text(t('Units'), units),
      text(t('Description'), metadata?.description),
    ),
  );
}

/** The origin of an IBC denom, or the creator of a factory denom. */
function originSection({ denom, origin, isReading }: DenomFacts, t: Translate): Section | undefined {
  const [, creator, name = ''] = /^factory\/([^/]+)\/(.*)$/.exec(denom) ?? [];
  const [id, title] = ['origin', t('Origin')];
  if (creator !== undefined) {
    const rows: readonly Fact[] = [
      { label: t('Factory denom'), value: name },
      { label: t('Creator'), value: block.codeCell(creator) },
      { label: t('Admin'), value: t('{0} (initial admin, may have changed)', creator) },
    ];
    return block.section(id, title, block.facts(...rows));
  }
  if (!denom.startsWith('ibc/') || (!origin && isReading)) return undefined;
  if (!origin) return block.section(id, title, block.paragraph(t('The trace is not available.')));
  const rows: readonly Fact[] = [
    { label: t('Original denom'), value: block.codeCell(origin.base) },
    { label: t('Path'), value: block.codeCell(origin.path) },
  ];
  return block.section(id, title, block.facts(...rows));
}
