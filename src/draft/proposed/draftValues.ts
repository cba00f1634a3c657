import type { Node } from 'jsonc-parser';
import type { Fields } from '../../chain/fields.ts';
import { allMembers, type Draft, type DraftAction, itemsOf, member, rawOf } from '../draftText.ts';

/**
 * Turns values of legacy parameters into texts. A file holds a value as JSON, and a proposal holds the text of that
 * JSON.
 */
export function withTexts(draft: Draft, { node }: DraftAction, fields: Fields): Fields {
  const changes = itemsOf(member(node, 'changes')?.value).map((change) => {
    const value = member(change, 'value')?.value;
    return { ...memberValues(draft, change), value: value ? rawOf(draft, value) : '' };
  });
  const { deposit: _, type: _type, ...own } = fields;
  return 'changes' in own ? { ...own, changes } : own;
}

/** The values of the members of an object by their names. */
export function memberValues(draft: Draft, node: Node): Fields {
  return Object.fromEntries(allMembers(node).map(({ name, value }) => [name, toValue(draft, value)]));
}

/** The value of a node. Integers that JavaScript would round stay texts, which nodes accept too. */
export function toValue(draft: Draft, node: Node): unknown {
  if (node.type === 'object') return memberValues(draft, node);
  if (node.type === 'array') return itemsOf(node).map((item) => toValue(draft, item));
  const value: unknown = node.value;
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded ? rawOf(draft, node) : value;
}
