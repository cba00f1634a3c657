import { toClipped } from './clip.ts';
import { element } from './element.ts';
import { toPieces } from './longText.ts';
import { MarkdownNodes } from './markdownNodes.ts';
import type { PageContext } from './pageContext.ts';

const longText = 6_000;

/** A description as nodes. A very long one is drawn piece by piece, so that the page stays responsive meanwhile. */
export function toDescription(source: string, context: PageContext): HTMLElement {
  const markdown = new MarkdownNodes(context);
  const [first, ...rest] = toPieces(source);
  const content = element('div', { class: 'markdown' }, toPiece(markdown, first ?? ''));
  const drawNext = (at: number) => {
    const piece = rest[at];
    if (piece === undefined) return;
    content.append(toPiece(markdown, piece));
    setTimeout(drawNext, 0, at + 1);
  };
  setTimeout(drawNext, 0, 0);
  if (source.length <= longText) return content;
  const count = source.length.toLocaleString(context.words.language);
  return toClipped(
    content,
    context.words.showAll.replace('{0}', () => count),
  );
}

function toPiece(markdown: MarkdownNodes, source: string): HTMLElement {
  return element('div', { class: 'piece', dir: 'auto' }, markdown.toNodes(source));
}
