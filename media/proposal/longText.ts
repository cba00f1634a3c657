import { element } from './element.ts';

const linesAtOnce = 400;

/** Text of any length as preformatted lines, in pieces that the browser lays out only where they are seen. */
export function toCode(label: string, text: string): HTMLElement {
  const lines = text.split('\n');
  const made = element('pre', { role: 'group', 'aria-label': label, dir: 'ltr' });
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    const last = at + linesAtOnce >= lines.length;
    const piece = lines.slice(at, at + linesAtOnce).join('\n');
    made.append(element('code', { class: 'piece' }, last ? piece : `${piece}\n`));
  }
  return made;
}
