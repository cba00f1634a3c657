import type { Tone } from '../words/language.ts';

/**
 * What the page of a proposal, a denom or a draft shows: plain JSON. `Action` are the actions that its buttons have, `never` for
 * a block without any. The page imports the types of this file. Every text is worded (and translated) by the extension; the page
 * only fills in how far a time is away.
 */

export type Swatch = 'yes' | 'abstain' | 'no' | 'noWithVeto' | ClassSwatch;

/** Of the classes of a supply; `module` are the modules without one of their own. */
export type ClassSwatch = 'bonded' | 'unbonding' | 'module' | 'escrow' | 'contract' | 'vesting' | 'other';

/** A moment as the page writes it; `future` and `past` are sentences with `{0}` for `in 3 h 10 min` or `14 days ago`. */
export interface TimeText {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly future: string;
  readonly past: string;
  /** What the distance is measured with: the chain's own time, or for what was read here, this machine's. */
  readonly clock: 'chain' | 'machine';
}

/** A table cell or the value of a fact: a text, or more than that. */
export type Cell =
  | string
  | {
      readonly text: string;
      readonly code?: boolean | undefined;
      readonly note?: string | undefined;
      readonly time?: TimeText | undefined;
      readonly swatch?: Swatch | undefined;
    };

export interface Fact {
  readonly label: string;
  readonly value: Cell;
}

export interface TableBlock {
  readonly kind: 'table';
  readonly label: string;
  readonly columns: readonly string[];
  /** The places of columns of numbers. */
  readonly numeric: readonly number[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A value that would change: what it is now, where that is known, and what it would be; `note` has the raw values. */
export interface ChangeRow {
  readonly label: string;
  readonly before?: string | undefined;
  readonly after: Cell;
  readonly note?: string | undefined;
  /** The value is lost, by what the draft leaves out. */
  readonly isLost?: boolean;
  /** In place of the values, where they have many lines: a unified diff. */
  readonly patch?: string | undefined;
}

export interface BarMark {
  /** From the left end of the bar, in hundredths of a percent. */
  readonly at: number;
  readonly label: string;
  readonly side: 'above' | 'below';
}

/**
 * A bar of one or more parts, their shares in hundredths of a percent. `label` is the text that says the same; it stands
 * above the bar where there is no legend.
 */
export interface BarBlock {
  readonly kind: 'bar';
  readonly label: string;
  readonly parts: readonly { readonly look: Swatch | 'filled'; readonly share: number }[];
  readonly marks: readonly BarMark[];
  readonly legend?: readonly { readonly label: string; readonly value: string; readonly swatch?: Swatch }[];
}

export interface TimelineStep {
  readonly label: string;
  /** `none`: there is no such time, or it is not known. */
  readonly state: 'done' | 'todo' | 'none';
  readonly time?: TimeText | undefined;
  readonly note?: string | undefined;
}

export interface TreeNode {
  readonly label: string;
  readonly value?: string | undefined;
  readonly children?: readonly TreeNode[];
}

/** Blocks behind a summary. */
export interface FoldBlock<Action extends string = never> {
  readonly kind: 'fold';
  /** Stable, so that what was opened stays open. */
  readonly id: string;
  readonly summary: string;
  readonly blocks: readonly Block<Action>[];
  readonly note?: string | undefined;
  /** A letter that opens and closes it. */
  readonly key?: string | undefined;
  readonly onOpen?: Action | undefined;
}

/** A piece of a section. */
export type Block<Action extends string = never> =
  | { readonly kind: 'heading'; readonly text: string; readonly note?: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'notice'; readonly tone: Tone; readonly text: string }
  | { readonly kind: 'timeline'; readonly steps: readonly TimelineStep[] }
  | { readonly kind: 'markdown'; readonly source: string }
  /** `isPatch`: a unified diff, drawn with its added and removed lines. */
  | { readonly kind: 'code'; readonly label: string; readonly text: string; readonly isPatch?: boolean }
  | { readonly kind: 'tree'; readonly label: string; readonly nodes: readonly TreeNode[] }
  | { readonly kind: 'changes'; readonly rows: readonly ChangeRow[] }
  | { readonly kind: 'facts'; readonly rows: readonly Fact[] }
  | FoldBlock<Action>
  | { readonly kind: 'buttons'; readonly items: readonly { readonly action: Action; readonly label: string }[] }
  | TableBlock
  | BarBlock;

export interface Section<Action extends string = never> {
  readonly id: string;
  readonly title: string;
  readonly note?: Cell | undefined;
  readonly blocks: readonly Block<Action>[];
}

/** Everything about one proposal or denom that the page shows. */
export interface PageView<Action extends string = never> {
  readonly status?: { readonly label: string; readonly look: Tone | 'voting' | 'deposit' | 'draft' };
  /** Short facts beside the status: kind, chain, proposer; `hint` is the hover where the text is shortened. */
  readonly badges: readonly { readonly text: string; readonly hint?: string }[];
  readonly id: string;
  readonly title: string;
  /** A quieter name behind the title. */
  readonly subtitle?: string | undefined;
  readonly notices: readonly { readonly tone: Tone; readonly text: string }[];
  /** The overview: until when, what would happen, how the votes stand. */
  readonly overview: {
    readonly amount?: Cell | undefined;
    readonly time?: TimeText | undefined;
    /** `hint`: the hover, with every digit of an amount that the text gives in few. */
    readonly verdict?: {
      readonly tone: Tone;
      readonly lead: string;
      readonly text: string;
      readonly hint?: string | undefined;
    };
    readonly bar?: Block<Action> | undefined;
    /** The votes of the reader's accounts; a warning where one of them has not voted. */
    readonly myVotes?: { readonly text: string; readonly tone: Tone } | undefined;
  };
  readonly sections: readonly Section<Action>[];
  readonly about: readonly string[];
  readonly read: TimeText | undefined;
  /** The chain's time at the time of the message, and whether it runs (that of a state file stands still). */
  readonly clock: { readonly now: string; readonly runs: boolean };
}
