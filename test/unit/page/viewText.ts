import type { Block, Cell, PageView, TimeText } from '../../../src/page/pageView.ts';

/** A view as text: what a reader finds on the page, in its order. Times stand as the page is told them. */
export function viewText(view: PageView<string>): string {
  const over = [...(view.status ? [view.status.label] : []), ...view.badges.map(({ text }) => text)].join(' | ');
  return [
    `${view.id} ${view.title}${view.subtitle ? ` (${view.subtitle})` : ''} [${over}]`,
    ...view.notices.map((notice) => `(${notice.tone}) ${notice.text}`),
    overviewText(view),
    ...view.sections.flatMap(({ title, note, blocks }) => [
      `# ${title}${note ? ` ${cellText(note)}` : ''}`,
      ...blocks.flatMap(blockLines),
    ]),
  ].join('\n');
}

/** One section of a view as text. */
export function sectionText(view: PageView<string>, id: string): string {
  return (view.sections.find((section) => section.id === id)?.blocks ?? []).flatMap(blockLines).join('\n');
}

/** The overview as text. */
export function overviewText({ overview: { amount, time, verdict, bar, myVotes } }: PageView<string>): string {
  return [
    ...(amount ? [cellText(amount)] : []),
    ...(time ? [timeOf(time)] : []),
    ...(verdict
      ? [`(${verdict.tone}) ${verdict.lead} ${verdict.text}${verdict.hint ? ` (${verdict.hint})` : ''}`]
      : []),
    ...(myVotes ? [`(${myVotes.tone}) ${myVotes.text}`] : []),
    ...(bar ? blockLines(bar) : []),
  ].join('\n');
}

function blockLines(block: Block<string>): readonly string[] {
  switch (block.kind) {
    case 'heading':
      return [`## ${block.text}${block.note === undefined ? '' : ` ${block.note}`}`];
    case 'paragraph':
      return [block.text];
    case 'notice':
      return [`(${block.tone}) ${block.text}`];
    case 'timeline':
      return block.steps.map(({ label, state, time, note }) =>
        [label, state, time && timeOf(time), note].filter(Boolean).join(' | '),
      );
    case 'markdown':
      return block.source.split('\n').map((line) => `> ${line}`);
    case 'code':
      return block.text.split('\n').map((line) => `\` ${line}`);
    case 'tree':
      return treeLines(block.nodes);
    case 'fold':
      return [
        `▸ ${[block.summary, block.note].filter(Boolean).join(' ')}`,
        ...indented(block.blocks.flatMap(blockLines)),
      ];
    case 'table':
      return [block.columns.join(' | '), ...block.rows.map((row) => row.map(cellText).join(' | '))];
    case 'changes':
      return block.rows.map(({ label, before, after, note, patch }) => {
        const values = [...(before === undefined ? [] : [before]), cellText(after)].join(' → ');
        return `${label}: ${patch ?? values}${note === undefined ? '' : ` (${note})`}`;
      });
    case 'facts':
      return block.rows.map((row) => `${row.label}: ${cellText(row.value)}`);
    case 'bar': {
      const marks = block.marks.map((mark) => `^ ${mark.at / 100} % ${mark.label}`);
      if (!block.legend) return [[`[${block.label}]`, ...marks].join(' ')];
      return [`[${block.legend.map(({ label, value }) => `${label} ${value}`).join(', ')}]`, ...indented(marks)];
    }
    case 'buttons':
      return [block.items.map(({ label }) => `(${label})`).join(' ')];
    default:
      return block satisfies never;
  }
}

function timeOf({ at, future, past }: TimeText): string {
  return `${future === past ? past : `${future}/${past}`}`.replaceAll('{0}', at);
}

function treeLines(nodes: Extract<Block<string>, { kind: 'tree' }>['nodes']): readonly string[] {
  return nodes.flatMap((node) => [
    `- ${node.label}${node.value === undefined ? '' : `: ${node.value}`}`,
    ...indented(treeLines(node.children ?? [])),
  ]);
}

function cellText(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  const text = cell.text || (cell.time ? timeOf(cell.time) : '');
  const hover = cell.hint === undefined ? text : `${text} [${cell.hint}]`;
  return cell.note === undefined ? hover : `${hover} (${cell.note})`;
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
