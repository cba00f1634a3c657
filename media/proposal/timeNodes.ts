import type { Moment } from '../../src/ui/panel/block.ts';
import type { PageWords } from '../../src/ui/panel/protocol.ts';
import { element } from './element.ts';

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
