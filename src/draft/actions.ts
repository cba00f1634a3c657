import type { Node } from 'jsonc-parser';
import { type DraftText, itemsOf, member, parseDraft, type TextLimit, textOf } from './draftText.ts';

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
  readonly carrier: Node | undefined;
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
      ? [action, { ...toAction(content, inner, true), carrier: message }]
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
  return { node, typeUrl, package: typeName.slice(0, Math.max(0, dot)), name, isLegacy, carrier: undefined };
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
