import type { Block, Cell, ProposalView } from '../../../src/ui/panel/protocol.ts';

/** A view as an indented text: what a reader finds on the page, in its order. */
export function viewText(view: ProposalView): string {
  return [
    `${view.id} ${view.title} [${[view.status.label, ...view.badges].join(' | ')}]`,
    ...view.notices.map((notice) => `(${notice.tone}) ${notice.text}`),
    ...view.sections.flatMap((section) => [`# ${section.title}`, ...section.blocks.flatMap(blockLines)]),
  ].join('\n');
}

/** One section of a view as text. */
export function sectionText(view: ProposalView, id: string): string {
  return (view.sections.find((section) => section.id === id)?.blocks ?? []).flatMap(blockLines).join('\n');
}

function blockLines(block: Block): readonly string[] {
  switch (block.kind) {
    case 'heading':
      return [`## ${block.text}${block.note === undefined ? '' : ` ${block.note}`}`];
    case 'paragraph':
      return [block.text];
    case 'notice':
      return [`(${block.tone}) ${block.text}`];
    case 'verdict':
      return [`(${block.tone}) ${block.lead} ${block.text}`, ...indented(block.blocks.flatMap(blockLines))];
    case 'timeline':
      return block.steps.map((step) =>
        [step.label, step.stateLabel, step.at, step.note, step.countdown ? 'counts down' : undefined]
          .filter(Boolean)
          .join(' | '),
      );
    case 'markdown':
      return block.source.split('\n').map((line) => `> ${line}`);
    case 'code':
      return block.text.split('\n').map((line) => `\` ${line}`);
    case 'tree':
      return treeLines(block.nodes);
    case 'fold':
      return [`▸ ${block.summary}`, ...indented(block.blocks.flatMap(blockLines))];
    case 'table':
      return [
        block.columns.map((column) => column.label).join(' | '),
        ...block.rows.map((row) => row.map(cellText).join(' | ')),
      ];
    case 'facts':
      return block.rows.map((row) => `${row.label}: ${cellText(row.value)}`);
    case 'tally':
      return [`[${block.label}]`, ...block.marks.map((mark) => `  ^ ${mark.at / 100} % ${mark.label}`)];
    case 'meter':
      return [`[${block.label}]${block.mark ? ` ^ ${block.mark.at / 100} % ${block.mark.label}` : ''}`];
    default:
      return block satisfies never;
  }
}

function treeLines(nodes: Extract<Block, { kind: 'tree' }>['nodes']): readonly string[] {
  return nodes.flatMap((node) => [
    `- ${node.label}${node.value === undefined ? '' : `: ${node.value}`}`,
    ...indented(treeLines(node.children ?? [])),
  ]);
}

function cellText(cell: Cell): string {
  const signs = { removed: '-', added: '+' };
  const text = cell.spans.map((span) => (span.change ? `${signs[span.change]}${span.text}` : span.text)).join('');
  return cell.note === undefined ? text : `${text} (${cell.note})`;
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
