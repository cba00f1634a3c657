import MarkdownIt, { type StateCore, type Token } from 'markdown-it';
import type { Action, Moment, PageWords } from '../../src/ui/panel/protocol.ts';
import { toLinkTarget } from './linkTarget.ts';
import { element } from './patch.ts';

/** What the renderers need beside the data. */
export interface PageContext {
  readonly words: PageWords;
  readonly times: TimeNodes;
  readonly parser: MarkdownParser;
  openLink(url: string, text: string): void;
  act(action: Action): void;
}

/** Writes moments; the formats are made once, as making one takes longer than all else about a page. */
export class TimeNodes {
  readonly #words: PageWords;
  readonly #local: Intl.DateTimeFormat;
  readonly #utc: Intl.DateTimeFormat;

  constructor(words: PageWords) {
    const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
    this.#words = words;
    this.#local = new Intl.DateTimeFormat(words.language, style);
    this.#utc = new Intl.DateTimeFormat(words.language, { ...style, timeZone: 'UTC' });
  }

  /** A moment in the reader's time zone, and the same in UTC. */
  toNode(at: Moment): HTMLTimeElement {
    const time = new Date(at);
    return element(
      'time',
      { datetime: at },
      element('span', { class: 'local' }, this.#local.format(time)),
      ' ',
      element('span', { class: 'utc' }, `${this.#utc.format(time)} ${this.#words.utc}`),
    );
  }
}

export type MarkdownParser = ReturnType<typeof startMarkdownParser>;

/** A parser without HTML whose links are only those of `toLinkTarget`. Made once: making it takes longer than most texts. */
export function startMarkdownParser() {
  const parser = new MarkdownIt({ html: false, linkify: true, breaks: true });
  parser.validateLink = (address) => toLinkTarget(address) !== undefined;
  // What the reader sees is what was written: no decoding of punycode or percent signs for the eye.
  parser.normalizeLinkText = (address) => address;
  parser.linkify
    .set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
    .add('ftp:', null)
    .add('//', null)
    .add('ipfs:', { validate: (text, from) => /^\/\/[\w.~%/?#=&+-]+/.exec(text.slice(from))?.[0].length ?? 0 });
  parser.core.ruler.after('block', 'vast_tables', withoutVastTables);
  return parser;
}

const mostCells = 1_500;

/** A table of thousands of cells would stop the page: it is shown as it was written. Works on blocks, before their words. */
function withoutVastTables(state: StateCore): void {
  const kept: Token[] = [];
  let at = 0;
  for (let token = state.tokens[at]; token !== undefined; token = state.tokens[at]) {
    const isTable = token.type === 'table_open';
    const end = isTable ? state.tokens.findIndex((other, index) => index > at && other.type === 'table_close') : at;
    const cells = state.tokens.slice(at, end).filter((other) => other.type === 'td_open' || other.type === 'th_open');
    if (cells.length <= mostCells) {
      kept.push(token);
      at += 1;
      continue;
    }
    const [first, last] = token.map ?? [0, 0];
    const text = new state.Token('code_block', 'code', 0);
    text.content = state.src.split('\n').slice(first, last).join('\n');
    kept.push(text);
    at = end + 1;
  }
  state.tokens = kept;
}
