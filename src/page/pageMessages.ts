import { member } from '../api/errors.ts';
import type { PageView } from './pageView.ts';

// The messages between the extension and the page of a proposal, a denom or a draft: plain JSON.

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

/** Any of them: the script of the page draws both. */
export type PageAction = ProposalAction | DenomAction;

/** Words that the page needs where it computes a text; `{0}` stands for a value. */
export type PageWords = Readonly<Record<WordName, string>> & {
  /** The translations of what `durationText` asks for, by the English. */
  readonly units: Readonly<Record<string, string>>;
};
type WordName = 'language' | 'future' | 'past' | 'now' | 'linkMismatch' | 'image' | 'showAll' | 'showMore';

/** Extension to page: everything that is shown; the page replaces only what differs from the last message. */
interface ShowPage<State, Action extends string> {
  readonly type: 'show';
  readonly restore: State;
  readonly words: PageWords;
  readonly view: PageView<Action>;
}

export type ShowProposal = ShowPage<ProposalState, ProposalAction>;
export type ShowDenom = ShowPage<DenomState, DenomAction>;

/** Page to extension. `ready`: send everything. `painted`: the first picture is on screen. */
export type PageMessage<Action extends string> =
  | { readonly type: 'ready' | 'painted' }
  | { readonly type: 'act'; readonly action: Action }
  /** A link of the description was activated; `text` is what the reader saw. */
  | { readonly type: 'openLink'; readonly url: string; readonly text: string };

/** The same from the page of a proposal. */
export type ProposalMessage = PageMessage<ProposalAction>;
/** The same from the page of a denom. */
export type DenomMessage = PageMessage<DenomAction>;

/** Reads a message of a page that has these actions; undefined for anything else. */
export function readPageMessage<Action extends string>(
  value: unknown,
  actions: readonly Action[],
): PageMessage<Action> | undefined {
  const [type, url, text] = [member(value, 'type'), member(value, 'url'), member(value, 'text')];
  if (type === 'ready' || type === 'painted') return { type };
  if (type === 'openLink' && typeof url === 'string' && typeof text === 'string') return { type, url, text };
  const action = actions.find((known) => known === member(value, 'action'));
  return type === 'act' && action ? { type, action } : undefined;
}

/** The state that the editor stores of the panel of a proposal over a restart. */
export interface ProposalState {
  readonly sourceId: string;
  readonly proposalId: string;
  readonly pinned: boolean;
}

/** Reads what the editor stored of a panel over a restart; undefined where it is damaged. */
export function readProposalState(value: unknown): ProposalState | undefined {
  const state = member(value, 'restore');
  const [sourceId, proposalId] = [member(state, 'sourceId'), member(state, 'proposalId')];
  if (typeof sourceId !== 'string' || typeof proposalId !== 'string' || !/^\d{1,20}$/.test(proposalId))
    return undefined;
  return { sourceId, proposalId, pinned: member(state, 'pinned') === true };
}

/** The same of the panel of a denom. */
export interface DenomState {
  readonly sourceId: string;
  readonly denom: string;
}

/** As `readProposalState`, of the panel of a denom. */
export function readDenomState(value: unknown): DenomState | undefined {
  const state = member(value, 'restore');
  const [sourceId, denom] = [member(state, 'sourceId'), member(state, 'denom')];
  return typeof sourceId === 'string' && typeof denom === 'string' && denom ? { sourceId, denom } : undefined;
}
