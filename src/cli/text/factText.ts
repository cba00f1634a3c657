import type { Fields } from '../../chain/fields.ts';
import { showControls } from '../../chain/text.ts';
import { type Line, terminalWidth } from '../terminal.ts';
import { bold, type CellValue, escapeTsv, lineText, type TextColumn, tableLines } from './textTable.ts';

/** A known fact: its label and its value, or the lines below the label. An undefined value is not shown. */
export type FactLine = readonly [label: string, value: CellValue | readonly Line[]];

/** Gives the reason of the answer why a member is not known. */
export function unknownText(unknown: Fields | undefined, name: string): string {
  const reason = unknown?.[name];
  return typeof reason === 'string' ? `unknown: ${lineText(reason)}` : 'unknown';
}

/** Gives a list as a fact. An empty list gives nothing. */
export function tableFact<Row>(label: string, rows: readonly Row[], columns: readonly TextColumn<Row>[]): FactLine {
  const width = terminalWidth();
  return [
    label,
    rows.length > 0 ? tableLines({ rows, columns }, width === undefined ? undefined : width - 4) : undefined,
  ];
}

/** Gives facts as lines. Facts of one line stand beside their labels, others below their labels. */
export function blockLines(facts: readonly FactLine[]): readonly Line[] {
  const said = facts.filter(([, value]) => value !== undefined && value !== false && value !== '');
  const width = said.reduce((most, [label, value]) => (isOneLine(value) ? Math.max(most, label.length) : most), 0);
  return said.flatMap(([label, value]) => {
    if (Array.isArray(value)) return [bold(label), ...value.map(indented)];
    const text = value === null ? 'unknown' : typeof value === 'boolean' ? 'yes' : String(value);
    if (isOneLine(value)) return [`${label.padEnd(width)}  ${lineText(text)}`];
    return [
      bold(label),
      ...showControls(text)
        .split(/\r\n|\r|\n/)
        .map((line) => indented(line.trimEnd())),
    ];
  });
}

/** True if a value stands beside its label. A description keeps its line ends. */
function isOneLine(value: FactLine[1]): boolean {
  return !Array.isArray(value) && !(typeof value === 'string' && /[\r\n]/.test(value));
}

function indented(line: Line): Line {
  if (typeof line === 'string') return line === '' ? '' : `  ${line}`;
  return 'style' in line ? { ...line, text: `  ${line.text}` } : ['  ', ...line];
}

/** Gives the members of an answer for scripts: name and value. Lists and objects are JSON. */
export function factRows(facts: Fields): readonly (readonly string[])[] {
  const members = Object.entries(facts).filter(([, value]) => value !== undefined);
  const rows = members.map(([name, value]) => [
    name,
    escapeTsv(typeof value === 'string' ? value : JSON.stringify(value)),
  ]);
  return [['name', 'value'], ...rows];
}
