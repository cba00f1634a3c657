import type { GovParams } from './govParams.ts';
import type { Proposal, Tally } from './proposal.ts';
import type { Ratio } from './ratio.ts';
import { totalVotes } from './tally.ts';
import { type Rule, type Step, toWorking, type VoteInput } from './working.ts';

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
