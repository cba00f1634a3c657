/**
 * What the proposal page shows and the messages between it and the extension. Types only, plain JSON only: the page
 * imports this file. Every text is worded (and translated) by the extension; the page words nothing itself.
 */

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Action =
  | 'back'
  | 'previous'
  | 'next'
  | 'pin'
  | 'watch'
  | 'refresh'
  | 'copyId'
  | 'copyJson'
  | 'copyCurl'
  | 'openJson'
  | 'openExplorer';

export interface ActionView {
  readonly action: Action;
  readonly label: string;
  /** The longer text. */
  readonly hint: string;
  /** The key that does the same, as `aria-keyshortcuts` writes it: `Control+R`. Control is Command on a Mac. */
  readonly key?: string;
  readonly enabled: boolean;
  /** For switches: whether it is on. */
  readonly pressed?: boolean;
}

/** Everything about one proposal that the page shows. */
export interface ProposalView {
  readonly status: { readonly label: string; readonly tone: Tone };
  /** Short facts beside the status: kind, source. */
  readonly badges: readonly string[];
  readonly id: string;
  readonly title: string;
  readonly notices: readonly { readonly tone: Tone; readonly text: string }[];
  readonly sections: readonly Section[];
  readonly about: readonly string[];
  /** When it was read. */
  readonly readAt: { readonly label: string; readonly at: Moment };
  /** The source's own clock at the time of the message, and whether it runs (that of a state file stands still). */
  readonly clock: { readonly now: Moment; readonly runs: boolean };
}

/** Words that the page needs where it computes a text; `{0}` stands for a value. */
export interface PageWords {
  readonly language: string;
  readonly utc: string;
  readonly inTime: string;
  readonly timeUp: string;
  readonly days: string;
  readonly hours: string;
  readonly minutes: string;
  readonly seconds: string;
  readonly actions: string;
  readonly linkMismatch: string;
  readonly image: string;
  readonly showAll: string;
  readonly showMore: string;
  readonly removed: string;
  readonly added: string;
}

export type PanelState =
  | { readonly kind: 'loading'; readonly id: string; readonly text: string }
  | {
      readonly kind: 'failed';
      readonly id: string;
      readonly title: string;
      readonly text: string;
      readonly retry: string;
    }
  | { readonly kind: 'loaded'; readonly view: ProposalView };

/** Extension to page: everything that is shown; the page replaces only what differs from the last message. */
export interface ShowMessage {
  readonly type: 'show';
  /** What is shown; kept by the page so that the panel can be restored. */
  readonly restore: RestoreState;
  readonly actions: readonly ActionView[];
  readonly words: PageWords;
  readonly state: PanelState;
}

/** What a panel is about, as the editor keeps it over a restart. */
export interface RestoreState {
  readonly sourceId: string;
  readonly proposalId: string;
  readonly pinned: boolean;
}

/** Page to host: the page is there and wants to be told everything. */
export interface ReadyMessage {
  readonly type: 'ready';
}

/** Page to host: a link of the description was activated; `text` is what the reader saw. */
export interface OpenLinkMessage {
  readonly type: 'openLink';
  readonly url: string;
  readonly text: string;
}

/** Page to host: a button was pressed. */
export interface ActionMessage {
  readonly type: 'action';
  readonly action: Action;
}

/** Page to host: the first picture of a view is on screen; measured by the benchmark. */
export interface PaintedMessage {
  readonly type: 'painted';
}

export type PageMessage = ReadyMessage | OpenLinkMessage | ActionMessage | PaintedMessage;

/** What a page is made of. Types only, plain JSON only: the page imports this file. Every text is worded already. */

/** A moment, ISO 8601 in UTC. The page writes it in the reader's own time zone and in UTC. */
export type Moment = string;

/** Hundredths of a percent, 0 to 10000. */
export type BasisPoints = number;

export type VoteOption = 'yes' | 'abstain' | 'no' | 'noWithVeto';

export type Tone = 'plain' | 'good' | 'warning' | 'bad';

/** A run of text; `removed` and `added` are drawn (and read out) as a difference. */
export interface Span {
  readonly text: string;
  readonly change?: 'removed' | 'added';
}

/** A table cell or the value of a fact. `note` is a second, quieter line. */
export interface Cell {
  readonly spans: readonly Span[];
  readonly code?: boolean;
  readonly note?: string;
  /** A moment that the page writes after the text. */
  readonly at?: Moment;
  readonly swatch?: VoteOption;
}

export interface Column {
  readonly label: string;
  readonly numeric?: boolean;
}

export interface TableBlock {
  readonly kind: 'table';
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Label and value pairs. */
export interface FactsBlock {
  readonly kind: 'facts';
  readonly rows: readonly { readonly label: string; readonly value: Cell }[];
}

export interface TallyMark {
  /** From the left end of the bar. */
  readonly at: BasisPoints;
  readonly label: string;
  readonly side: 'above' | 'below';
}

/** One stacked bar; `label` is the text that says the same. */
export interface TallyBlock {
  readonly kind: 'tally';
  readonly label: string;
  readonly parts: readonly { readonly option: VoteOption; readonly label: string; readonly share: BasisPoints }[];
  readonly marks: readonly TallyMark[];
}

/** A single bar with its mark, for turnout and deposit; `caption` stands above it, `label` is the text that says the same. */
export interface MeterBlock {
  readonly kind: 'meter';
  readonly caption: string;
  readonly label: string;
  readonly filled: BasisPoints;
  readonly mark?: TallyMark;
}

export interface TimelineStep {
  readonly label: string;
  /** `none`: it never came, or nobody knows when. */
  readonly state: 'done' | 'todo' | 'none';
  readonly stateLabel: string;
  readonly at?: Moment;
  readonly note?: string;
  /** Counts down to `at` where it is to come. */
  readonly countdown?: boolean;
}

export interface TreeNode {
  readonly label: string;
  readonly value?: string;
  readonly children?: readonly TreeNode[];
}

/** A piece of a section. `fold` ids are stable, so that what was opened stays open. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string; readonly note?: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'notice'; readonly tone: Tone; readonly text: string }
  | {
      readonly kind: 'verdict';
      readonly tone: Tone;
      readonly lead: string;
      readonly text: string;
      readonly blocks: readonly Block[];
    }
  | { readonly kind: 'timeline'; readonly steps: readonly TimelineStep[] }
  | { readonly kind: 'markdown'; readonly source: string }
  | { readonly kind: 'code'; readonly label: string; readonly text: string }
  | { readonly kind: 'tree'; readonly label: string; readonly nodes: readonly TreeNode[] }
  | {
      readonly kind: 'fold';
      readonly id: string;
      readonly summary: string;
      readonly open: boolean;
      readonly blocks: readonly Block[];
    }
  | TableBlock
  | FactsBlock
  | TallyBlock
  | MeterBlock;

const actions: Readonly<Record<Action, true>> = {
  back: true,
  previous: true,
  next: true,
  pin: true,
  watch: true,
  refresh: true,
  copyId: true,
  copyJson: true,
  copyCurl: true,
  openJson: true,
  openExplorer: true,
};

/** Reads what a page sent; undefined where it is not a message of the protocol. */
export function readPageMessage(value: unknown): PageMessage | undefined {
  if (!isRecord(value)) return undefined;
  switch (value.type) {
    case 'ready':
    case 'painted':
      return { type: value.type };
    case 'openLink':
      return typeof value.url === 'string' && typeof value.text === 'string'
        ? { type: 'openLink', url: value.url, text: value.text }
        : undefined;
    case 'action':
      return isAction(value.action) ? { type: 'action', action: value.action } : undefined;
    default:
      return undefined;
  }
}

/** Reads what the editor stored of a panel; undefined where it is damaged. */
export function readRestoreState(value: unknown): RestoreState | undefined {
  if (!isRecord(value) || !isRecord(value.restore)) return undefined;
  const { sourceId, proposalId, pinned } = value.restore;
  if (typeof sourceId !== 'string' || typeof proposalId !== 'string' || !/^\d{1,20}$/.test(proposalId))
    return undefined;
  return { sourceId, proposalId, pinned: pinned === true };
}

function isAction(value: unknown): value is Action {
  return typeof value === 'string' && Object.hasOwn(actions, value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
