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
