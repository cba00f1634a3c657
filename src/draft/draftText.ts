import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { closestName } from '../chain/closestName.ts';
import { exactJson } from '../chain/json.ts';

/** The kind of a draft. The content decides, never the name of the file. */
export type DraftKind =
  /** `tx gov submit-proposal` (gov v1): messages, or only a text. */
  | 'messages'
  /** `tx gov submit-legacy-proposal`: a text, a change of parameters, or a spend of the community pool. */
  | 'legacyText'
  | 'legacyParams'
  | 'legacySpend'
  /** The body of a transaction, as `--generate-only` writes it. Its messages are checked as those of a proposal. */
  | 'body'
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

/** The limit that keeps a draft from being read. */
export type TextLimit = 'size' | 'nesting';

/** The file that `draft-proposal` writes beside `draft_proposal.json`. */
export const metadataFileName = 'draft_metadata.json';

/**
 * Whether the metadata of a draft is in `metadataFileName` beside it. This is so if the file has the name that
 * `draft-proposal` gives it.
 */
export function hasMetadataFile(path: string): boolean {
  return /(?:^|[\\/])draft_proposal\.json$/.test(path);
}

/** Longer texts (in characters) and deeper ones are not read. */
export const maxDraftLength = 2 * 1024 * 1024;
export const maxDraftNesting = 200;

/** Characters after which a text counts as no draft, unless a field of a draft was found before. */
const unknownBudget = 20_000;

/** Fields at the top of drafts. Other fields may stand before them. */
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
 * The kind of a draft, or undefined for any other JSON. Other JSON costs little: one search for the word `"deposit"`,
 * or a walk over the first fields. A text beyond the limits is recognized if its fields stand before the limit.
 */
export function draftKind(text: string): DraftKind | undefined {
  const isMetadata = text.includes('"proposal_forum_url"') || text.includes('"vote_option_context"');
  const hasMessages = text.includes('"messages"') && text.includes('"@type"');
  if (!isMetadata && !hasMessages && !text.includes('"deposit"')) return undefined;
  const isBody = hasMessages && /^\s*\{\s*"body"\s*:\s*\{\s*"messages"/.test(text);
  const names = new Set(topFields(text, isBody ? text.length : unknownBudget));
  const has = (...wanted: readonly string[]): boolean => wanted.every((name) => names.has(name));
  if (!has('deposit') && hasMessages) {
    // Files of chats have a list of messages too, but their messages have no types.
    if (has('messages') && ['title', 'summary', 'metadata'].some((name) => names.has(name))) return 'messages';
    // A file with fees and signatures is a transaction and not a draft.
    if (names.size === 1 && isBody) return 'body';
  }
  if (!has('deposit')) {
    const isNamed = has('title') && (has('proposal_forum_url') || has('vote_option_context'));
    return isNamed ? 'metadata' : undefined;
  }
  if (has('messages')) return 'messages';
  if (has('title', 'description', 'changes')) return 'legacyParams';
  if (has('title', 'description', 'recipient', 'amount')) return 'legacySpend';
  if (has('title', 'description', 'type')) return 'legacyText';
  const isText = has('title', 'summary') || has('title', 'metadata') || has('metadata', 'summary');
  // SDK 0.46 has no titles. Its text proposals have only metadata and a deposit.
  const isBare = has('metadata') && /"deposit"\s*:\s*"\d/.test(text);
  return (isText || isBare) && ![...names].some(isForeign) ? 'messages' : undefined;
}

/** The forms that people write, and the fields of each. */
const formFields = {
  messages: ['messages', 'deposit'],
  legacyText: ['title', 'description', 'type', 'deposit'],
  legacyParams: ['title', 'description', 'changes', 'deposit'],
  legacySpend: ['title', 'description', 'recipient', 'amount', 'deposit'],
} as const;

/** Gives the fields that a text lacks to be each form. Undefined if it has none of them. Never throws. */
export function lackingFields(text: string): Readonly<Record<keyof typeof formFields, readonly string[]>> | undefined {
  const names = new Set(topFields(text));
  const lacks = (fields: readonly string[]): readonly string[] => fields.filter((name) => !names.has(name));
  const { messages, legacyText, legacyParams, legacySpend } = formFields;
  if (![...messages, ...legacyText, ...legacyParams, ...legacySpend].some((name) => names.has(name))) return undefined;
  return {
    messages: lacks(messages),
    legacyText: lacks(legacyText),
    legacyParams: lacks(legacyParams),
    legacySpend: lacks(legacySpend),
  };
}

/** Fields of a text proposal, of its metadata, and other fields that people write beside them. */
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

/**
 * Whether a field belongs to a file of another module, which may have a title and a summary too. Misspelt fields of
 * drafts do not count.
 */
function isForeign(name: string): boolean {
  return !textFields.includes(name.toLowerCase()) && closestName(name, textFields) === undefined;
}

/**
 * The names at the top of an object, in their order, up to the limit if none before it is a field of a draft. Empty for
 * any other JSON. Never throws.
 */
function topFields(text: string, budget = unknownBudget): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  let limit = budget;
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

/** Whether objects and lists are nested beyond the limit. */
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

/**
 * The end of the string that begins at `start`: behind its quote, at the end of its line, or at the end of the text.
 */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return at + 1;
    else if (code === lineFeed) return at;
  }
  return text.length;
}

/** The end of the comment that begins at `start`. The next character if there is no comment. */
function commentEnd(text: string, start: number): number {
  const next = text[start + 1];
  if (next !== '/' && next !== '*') return start + 1;
  const end = next === '/' ? text.indexOf('\n', start) : text.indexOf('*/', start);
  return end < 0 ? text.length : end + (next === '/' ? 0 : 2);
}

/** The code of a comment among the faults of JSON. */
export const commentFault = 'InvalidCommentToken';

/** A fault of the JSON itself. VS Code reports these as well. */
export interface SyntaxFault {
  readonly range: TextRange;
  /** The code of jsonc-parser, such as `CommaExpected`. */
  readonly code: string;
}

/** A draft with the places of its values. */
export interface DraftText {
  readonly kind: DraftKind;
  readonly text: string;
  readonly root: Node;
  readonly syntax: readonly SyntaxFault[];
  /** The line ending and the indentation of the file. */
  readonly lineEnd: string;
  readonly indent: string;
  /** The offset at which each line begins. */
  readonly lineStarts: readonly number[];
}

/** Reads a draft. Gives the limit that it exceeds, or undefined if it is no draft. Never throws. */
export function parseDraft(text: string): DraftText | TextLimit | undefined {
  const kind = draftKind(text);
  if (kind === undefined) return undefined;
  if (text.length > maxDraftLength) return 'size';
  if (isTooDeep(text)) return 'nesting';
  const errors: ParseError[] = [];
  // A byte order mark takes one place, and is not part of the JSON.
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

/** The members of objects by name, made when a member is first looked up. They live as long as their draft. */
const indexes = new WeakMap<Node, ReadonlyMap<string, Member>>();

function indexOf(node: Node): ReadonlyMap<string, Member> {
  const known = indexes.get(node);
  if (known) return known;
  const members = new Map<string, Member>();
  for (const { children } of node.type === 'object' ? (node.children ?? []) : []) {
    const [key, value] = children ?? [];
    if (key && value) members.set(String(key.value), { name: String(key.value), key, value });
  }
  indexes.set(node, members);
  return members;
}

/** The members of an object. The last of equal names counts, as in Go. Empty if the node is no object. */
export function allMembers(node: Node | undefined): readonly Member[] {
  return node?.type === 'object' ? [...indexOf(node).values()] : [];
}

/** A member by its proto name (`max_validators`). Proto JSON also accepts `maxValidators`. */
export function member(node: Node | undefined, name: string): Member | undefined {
  if (node?.type !== 'object') return undefined;
  const members = indexOf(node);
  const found = members.get(name) ?? (name.includes('_') ? members.get(toCamel(name)) : undefined);
  return found && found.name !== name ? { ...found, name } : found;
}

/** The value at a path of names, such as `block.max_gas`. Undefined if it is absent. */
export function nodeAt(object: Node, path: string): Node | undefined {
  return path.split('.').reduce<Node | undefined>((node, name) => member(node, name)?.value, object);
}

/** The camelCase name that proto JSON accepts for a field. */
export function toCamel(name: string): string {
  return name.includes('_') ? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : name;
}

/** The text of a member. Undefined if it is absent or not a text. */
export function textOf(node: Node | undefined, name: string): string | undefined {
  const value: unknown = member(node, name)?.value.value;
  return typeof value === 'string' ? value : undefined;
}

/** The elements of a list. Empty if the node is no list. */
export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.type === 'array' ? (node.children ?? []) : [];
}

/** The value of a node. Undefined if JavaScript cannot hold it exactly. */
export function exactValue(draft: DraftText, node: Node): unknown {
  switch (node.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return node.value;
    case 'array': {
      const items = itemsOf(node).map((one) => exactValue(draft, one));
      return items.includes(undefined) ? undefined : items;
    }
    case 'object': {
      const members = allMembers(node).map(({ name, value }) => [name, exactValue(draft, value)] as const);
      const isWhole =
        members.length === (node.children ?? []).length && members.every(([, value]) => value !== undefined);
      return isWhole ? Object.fromEntries(members) : undefined;
    }
    default:
      return exactJson(rawOf(draft, node));
  }
}

/** The text of a value as it stands in the file. Numbers keep all digits. */
export function rawOf(draft: DraftText, node: Node): string {
  return draft.text.slice(node.offset, node.offset + node.length);
}

/**
 * An action that a draft asks the chain for: a message, or a legacy content. A legacy content stands in a message, or
 * is the draft itself.
 */
export interface DraftAction {
  /** The object with the fields of the action. */
  readonly node: Node;
  /** The full type with its slash: `/cosmos.bank.v1beta1.MsgSend`. */
  readonly typeUrl: string;
  /** The package of the type: `cosmos.bank.v1beta1`. */
  readonly package: string;
  /** The last word of the type: `MsgSend`. */
  readonly name: string;
  readonly isLegacy: boolean;
  /** The message around a legacy content. */
  readonly wrapper: Node | undefined;
}

/** The kind of a value inside a message that names its own type. */
export type InnerKind = 'message' | 'authorization' | 'allowance' | 'evidence' | 'policy';

/** A value inside a message that names its own type, such as a message that a group executes. */
export interface InnerAction extends DraftAction {
  readonly kind: InnerKind;
}

/** A draft with its actions in their order. Messages without a type are left out. */
export interface Draft extends DraftText {
  readonly actions: readonly DraftAction[];
  /** The messages, authorizations, allowances, evidence and decision policies inside of messages. The type is "" if it is missing. */
  readonly inner: readonly InnerAction[];
}

/** Reads a draft with its actions. Gives the limit that it exceeds, or undefined if it is no draft. Never throws. */
export function readDraft(text: string): Draft | TextLimit | undefined {
  const parsed = parseDraft(text);
  if (typeof parsed !== 'object') return parsed;
  const actions = actionsOf(parsed);
  return { ...parsed, actions, inner: actions.flatMap(innerOf) };
}

const legacyTypes = {
  legacyText: '/cosmos.gov.v1beta1.TextProposal',
  legacyParams: '/cosmos.params.v1beta1.ParameterChangeProposal',
  legacySpend: '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
} as const;

function actionsOf(draft: DraftText): readonly DraftAction[] {
  const { kind, root } = draft;
  if (kind === 'metadata') return [];
  if (kind !== 'messages' && kind !== 'body') return [toAction(root, legacyTypes[kind], true)];
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

/** The actions of a draft and the values inside of them. For rules that hold whoever executes a message. */
export function allActions({ actions, inner }: Draft): readonly (DraftAction | InnerAction)[] {
  return [...actions, ...inner];
}

/** The fields that hold values with a type of their own, by the full type of the message or allowance. */
const innerFields: ReadonlyMap<string, readonly [path: string, kind: InnerKind]> = new Map([
  ['/cosmos.authz.v1beta1.MsgExec', ['msgs', 'message']],
  ['/cosmos.authz.v1beta1.MsgGrant', ['grant.authorization', 'authorization']],
  ['/cosmos.evidence.v1beta1.MsgSubmitEvidence', ['evidence', 'evidence']],
  ['/cosmos.feegrant.v1beta1.AllowedMsgAllowance', ['allowance', 'allowance']],
  ['/cosmos.feegrant.v1beta1.MsgGrantAllowance', ['allowance', 'allowance']],
  ['/cosmos.gov.v1.MsgSubmitProposal', ['messages', 'message']],
  ['/cosmos.group.v1.MsgCreateGroupPolicy', ['decision_policy', 'policy']],
  ['/cosmos.group.v1.MsgCreateGroupWithPolicy', ['decision_policy', 'policy']],
  ['/cosmos.group.v1.MsgSubmitProposal', ['messages', 'message']],
  ['/cosmos.group.v1.MsgUpdateGroupPolicyDecisionPolicy', ['decision_policy', 'policy']],
]);

/** The values with a type of their own inside of an action, and inside of these. */
function innerOf({ node, typeUrl, isLegacy }: DraftAction): readonly InnerAction[] {
  const [path, kind] = (isLegacy ? undefined : innerFields.get(typeUrl)) ?? [];
  const value = path === undefined ? undefined : nodeAt(node, path);
  if (!value || !kind) return [];
  return (value.type === 'array' ? itemsOf(value) : [value]).flatMap((one): readonly InnerAction[] => {
    if (one.type !== 'object') return [];
    const action = { ...toAction(one, textOf(one, '@type') ?? '', false), kind };
    return [action, ...innerOf(action)];
  });
}

/** The elements of `messages`. */
export function messagesOf({ root }: DraftText): readonly Node[] {
  return itemsOf((member(root, 'messages') ?? member(member(root, 'body')?.value, 'messages'))?.value);
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

/** A change of a legacy parameter. `subspace` and `key` are "" if they are not texts. */
export interface LegacyChange {
  readonly node: Node;
  readonly subspace: string;
  readonly key: string;
}

/** The changes of legacy parameters in an action. Empty for other actions. */
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

/** Returns a function that turns an offset into line and column, both from 1. The text is searched for lines once. */
export function placesIn(text: string): (offset: number) => LinePlace {
  const starts = lineStarts(text);
  return (offset) => {
    const line = countUpTo(starts, offset, (start) => start);
    // A byte order mark has no column.
    const mark = line === 1 && text.startsWith('\ufeff') ? 1 : 0;
    return { line, column: Math.max(1, offset - (starts[line - 1] ?? 0) + 1 - mark) };
  };
}

/** The number of elements at `offset` or before it. `sorted` is in the order of places. */
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
