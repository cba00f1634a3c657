import type { PageAction, PageWords } from '../../src/page/pageMessages.ts';
import type {
  BarBlock,
  BarMark,
  Block,
  Cell,
  ChangeRow,
  FoldBlock,
  Swatch,
  TableBlock,
  TimelineStep,
  TreeNode,
} from '../../src/page/pageView.ts';
import { toCode } from './linkNodes.ts';
import { toDescription } from './markdown.ts';
import type { PageContext } from './pageContext.ts';
import { element, untrusted } from './patch.ts';

/** The element of one block. */
export function toBlockNode(block: Block<PageAction>, context: PageContext): HTMLElement {
  switch (block.kind) {
    case 'heading':
      return element(
        'h3',
        {},
        untrusted('span', block.text),
        ' ',
        block.note !== undefined && untrusted('code', block.note),
      );
    case 'paragraph':
      return untrusted('p', block.text);
    case 'notice':
      return untrusted('p', block.text, { class: `notice ${block.tone}` });
    case 'timeline':
      return toTimeline(block.steps, context);
    case 'markdown':
      return toDescription(block.source, context);
    case 'code':
      return toCode(block.label, block.text, block.isPatch);
    case 'tree':
      return toTree(block.label, block.nodes, context.words);
    case 'fold':
      return toFold(block, context);
    case 'table':
      return toTable(block, context);
    case 'changes':
      return element('dl', { class: 'changes' }, ...block.rows.map((row) => toChange(row, context)));
    case 'facts':
      return element(
        'dl',
        {},
        ...block.rows.map((row) =>
          element('div', {}, untrusted('dt', row.label), element('dd', {}, toCellNodes(row.value, context))),
        ),
      );
    case 'bar':
      return toBar(block);
    case 'buttons':
      return element('p', {}, ...block.items.map(({ action, label }) => toButton(label, () => context.act(action))));
    default:
      return block satisfies never;
  }
}

/** Folded content is drawn after the rest is on screen, so that find can reach it. It costs no layout while it is closed. */
function toFold(block: FoldBlock<PageAction>, context: PageContext): HTMLElement {
  const note = block.note !== undefined && untrusted('span', block.note, { class: 'quiet' });
  const summary = element('summary', { 'aria-keyshortcuts': block.key }, block.summary, ' ', note);
  const made = element('details', { 'data-fold': block.id, 'data-shortcut': block.key }, summary);
  const { onOpen } = block;
  // Not when it is opened for find, or drawn anew.
  if (onOpen) summary.addEventListener('click', () => made.open || context.act(onOpen));
  setTimeout(() => made.append(...block.blocks.map((inner) => toBlockNode(inner, context))), 0);
  return made;
}

function toButton(label: string, press: () => void): HTMLElement {
  const made = element('button', { type: 'button' }, label);
  made.addEventListener('click', press);
  return made;
}

/** `14 days → 7 days`, or two texts of many lines as one with its differing lines marked; the raw values below. */
function toChange(row: ChangeRow, context: PageContext): HTMLElement {
  const note = row.note !== undefined && untrusted('code', row.note, { class: 'quiet' });
  const values = row.patch === undefined ? toValues(row, context) : toCode(row.label, row.patch, true);
  return element('div', {}, untrusted('dt', row.label), element('dd', {}, values, note));
}

function toValues({ before, after, isLost }: ChangeRow, context: PageContext): HTMLElement {
  const old = before !== undefined && untrusted('span', before, { class: 'before' });
  const arrow = old && element('span', { class: 'arrow' }, ' → ');
  return element(
    'div',
    { class: 'values' },
    old,
    arrow,
    element('span', { class: isLost ? 'after lost' : 'after' }, toCellNodes(after, context)),
  );
}

/** A bar with its marks: one image, with the text that says the same. Below it its legend, or above it that text. */
function toBar({ label, parts, marks, legend }: BarBlock): HTMLElement {
  const pieces = parts.map(({ look, share }) => {
    const piece = element('span', { class: `part ${look}` });
    piece.style.width = toPercent(share);
    return piece;
  });
  const space = ['above', 'below'].filter((side) => marks.some((mark) => mark.side === side));
  const bar = element(
    'div',
    {
      class: ['bar', ...space.map((side) => `space-${side}`)].join(' '),
      role: 'img',
      'aria-label': [label, ...marks.map((mark) => mark.label)].join('. '),
    },
    element('div', { class: 'stack' }, ...pieces),
    ...marks.map(toMark),
  );
  if (!legend) return element('div', { class: 'bars' }, untrusted('p', label, { class: 'caption' }), bar);
  const entries = legend.map((entry) =>
    element('span', {}, entry.swatch && toSwatch(entry.swatch), `${entry.label} `, element('b', {}, entry.value)),
  );
  return element('div', { class: 'bars' }, bar, element('p', { class: 'legend' }, ...entries));
}

/** A line across the bar, and its label on the side of it that has more space, after a gap that may shrink. */
function toMark(mark: BarMark): HTMLElement {
  const line = element('span', { class: 'mark' });
  line.style.left = toPercent(mark.at);
  const leftward = mark.at > 5_000;
  const gap = element('span', {});
  gap.style.flexBasis = toPercent(leftward ? 10_000 - mark.at : mark.at);
  const words = element('span', {}, mark.label);
  const label = element('span', { class: `words ${leftward ? 'leftward' : 'rightward'}` }, gap, words);
  return element('span', { class: mark.side }, line, label);
}

function toSwatch(option: Swatch): HTMLElement {
  return element('span', { class: `swatch ${option}`, 'aria-hidden': 'true' });
}

function toPercent(points: number): string {
  return `${Math.max(0, Math.min(points, 10_000)) / 100}%`;
}

/** A table whose cells carry their column's name, so that it can stand as a list where the page is narrow. */
function toTable(block: TableBlock, context: PageContext): HTMLElement {
  const head = block.columns.map((column, at) =>
    element(
      'th',
      { scope: 'col', role: 'columnheader', class: block.numeric.includes(at) ? 'number' : undefined },
      column,
    ),
  );
  const rows = block.rows.map((cells) =>
    element('tr', { role: 'row' }, ...cells.map((cell, at) => toTableCell(cell, block, at, context))),
  );
  return element(
    'table',
    { 'aria-label': block.label, role: 'table', class: widthOf(block) },
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...head)),
    element('tbody', { role: 'rowgroup' }, ...rows),
  );
}

/** The most characters of a row that stand beside each other where the page is 240 pixels wide. */
const narrowest = 26;

/** The fewest characters of an address in a line. With fewer, it would be a column of its own letters. */
const shortestLine = 10;

/** `wide` for a table that is a list where the page is narrow, `tight` for one whose numbers would break its names there. */
function widthOf({ columns, numeric, rows }: TableBlock): 'wide' | 'tight' | undefined {
  if (columns.length > 3) return 'wide';
  const longest = (at: number, lengthOf: (cell: Exclude<Cell, string>) => number): number =>
    rows.reduce((most, cells) => Math.max(most, lengthOf(wholeCell(cells[at] ?? ''))), 0);
  // An address breaks anywhere.
  const name = longest(0, ({ text, code, swatch }) =>
    code ? shortestLine : longestWord(text) + Number(swatch !== undefined),
  );
  if (numeric.length === 0)
    return longest(1, ({ text, code }) => (code ? text.length : 0)) > narrowest ? 'tight' : undefined;
  const numbers = numeric.map((at) => longest(at, ({ text }) => text.length));
  return numbers.reduce((sum, length) => sum + length, name) > narrowest ? 'tight' : undefined;
}

/** The length of the longest word. The characters of East Asia are twice as wide as others. */
function longestWord(text: string): number {
  const words = text.replace(/[\u2e80-\uffef]/g, '$&$&').split(' ');
  return words.reduce((most, { length }) => Math.max(most, length), 0);
}

function toTableCell(cell: Cell, block: TableBlock, at: number, context: PageContext): HTMLElement {
  const made = element('td', {
    role: 'cell',
    class: classesOf(cell, block.numeric.includes(at)) || undefined,
    'data-label': block.columns[at],
  });
  made.append(element('div', {}, toCellNodes(cell, context)));
  return made;
}

function classesOf(cell: Cell, isNumber: boolean): string {
  const { text, time, note } = wholeCell(cell);
  const isEmpty = text === '' && !time && note === undefined;
  return [isNumber ? 'number' : '', isShort(cell, isNumber) ? 'short' : '', isEmpty ? 'empty' : '']
    .filter(Boolean)
    .join(' ');
}

/** The content of a cell: swatch, text, time, and the quieter note. */
export function toCellNodes(cell: Cell, context: PageContext): DocumentFragment {
  const made = document.createDocumentFragment();
  const { text, code, swatch, time, note, hint } = wholeCell(cell);
  if (swatch) made.append(toSwatch(swatch));
  made.append(
    text === '' && time ? context.clock.toNode(time) : untrusted(code ? 'code' : 'span', text, { title: hint }),
  );
  if (time)
    made.append(
      element('small', { class: 'note' }, text === '' ? context.clock.local(time.at) : context.clock.toNode(time)),
    );
  if (note !== undefined) made.append(untrusted('small', note, { class: 'note' }));
  return made;
}

/** Gives a cell that is a text alone as one with members. */
function wholeCell(cell: Cell): Exclude<Cell, string> {
  return typeof cell === 'string' ? { text: cell } : cell;
}

/** True for a short text, which must not wrap beside a long neighbour. The note of a number may. */
function isShort(cell: Cell, isNumber: boolean): boolean {
  const { text, note } = wholeCell(cell);
  return (isNumber || note === undefined) && text.length <= 16 && !text.includes('\n');
}

/** The steps of a proposal: how far away each is, then when, then what there is to say of it. */
function toTimeline(steps: readonly TimelineStep[], context: PageContext): HTMLElement {
  return element('ol', { class: 'timeline' }, ...steps.map((step) => toStep(step, context)));
}

function toStep({ label, state, time, note }: TimelineStep, context: PageContext): HTMLElement {
  return element(
    'li',
    { class: state },
    element('b', {}, label),
    time && context.clock.toNode(time),
    time && element('span', { class: 'quiet' }, context.clock.local(time.at)),
    note !== undefined && element('span', { class: 'quiet' }, note),
  );
}

/** Fields within fields, as nested lists of label and value. */
function toTree(label: string, nodes: readonly TreeNode[], words: PageWords): HTMLElement {
  const made = toList(nodes, words);
  made.classList.add('tree');
  made.setAttribute('aria-label', label);
  return made;
}

const itemsAtOnce = 100;

/** A list of thousands shows its beginning, and more of it on demand. */
function toList(nodes: readonly TreeNode[], words: PageWords): HTMLUListElement {
  const list = element('ul', {}, ...nodes.slice(0, itemsAtOnce).map((node) => toItem(node, words)));
  if (nodes.length > itemsAtOnce) list.append(toMore(nodes, words));
  return list;
}

function toMore(nodes: readonly TreeNode[], words: PageWords): HTMLLIElement {
  let shown = itemsAtOnce;
  const button = element('button', { type: 'button', class: 'more' });
  const item = element('li', { class: 'rest' }, button);
  const name = () => button.replaceChildren(words.showMore.replace('{0}', String(nodes.length - shown)));
  name();
  const show = (count: number) => {
    const next = nodes.slice(shown, shown + count).map((node) => toItem(node, words));
    item.before(...next);
    shown += next.length;
    if (shown < nodes.length) name();
    else item.remove();
  };
  button.addEventListener('click', () => show(itemsAtOnce * 10));
  item.addEventListener('unfold', () => show(nodes.length));
  return item;
}

function toItem(node: TreeNode, words: PageWords): HTMLLIElement {
  const made = element('li', {}, untrusted('span', node.label, { class: 'field' }));
  if (node.value !== undefined) made.append(' ', untrusted('code', node.value));
  if (node.children) made.append(toList(node.children, words));
  return made;
}
