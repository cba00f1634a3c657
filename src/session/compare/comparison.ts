import type { Source } from '../source.ts';

export type SideName = 'left' | 'right';

/** A denom whose supply is not the same on both sides, in base units; 0 where a side holds none of it. */
export interface SupplyDifference {
  readonly change: 'added' | 'gone' | 'changed';
  readonly denom: string;
  readonly left: bigint;
  readonly right: bigint;
}

/** What is compared of a proposal. `status` is as it came (`PROPOSAL_STATUS_PASSED`), or `unreadable`. */
export interface ProposalFacts {
  readonly id: bigint;
  readonly status: string;
  readonly title: string | undefined;
}

/** A proposal that is not on both sides, or not the same. `replaced`: the id stands for another title. */
export type ProposalDifference =
  | { readonly change: 'added'; readonly id: bigint; readonly right: ProposalFacts; readonly left?: undefined }
  | { readonly change: 'gone'; readonly id: bigint; readonly left: ProposalFacts; readonly right?: undefined }
  | {
      readonly change: 'changed' | 'replaced';
      readonly id: bigint;
      readonly left: ProposalFacts;
      readonly right: ProposalFacts;
    };

/** A gov parameter by its field name of the SDK; undefined where a side does not state it. */
export interface ParamDifference {
  readonly name: string;
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** One of the three comparisons. `failed`: a side could not be read. `notOffered`: a side does not have it. */
export type Section<Difference> =
  | { readonly kind: 'compared'; readonly differences: readonly Difference[] }
  | { readonly kind: 'failed'; readonly side: SideName; readonly error: unknown }
  | { readonly kind: 'notOffered'; readonly side: SideName };

/** What was read on one side. */
export interface ComparedSide {
  readonly source: Source;
  /** The height of the first page; all others are of it, too, unless `heightDropped` says why not. */
  readonly height: bigint | undefined;
  readonly heightDropped: string | undefined;
  /** Size and time of a state file when it was read. */
  readonly stamp: string | undefined;
  /** What the source says of itself. */
  readonly notices: readonly string[];
}

/** What tells two sources apart, as seen from the left: `added` is on the right side only. */
export interface Comparison {
  readonly left: ComparedSide;
  readonly right: ComparedSide;
  /** By denom. */
  readonly supply: Section<SupplyDifference>;
  /** Newest first. */
  readonly proposals: Section<ProposalDifference>;
  /** By name. */
  readonly params: Section<ParamDifference>;
}
