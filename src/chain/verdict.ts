import type { GovParams } from './params.ts';
import { type Proposal, type Tally, totalVotes } from './proposal.ts';
import { quotient, type Ratio, whole } from './ratio.ts';

/** What would happen if voting ended now, or what did happen. */
export type Outcome =
  | { readonly kind: 'wouldPass' }
  /** The first rule, in the chain's order, that is known not to be met. */
  | { readonly kind: 'wouldFail'; readonly rule: Rule }
  /** No rule is known to fail, but not all are known: `Verdict.missing` names what is not. */
  | { readonly kind: 'unknown' }
  /** The vote has not begun. */
  | { readonly kind: 'notVoting' }
  | { readonly kind: 'passed' }
  /**
   * Rejected, and by which rule: one that the final tally does not meet, or (`byElimination`) quorum, because all others
   * are met; undefined where that cannot be told.
   */
  | { readonly kind: 'rejected'; readonly rule: Rule | undefined; readonly byElimination: boolean }
  /** Passed, and then could not be executed; the chain's reason where there is one (SDK 0.50 and later). */
  | { readonly kind: 'failed'; readonly reason: string | undefined };

/** A verdict and its working; kinds and numbers only, amounts in base units of the bond denom. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly working: readonly Step[];
  /** The tally that was counted: the live one while voting, the final one afterwards. */
  readonly tally: Tally | undefined;
  /** Inputs that are not known. Those of an ended vote never include today's stake. */
  readonly missing: readonly VoteInput[];
  /** Rules that do not fit the chain's own status: parameters have changed since, or the tally was cut to integers. */
  readonly contradicting: readonly Rule[];
  /** All votes of all bonded tokens; known only while voting. */
  readonly turnout: Ratio | undefined;
  /** Bonded tokens that have not voted; known only while voting. */
  readonly unvoted: bigint | undefined;
  /** The smallest number of further Yes votes with which the proposal passes; undefined where unknown or never. */
  readonly moreYes: bigint | undefined;
  /** An expedited vote that fails goes on as a regular one (SDK 0.50, x/gov abci.go). */
  readonly becomesRegular: boolean;
}

/** What is known beside the proposal. `bonded` is of today and used only for a vote that is open. */
export interface Known {
  readonly liveTally: Tally | undefined;
  readonly bonded: bigint | undefined;
  readonly params: GovParams;
}

/**
 * The chain's rule (contract-facts section 8, x/gov keeper/tally.go) over what is known. An unknown input is named and
 * never guessed; the status of an ended proposal is the truth, and the working only explains it.
 */
export function toVerdict(proposal: Proposal, known: Known): Verdict {
  const open = proposal.status === 'voting';
  const ended = proposal.status === 'passed' || proposal.status === 'rejected' || proposal.status === 'failed';
  const tally = open ? known.liveTally : ended ? proposal.finalTally : undefined;
  const bonded = open ? known.bonded : undefined;
  const working = toWorking({ tally, bonded, expedited: proposal.expedited, params: known.params });
  const outcome = open ? openOutcome(working) : endedOutcome(proposal, working);
  const unmet = working.filter((step) => step.met === false).map((step) => step.rule);
  return {
    outcome,
    working,
    tally,
    missing: [...new Set(working.flatMap((step) => step.missing))].filter((input) => open || input !== 'bonded'),
    contradicting: outcome.kind === 'passed' || outcome.kind === 'failed' ? unmet : [],
    turnout: open ? working.find((step) => step.rule === 'quorum')?.value : undefined,
    unvoted: tally && bonded !== undefined ? bonded - totalVotes(tally) : undefined,
    moreYes: open ? moreYes(working) : undefined,
    becomesRegular: proposal.expedited && outcome.kind === 'wouldFail',
  };
}

/** The first rule that fails decides; passing needs every rule to be known. */
function openOutcome(working: readonly Step[]): Outcome {
  const failing = working.find((step) => step.met === false);
  if (failing) return { kind: 'wouldFail', rule: failing.rule };
  return working.every((step) => step.met) ? { kind: 'wouldPass' } : { kind: 'unknown' };
}

function endedOutcome(proposal: Proposal, working: readonly Step[]): Outcome {
  switch (proposal.status) {
    case 'passed':
      return { kind: 'passed' };
    case 'failed':
      return { kind: 'failed', reason: proposal.failedReason };
    case 'rejected': {
      const failing = working.find((step) => step.met === false);
      if (failing) return { kind: 'rejected', rule: failing.rule, byElimination: false };
      const others = working.filter((step) => step.rule !== 'quorum' && step.rule !== 'bonded');
      const byElimination = others.every((step) => step.met);
      return { kind: 'rejected', rule: byElimination ? 'quorum' : undefined, byElimination };
    }
    case 'deposit':
    case 'voting':
    case 'unspecified':
    case 'unknown':
      return { kind: 'notVoting' };
    default:
      return proposal.status satisfies never;
  }
}

/** Further Yes votes help every rule and hurt none, so the rule that needs most of them decides. */
function moreYes(working: readonly Step[]): bigint | undefined {
  let most = 0n;
  for (const step of working) {
    if (step.moreYes === undefined) return undefined;
    if (step.moreYes > most) most = step.moreYes;
  }
  return most;
}

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
