import type { ProposalStatus } from '../../chain/proposal.ts';

/** A proposal's status, or that the chain has it no more: withdrawn, or removed because its deposit was not reached. */
export type WatchedStatus = ProposalStatus | 'missing';

/** Votes so far in base units, as digits, and the node's time at which they were read. */
export interface TallyReading {
  readonly yes: string;
  readonly abstain: string;
  readonly no: string;
  readonly noWithVeto: string;
  readonly at: number;
}

/** What would happen if voting ended now. */
export type LiveVerdict = 'wouldPass' | 'wouldFail';

/** What was last read of a proposal. Times are milliseconds since 1970 of the node's clock. Plain JSON. */
export interface ProposalReading {
  readonly kind: 'proposal';
  readonly status: WatchedStatus;
  readonly title?: string | undefined;
  readonly submitTime?: number | undefined;
  readonly depositEnd?: number | undefined;
  readonly votingEnd?: number | undefined;
  readonly expedited?: boolean | undefined;
  readonly tally?: TallyReading | undefined;
  readonly quorum?: boolean | undefined;
  readonly verdict?: LiveVerdict | undefined;
  /** How often the verdict flipped, which tells one flip from the next. */
  readonly flips: number;
  /** When it was read. */
  readonly at: number;
  /** When this status was first read. */
  readonly since: number;
  /** How it ended last, and which ending that is: a chain that is wound back may decide anew. */
  readonly ending?: { readonly status: WatchedStatus; readonly turn: number } | undefined;
  /** A status that cannot follow on this one, as a node that lags behind tells it: believed when it stays. */
  readonly odd?: { readonly status: WatchedStatus; readonly since: number; readonly count: number } | undefined;
}

/** An amount in base units, as digits, at a time. */
export interface AmountAt {
  readonly amount: string;
  readonly at: number;
}

/** What was last read of a denom's supply. Plain JSON. */
export interface DenomReading extends AmountAt {
  readonly kind: 'denom';
  /** What a change is counted from: the amount when it was last spoken of. */
  readonly base: AmountAt;
  /** What "since …" in the view counts from: a day old, or as old as can be. */
  readonly earlier: AmountAt;
  readonly newer: AmountAt;
}

export type Reading = ProposalReading | DenomReading;

/** When the period that a live proposal is in ends, if that is known. */
export function periodEnd(reading: Reading): number | undefined {
  if (reading.kind === 'denom') return undefined;
  if (reading.status === 'voting') return reading.votingEnd;
  return reading.status === 'deposit' ? reading.depositEnd : undefined;
}

/** Whether more is to come of a proposal. */
export function isLive(reading: Reading): boolean {
  return reading.kind === 'proposal' && (reading.status === 'voting' || reading.status === 'deposit');
}

/** Whether a value of the stored log is a reading. */
export function isReading(value: unknown): value is Reading {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('at' in value)) return false;
  if (typeof value.at !== 'number') return false;
  if (value.kind === 'proposal') {
    const numbers = ['flips', 'since'].every((name) => typeof Reflect.get(value, name) === 'number');
    return numbers && 'status' in value && typeof value.status === 'string' && isEnding(Reflect.get(value, 'ending'));
  }
  const parts = ['base', 'earlier', 'newer'].map((name): unknown => Reflect.get(value, name));
  return value.kind === 'denom' && [value, ...parts].every(isAmountAt);
}

function isEnding(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null || !('status' in value) || !('turn' in value)) return false;
  return typeof value.status === 'string' && typeof value.turn === 'number';
}

function isAmountAt(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('amount' in value) || !('at' in value)) return false;
  return typeof value.at === 'number' && typeof value.amount === 'string' && /^\d+$/.test(value.amount);
}
