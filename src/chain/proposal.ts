import type { Coin } from './coin.ts';
import type { Content } from './content/content.ts';

/** service.md section 3; `unknown` is whatever else a node sends, shown as `wireStatus`. */
export type ProposalStatus = 'deposit' | 'voting' | 'passed' | 'rejected' | 'failed' | 'unspecified' | 'unknown';

/** Votes in base units of the bond denom. */
export interface Tally {
  readonly yes: bigint;
  readonly abstain: bigint;
  readonly no: bigint;
  readonly noWithVeto: bigint;
}

export interface Proposal {
  readonly kind: 'proposal';
  readonly id: bigint;
  readonly status: ProposalStatus;
  /** The status word as it came. */
  readonly wireStatus: string;
  /** Absent where neither the proposal nor its content has one (a Msg as content). */
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** One entry in v1beta1 (none where `content` is null), any number in v1. */
  readonly contents: readonly Content[];
  /** As the chain reports it: zeros until the vote has ended. */
  readonly finalTally: Tally | undefined;
  readonly submitTime: Date | undefined;
  readonly depositEndTime: Date | undefined;
  readonly votingStartTime: Date | undefined;
  readonly votingEndTime: Date | undefined;
  readonly totalDeposit: readonly Coin[];
  readonly form: 'v1beta1' | 'v1';
  readonly proposer: string | undefined;
  readonly metadata: string | undefined;
  readonly expedited: boolean;
  readonly failedReason: string | undefined;
  /** The JSON as it came. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** An id that the node cannot say as a proposal; `reason` is the node's own. */
export interface UnreadableProposal {
  readonly kind: 'unreadable';
  readonly id: bigint;
  readonly reason: string;
}

export type ProposalRow = Proposal | UnreadableProposal;
