import type { Moment, PageWords } from '../../src/ui/panel/protocol.ts';
import { element } from './element.ts';

/** A moment in the reader's time zone, and the same in UTC. */
export function toTimeNode(at: Moment, words: PageWords): HTMLTimeElement {
  const time = new Date(at);
  const format = (timeZone: string | undefined) =>
    new Intl.DateTimeFormat(words.language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(time);
  return element(
    'time',
    { datetime: at },
    element('span', { class: 'local' }, format(undefined)),
    ' ',
    element('span', { class: 'utc' }, `${format('UTC')} ${words.utc}`),
  );
}
