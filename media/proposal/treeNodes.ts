import type { TreeNode } from '../../src/ui/panel/protocol.ts';
import { element, foreign } from './element.ts';

/** Fields within fields, as nested lists of label and value. */
export function toTree(label: string, nodes: readonly TreeNode[]): HTMLElement {
  const made = toList(nodes);
  made.classList.add('tree');
  made.setAttribute('aria-label', label);
  return made;
}

function toList(nodes: readonly TreeNode[]): HTMLUListElement {
  return element('ul', {}, ...nodes.map(toItem));
}

function toItem(node: TreeNode): HTMLLIElement {
  const made = element('li', {}, foreign('span', node.label, { class: 'field' }));
  if (node.value !== undefined) made.append(' ', foreign('code', node.value));
  if (node.children) made.append(toList(node.children));
  return made;
}
