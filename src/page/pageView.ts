import type { Tone } from '../words/language.ts';

/**
 * The content of the page of a proposal, a denom or a draft, as plain JSON. `Action` is a union of the actions of its
 * buttons, and `never` for a block without buttons. The page imports only types of this file. The extension words and
 * translates every text. The page only adds the distance of times.
 */

export type Swatch = 'yes' | 'abstain' | 'no' | 'noWithVeto' | ClassSwatch;

/** The colors of the classes of a supply. `module` stands for all modules without a color of their own. */
export type ClassSwatch = 'bonded' | 'unbonding' | 'module' | 'escrow' | 'contract' | 'vesting' | 'other';

/** A time on the page. `future` and `past` are sentences with `{0}` for `in 3 h 10 min` or `14 days ago`. */
export interface TimeText {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly future: string;
  readonly past: string;
  /** The clock for the distance: that of the chain, or this machine's for reads. */
  readonly clock: 'chain' | 'machine';
}

/** A table cell, or the value of a fact. */
export type Cell =
  | string
  | {
      readonly text: string;
      readonly code?: boolean | undefined;
      readonly note?: string | undefined;
      /** The hover, with the exact value of a text that is shortened. */
      readonly hint?: string | undefined;
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
  /** The places of columns with numbers. */
  readonly numeric: readonly number[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A value that would change. `before` is the current value, if known, and `note` has the raw values. */
export interface ChangeRow {
  readonly label: string;
  readonly before?: string | undefined;
  readonly after: Cell;
  readonly note?: string | undefined;
  /** The draft leaves the value out, so that it is lost. */
  readonly isLost?: boolean;
  /** A unified diff in place of the values, if they have many lines. */
  readonly patch?: string | undefined;
}

export interface BarMark {
  /** The distance from the left end of the bar, in hundredths of a percent. */
  readonly at: number;
  readonly label: string;
  readonly side: 'above' | 'below';
}

/**
 * A bar of one or more parts. Their shares are hundredths of a percent. `label` says the same in words, and stands
 * above the bar if there is no legend.
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
  /** A stable id, so that an open fold stays open. */
  readonly id: string;
  readonly summary: string;
  readonly blocks: readonly Block<Action>[];
  readonly note?: string | undefined;
  /** The key that opens and closes the fold. */
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

/** The whole content of a page. */
export interface PageView<Action extends string = never> {
  readonly status?: { readonly label: string; readonly look: Tone | 'voting' | 'deposit' | 'draft' };
  /** Short facts beside the status: kind, chain, proposer. `hint` is the hover of a text that is shortened. */
  readonly badges: readonly { readonly text: string; readonly hint?: string }[];
  readonly id: string;
  readonly title: string;
  /** A quieter name behind the title. */
  readonly subtitle?: string | undefined;
  readonly notices: readonly { readonly tone: Tone; readonly text: string }[];
  /** The overview: the end of the period, the likely outcome, and the state of the votes. */
  readonly overview: {
    readonly amount?: Cell | undefined;
    readonly time?: TimeText | undefined;
    /** `hint` is the hover, with the exact form of an amount that the text shortens. */
    readonly verdict?: {
      readonly tone: Tone;
      readonly lead: string;
      readonly text: string;
      readonly hint?: string | undefined;
    };
    readonly bar?: Block<Action> | undefined;
    /** The votes of the reader's accounts. A warning if one of them has not voted. */
    readonly myVotes?: { readonly text: string; readonly tone: Tone } | undefined;
  };
  readonly sections: readonly Section<Action>[];
  readonly about: readonly string[];
  readonly read: TimeText | undefined;
  /**
   * The time of the chain at the time of the message, and whether that clock runs. The clock of a state file stands
   * still.
   */
  readonly clock: { readonly now: string; readonly runs: boolean };
}
