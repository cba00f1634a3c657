import type { TreeNode } from './block.ts';

const longValue = 2_000;

/** How long values are cut; the document of Open JSON holds them whole. */
export type CutText = (shown: string, length: number) => string;

/** Fields as a tree of labels and values; nothing is left out, empty lists and objects included. */
export function fieldTree(fields: object, cut: CutText): readonly TreeNode[] {
  return Object.entries(fields).map(([label, value]: [string, unknown]) => toNode(label, value, cut));
}

function toNode(label: string, value: unknown, cut: CutText): TreeNode {
  if (Array.isArray(value)) {
    if (value.length === 0) return { label, value: '[]' };
    return { label, children: value.map((item: unknown, at) => toNode(String(at + 1), item, cut)) };
  }
  if (typeof value === 'object' && value !== null) {
    const children = fieldTree(value, cut);
    return children.length === 0 ? { label, value: '{}' } : { label, children };
  }
  const text = typeof value === 'string' ? (value === '' ? '""' : value) : String(value);
  return { label, value: text.length > longValue ? cut(text.slice(0, longValue), text.length) : text };
}
