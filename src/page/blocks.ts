import { type Coin, type DenomUnit, groupDigits } from '../chain/coin.ts';
import { type Content, plainType } from '../chain/content/content.ts';
import { showControls, tidyDescription } from '../chain/text.ts';
import type { StateTime } from '../session/source.ts';
import type { Tone, Translate } from '../words/language.ts';
import { stateTimeText } from '../words/time.ts';
import { amountText, columnAmounts } from '../words/values.ts';
import type { Block, Cell, Fact, FoldBlock, PageView, Section, TimeText } from './pageView.ts';

// The parts that the sections of a page are made from.

/** An element that is left out if its condition is false: `condition && block`. */
export type Maybe<T> = T | false | undefined;

export function section<Action extends string = never>(
  id: string,
  title: string,
  ...blocks: readonly Maybe<Block<Action>>[]
): Section<Action> {
  return { id, title, blocks: blocks.filter((block) => block !== undefined && block !== false) };
}

export function facts(...rows: readonly Maybe<Fact>[]): Block {
  return { kind: 'facts', rows: rows.filter((row) => row !== undefined && row !== false) };
}

export function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}

export function notice(text: string, tone: Tone = 'warning'): Block {
  return { kind: 'notice', tone, text };
}

export function buttons<Action extends string>(...items: readonly (readonly [Action, string])[]): Block<Action> {
  return { kind: 'buttons', items: items.map(([action, label]) => ({ action, label })) };
}

export function fold<Action extends string = never>(
  id: string,
  summary: string,
  blocks: readonly Block<Action>[],
  more: Pick<FoldBlock<Action>, 'note' | 'key' | 'onOpen'> = {},
): Block<Action> {
  return { kind: 'fold', id, summary, blocks, ...more };
}

export function code(label: string, text: string): Block {
  return { kind: 'code', label, text };
}

/** Longer tables are cut. An export of votes, or the document of Open JSON, has all rows. */
export const maxTableRows = 1_000;

export function table(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  numeric: readonly number[] = [],
): Block {
  return { kind: 'table', label, columns, rows: rows.slice(0, maxTableRows), numeric };
}

/** The type of a content in words. */
export function typeName(content: Content, t: Translate): string {
  return plainType(content.typeUrl) || t('Unknown type');
}

export function codeCell(text: string): Cell {
  return { text, code: true };
}

/** An amount. The hover has its base units if the amount is in another unit. */
export function amountCell(coin: Coin, unit: DenomUnit | undefined): Exclude<Cell, string> {
  const text = amountText(coin, unit);
  return unit ? { text, hint: amountText(coin, undefined) } : { text };
}

/** A column of amounts of one denom: its name, and the cells. The hovers have the exact base units. */
export function amountColumn(
  denom: string | undefined,
  unit: DenomUnit | undefined,
  amounts: readonly bigint[],
  t: Translate,
): { readonly name: string; readonly cells: readonly Cell[] } {
  const shown = unit && columnAmounts(amounts, unit.exponent);
  const name = unit?.symbol ?? (denom === undefined ? t('Base units') : t('Base units ({0})', denom));
  const cells = amounts.map((amount, at): Cell => {
    const exact = groupDigits(amount);
    const text = shown?.[at];
    return text === undefined ? exact : { text, hint: `${exact} ${denom ?? t('base units')}` };
  });
  return { name, cells };
}

/** The place that was read: a chain id, or for a past block the name of the source with its height. */
export function placeOf(facts: {
  readonly isPast?: boolean;
  readonly chainId?: string | undefined;
  readonly sourceName: string;
}): string {
  return facts.isPast ? facts.sourceName : (facts.chainId ?? facts.sourceName);
}

/** The beginning of a long text, and its length. */
export function shortened(text: string, limit: number, t: Translate): string {
  if (text.length <= limit) return text;
  return t('{0}… ({1} characters. Open JSON to see all.)', text.slice(0, limit), groupDigits(text.length));
}

/** The time of a state file. Empty for other sources. */
export function stateTimes(
  { stateTime, locale = 'en' }: { readonly stateTime?: StateTime | undefined; readonly locale?: string },
  t: Translate,
): readonly string[] {
  return stateTime ? [stateTimeText(stateTime, { t, locale }, 'page')] : [];
}

/** The time of a read, shown as `20 s ago`. */
export function readTime(at: Date | undefined, past = '{0}'): TimeText | undefined {
  return at && { at: at.toISOString(), future: past, past, clock: 'machine' };
}

/** A time of the chain. The page words it by its distance from the chain's clock. */
export function chainTime(at: Date | undefined, future = '{0}', past = '{0}'): TimeText | undefined {
  return at && { at: at.toISOString(), future, past, clock: 'chain' };
}

/** The clock of a page without times of the chain. */
export const noClock = { now: new Date(0).toISOString(), runs: false } as const;

/** A text of the chain that may contain Markdown. */
export function markdown(text: string): Block {
  return { kind: 'markdown', source: tidyDescription(text) };
}

/** Limits on the characters of one text, and of all texts above `shortText` together. */
const longestText = 200_000;
const longTexts = 500_000;
const shortText = 200;

/**
 * Makes the texts of a page safe. Control characters become visible, as `⟦U+202E⟧`. Isolating marks are not needed,
 * since the page isolates the direction of each text. Very long texts are cut.
 */
export function shownView<Action extends string>(view: PageView<Action>, t: Translate): PageView<Action> {
  let left = longTexts;
  return JSON.parse(JSON.stringify(view), (_, value: unknown) => {
    if (typeof value !== 'string') return value;
    const limit = Math.max(shortText, Math.min(longestText, left));
    if (value.length > shortText) left -= Math.min(value.length, limit);
    const shown = showControls(shortened(value, limit, t));
    return shown !== value && shown.startsWith('\u2068') ? shown.slice(1, -1) : shown;
  });
}
