import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { closestName } from './closestName.ts';

/** What a file is, by its content: the name of a file says nothing. */
export type DraftKind =
  /** `tx gov submit-proposal` (gov v1): messages, or a text alone. */
  | 'messages'
  /** `tx gov submit-legacy-proposal`: a text, a change of parameters, a spend of the community pool. */
  | 'legacyText'
  | 'legacyParams'
  | 'legacySpend'
  /** `draft_metadata.json`, which lies beside a draft. */
  | 'metadata';

/** A part of the text: UTF-16 offsets, the end exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A place in a text: both count from 1, columns in UTF-16 units. */
export interface LinePlace {
  readonly line: number;
  readonly column: number;
}

/** Why a draft is not looked at. */
export type TextLimit = 'size' | 'nesting';

/** The file that `draft-proposal` writes beside a draft that it names `draft_proposal.json`. */
export const metadataFileName = 'draft_metadata.json';

/** Whether the metadata of a draft is in `metadataFileName` beside it: where both are named as `draft-proposal` names them. */
export function hasMetadataFile(path: string): boolean {
  return /(?:^|[\\/])draft_proposal\.json$/.test(path);
}

/** Longer texts (in characters) and deeper ones are not read. */
export const maxDraftLength = 2 * 1024 * 1024;
export const maxDraftNesting = 200;

/** Texts that are no drafts are left after so many characters, unless a field of a draft was met before. */
const unknownBudget = 20_000;

/** Fields that stand at the top of drafts; others before them do not hide a draft. */
const draftFields: readonly string[] = [
  'messages',
  'metadata',
  'deposit',
  'title',
  'summary',
  'description',
  'changes',
];

/**
 * What a text is, or undefined for any other JSON. Fast on those: a text without the word `"deposit"` costs one search,
 * another one a walk over its first fields. Texts that are too long or too deep are recognised, too, where their fields
 * stand before the limit.
 */
export function draftKind(text: string): DraftKind | undefined {
  const isMetadata = text.includes('"proposal_forum_url"') || text.includes('"vote_option_context"');
  if (!isMetadata && !text.includes('"deposit"')) return undefined;
  const names = new Set(topFields(text));
  const has = (...wanted: readonly string[]): boolean => wanted.every((name) => names.has(name));
  if (!has('deposit')) {
    const isNamed = has('title') && (has('proposal_forum_url') || has('vote_option_context'));
    return isNamed ? 'metadata' : undefined;
  }
  if (has('messages')) return 'messages';
  if (has('title', 'description', 'changes')) return 'legacyParams';
  if (has('title', 'description', 'recipient', 'amount')) return 'legacySpend';
  if (has('title', 'description', 'type')) return 'legacyText';
  const isText = has('title', 'summary') || has('title', 'metadata') || has('metadata', 'summary');
  return isText && ![...names].some(isForeign) ? 'messages' : undefined;
}

/** The fields of a text proposal, those of its metadata that people write beside them, and what is no part of the proposal. */
const textFields: readonly string[] = [
  'messages',
  'metadata',
  'deposit',
  'title',
  'summary',
  'expedited',
  'description',
  'type',
  'authors',
  'details',
  'proposal_forum_url',
  'vote_option_context',
  'proposer',
  'depositor',
  '$schema',
];

/** Whether a name is that of another module's own file, which has a title and a summary, too: no field, and none misspelt. */
function isForeign(name: string): boolean {
  return !textFields.includes(name.toLowerCase()) && closestName(name, textFields) === undefined;
}

/** The names of the members of the outermost object, in their order; none where it is none. Never throws. */
function topFields(text: string): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  let limit = unknownBudget;
  for (let at = text.search(/\S/); at >= 0 && at < text.length && at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = stringEnd(text, at);
      if (depth === 1 && /^\s*:/.test(text.slice(end, end + 20))) {
        const name = text.slice(at + 1, Math.min(end - 1, at + 60));
        names.push(name);
        if (draftFields.includes(name)) limit = text.length;
      }
      at = end - 1;
    } else if (code === openBrace || code === openBracket) {
      depth++;
      if (depth === 1 && code === openBracket) return [];
    } else if (code === closeBrace || code === closeBracket) {
      depth--;
      if (depth === 0) break;
    } else if (code === slash) at = commentEnd(text, at) - 1;
    else if (depth === 0 && code > space) return [];
  }
  return names;
}

/** The deepest nesting of objects and lists; stops above the limit. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at) - 1;
    else if (code === openBrace || code === openBracket) {
      if (++depth > maxDraftNesting) return true;
    } else if (code === closeBrace || code === closeBracket) depth--;
    else if (code === slash) at = commentEnd(text, at) - 1;
  }
  return false;
}

const [space, quote, backslash, slash, lineFeed] = [0x20, 0x22, 0x5c, 0x2f, 0x0a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Where a string that begins at `start` is over: behind its quote, at the end of its line, or of the text. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return at + 1;
    else if (code === lineFeed) return at;
  }
  return text.length;
}

/** Where a comment that begins at `start` is over; the next character where it is none. */
function commentEnd(text: string, start: number): number {
  const next = text[start + 1];
  if (next !== '/' && next !== '*') return start + 1;
  const end = next === '/' ? text.indexOf('\n', start) : text.indexOf('*/', start);
  return end < 0 ? text.length : end + (next === '/' ? 0 : 2);
}

/** The code of a comment among the faults of JSON. */
export const commentFault = 'InvalidCommentToken';

/** A fault of the JSON itself. The editor reports these, too. */
export interface SyntaxFault {
  readonly range: TextRange;
  /** The parser's own code, such as `CommaExpected`. */
  readonly code: string;
}

/** A draft with the places of its values. */
export interface DraftText {
  readonly kind: DraftKind;
  readonly text: string;
  readonly root: Node;
  readonly syntax: readonly SyntaxFault[];
  /** What its lines end with, and what they are indented by. */
  readonly lineEnd: string;
  readonly indent: string;
  /** The offset at which each line begins. */
  readonly lineStarts: readonly number[];
}

/** The draft in a text; the limit that it is beyond; undefined where it is no draft. Never throws. */
export function parseDraft(text: string): DraftText | TextLimit | undefined {
  const kind = draftKind(text);
  if (kind === undefined) return undefined;
  if (text.length > maxDraftLength) return 'size';
  if (isTooDeep(text)) return 'nesting';
  const errors: ParseError[] = [];
  // A mark of the byte order takes one place, and is no part of the JSON.
  const bare = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
  const root = parseTree(bare, errors, { disallowComments: true, allowTrailingComma: false });
  if (root?.type !== 'object') return undefined;
  const syntax = errors.map(({ error, offset, length }) => {
    return { range: { start: offset, end: offset + Math.max(1, length) }, code: printParseErrorCode(error) };
  });
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  // `draft-proposal` indents by one blank.
  const indent = /\n([ \t]+)$/.exec(text.slice(0, root.children?.[0]?.offset))?.[1] ?? ' ';
  return { kind, text, root, syntax, lineEnd, indent, lineStarts: lineStarts(text) };
}

/** The place of a value. */
export function rangeOf(node: Node): TextRange {
  return { start: node.offset, end: node.offset + node.length };
}

/** A member of an object: its name, the place of the name, and its value. */
export interface Member {
  readonly name: string;
  readonly key: Node;
  readonly value: Node;
}

/** The members of an object, each name once: of equal names the last one counts, as in Go. None where it is no object. */
export function membersOf(node: Node | undefined): readonly Member[] {
  if (node?.type !== 'object') return [];
  const members = new Map<string, Member>();
  for (const { children } of node.children ?? []) {
    const [key, value] = children ?? [];
    if (key && value) members.set(String(key.value), { name: String(key.value), key, value });
  }
  return [...members.values()];
}

/** A member by its proto name (`max_validators`), which proto JSON also takes as `maxValidators`. */
export function member(node: Node | undefined, name: string): Member | undefined {
  return memberNamed(node, name) ?? (name.includes('_') ? memberNamed(node, toCamel(name)) : undefined);
}

/** The name of a field that proto JSON takes beside its own. */
export function toCamel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function memberNamed(node: Node | undefined, name: string): Member | undefined {
  const found =
    node?.type === 'object' ? node.children?.findLast((one) => one.children?.[0]?.value === name) : undefined;
  const [key, value] = found?.children ?? [];
  return key && value ? { name, key, value } : undefined;
}

/** The text of a member; undefined where it is absent or no text. */
export function textOf(node: Node | undefined, name: string): string | undefined {
  const value: unknown = member(node, name)?.value.value;
  return typeof value === 'string' ? value : undefined;
}

/** The elements of a list; none where it is none. */
export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.type === 'array' ? (node.children ?? []) : [];
}

/** The text of a value as it stands in the file; numbers keep all digits. */
export function rawOf(draft: DraftText, node: Node): string {
  return draft.text.slice(node.offset, node.offset + node.length);
}

/** What a draft would have the chain do: a message, or a legacy content, which stands in a message or is the draft itself. */
export interface DraftAction {
  /** The object with the fields. */
  readonly node: Node;
  /** The full type with its slash: `/cosmos.bank.v1beta1.MsgSend`. */
  readonly typeUrl: string;
  /** The package of the type: `cosmos.bank.v1beta1`. */
  readonly package: string;
  /** The last word of the type: `MsgSend`. */
  readonly name: string;
  readonly isLegacy: boolean;
  /** The message that carries a legacy content. */
  readonly wrapper: Node | undefined;
}

/** A draft with its actions in their order; messages without a type have none. */
export interface Draft extends DraftText {
  readonly actions: readonly DraftAction[];
}

/** The draft in a text; the limit that it is beyond; undefined where it is no draft. Never throws. */
export function readDraft(text: string): Draft | TextLimit | undefined {
  const parsed = parseDraft(text);
  return typeof parsed === 'object' ? { ...parsed, actions: actionsOf(parsed) } : parsed;
}

const legacyTypes = {
  legacyText: '/cosmos.gov.v1beta1.TextProposal',
  legacyParams: '/cosmos.params.v1beta1.ParameterChangeProposal',
  legacySpend: '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
} as const;

function actionsOf(draft: DraftText): readonly DraftAction[] {
  const { kind, root } = draft;
  if (kind === 'metadata') return [];
  if (kind !== 'messages') return [toAction(root, legacyTypes[kind], true)];
  return messagesOf(draft).flatMap((message) => {
    const typeUrl = textOf(message, '@type');
    if (typeUrl === undefined) return [];
    const action = toAction(message, typeUrl, false);
    const content = action.name === 'MsgExecLegacyContent' ? member(message, 'content')?.value : undefined;
    const inner = textOf(content, '@type');
    return content && inner !== undefined
      ? [action, { ...toAction(content, inner, true), wrapper: message }]
      : [action];
  });
}

/** The elements of `messages`. */
export function messagesOf({ root }: DraftText): readonly Node[] {
  return itemsOf(member(root, 'messages')?.value);
}

function toAction(node: Node, typeUrl: string, isLegacy: boolean): DraftAction {
  const typeName = typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
  const dot = typeName.lastIndexOf('.');
  const name = typeName.slice(dot + 1);
  return { node, typeUrl, package: typeName.slice(0, Math.max(0, dot)), name, isLegacy, wrapper: undefined };
}

/** Whether the action pays from the community pool of x/distribution. */
export function isPoolSpend({ package: from, name }: DraftAction): boolean {
  return from === 'cosmos.distribution.v1beta1' && /^(Msg)?CommunityPoolSpend/.test(name);
}

/** Whether the action plans an upgrade of the chain's software. */
export function isUpgrade({ name }: DraftAction): boolean {
  return /^(Msg(IBC)?SoftwareUpgrade|SoftwareUpgradeProposal|UpgradeProposal)$/.test(name);
}

/** A change of a legacy parameter; subspace and key are "" where they are no texts. */
export interface LegacyChange {
  readonly node: Node;
  readonly subspace: string;
  readonly key: string;
}

/** The changes of legacy parameters of an action; none where it has none. */
export function legacyChanges({ node, name }: DraftAction): readonly LegacyChange[] {
  if (name !== 'ParameterChangeProposal') return [];
  return itemsOf(member(node, 'changes')?.value).map((change) => {
    return { node: change, subspace: textOf(change, 'subspace') ?? '', key: textOf(change, 'key') ?? '' };
  });
}

/** Where each line begins: behind CRLF, CR or LF. */
function lineStarts(text: string): readonly number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ index, 0: end }) => index + end.length)];
}

/** Gives line and column of an offset in a text, both from 1. The text is searched once. */
export function placesIn(text: string): (offset: number) => LinePlace {
  const starts = lineStarts(text);
  return (offset) => {
    const line = countUpTo(starts, offset, (start) => start);
    // A mark of the byte order has no column.
    const mark = line === 1 && text.startsWith('\ufeff') ? 1 : 0;
    return { line, column: Math.max(1, offset - (starts[line - 1] ?? 0) + 1 - mark) };
  };
}

/** How many elements of a list, which is in the order of their places, stand at `offset` or before it. */
export function countUpTo<T>(sorted: readonly T[], offset: number, placeOf: (one: T) => number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = sorted[middle];
    if (one !== undefined && placeOf(one) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
