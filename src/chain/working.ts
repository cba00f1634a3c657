import type { GovParams } from './govParams.ts';
import type { Tally } from './proposal.ts';
import { quotient, type Ratio, whole } from './ratio.ts';
import { totalVotes } from './tally.ts';

/** The rules of x/gov in the order in which the chain asks them (contract-facts section 8). */
export type Rule = 'bonded' | 'quorum' | 'notAllAbstain' | 'veto' | 'threshold';

/** What a rule needs to know. */
export type VoteInput = 'tally' | 'bonded' | 'quorum' | 'vetoThreshold' | 'threshold' | 'expeditedThreshold';

/** One rule, worked out as far as its inputs are known. Amounts in base units of the bond denom. */
export interface Step {
  readonly rule: Rule;
  /** What is divided: `part / of`. */
  readonly part: bigint | undefined;
  readonly of: bigint | undefined;
  /** `part / of` as the chain rounds it; undefined where unknown or where `of` is zero. */
  readonly value: Ratio | undefined;
  /** What the value is compared with. */
  readonly limit: Ratio | undefined;
  /** `quorum` at least, `threshold` more than, `veto` at most its limit; undefined where unknown. */
  readonly met: boolean | undefined;
  /**
   * How many base units lie between `part` and the limit while `of` stays as it is: to spare where the rule is met, too
   * few (veto: too many) where it is not.
   */
  readonly margin: bigint | undefined;
  /** The smallest number of further Yes votes with which this rule is met; 0 where it is, undefined where none is enough. */
  readonly moreYes: bigint | undefined;
  readonly missing: readonly VoteInput[];
}

/** What a vote is counted with; each may be unknown. */
export interface VoteInputs {
  readonly tally: Tally | undefined;
  /** Bonded tokens at the moment of counting. */
  readonly bonded: bigint | undefined;
  readonly expedited: boolean;
  readonly params: GovParams;
}

/** Every rule worked out, in the chain's order. The tally is cut to integers, so a tie within one unit may be decided otherwise. */
export function toWorking(inputs: VoteInputs): readonly Step[] {
  return [bondedStep(inputs), quorumStep(inputs), abstainStep(inputs), vetoStep(inputs), thresholdStep(inputs)];
}

function bondedStep({ bonded }: VoteInputs): Step {
  const met = bonded === undefined ? undefined : bonded > 0n;
  return { ...blank('bonded', missingOf({ bonded })), part: bonded, met, moreYes: met ? 0n : undefined };
}

function quorumStep({ tally, bonded, params: { quorum } }: VoteInputs): Step {
  const part = tally && totalVotes(tally);
  // No votes are no turnout, whatever is bonded.
  const of = bonded ?? (part === 0n && quorum ? whole : undefined);
  const step = { ...blank('quorum', missingOf({ tally, bonded: of, quorum })), part, of: bonded, limit: quorum };
  if (part === undefined || !of || quorum === undefined) return step;
  const reached = (votes: bigint) => share(votes, of) >= quorum;
  const met = reached(part);
  const needed = bonded === undefined ? undefined : smallest(0n, of * 2n, reached);
  const margin = needed === undefined ? undefined : distance(part, needed);
  return { ...step, value: share(part, of), met, margin, moreYes: met ? 0n : margin };
}

function abstainStep({ tally }: VoteInputs): Step {
  const of = tally && totalVotes(tally);
  const met = tally && of !== tally.abstain;
  const moreYes = met === undefined ? undefined : met ? 0n : 1n;
  return { ...blank('notAllAbstain', missingOf({ tally })), part: tally?.abstain, of, met, moreYes };
}

function vetoStep({ tally, params: { vetoThreshold: limit } }: VoteInputs): Step {
  const part = tally?.noWithVeto;
  const of = tally && totalVotes(tally);
  const step = { ...blank('veto', missingOf({ tally, vetoThreshold: limit })), part, of, limit };
  if (part === undefined || of === undefined || limit === undefined) return step;
  if (of === 0n) return { ...step, moreYes: 0n };
  const vetoed = (votes: bigint, total = of) => share(votes, total) > limit;
  const allowed = (smallest(0n, of, vetoed) ?? of + 1n) - 1n;
  const moreYes = smallest(0n, far(of), (extra) => !vetoed(part, of + extra));
  return { ...step, value: share(part, of), met: !vetoed(part), margin: distance(part, allowed), moreYes };
}

function thresholdStep({ tally, expedited, params }: VoteInputs): Step {
  const limit = expedited ? params.expeditedThreshold : params.threshold;
  const part = tally?.yes;
  const of = tally && totalVotes(tally) - tally.abstain;
  const name = expedited ? 'expeditedThreshold' : 'threshold';
  const step = { ...blank('threshold', missingOf({ tally, [name]: limit })), part, of, limit };
  if (part === undefined || of === undefined || limit === undefined) return step;
  const moreYes = smallest(0n, far(of), (extra) => share(part + extra, of + extra) > limit);
  if (of === 0n) return { ...step, moreYes };
  const needed = smallest(0n, of, (votes) => share(votes, of) > limit);
  const margin = needed === undefined ? undefined : distance(part, needed);
  return { ...step, value: share(part, of), met: share(part, of) > limit, margin, moreYes };
}

function blank(rule: Rule, missing: readonly VoteInput[]): Step {
  const unknown = { part: undefined, of: undefined, value: undefined, limit: undefined, met: undefined };
  return { rule, ...unknown, margin: undefined, moreYes: undefined, missing };
}

function missingOf(inputs: Readonly<Partial<Record<VoteInput, unknown>>>): readonly VoteInput[] {
  const names = ['tally', 'bonded', 'quorum', 'vetoThreshold', 'threshold', 'expeditedThreshold'] as const;
  return names.filter((name) => name in inputs && inputs[name] === undefined);
}

/** A share of nothing is nothing. */
function share(part: bigint, of: bigint): Ratio {
  return quotient(part, of) ?? 0n;
}

function distance(a: bigint, b: bigint): bigint {
  return a < b ? b - a : a - b;
}

/** Beyond this many further votes no ratio of 18 digits changes. */
function far(of: bigint): bigint {
  return (of + 1n) * whole * 10n;
}

/** The smallest number from `from` to `to` at which `holds`, which stays true once it is; undefined where it never is. */
function smallest(from: bigint, to: bigint, holds: (value: bigint) => boolean): bigint | undefined {
  if (!holds(to)) return undefined;
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (holds(middle)) high = middle;
    else low = middle + 1n;
  }
  return low;
}
