import type { Token } from 'markdown-it';
import { toClipped, toLinkNodes } from './linkNodes.ts';
import { toPieces } from './markdownPieces.ts';
import type { PageContext } from './pageContext.ts';
import { element } from './patch.ts';

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

const plainTags: ReadonlySet<string> = new Set([
  'p',
  'ul',
  'ol',
  'li',
  'blockquote',
  'strong',
  'em',
  's',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
]);

/** Builds nodes from markdown: no HTML, no images, links only as `toLinkNodes` makes them. */
class MarkdownNodes {
  readonly #context: PageContext;
  /** The level of the last heading; the page's own are 1 and 2. */
  #level = 2;

  constructor(context: PageContext) {
    this.#context = context;
  }

  /** The nodes of a whole text, block by block. */
  toNodes(source: string): DocumentFragment {
    const fragment = document.createDocumentFragment();
    this.#append(fragment, this.#context.parser.parse(source, {}));
    return fragment;
  }

  #append(root: ParentNode, tokens: readonly Token[]): void {
    const open: ParentNode[] = [root];
    const into = () => open.at(-1) ?? root;
    let at = 0;
    while (at < tokens.length) {
      const token = tokens[at];
      at += 1;
      if (!token || token.hidden) continue;
      if (token.type === 'link_open') {
        const end = closeOf(tokens, at);
        this.#appendLink(into(), token, tokens.slice(at, end));
        at = end + 1;
      } else if (token.nesting === 1) {
        const made = this.#startElement(token);
        into().append(made);
        open.push(made);
      } else if (token.nesting === -1) {
        if (open.length > 1) open.pop();
      } else {
        this.#appendLeaf(into(), token);
      }
    }
  }

  #startElement(token: Token): HTMLElement {
    const heading = /^h([1-6])$/.exec(token.tag)?.[1];
    if (heading) {
      // An outline without gaps, whatever level the author began with.
      this.#level = Math.min(Number(heading) + 2, this.#level + 1, 6);
      return withDirection(document.createElement(`h${this.#level}`));
    }
    if (!plainTags.has(token.tag)) return element('div');
    const made = document.createElement(token.tag);
    if (token.tag === 'ol') made.setAttribute('start', String(token.attrGet('start') ?? 1));
    if (token.tag === 'th') made.setAttribute('scope', 'col');
    if (/right/.test(String(token.attrGet('style') ?? ''))) made.className = 'number';
    return /^t(?:r|head|body)$/.test(token.tag) ? made : withDirection(made);
  }

  #appendLink(parent: ParentNode, link: Token, inner: readonly Token[]): void {
    const label = document.createDocumentFragment();
    this.#append(label, inner);
    parent.append(...toLinkNodes(String(link.attrGet('href') ?? ''), label, this.#context));
  }

  #appendLeaf(parent: ParentNode, token: Token): void {
    switch (token.type) {
      case 'inline':
        this.#append(parent, token.children ?? []);
        break;
      case 'softbreak':
      case 'hardbreak':
        parent.append(element('br'));
        break;
      case 'hr':
        parent.append(element('hr'));
        break;
      case 'code_inline':
        parent.append(element('code', {}, token.content));
        break;
      case 'fence':
      case 'code_block':
        parent.append(element('pre', {}, element('code', {}, token.content)));
        break;
      case 'image':
        this.#appendImage(parent, token);
        break;
      default:
        parent.append(token.content);
    }
  }

  /** An image is never loaded: its text stands there, and a link to it. */
  #appendImage(parent: ParentNode, token: Token): void {
    const label = document.createDocumentFragment();
    label.append(this.#context.words.image.replace('{0}', () => token.content));
    parent.append(...toLinkNodes(String(token.attrGet('src') ?? ''), label, this.#context));
  }
}

/** The index of the `link_close` that belongs to the link opened just before `from`; links do not nest. */
function closeOf(tokens: readonly Token[], from: number): number {
  const end = tokens.findIndex((token, index) => index >= from && token.type === 'link_close');
  return end < 0 ? tokens.length : end;
}

function withDirection(made: HTMLElement): HTMLElement {
  made.dir = 'auto';
  return made;
}
