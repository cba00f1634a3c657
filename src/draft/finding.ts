import type { Node } from 'jsonc-parser';
import type { Coin } from '../chain/coin.ts';
import { countUpTo, type DraftText, member, rangeOf, type TextRange } from './draftText.ts';
import type { ParamLimit, ParamOrder } from './paramRules.ts';

/** `error`: certain to be refused, to fail or to do harm; `warning`: rests on a guess, which it names; `hint`: worth a look. */
export type Severity = 'error' | 'warning' | 'hint';

/** What each kind of finding states, by its code, which is also its section in docs/drafts.md. */
export interface FindingFacts {
  /** A fault of the JSON, with the parser's code. */
  'json-syntax': { readonly fault: string };
  /** JSON that some readers take and others refuse, said once a file. `twice`: names that an object has more than once. */
  'json-form': { readonly hasMark: boolean; readonly comments: number; readonly twice: readonly string[] };
  'too-large': { readonly limit: 'size' | 'nesting' };
  /** More is to be asked than `limit`; how much of it is left out, by what it is about. */
  'too-many-questions': {
    readonly limit: number;
    readonly params: number;
    readonly legacy: number;
    readonly plans: number;
  };
  'gov-form': { readonly wanted: 'messages' | 'legacy' };
  'title-missing': { readonly field: string };
  'summary-missing': { readonly field: string };
  'empty-proposal': Record<never, never>;
  /** `wanted`: `text`, `number`, `list`, `object`, `true or false`, `duration`, `decimal`. */
  'field-type': { readonly field: string; readonly wanted: string };
  /** `of`: the type whose field it would be, or "" for the draft itself. `meant`: the field that it most likely stands for. */
  'field-unknown': { readonly field: string; readonly of: string; readonly meant?: string | undefined };
  'metadata-contradicts': { readonly field: 'title' | 'summary'; readonly inMetadata: string };
  'metadata-file': { readonly field: 'title' | 'summary'; readonly inFile: string };
  'metadata-placeholder': Record<never, never>;
  /** In bytes of UTF-8. */
  'text-long': { readonly field: string; readonly bytes: number; readonly limit: number };
  'escaped-twice': { readonly field: string };
  'deposit-form': Record<never, never>;
  'deposit-small': { readonly needed: readonly Coin[]; readonly isAnyEnough: boolean };
  'deposit-denom': { readonly denom: string; readonly accepted: readonly string[] };
  'deposit-waits': { readonly minimum: readonly Coin[] };
  'expedited-unsupported': Record<never, never>;
  'type-missing': Record<never, never>;
  'type-form': { readonly type: string };
  'legacy-in-messages': { readonly type: string };
  'authority-wrong': { readonly found: string; readonly expected: string; readonly field: string };
  'address-invalid': { readonly field: string; readonly prefix: string | undefined };
  'recipient-module': { readonly module: string };
  'spend-over-pool': { readonly asked: Coin; readonly held: bigint };
  'send-from-gov': Record<never, never>;
  'upgrade-plan': { readonly field: 'name' | 'height' | 'time' };
  'upgrade-height-past': { readonly asked: bigint; readonly height: bigint };
  'upgrade-height-early': { readonly asked: bigint; readonly earliest: bigint; readonly blockSeconds: number };
  'upgrade-applied': { readonly name: string; readonly height: bigint };
  'upgrade-info': { readonly fault: 'json' | 'checksum' };
  'legacy-handler': { readonly type: string; readonly instead: string };
  'number-unquoted': { readonly field: string; readonly isLarge: boolean };
  'params-incomplete': { readonly missing: readonly { readonly name: string; readonly today: string }[] };
  /** Parameters are given, and today's are not known: nothing tells whether any is missing. */
  'params-empty': { readonly module: string };
  'param-value': { readonly field: string; readonly limit: ParamLimit };
  'param-order': ParamOrder;
  'vote-extensions': VoteExtensionFault;
  unchanged: { readonly what: 'params' | 'legacy'; readonly name: string };
  'legacy-param-unknown': { readonly subspace: string; readonly key: string; readonly meant: string | undefined };
  'legacy-param-moved': { readonly subspace: string; readonly key: string };
  'legacy-value-type': { readonly today: string };
}

/** `enabled`: the height since which vote extensions are on; `earliest`: the height that is expected when the vote ends. */
export type VoteExtensionFault =
  | { readonly fault: 'negative' }
  | { readonly fault: 'past'; readonly height: bigint }
  | { readonly fault: 'enabled'; readonly enabled: bigint }
  | { readonly fault: 'early'; readonly earliest: bigint };

export type FindingCode = keyof FindingFacts;

/** What the checks that need a fact could not ask; each is said once, above the file. */
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
  /** Messages whose fields no table has. */
  | 'types';

/** A way to mend what was found, by its code. */
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
  /** The block at a time: the end of a vote that begins now, and a day. Another time is asked for by the editor. */
  'height-at-time': { readonly height: bigint; readonly time: Date };
  unescape: { readonly field: string };
  'wrap-legacy': Record<never, never>;
  'drop-unchanged': Record<never, never>;
  'key-rename': { readonly name: string };
  'slash-add': Record<never, never>;
  'spend-from-pool': Record<never, never>;
  'expedited-remove': Record<never, never>;
  'deposit-as-text': Record<never, never>;
}

/** A repair of one code; `edits` are of the text that was checked, and do not overlap. */
export interface RepairOf<C extends keyof RepairFacts> {
  readonly code: C;
  readonly facts: RepairFacts[C];
  readonly edits: readonly TextEdit[];
}
export type Repair = { readonly [C in keyof RepairFacts]: RepairOf<C> }[keyof RepairFacts];

/** A repair by its code, what it states and what it changes. */
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
  /** The likeliest first; none where only a person knows. */
  readonly repairs: readonly Repair[];
}
export type Finding = { readonly [C in FindingCode]: FindingOf<C> }[FindingCode];

/** Where a finding stands: a value of the text, or a part of it. */
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

/** What is certain to be refused, to fail or to do harm. */
export const error: Report = reportOf('error');
/** What rests on a guess. */
export const warning: Report = reportOf('warning');
/** What is worth a look. */
export const hint: Report = reportOf('hint');

/** An error where it is certain, else a warning. */
export function errorIf(isCertain: boolean): Report {
  return isCertain ? error : warning;
}

/** A change of the text: what stands in the range is replaced. */
export interface TextEdit {
  readonly range: TextRange;
  readonly newText: string;
}

/** Puts a value in the place of another; numbers with many digits are given as text. */
export function replaceValue(draft: DraftText, node: Node, value: unknown): TextEdit {
  return { range: rangeOf(node), newText: layOut(draft, value, indentAt(draft, node.offset)) };
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

/** Takes a member out of its object, or an element out of its list, with the comma beside it. */
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

/** The blanks before the first word of the line that holds this place. */
function indentAt({ text, lineStarts }: DraftText, offset: number): string {
  const start = lineStarts[countUpTo(lineStarts, offset, (one) => one) - 1] ?? 0;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}
