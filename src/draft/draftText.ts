import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { exactJson } from '../chain/json.ts';
import { type DraftKind, draftKind, isTooDeep, maxDraftLength, type TextLimit, wrappedOffset } from './draftKind.ts';

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
  /** The object with the fields of the draft. */
  readonly root: Node;
  /** The object of the whole file, if the draft stands inside of it as `proposal`. */
  readonly wrapper: Node | undefined;
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
  const whole = parseTree(bare, errors, { disallowComments: true, allowTrailingComma: false });
  const wrapper = wrappedOffset(text) === undefined ? undefined : whole;
  const root = wrapper ? member(wrapper, 'proposal')?.value : whole;
  if (root?.type !== 'object') return undefined;
  const syntax = errors.map(({ error, offset, length }) => {
    return { range: { start: offset, end: offset + Math.max(1, length) }, code: printParseErrorCode(error) };
  });
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  // `draft-proposal` indents by one blank.
  const indent = /\n([ \t]+)$/.exec(text.slice(0, root.children?.[0]?.offset))?.[1] ?? ' ';
  return { kind, text, root, wrapper, syntax, lineEnd, indent, lineStarts: lineStarts(text) };
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

/** The members of an object. */
interface MemberIndex {
  readonly byName: ReadonlyMap<string, Member>;
  readonly all: readonly Member[];
  /** Whether a name may be the camelCase form of another one. */
  readonly hasCamel: boolean;
}

/** The members of objects, made when one is first looked up. They live as long as their draft. */
const indexes = new WeakMap<Node, MemberIndex>();

function indexOf(node: Node): MemberIndex {
  const known = indexes.get(node);
  if (known) return known;
  const byName = new Map<string, Member>();
  let hasCamel = false;
  for (const { children } of node.type === 'object' ? (node.children ?? []) : []) {
    const [key, value] = children ?? [];
    if (!key || !value) continue;
    const name = String(key.value);
    byName.set(name, { name, key, value });
    hasCamel ||= /[A-Z\d]/.test(name);
  }
  const index = { byName, all: [...byName.values()], hasCamel };
  indexes.set(node, index);
  return index;
}

/** The members of an object. The last of equal names counts, as in Go. Empty if the node is no object. */
export function allMembers(node: Node | undefined): readonly Member[] {
  return node?.type === 'object' ? indexOf(node).all : [];
}

/** A member by its proto name (`max_validators`). Proto JSON also accepts `maxValidators`. */
export function member(node: Node | undefined, name: string): Member | undefined {
  if (node?.type !== 'object') return undefined;
  const { byName, hasCamel } = indexOf(node);
  const found = byName.get(name) ?? (hasCamel && name.includes('_') ? byName.get(toCamel(name)) : undefined);
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

/** The values of lists and objects, since several checks read them. They live as long as their draft. */
const exactValues = new WeakMap<Node, { readonly value: unknown }>();

/** The value of a node. Undefined if JavaScript cannot hold it exactly. */
export function exactValue(draft: DraftText, node: Node): unknown {
  if (node.type !== 'object' && node.type !== 'array') return readValue(draft, node);
  const known = exactValues.get(node);
  if (known) return known.value;
  const value = readValue(draft, node);
  exactValues.set(node, { value });
  return value;
}

function readValue(draft: DraftText, node: Node): unknown {
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

/** The objects with texts that voters read: the draft, and its legacy contents. */
export function textedNodes({ root, actions }: Draft): ReadonlySet<Node> {
  return new Set([root, ...actions.filter(({ isLegacy }) => isLegacy).map(({ node }) => node)]);
}

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

/** Whether the action pays from the community pool, which x/distribution or x/protocolpool has. */
export function isPoolSpend({ package: from, name }: DraftAction): boolean {
  return /^cosmos\.(distribution\.v1beta1|protocolpool\.v1)$/.test(from) && /^(Msg)?CommunityPoolSpend/.test(name);
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
  if (!text.includes('\r')) return lineStartsByFeeds(text);
  return [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ index, 0: end }) => index + end.length)];
}

function lineStartsByFeeds(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
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
