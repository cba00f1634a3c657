import type { TreeNode } from '../../src/ui/panel/block.ts';
import type { PageWords } from '../../src/ui/panel/protocol.ts';
import { element, foreign } from './element.ts';

/** Fields within fields, as nested lists of label and value. */
export function toTree(label: string, nodes: readonly TreeNode[], words: PageWords): HTMLElement {
  const made = toList(nodes, words);
  made.classList.add('tree');
  made.setAttribute('aria-label', label);
  return made;
}

const itemsAtOnce = 100;

/** A list of thousands shows its beginning, and more of it on demand. */
function toList(nodes: readonly TreeNode[], words: PageWords): HTMLUListElement {
  const list = element('ul', {}, ...nodes.slice(0, itemsAtOnce).map((node) => toItem(node, words)));
  if (nodes.length > itemsAtOnce) list.append(toMore(nodes, words));
  return list;
}

function toMore(nodes: readonly TreeNode[], words: PageWords): HTMLLIElement {
  let shown = itemsAtOnce;
  const button = element('button', { type: 'button', class: 'more' });
  const item = element('li', { class: 'rest' }, button);
  const name = () => button.replaceChildren(words.showMore.replace('{0}', String(nodes.length - shown)));
  name();
  const show = (count: number) => {
    const next = nodes.slice(shown, shown + count).map((node) => toItem(node, words));
    item.before(...next);
    shown += next.length;
    if (shown < nodes.length) name();
    else item.remove();
  };
  button.addEventListener('click', () => show(itemsAtOnce * 10));
  item.addEventListener('unfold', () => show(nodes.length));
  return item;
}

function toItem(node: TreeNode, words: PageWords): HTMLLIElement {
  const made = element('li', {}, foreign('span', node.label, { class: 'field' }));
  if (node.value !== undefined) made.append(' ', foreign('code', node.value));
  if (node.children) made.append(toList(node.children, words));
  return made;
}
