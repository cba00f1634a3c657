import type { IbcDenom } from '../api/node.ts';
import {
  type Coin,
  type DenomMetadata,
  type DenomUnit,
  type DistributionParts,
  displayAmount,
  groupDigits,
  type Holder,
  type SplitGap,
  type SplitRow,
  type SupplySplit,
} from '../chain/coin.ts';
import { isNamed } from '../lists/supplyStore.ts';
import type { Translate } from '../words/language.ts';
import { alignedAmount, denomLabel, lineShares, percentText, splitClassName } from '../words/values.ts';
import * as block from './blocks.ts';
import type { DenomAction } from './pageMessages.ts';
import type { BarBlock, Block, Cell, ClassSwatch, Fact, PageView, Section } from './pageView.ts';

/** What is known of a denom at one moment; what is not known is undefined. */
export interface DenomFacts {
  readonly denom: string;
  readonly sourceName: string;
  /** Of a block of the past, whose height the name says. */
  readonly isPast: boolean;
  readonly chainId: string | undefined;
  readonly coin: Coin | undefined;
  readonly unit: DenomUnit | undefined;
  readonly metadata: DenomMetadata | undefined;
  readonly origin: IbcDenom | undefined;
  readonly isStaking: boolean;
  readonly split: SupplySplit | undefined;
  /** Accounts of a node that were asked for, of how many, while they are. */
  readonly progress: { readonly done: number; readonly of: number } | undefined;
  readonly isReading: boolean;
  readonly holders: readonly NamedHolder[] | undefined;
  readonly height: bigint | undefined;
  readonly readAt: Date | undefined;
  readonly failure: string | undefined;
}

/** `moniker`: of the validator whose operator the account is. */
export type NamedHolder = Holder & { readonly moniker?: string | undefined };

/** A row of the table: one row of the split, or several that are not shown one by one. */
interface Line {
  readonly rows: readonly SplitRow[];
  readonly amount: bigint;
  /** Undefined for the residue, which is no class of accounts. */
  readonly look: ClassSwatch | undefined;
  readonly label: string;
  readonly holder: Cell;
}

/** Lines of a class; all others are one line, and stand in a fold. */
const maxLines = { module: 10, escrow: 5 } as const;

/** What is known of a denom → what the page shows, worded. Pure: the same facts give the same view. */
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
        ...(isStaking ? [{ text: t('staking denom') }] : []),
        ...(split?.holders === undefined ? [] : [{ text: t('{0} accounts hold some', groupDigits(split.holders)) }]),
      ],
      id: '',
      title: symbol ?? denomLabel(denom),
      subtitle: symbol === undefined && denomLabel(denom) === denom ? undefined : denom,
      notices: failure === undefined ? [] : [{ tone: 'bad', text: failure }],
      overview: {
        amount: amount === undefined ? undefined : block.amountCell({ denom, amount }, unit),
        bar: bar ?? (failure === undefined ? undefined : retry),
      },
      sections: [
        whereSection(facts, lines, shares, t),
        holdersSection(facts, lines, shares, t),
        unitsSection(facts, t),
        originSection(facts, t),
      ].filter((section) => section !== undefined),
      about: [sourceName, ...(chainId ? [chainId] : [])],
      read: block.readTime(facts.readAt, t('read {0}')),
      clock: { now: new Date(0).toISOString(), runs: false },
    },
    t,
  );
}

function linesOf({ rows, origin }: SupplySplit, t: Translate): readonly Line[] {
  const lines: Line[] = [];
  const add = (some: readonly SplitRow[], holder: Cell, label: string): void => {
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
    vesting_locked: t('still in the account'),
    vesting_free: t('vested, or received'),
    other: origin === 'node' ? t('vesting and contracts among them, not asked one by one') : '',
    residue: origin === 'node' ? t('amounts are of several heights') : t('stated supply less all rows above'),
  };
  for (const row of rows)
    if (row.class !== 'module' && row.class !== 'escrow')
      add([row], row.name || words[row.class], splitClassName(row, t));
  return lines;
}

function lookOf({ class: name, name: of }: SplitRow): ClassSwatch | undefined {
  if (of === 'bonded_tokens_pool') return 'bonded';
  if (of === 'not_bonded_tokens_pool') return 'unbonding';
  if (name === 'vesting_locked' || name === 'vesting_free') return 'vesting';
  return name === 'residue' ? undefined : name;
}

/** `transfer/channel-141 → transfer/channel-0`; a name in code, since it is the chain's. */
function holderOf({ name, counterparty }: SplitRow, t: Translate): Cell {
  const note = counterparty === undefined ? undefined : t('to {0}', counterparty);
  return { text: name, code: true, note };
}

/** One part and one entry of the legend for each look, with the sum of the shares of its lines. */
function barOf(lines: readonly Line[], shares: readonly number[], t: Translate): BarBlock | undefined {
  const sums = new Map<ClassSwatch | undefined, number>();
  for (const [at, { look, amount }] of lines.entries())
    if (amount > 0n) sums.set(look, (sums.get(look) ?? 0) + (shares[at] ?? 0));
  if (sums.size === 0) return undefined;
  const names: Readonly<Record<ClassSwatch, string>> = {
    bonded: t('Bonded'),
    unbonding: t('Unbonding'),
    module: t('Other modules'),
    escrow: t('IBC escrow'),
    contract: t('Contracts'),
    vesting: t('Vesting'),
    other: t('Other accounts'),
  };
  const legend = [...sums].map(([look, share]) => {
    const value = percentText(share);
    return look ? { label: names[look], value, swatch: look } : { label: t('Residue'), value };
  });
  return {
    kind: 'bar',
    label: legend.map(({ label, value }) => `${label} ${value}`).join(', '),
    parts: [...sums].flatMap(([look, share]) => (look ? [{ look, share }] : [])),
    marks: [],
    legend,
  };
}

function whereSection(
  facts: DenomFacts,
  lines: readonly Line[],
  shares: readonly number[],
  t: Translate,
): Section<DenomAction> {
  const { split, unit, progress, isReading, failure } = facts;
  const [id, title] = ['where', t('Where it is')];
  const stop = block.buttons(['stopSplit', t('Stop')]);
  if (progress && isReading) {
    const text = t('Asking the node for its module accounts and escrows: {0} of {1}', progress.done, progress.of);
    return block.section(id, title, block.paragraph(text), stop);
  }
  if (!split) {
    const none = failure === undefined && !isReading && t('This source holds no coins of the denom.');
    return block.section(id, title, none ? block.paragraph(none) : isReading && block.paragraph(t('Reading…')));
  }
  const rows = lines.map((line, at): readonly Cell[] => [
    { text: line.label, swatch: line.look },
    line.holder,
    line.amount > 0n ? percentText(shares[at] ?? 0) : '',
    ...amountCells(line.amount, unit),
  ]);
  const gaps = split.gaps.map((gap): readonly Cell[] => {
    const label = splitClassName({ class: gap.class, name: '' }, t);
    return [label, gapText(gap, t), '', ...amountCells(undefined, unit)];
  });
  const [numbers, columns] = [
    unit ? [2, 3, 4] : [2, 3],
    [t('Class'), t('Holder'), t('Share'), ...amountColumns(unit, t)],
  ];
  const folds = lines.filter((line) => line.rows.length > 1).map((line) => foldOf(line, unit, t));
  return block.section(
    id,
    title,
    split.heightDropped !== undefined &&
      block.notice(t('The rows may be of several heights: {0}.', split.heightDropped)),
    block.table(title, columns, [...rows, ...gaps], numbers),
    ...folds,
    failure !== undefined && block.buttons(['refreshSupply', t('Retry')]),
    split.gaps.some(({ reason }) => reason === 'stopped') && block.buttons(['continueSplit', t('Go On')]),
    split.distribution && distributionFacts(split.distribution, unit, t),
  );
}

function amountColumns(unit: DenomUnit | undefined, t: Translate): readonly string[] {
  return [...(unit ? [unit.symbol] : []), t('Base units')];
}

function amountCells(amount: bigint | undefined, unit: DenomUnit | undefined): readonly Cell[] {
  if (amount === undefined) return unit ? ['', ''] : [''];
  return [...(unit ? [alignedAmount(amount, unit.exponent)] : []), groupDigits(amount)];
}

function gapText({ reason, last }: SplitGap, t: Translate): string {
  if (reason === 'unsupported') return t('not offered by this node: among other accounts');
  if (last === undefined) return t('not asked: stopped before');
  return reason === 'limit'
    ? t('stopped behind {0}, as more are not asked for: the rest is among other accounts', last)
    : t('stopped behind {0}: the rest is among other accounts', last);
}

function foldOf({ rows, holder, label }: Line, unit: DenomUnit | undefined, t: Translate): Block {
  const columns = [t('Holder'), ...amountColumns(unit, t)];
  const cells = rows
    .slice(0, block.maxRows)
    .map((row): readonly Cell[] => [holderOf(row, t), ...amountCells(row.amount, unit)]);
  const id = `rest-${rows[0]?.class}`;
  const more = rows.length > block.maxRows && t('the first {0}; an export has all', groupDigits(block.maxRows));
  return block.fold(id, String(holder), [block.table(label, columns, cells, [1, 2])], more ? { note: more } : {});
}

/** What the distribution module keeps, with every digit; of its account since SDK 0.36. */
function distributionFacts(parts: DistributionParts, unit: DenomUnit | undefined, t: Translate): Block {
  const text = (amount: bigint): string => displayAmount(amount, (unit?.exponent ?? 0) + 18);
  const { communityPool, rewards, dust } = parts;
  return block.fold('distribution', t('Kept by the distribution module'), [
    block.facts(
      { label: t('Community pool'), value: text(communityPool) },
      rewards !== undefined && { label: t('Rewards not withdrawn'), value: text(rewards) },
      dust !== undefined && { label: t('Dust'), value: text(dust) },
    ),
  ]);
}

function holdersSection(
  { holders, split, unit }: DenomFacts,
  lines: readonly Line[],
  shares: readonly number[],
  t: Translate,
): Section | undefined {
  if (!split) return undefined;
  const [id, title] = ['holders', t('Largest holders')];
  const none = t('A node cannot be asked for them. A state file can: export one of this chain and open it.');
  if (!holders) return block.section(id, title, split.origin === 'node' && block.paragraph(none));
  const rows = holders.map((holder): readonly Cell[] => {
    const kinds: Readonly<Partial<Record<Holder['class'], string>>> = {
      contract: t('Contract'),
      vesting: t('Vesting account'),
    };
    const named = holder.moniker ?? (holder.name || kinds[holder.class]);
    const cell = named ? { text: named, note: holder.address } : block.codeCell(holder.address);
    // One that is a line above has the share of that.
    const own = lines.findIndex(({ rows: [row, ...more], amount }) => {
      return row?.name === holder.name && holder.name && more.length === 0 && amount === holder.amount;
    });
    const points = shares[own] ?? Number((holder.amount * 10_000n) / (split.supply || 1n));
    const share = split.supply > 0n ? percentText(points) : '';
    return [cell, share, ...amountCells(holder.amount, unit)];
  });
  const columns = [t('Holder'), t('Share'), ...amountColumns(unit, t)];
  return block.section(id, title, block.table(title, columns, rows, unit ? [1, 2, 3] : [1, 2]));
}

function unitsSection({ denom, unit, metadata }: DenomFacts, t: Translate): Section {
  const source = unit?.source === 'chain' ? t('from the metadata of the chain') : t('from the chain registry');
  const units = metadata?.units.map((one) => `${one.denom} (10^${one.exponent})`).join(', ');
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

/** Of an IBC denom where it comes from, of a factory's who made it. */
function originSection({ denom, origin, isReading }: DenomFacts, t: Translate): Section | undefined {
  const [, creator, name = ''] = /^factory\/([^/]+)\/(.*)$/.exec(denom) ?? [];
  const [id, title] = ['origin', t('Origin')];
  if (creator !== undefined) {
    const rows: readonly Fact[] = [
      { label: t('Factory denom'), value: name },
      { label: t('Creator'), value: block.codeCell(creator) },
      { label: t('Admin'), value: t('{0}, unless it was handed on', creator) },
    ];
    return block.section(id, title, block.facts(...rows));
  }
  if (!denom.startsWith('ibc/') || (!origin && isReading)) return undefined;
  if (!origin) return block.section(id, title, block.paragraph(t('The trace is not offered by this source.')));
  const rows: readonly Fact[] = [
    { label: t('Denom there'), value: block.codeCell(origin.base) },
    { label: t('Came over'), value: block.codeCell(origin.path) },
  ];
  return block.section(id, title, block.facts(...rows));
}
