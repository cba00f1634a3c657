import MarkdownIt, { type StateCore, type Token } from 'markdown-it';
import type { PageAction, PageWords } from '../../src/page/pageMessages.ts';
import type { PageView, TimeText } from '../../src/page/pageView.ts';
import type { Translate } from '../../src/words/language.ts';
import { toLinkTarget } from '../../src/words/linkTarget.ts';
import { durationText, timeStyle } from '../../src/words/time.ts';
import { element } from './patch.ts';

/** Seconds. */
const day = 86_400;

/** The parts that the renderers need beside the data. */
export interface PageContext {
  readonly words: PageWords;
  readonly clock: PageClock;
  readonly parser: MarkdownParser;
  openLink(url: string, text: string): void;
  act(action: PageAction): void;
}

/** Writes times by how far away they are, and keeps what was written true while the page is shown. */
export class PageClock {
  readonly #words: PageWords;
  // Made once: making a format takes longer than all else about a page.
  readonly #local: Intl.DateTimeFormat;
  readonly #utc: Intl.DateTimeFormat;
  #now = 0;
  #runs = false;
  #setAt = 0;

  constructor(words: PageWords) {
    this.#words = words;
    this.#local = new Intl.DateTimeFormat(words.language, timeStyle);
    this.#utc = new Intl.DateTimeFormat(words.language, { ...timeStyle, timeZone: 'UTC' });
  }

  /** Sets the time of the chain, and writes every time on the page anew. */
  set(clock: PageView['clock']): void {
    this.#now = Date.parse(clock.now);
    this.#runs = clock.runs;
    this.#setAt = performance.now();
    this.tick();
  }

  /** Writes the texts that changed, and nothing else on the page. */
  tick(): void {
    for (const place of document.querySelectorAll<HTMLTimeElement>('time')) {
      const { future = '', past = '', clock = '' } = place.dataset;
      const text = this.#text({ at: place.dateTime, future, past, clock: clock === 'chain' ? 'chain' : 'machine' });
      if (place.textContent !== text) place.textContent = text;
    }
  }

  /** A time that stays true; its hover has the time in the reader's zone and in UTC. */
  toNode(time: TimeText): HTMLTimeElement {
    const { at, future, past, clock } = time;
    const [local, utc] = [this.local(at), `${this.#utc.format(new Date(at))} UTC`];
    return element(
      'time',
      {
        datetime: at,
        title: utc.startsWith(local) ? utc : `${local} · ${utc}`,
        'data-future': future,
        'data-past': past,
        'data-clock': clock,
      },
      this.#text(time),
    );
  }

  /** Date and time in the reader's zone. */
  local(at: string): string {
    return this.#local.format(new Date(at));
  }

  #text({ at, future, past, clock }: TimeText): string {
    const running = this.#runs ? performance.now() - this.#setAt : 0;
    const seconds = (Date.parse(at) - (clock === 'chain' ? this.#now + running : Date.now())) / 1000;
    const isPast = seconds <= 0;
    // A deadline that lies ahead is never "just now".
    const distance = this.#distance(isPast ? Math.floor(-seconds) : Math.ceil(seconds), isPast);
    return (isPast ? past : future).replace('{0}', () => distance);
  }

  /** `in 2 days 7 hours`: the two largest units; seconds only in the last hour before. */
  #distance(seconds: number, isPast: boolean): string {
    const { units, now, past, future } = this.#words;
    if (isPast && seconds < 60) return now;
    // A few hours more or less do not matter in two weeks.
    const shown = seconds >= 14 * day ? seconds - (seconds % day) : seconds;
    const t: Translate = (message, value) => (units[message] ?? message).replace('{0}', () => `${value}`);
    const text = durationText(shown * 1000, isPast || shown >= 3600 ? 'long' : 'exact', t);
    return (isPast ? past : future).replace('{0}', () => text);
  }
}

export type MarkdownParser = ReturnType<typeof startMarkdownParser>;

/** A parser without HTML whose links are only those of `toLinkTarget`. Made once: making it takes longer than most texts. */
export function startMarkdownParser() {
  const parser = new MarkdownIt({ html: false, linkify: true, breaks: true });
  parser.validateLink = (address) => toLinkTarget(address) !== undefined;
  // The text of a link is shown as it was written. Punycode and percent signs are not decoded.
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
