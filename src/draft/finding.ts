import type { Node } from 'jsonc-parser';
import type { FileFindings } from './checks/file/fileFindings.ts';
import type { HarmFindings } from './checks/harm/harmFindings.ts';
import type { IbcFindings } from './checks/ibc/ibcFindings.ts';
import type { MessageFindings } from './checks/messages/messageFindings.ts';
import type { ParamFindings } from './checks/params/paramFindings.ts';
import type { PaymentFindings } from './checks/payments/paymentFindings.ts';
import type { UpgradeFindings } from './checks/upgrades/upgradeFindings.ts';
import { countUpTo, type DraftText, member, rangeOf, type TextRange } from './draftText.ts';

/**
 * `error` is certain to be refused, to fail or to do harm. `warning` rests on a guess, and its text names the guess.
 * `hint` is worth a look.
 */
export type Severity = 'error' | 'warning' | 'hint';

/** The facts of each kind of finding, by its code. The code is also the heading of its section in docs/drafts.md. */
export type FindingFacts = FileFindings &
  MessageFindings &
  PaymentFindings &
  UpgradeFindings &
  IbcFindings &
  ParamFindings &
  HarmFindings;

export type FindingCode = keyof FindingFacts;

/** Subjects that checks could not ask the chain about. Each is reported once, above the file. */
export type Unchecked =
  | 'gov'
  | 'params'
  | 'legacy'
  | 'height'
  | 'blockTime'
  | 'authority'
  | 'pool'
  | 'plan'
  | 'version'
  | 'clients'
  | 'validators'
  | 'supply'
  | 'proposals'
  | 'operators'
  /** Messages whose fields are in no table. */
  | 'types';

/** The facts of each kind of repair, by its code. */
export interface RepairFacts {
  'params-from-chain': { readonly count: number };
  'authority-from-chain': { readonly account: string };
  'deposit-to-submit': { readonly deposit: string };
  'deposit-to-vote': { readonly deposit: string; readonly isExpedited: boolean };
  quote: Record<never, never>;
  'text-from-metadata': { readonly field: 'title' | 'summary' };
  'metadata-from-text': { readonly field: 'title' | 'summary' };
  'metadata-remove': Record<never, never>;
  'metadata-inline': Record<never, never>;
  /**
   * Sets the height to the block at `time`, which is a day after the end of a vote that begins now. The editor also
   * offers to ask for another time.
   */
  'height-at-time': { readonly height: bigint; readonly time: Date };
  unescape: { readonly field: string };
  'wrap-legacy': Record<never, never>;
  'drop-unchanged': Record<never, never>;
  'key-rename': { readonly name: string };
  'slash-add': Record<never, never>;
  'comma-remove': Record<never, never>;
  'spend-from-pool': Record<never, never>;
  'expedited-remove': Record<never, never>;
  'deposit-as-text': Record<never, never>;
  'type-rename': { readonly type: string };
  /** The same value in another notation. */
  convert: { readonly value: string };
  'coins-sort': Record<never, never>;
}

/** A repair of one code. Its edits are for the text that was checked, and do not overlap. */
export interface RepairOf<C extends keyof RepairFacts> {
  readonly code: C;
  readonly facts: RepairFacts[C];
  readonly edits: readonly TextEdit[];
}
export type Repair = { readonly [C in keyof RepairFacts]: RepairOf<C> }[keyof RepairFacts];

/** Makes a repair of a code, with its facts and edits. */
export function repair<C extends keyof RepairFacts>(
  code: C,
  facts: RepairFacts[C],
  ...edits: readonly TextEdit[]
): RepairOf<C> {
  return { code, facts, edits };
}

/** A finding of one code. */
export interface FindingOf<C extends FindingCode> {
  readonly code: C;
  readonly severity: Severity;
  readonly range: TextRange;
  readonly facts: FindingFacts[C];
  /** The likeliest first. Empty if only a person can mend it. */
  readonly repairs: readonly Repair[];
}
export type Finding = { readonly [C in FindingCode]: FindingOf<C> }[FindingCode];

/** The place of a finding: a value of the text, or a part of the text. */
export type Place = Node | TextRange;

/** Makes a finding of a code at a place. */
type Report = <C extends FindingCode>(
  code: C,
  at: Place,
  facts: FindingFacts[C],
  repairs?: readonly Repair[],
) => FindingOf<C>;

function reportOf(severity: Severity): Report {
  return (code, at, facts, repairs = []) => {
    return { code, severity, range: 'start' in at ? at : rangeOf(at), facts, repairs };
  };
}

/** Reports a finding that is certain to be refused, to fail or to do harm. */
export const error: Report = reportOf('error');
/** Reports a finding that rests on a guess. */
export const warning: Report = reportOf('warning');
/** Reports a finding that is worth a look. */
export const hint: Report = reportOf('hint');

/** Reports an error if it is certain, otherwise a warning. */
export function errorIf(isCertain: boolean): Report {
  return isCertain ? error : warning;
}

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

function layOut(draft: DraftText, value: unknown, indent: string): string {
  const text = JSON.stringify(value, null, draft.indent);
  return text.replaceAll('\n', draft.lineEnd + indent);
}

/** The indentation of the line that holds this place. */
function indentAt({ text, lineStarts }: DraftText, offset: number): string {
  const start = lineStarts[countUpTo(lineStarts, offset, (one) => one) - 1] ?? 0;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}
