import { groupDigits } from '../../chain/coin.ts';
import { toRatio } from '../../chain/ratio.ts';
import { showControls } from '../../chain/text.ts';
import { ratioText } from '../../words/values.ts';
import { cutText, type Line, textWidth } from '../terminal.ts';

/** A value of a cell; null if it is not known. */
export type CellValue = string | number | boolean | null | undefined;

/** A column of a table. */
export interface TextColumn<Row> {
  /** The header for people. A column without one is for scripts only. */
  readonly header?: string | undefined;
  /** The name for scripts: the name of the member in JSON, without `untrusted_`. */
  readonly name: string;
  readonly value: (row: Row) => CellValue;
  /** The text for people, if it differs from the value. */
  readonly shown?: ((row: Row) => CellValue) | undefined;
  /** The rank for narrow terminals. Columns with the greatest rank are left out first; those without one never. */
  readonly rank?: number | undefined;
}

/** A list in an answer: its rows, their noun, and their columns. */
export interface Listing<Row> {
  readonly noun: string;
  readonly rows: readonly Row[];
  readonly columns: readonly TextColumn<Row>[];
}

/** The smallest width of a text that is cut, in columns of the terminal. */
const leastText = 8;
const gap = 2;

/** Gives a table for scripts: the names of the columns, then the rows with whole values. */
export function tsvRows<Row>({
  rows,
  columns,
}: Pick<Listing<Row>, 'rows' | 'columns'>): readonly (readonly string[])[] {
  const cell = (value: CellValue): string => (value == null ? '' : escapeTsv(String(value)));
  return [columns.map(({ name }) => name), ...rows.map((row) => columns.map(({ value }) => cell(value(row))))];
}

/** Writes tabs and line ends as `\t` and `\n`, so that a value stays in its cell. */
export function escapeTsv(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replace(/\r\n|\r|\n/g, '\\n');
}

interface Shown {
  readonly cells: readonly string[];
  readonly width: number;
  readonly isNumber: boolean;
  readonly rank: number;
}

/**
 * Gives a table for people. Its columns are two spaces apart, and columns of numbers are aligned at their end. `width`
 * is the columns of the terminal; undefined for any width. To fit, texts are cut, but numbers never. Then columns are
 * left out, and the last line names them.
 */
export function tableLines<Row>(
  listing: Pick<Listing<Row>, 'rows' | 'columns'>,
  width: number | undefined,
): readonly Line[] {
  const columns = shownColumns(listing);
  const shown = columns.filter(({ rank }) => rank === 0);
  const others = columns.filter(({ rank }) => rank > 0).toSorted((a, b) => a.rank - b.rank);
  const fitting = new Set(shown);
  for (const column of others) {
    fitting.add(column);
    if (width !== undefined && leastWidth([...fitting]) > width) fitting.delete(column);
  }
  const kept = columns.filter((column) => fitting.has(column));
  const left = columns.filter((column) => !fitting.has(column)).map(({ cells: [header = ''] }) => header);
  const widths = fittedWidths(kept, width);
  const lines = listing.rows.map((_, at) => rowText(kept, widths, at + 1));
  const more = left.length > 0 ? [dim(`Hidden to fit the terminal: ${left.join(', ')}`)] : [];
  return [bold(rowText(kept, widths, 0)), ...lines, ...more];
}

export function bold(text: string): Line {
  return { text, style: 'bold' };
}

export function dim(text: string): Line {
  return { text, style: 'dim' };
}

/** Leaves out columns that are empty in every row. */
function shownColumns<Row>({ rows, columns }: Pick<Listing<Row>, 'rows' | 'columns'>): readonly Shown[] {
  return columns.flatMap(({ header, value, shown = value, rank = 0 }) => {
    if (header === undefined) return [];
    const body = rows.map((row) => cellText(shown(row)));
    if (rank > 0 && body.every((cell) => cell === '')) return [];
    const cells = [header, ...body];
    const width = cells.reduce((most, cell) => Math.max(most, textWidth(cell)), 0);
    return { cells, width, isNumber: body.every((cell) => /^-?<?[\d,. %]*$/.test(cell)), rank };
  });
}

function leastWidth(columns: readonly Shown[]): number {
  const least = columns.map(({ width, isNumber }) => (isNumber ? width : Math.min(width, leastText)));
  return least.reduce((sum, one) => sum + one, gap * (columns.length - 1));
}

/** Gives the widths of columns. The widest texts are cut first, all to one width. */
function fittedWidths(columns: readonly Shown[], width: number | undefined): readonly number[] {
  const widths = columns.map((column) => column.width);
  if (width === undefined) return widths;
  let longest = columns.reduce((most, column) => (column.isNumber ? most : Math.max(most, column.width)), leastText);
  const fitted = (): readonly number[] =>
    columns.map((column) => (column.isNumber ? column.width : Math.min(column.width, longest)));
  const sum = (): number => fitted().reduce((all, one) => all + one, gap * (columns.length - 1));
  while (longest > leastText && sum() > width) longest--;
  return fitted();
}

function rowText(columns: readonly Shown[], widths: readonly number[], at: number): string {
  const cells = columns.map(({ cells, isNumber }, index) => {
    const width = widths[index] ?? 0;
    const cell = cutText(cells[at] ?? '', width);
    const space = ' '.repeat(Math.max(0, width - textWidth(cell)));
    return isNumber ? space + cell : cell + space;
  });
  return cells.join(' '.repeat(gap)).trimEnd();
}

/** Gives a value on one line for people. */
export function cellText(value: CellValue): string {
  if (value === null) return 'unknown';
  if (typeof value === 'boolean') return value ? 'yes' : '';
  return value === undefined ? '' : lineText(String(value));
}

/** Puts a text on one line. Control characters, which terminals obey, are shown. Times are shortened to the second. */
export function lineText(value: string): string {
  const text = value.replace(/\s+/g, ' ').trim();
  return showControls(text).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC');
}

/** Gives a share of 1 in percent with two decimals: `0.334` → `33.40 %`. Anything else stays as it is. */
export function shareText(share: string | null | undefined): string | null | undefined {
  const ratio = share == null ? undefined : toRatio(share);
  return ratio === undefined ? share : ratioText(ratio);
}

/** An amount in an answer, with or without its denom. */
export interface ShownAmount {
  readonly amount?: string | undefined;
  readonly display_amount?: string | undefined;
  readonly untrusted_denom?: string | undefined;
  readonly untrusted_symbol?: string | undefined;
}

/** Gives an amount as `437.5 SAMPLE (437,500,000 usample)`. */
export function shownAmountText(coin: ShownAmount): string {
  const { amount = '', display_amount: shown, untrusted_denom: denom, untrusted_symbol: symbol } = coin;
  const digits = /^-?\d+$/.test(amount) ? groupDigits(BigInt(amount)) : lineText(amount);
  const base = [digits, denom && lineText(denom)].filter(Boolean).join(' ');
  return shown === undefined ? base : `${lineText([shown, symbol].filter(Boolean).join(' '))} (${base})`;
}
