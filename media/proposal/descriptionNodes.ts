import { toClipped } from './clip.ts';
import { element } from './element.ts';
import { MarkdownNodes } from './markdownNodes.ts';
import { toPieces } from './markdownPieces.ts';
import type { PageContext } from './pageContext.ts';

const longText = 6_000;
/** Milliseconds that drawing may take before the page answers its reader again. */
const timeAtOnce = 10;

/** A description as nodes. A very long one is drawn piece by piece, so that the page stays responsive meanwhile. */
export function toDescription(source: string, context: PageContext): HTMLElement {
  const markdown = new MarkdownNodes(context);
  const pieces = toPieces(source);
  const content = element('div', { class: 'markdown' });
  const draw = (until: number) => {
    do {
      const piece = pieces.next();
      if (piece.done) return;
      content.append(element('div', { class: 'piece', dir: 'auto' }, markdown.toNodes(piece.value)));
    } while (performance.now() < until);
    setTimeout(() => {
      if (content.isConnected) draw(performance.now() + timeAtOnce);
    }, 4);
  };
  draw(0);
  if (source.length <= longText) return content;
  const count = source.length.toLocaleString(context.words.language);
  return toClipped(
    content,
    context.words.showAll.replace('{0}', () => count),
  );
}
