import type { Coin, DenomUnit } from '../../chain/coin.ts';
import { amountText, type Translate } from '../values.ts';
import type { Cell, TimeText, TreeNode } from './protocol.ts';

/** A cell of one run of text. */
export function cell(text: string, more: Omit<Cell, 'spans'> = {}): Cell {
  return { spans: [{ text }], ...more };
}

/** An amount with its base units beside it where the display unit is another. */
export function amountCell(coin: Coin, unit: DenomUnit | undefined): Cell {
  const text = amountText(coin, unit);
  return unit ? cell(text, { note: `${coin.amount} ${coin.denom}` }) : cell(text);
}

/** When something was read, as `20 s ago`. */
export function readTime(at: Date, past = '{0}'): TimeText {
  return { at: at.toISOString(), future: past, past, clock: 'machine' };
}

const longValue = 2_000;

/** Words a text that was cut: its beginning and its length. */
export type CutText = (shown: string, length: number) => string;

/** Fields as a tree of labels and values; nothing is left out, empty lists and objects included. */
export function fieldTree(fields: object, cut: CutText): readonly TreeNode[] {
  return Object.entries(fields).map(([label, value]: [string, unknown]) => toNode(label, value, cut));
}

function toNode(label: string, value: unknown, cut: CutText): TreeNode {
  if (Array.isArray(value)) {
    if (value.length === 0) return { label, value: '[]' };
    return { label, children: value.map((item: unknown, at) => toNode(String(at + 1), item, cut)) };
  }
  if (typeof value === 'object' && value !== null) {
    const children = fieldTree(value, cut);
    return children.length === 0 ? { label, value: '{}' } : { label, children };
  }
  const text = typeof value === 'string' ? (value === '' ? '""' : value) : String(value);
  return { label, value: text.length > longValue ? cut(text.slice(0, longValue), text.length) : text };
}

/** States how long a text is that was cut; the document of Open JSON holds it whole. */
export function cutText(t: Translate): CutText {
  return (shown, length) => t('{0}… ({1} characters; Open JSON shows all)', shown, length);
}

const longString = 4_000;

/**
 * The JSON of a proposal as it came, indented. Strings longer than 4,000 characters are cut, with their length, so that
 * byte code does not fill the page; the document of Open JSON holds them whole.
 */
export function rawJson(raw: unknown, cut: CutText): string {
  return JSON.stringify(
    raw,
    (_, value: unknown) =>
      typeof value === 'string' && value.length > longString ? cut(value.slice(0, longString), value.length) : value,
    2,
  );
}
