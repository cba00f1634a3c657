import type { Node } from 'jsonc-parser';
import { countUpTo, type Draft, type DraftText, isUpgrade, member, rangeOf, type TextRange } from './draftText.ts';

/** A change of the text: `newText` replaces the range. */
export interface TextEdit {
  readonly range: TextRange;
  readonly newText: string;
}

/** Replaces a value. Numbers with many digits are given as text. */
export function replaceValue(draft: DraftText, node: Node, value: unknown): TextEdit {
  return { range: rangeOf(node), newText: layOut(draft, value, indentAt(draft, node.offset)) };
}

/** Sets a member, or adds it at the end of its object. */
export function setMember(draft: DraftText, object: Node, name: string, value: unknown): TextEdit {
  const found = member(object, name);
  return found ? replaceValue(draft, found.value, value) : addMembers(draft, object, [[name, value]]);
}

/** Adds members at the end of an object, laid out as its other members are. */
export function addMembers(
  draft: DraftText,
  object: Node,
  members: readonly (readonly [name: string, value: unknown])[],
): TextEdit {
  const last = object.children?.at(-1);
  const outer = indentAt(draft, object.offset);
  const inner = last ? indentAt(draft, last.offset) : outer + draft.indent;
  const isOneLine = last !== undefined && !draft.text.slice(object.offset, last.offset).includes('\n');
  const before = isOneLine ? ' ' : draft.lineEnd + inner;
  const written = members.map(([name, value]) => `${before}${JSON.stringify(name)}: ${layOut(draft, value, inner)}`);
  if (last) {
    const end = last.offset + last.length;
    return { range: { start: end, end }, newText: `,${written.join(',')}` };
  }
  const range = { start: object.offset + 1, end: object.offset + object.length - 1 };
  return { range, newText: written.join(',') + draft.lineEnd + outer };
}

/** Removes a member or an element, with the comma beside it. */
export function removeChild(child: Node): TextEdit {
  const siblings = child.parent?.children ?? [];
  const at = countUpTo(siblings, child.offset, ({ offset }) => offset) - 1;
  const before = siblings[at - 1];
  const after = siblings[at + 1];
  const end = child.offset + child.length;
  if (before) return { range: { start: before.offset + before.length, end }, newText: '' };
  if (after) return { range: { start: child.offset, end: after.offset }, newText: '' };
  const parent = child.parent ?? child;
  return { range: { start: parent.offset + 1, end: parent.offset + parent.length - 1 }, newText: '' };
}

/**
 * Sets the height of an upgrade. Takes the plan around `offset`, otherwise the first plan. Undefined if there is no
 * plan.
 */
export function upgradeHeightEdit(draft: Draft, offset: number, height: bigint): TextEdit | undefined {
  const upgrades = draft.actions.filter(isUpgrade);
  const own = upgrades.find(({ node }) => offset >= node.offset && offset <= node.offset + node.length);
  const plan = member((own ?? upgrades[0])?.node, 'plan')?.value;
  return plan?.type === 'object' ? setMember(draft, plan, 'height', String(height)) : undefined;
}

function layOut(draft: DraftText, value: unknown, indent: string): string {
  const text = JSON.stringify(value, null, draft.indent);
  return text.replaceAll('\n', draft.lineEnd + indent);
}

/** The indentation of the line that holds this place. */
function indentAt({ text, lineStarts }: DraftText, offset: number): string {
  const start = lineStarts[countUpTo(lineStarts, offset, (one) => one) - 1] ?? 0;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}
