import type { Cell, TableBlock } from '../../src/ui/panel/block.ts';
import { element, foreign } from './element.ts';
import type { PageContext } from './pageContext.ts';

/** A table whose cells carry their column's name, so that it can stand as a list where the page is narrow. */
export function toTable(block: TableBlock, context: PageContext): HTMLElement {
  const head = block.columns.map((column) =>
    element('th', { scope: 'col', role: 'columnheader', class: column.numeric ? 'number' : undefined }, column.label),
  );
  const rows = block.rows.map((cells) =>
    element('tr', { role: 'row' }, ...cells.map((cell, at) => toTableCell(cell, block, at, context))),
  );
  return element(
    'table',
    { 'aria-label': block.label, role: 'table' },
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...head)),
    element('tbody', { role: 'rowgroup' }, ...rows),
  );
}

function toTableCell(cell: Cell, block: TableBlock, at: number, context: PageContext): HTMLElement {
  const column = block.columns[at];
  const made = element('td', {
    role: 'cell',
    class: [column?.numeric ? 'number' : '', isShort(cell) ? 'short' : ''].join(' ').trim() || undefined,
    'data-label': column?.label,
  });
  made.append(element('div', {}, toCellNodes(cell, context)));
  return made;
}

/** The content of a cell: swatch, text with its differences, and the quieter note. */
export function toCellNodes(cell: Cell, context: PageContext): DocumentFragment {
  const made = document.createDocumentFragment();
  if (cell.swatch) made.append(element('span', { class: `swatch ${cell.swatch}`, 'aria-hidden': 'true' }));
  const text = cell.code ? element('code', { dir: 'auto' }) : element('span', { dir: 'auto' });
  for (const span of cell.spans) text.append(toSpanNode(span, context));
  made.append(text);
  if (cell.at !== undefined) made.append(element('small', { class: 'note' }, context.times.toNode(cell.at)));
  if (cell.note !== undefined) made.append(foreign('small', cell.note, { class: 'note' }));
  return made;
}

function toSpanNode(span: Cell['spans'][number], context: PageContext): Node {
  if (span.change === undefined) return document.createTextNode(span.text);
  const word = span.change === 'removed' ? context.words.removed : context.words.added;
  const spoken = element('span', { class: 'spoken' }, `${word} `);
  return element(span.change === 'removed' ? 'del' : 'ins', {}, spoken, span.text);
}

/** What need not wrap, so that a long neighbour does not squeeze it. */
function isShort(cell: Cell): boolean {
  const text = cell.spans.map((span) => span.text).join('');
  return cell.note === undefined && text.length <= 16 && !text.includes('\n');
}
