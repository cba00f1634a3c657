import { readMember } from '../chain/fields.ts';
import type { PageView } from './pageView.ts';

// The messages between the extension and the page of a proposal, a denom or a draft. They are plain JSON.

/** The actions of a reader on the page of a proposal. */
export const proposalActions = [
  'refreshProposal',
  'readValidators',
  'stopValidators',
  'moreVotes',
  'findVote',
  'exportVotes',
  'votesBeforeEnd',
] as const;
export type ProposalAction = (typeof proposalActions)[number];

/** The actions of a reader on the page of a denom. */
export const denomActions = ['refreshSupply', 'stopSplit', 'continueSplit'] as const;
export type DenomAction = (typeof denomActions)[number];

/** An action of either page. Both pages run the same script. */
export type PageAction = ProposalAction | DenomAction;

/** Words for texts that the page computes. `{0}` stands for a value. */
export type PageWords = Readonly<Record<WordName, string>> & {
  /** The translations of the units that `durationText` uses, by their English text. */
  readonly units: Readonly<Record<string, string>>;
};
type WordName = 'language' | 'future' | 'past' | 'now' | 'linkMismatch' | 'image' | 'showAll' | 'showMore';

/** Extension to page: the whole content. The page replaces only the parts that differ from the last message. */
interface ShowPage<State, Action extends string> {
  readonly type: 'show';
  readonly restore: State;
  readonly words: PageWords;
  readonly view: PageView<Action>;
}

export type ShowProposal = ShowPage<ProposalState, ProposalAction>;
export type ShowDenom = ShowPage<DenomState, DenomAction>;

/**
 * Page to extension. `ready` asks for the content. `painted` means that the first picture is on the screen, for those
 * who measure that.
 */
export type PageMessage<Action extends PageAction> =
  | { readonly type: 'ready' | 'painted' }
  | { readonly type: 'act'; readonly action: Action }
  /** The reader activated a link of the description. `text` is the text of the link. */
  | { readonly type: 'openLink'; readonly url: string; readonly text: string };

/** Reads a message of a page that has these actions. Undefined for any other value. */
export function readPageMessage<Action extends PageAction>(
  value: unknown,
  actions: readonly Action[],
): PageMessage<Action> | undefined {
  const [type, url, text] = [readMember(value, 'type'), readMember(value, 'url'), readMember(value, 'text')];
  if (type === 'ready' || type === 'painted') return { type };
  if (type === 'openLink' && typeof url === 'string' && typeof text === 'string') return { type, url, text };
  const action = actions.find((known) => known === readMember(value, 'action'));
  return type === 'act' && action ? { type, action } : undefined;
}

/** The state of a proposal's panel that VS Code stores over a restart. */
interface ProposalState {
  readonly sourceId: string;
  readonly proposalId: string;
  readonly pinned: boolean;
}

/** Reads the stored state of a proposal's panel. Undefined if it is damaged. */
export function readProposalState(value: unknown): ProposalState | undefined {
  const state = readMember(value, 'restore');
  const [sourceId, proposalId] = [readMember(state, 'sourceId'), readMember(state, 'proposalId')];
  if (typeof sourceId !== 'string' || typeof proposalId !== 'string' || !/^\d{1,20}$/.test(proposalId))
    return undefined;
  return { sourceId, proposalId, pinned: readMember(state, 'pinned') === true };
}

/** The state of a denom's panel that VS Code stores over a restart. */
interface DenomState {
  readonly sourceId: string;
  readonly denom: string;
}

/** Reads the stored state of a denom's panel. Undefined if it is damaged. */
export function readDenomState(value: unknown): DenomState | undefined {
  const state = readMember(value, 'restore');
  const [sourceId, denom] = [readMember(state, 'sourceId'), readMember(state, 'denom')];
  return typeof sourceId === 'string' && typeof denom === 'string' && denom ? { sourceId, denom } : undefined;
}
