/**
 * What the proposal page shows and the messages between it and the extension. Types only, plain JSON only: the page
 * imports this file. Every text is worded (and translated) by the extension; the page words nothing itself.
 */

import type { Block, Moment, Tone } from './block.ts';

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

/** Host to page: all there is to see; the page replaces only what differs from the last one. */
export interface ShowMessage {
  readonly type: 'show';
  /** What is shown; kept by the page so that the panel can be restored. */
  readonly restore: RestoreState;
  readonly actions: readonly ActionView[];
  readonly words: PageWords;
  readonly state: PanelState;
}

export type HostMessage = ShowMessage;

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
