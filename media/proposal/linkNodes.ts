import { namesAnotherHost, startsWithHost, toLinkTarget } from '../../src/words/linkTarget.ts';
import type { PageContext } from './pageContext.ts';
import { element } from './patch.ts';

/**
 * A link that cannot navigate: it has no `href` and only tells the extension, which shows where it leads and asks. Its
 * true host stands beside it, with a warning where the text names another one. An address that is no link stays text.
 */
export function toLinkNodes(address: string, label: DocumentFragment, context: PageContext): readonly Node[] {
  const target = toLinkTarget(address);
  if (!target) return [label];
  const text = label.textContent ?? '';
  const link = element('a', { role: 'link', tabindex: '0', title: target.url, class: 'link', dir: 'auto' }, label);
  const open = () => context.openLink(target.url, text);
  link.addEventListener('click', open);
  link.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') open();
  });
  if (startsWithHost(text, target)) return [link];
  const host = element('bdi', { class: 'host' }, ` (${target.host})`);
  if (!namesAnotherHost(text, target)) return [link, host];
  return [link, host, element('strong', { class: 'mismatch' }, ` ${context.words.linkMismatch}`)];
}

/**
 * Shows the beginning of a long part and a button for the rest. What is clipped stays in the page, so find reaches it;
 * find, the keyboard or a selection getting there unfolds it.
 */
export function toClipped(content: HTMLElement, buttonText: string): HTMLElement {
  const button = element('button', { type: 'button', class: 'more' }, buttonText);
  const frame = element('div', { class: 'clip closed' }, content);
  const whole = element('div', { class: 'clipped' }, frame, button);
  const open = () => {
    if (!frame.classList.contains('closed')) return;
    frame.classList.remove('closed');
    frame.scrollTop = 0;
    if (document.activeElement === button) focusStart(content);
    button.remove();
  };
  button.addEventListener('click', open);
  // The editor's find scrolls a clipped place into view, and so does the focus of a link in it.
  frame.addEventListener('scroll', open);
  frame.addEventListener('focusin', (event) => {
    if (event.target instanceof Element && isBelow(event.target, frame)) open();
  });
  frame.addEventListener('unfold', open);
  return whole;
}

function isBelow(place: Element, frame: Element): boolean {
  return place.getBoundingClientRect().bottom > frame.getBoundingClientRect().bottom;
}

function focusStart(content: HTMLElement): void {
  content.tabIndex = -1;
  content.focus({ preventScroll: true });
}

const linesAtOnce = 400;

/** Text of any length as preformatted lines, in pieces that the browser lays out only where they are seen. */
export function toCode(label: string, text: string, isPatch = false): HTMLElement {
  const lines = text.split('\n');
  const made = element('pre', { role: 'group', 'aria-label': label, dir: 'ltr' });
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    const last = at + linesAtOnce >= lines.length;
    const piece = lines.slice(at, at + linesAtOnce).join('\n');
    const shown = last ? piece : `${piece}\n`;
    made.append(element('code', { class: 'piece' }, ...(isPatch ? toPatchLines(shown) : [shown])));
  }
  return made;
}

/** The lines of a unified diff; those that are added or removed are marked, file names (`+++`, `---`) are not. */
function toPatchLines(text: string): (Node | string)[] {
  return text.split(/(?<=\n)/).map((line) => {
    const tag = /^\+(?!\+\+ )/.test(line) ? 'ins' : /^-(?!-- )/.test(line) ? 'del' : undefined;
    return tag ? element(tag, {}, line) : line;
  });
}
