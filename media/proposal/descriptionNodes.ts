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
  const [first, ...rest] = toPieces(source);
  const content = element('div', { class: 'markdown' }, toPiece(markdown, first ?? '', rest.length > 0));
  const drawRest = (from: number) => {
    const until = performance.now() + timeAtOnce;
    let at = from;
    for (let piece = rest[at]; piece !== undefined && performance.now() < until; piece = rest[at]) {
      content.append(toPiece(markdown, piece, true));
      at += 1;
    }
    if (at < rest.length) setTimeout(drawRest, 4, at);
  };
  if (rest.length > 0) setTimeout(drawRest, 30, 0);
  if (source.length <= longText) return content;
  const count = source.length.toLocaleString(context.words.language);
  return toClipped(
    content,
    context.words.showAll.replace('{0}', () => count),
  );
}

/** One piece of several is laid out only where it is seen. */
function toPiece(markdown: MarkdownNodes, source: string, oneOfMany: boolean): HTMLElement {
  return element('div', { class: oneOfMany ? 'piece' : undefined, dir: 'auto' }, markdown.toNodes(source));
}
