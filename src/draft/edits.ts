import type { Node } from 'jsonc-parser';
import { type DraftText, member, rangeOf, type TextRange } from './draftText.ts';

/** A change of the text: what stands in the range is replaced. */
export interface TextEdit {
  readonly range: TextRange;
  readonly newText: string;
}

/** Puts a value in the place of another; numbers with many digits are given as text. */
export function replaceValue(draft: DraftText, node: Node, value: unknown): TextEdit {
  return { range: rangeOf(node), newText: layOut(draft, value, indentAt(draft.text, node.offset)) };
}

/** Puts a value into a member, which is added at the end of its object where it is not there. */
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
  const { text } = draft;
  const last = object.children?.at(-1);
  const outer = indentAt(text, object.offset);
  const inner = last ? indentAt(text, last.offset) : outer + draft.indent;
  const isOneLine = last !== undefined && !text.slice(object.offset, last.offset).includes('\n');
  const before = isOneLine ? ' ' : draft.lineEnd + inner;
  const written = members.map(([name, value]) => `${before}${JSON.stringify(name)}: ${layOut(draft, value, inner)}`);
  if (last) {
    const end = last.offset + last.length;
    return { range: { start: end, end }, newText: `,${written.join(',')}` };
  }
  const range = { start: object.offset + 1, end: object.offset + object.length - 1 };
  return { range, newText: written.join(',') + draft.lineEnd + outer };
}

/** Takes a member out of its object, or an element out of its list, with the comma beside it. */
export function removeChild(child: Node): TextEdit {
  const siblings = child.parent?.children ?? [];
  const at = siblings.indexOf(child);
  const before = siblings[at - 1];
  const after = siblings[at + 1];
  const end = child.offset + child.length;
  if (before) return { range: { start: before.offset + before.length, end }, newText: '' };
  if (after) return { range: { start: child.offset, end: after.offset }, newText: '' };
  const parent = child.parent ?? child;
  return { range: { start: parent.offset + 1, end: parent.offset + parent.length - 1 }, newText: '' };
}

/** The text after edits, which do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = edits.toSorted((a, b) => b.range.start - a.range.start);
  return ordered.reduce(
    (done, { range, newText }) => done.slice(0, range.start) + newText + done.slice(range.end),
    text,
  );
}

function layOut(draft: DraftText, value: unknown, indent: string): string {
  const text = JSON.stringify(value, null, draft.indent);
  return text.replaceAll('\n', draft.lineEnd + indent);
}

/** The blanks before the first word of the line that holds this place. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
