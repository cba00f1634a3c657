import { type Coin, type DenomUnit, groupDigits } from '../chain/coin.ts';
import { type Content, plainType } from '../chain/content/content.ts';
import { showControls, tidyDescription } from '../chain/text.ts';
import type { Tone, Translate } from '../words/language.ts';
import { amountText } from '../words/values.ts';
import type { Block, Cell, Fact, FoldBlock, PageView, Section, TimeText } from './pageView.ts';

// What the sections of the page are built from.

/** What may stand in a list where it is known: `condition && block`. */
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

/** Of longer tables the beginning is shown: an export of votes and the document of Open JSON hold them whole. */
export const maxRows = 1_000;

export function table(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  numeric: readonly number[] = [],
): Block {
  return { kind: 'table', label, columns, rows: rows.slice(0, maxRows), numeric };
}

/** The kind of a content in words. */
export function typeName(content: Content, t: Translate): string {
  return plainType(content.typeUrl) || t('Type not stated');
}

export function codeCell(text: string): Cell {
  return { text, code: true };
}

/** An amount with its base units below where the display unit is another. */
export function amountCell(coin: Coin, unit: DenomUnit | undefined): Cell {
  const text = amountText(coin, unit);
  return unit ? { text, note: amountText(coin, undefined) } : text;
}

/** Where something is read: the chain by its id; of the past the source, whose name says the height. */
export function placeOf(facts: {
  readonly isPast?: boolean;
  readonly chainId?: string | undefined;
  readonly sourceName: string;
}): string {
  return facts.isPast ? facts.sourceName : (facts.chainId ?? facts.sourceName);
}

/** The beginning of a long text and how long it is. */
export function shortened(text: string, limit: number, t: Translate): string {
  if (text.length <= limit) return text;
  return t('{0}… ({1} characters; Open JSON shows all)', text.slice(0, limit), groupDigits(text.length));
}

/** When something was read, as `20 s ago`. */
export function readTime(at: Date | undefined, past = '{0}'): TimeText | undefined {
  return at && { at: at.toISOString(), future: past, past, clock: 'machine' };
}

export function chainTime(at: Date | undefined, future = '{0}', past = '{0}'): TimeText | undefined {
  return at && { at: at.toISOString(), future, past, clock: 'chain' };
}

/** A text of the chain with the marks of Markdown. */
export function markdown(text: string): Block {
  return { kind: 'markdown', source: tidyDescription(text) };
}

/** Characters of one text, and of all texts that are longer than `shortText`. */
const longestText = 200_000;
const longTexts = 500_000;
const shortText = 200;

/**
 * Shows controls as `⟦U+202E⟧`, without isolating marks: the page gives each text a direction of its own. Of very long texts
 * the beginning is shown.
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
