import type { Token } from 'markdown-it';
import { element } from './element.ts';
import { toLinkNodes } from './linkNodes.ts';
import type { PageContext } from './pageContext.ts';

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
export class MarkdownNodes {
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
