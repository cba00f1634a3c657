import type { Block } from '../../src/ui/panel/block.ts';
import { toMeter, toTallyBar } from './barNodes.ts';
import { toDescription } from './descriptionNodes.ts';
import { element, foreign } from './element.ts';
import { toCode } from './longText.ts';
import type { PageContext } from './pageContext.ts';
import { toCellNodes, toTable } from './tableNodes.ts';
import { toTimelineNode } from './timelineNodes.ts';
import { toTree } from './treeNodes.ts';

/** The element of one block. */
export function toBlockNode(block: Block, context: PageContext): HTMLElement {
  switch (block.kind) {
    case 'heading':
      return element(
        'h3',
        {},
        foreign('span', block.text),
        ' ',
        block.note !== undefined && foreign('code', block.note),
      );
    case 'paragraph':
      return foreign('p', block.text);
    case 'notice':
      return foreign('p', block.text, { class: `notice ${block.tone}` });
    case 'verdict':
      return element(
        'div',
        { class: `verdict ${block.tone}` },
        element('p', {}, element('b', {}, block.lead), ` ${block.text}`),
        ...block.blocks.map((inner) => toBlockNode(inner, context)),
      );
    case 'timeline':
      return toTimelineNode(block.steps, context);
    case 'markdown':
      return toDescription(block.source, context);
    case 'code':
      return toCode(block.label, block.text);
    case 'tree':
      return toTree(block.label, block.nodes, context.words);
    case 'fold':
      return toFold(block, context);
    case 'table':
      return toTable(block, context);
    case 'facts':
      return element(
        'dl',
        {},
        ...block.rows.map((row) =>
          element('div', {}, foreign('dt', row.label), element('dd', {}, toCellNodes(row.value, context))),
        ),
      );
    case 'tally':
      return toTallyBar(block);
    case 'meter':
      return toMeter(block);
    default:
      return block satisfies never;
  }
}

/** What is folded is drawn once the rest is on screen, so that find can reach it; closed, it costs no layout. */
function toFold(block: Extract<Block, { kind: 'fold' }>, context: PageContext): HTMLElement {
  const made = element('details', { 'data-fold': block.id }, element('summary', {}, block.summary));
  const draw = () => made.append(...block.blocks.map((inner) => toBlockNode(inner, context)));
  made.open = block.open;
  if (block.open) draw();
  else setTimeout(draw, 0);
  return made;
}
