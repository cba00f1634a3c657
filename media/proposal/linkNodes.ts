import { element } from './element.ts';
import { namesAnotherHost, startsWithHost, toLinkTarget } from './linkTarget.ts';
import type { PageContext } from './pageContext.ts';

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
