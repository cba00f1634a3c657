import type { Proposal } from '../../chain/proposal.ts';
import { type Ratio, whole } from '../../chain/ratio.ts';
import type { Rule, Step, Verdict, VoteInput } from '../../chain/verdict.ts';
import { ratioText, type Translate } from '../values.ts';
import type { BasisPoints, Tone } from './protocol.ts';

/** The verdict in a sentence: what would happen or did (`lead`), and why (`text`). */
export interface VerdictWords {
  readonly tone: Tone;
  readonly lead: string;
  readonly text: string;
}

/** Words a verdict at `now`, the source's own time; `power` writes amounts of votes. */
export function verdictWords(
  proposal: Proposal,
  verdict: Verdict,
  now: Date,
  power: (amount: bigint) => string,
  t: Translate,
): VerdictWords {
  const { outcome } = verdict;
  const isOver = proposal.votingEndTime !== undefined && proposal.votingEndTime.getTime() <= now.getTime();
  const known = verdict.working.flatMap((step) => ruleSentence(step, power, t) ?? []);
  const met = verdict.working.flatMap((step) => (step.met ? (ruleSentence(step, power, t) ?? []) : []));
  const unknown = verdict.missing.map((input) => sentence(inputWords(input, t)));
  switch (outcome.kind) {
    case 'wouldPass':
      return {
        tone: 'good',
        lead: isOver ? t('Voting is over, and by this count it passes.') : t('Would pass if voting ended now.'),
        text: [...known, ...waiting(isOver, t)].join(' '),
      };
    case 'wouldFail': {
      const text = [reason(verdict, outcome.rule, power, t)];
      if (verdict.becomesRegular) text.push(t('It would go on as a regular proposal.'));
      if (!isOver && verdict.moreYes !== undefined && verdict.moreYes > 0n) {
        text.push(t('It passes with {0} more Yes.', power(verdict.moreYes)));
      }
      return {
        tone: 'bad',
        lead: isOver
          ? t('Voting is over, and by this count it is rejected.')
          : t('Would be rejected if voting ended now.'),
        text: [...text, ...unknown, ...waiting(isOver, t)].join(' '),
      };
    }
    case 'unknown':
      return {
        tone: 'plain',
        lead: isOver ? t('Voting is over.') : t('Cannot be told from this source.'),
        text: [...waiting(isOver, t), ...unknown, ...known].join(' '),
      };
    case 'notVoting':
      return proposal.status === 'deposit'
        ? { tone: 'plain', lead: t('Voting has not started.'), text: t('It starts when the deposit is complete.') }
        : { tone: 'plain', lead: t('What this status means for the vote is not known.'), text: '' };
    case 'passed':
      // What does not fit the status is told apart, with what may be the cause.
      return { tone: 'good', lead: t('Passed.'), text: met.join(' ') };
    case 'rejected':
      return {
        tone: 'bad',
        lead: t('Rejected.'),
        text:
          outcome.rule === undefined
            ? [t('Which rule decided cannot be told from this source.'), ...known].join(' ')
            : outcome.byElimination
              ? t('The quorum was not reached: every other rule is met.')
              : reason(verdict, outcome.rule, power, t),
      };
    case 'failed':
      return {
        tone: 'bad',
        lead: t('Passed, and then could not be executed.'),
        text: outcome.reason === undefined ? t('The chain states no reason.') : t('Reason: {0}', outcome.reason),
      };
    default:
      return outcome satisfies never;
  }
}

/** Between the end of the time and the block in which the chain counts. */
function waiting(isOver: boolean, t: Translate): readonly string[] {
  return isOver ? [t('The chain has not said the result yet.')] : [];
}

function reason(verdict: Verdict, rule: Rule, power: (amount: bigint) => string, t: Translate): string {
  const step = verdict.working.find((candidate) => candidate.rule === rule);
  return (step && ruleSentence(step, power, t)) ?? '';
}

/** One rule in a sentence; undefined where it is not known or goes without saying. */
function ruleSentence(step: Step, power: (amount: bigint) => string, t: Translate): string | undefined {
  if (step.met === undefined) return undefined;
  const value = step.value === undefined ? '' : ratioText(step.value, step.limit);
  const limit = step.limit === undefined ? '' : ratioText(step.limit);
  switch (step.rule) {
    case 'bonded':
      return step.met ? undefined : t('Nothing is bonded.');
    case 'notAllAbstain':
      if (step.met) return undefined;
      return step.of === 0n ? t('There are no votes.') : t('There is no vote but Abstain.');
    case 'quorum':
      if (step.met) return t('Quorum is reached: turnout {0} of {1} needed.', value, limit);
      return step.margin === undefined
        ? t('Quorum is not reached: turnout {0} of {1} needed.', value, limit)
        : t('Quorum is not reached: turnout {0} of {1} needed, {2} more votes.', value, limit, power(step.margin));
    case 'veto':
      return step.met
        ? t('Veto is at {0}, its limit is {1}.', value, limit)
        : t('Veto is at {0}, above its limit of {1}.', value, limit);
    case 'threshold':
      return step.met
        ? t('Yes has {0} of the votes that count, more than {1} is needed.', value, limit)
        : t('Yes has {0} of the votes that count and needs more than {1}.', value || '0.00 %', limit);
    default:
      return step.rule satisfies never;
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The name of a rule, as a row of the working. */
export function ruleName(rule: Rule, t: Translate): string {
  switch (rule) {
    case 'bonded':
      return t('Stake');
    case 'quorum':
      return t('Quorum');
    case 'notAllAbstain':
      return t('Not all abstain');
    case 'veto':
      return t('Veto');
    case 'threshold':
      return t('Threshold');
    default:
      return rule satisfies never;
  }
}

/** What is divided by what. */
export function ruleFormula(rule: Rule, t: Translate): string {
  switch (rule) {
    case 'bonded':
      return t('bonded tokens');
    case 'quorum':
      return t('all votes / bonded tokens');
    case 'notAllAbstain':
      return t('Abstain / all votes');
    case 'veto':
      return t('No with veto / all votes');
    case 'threshold':
      return t('Yes / (all votes − Abstain)');
    default:
      return rule satisfies never;
  }
}

/** What the value is compared with, strictness included. */
export function ruleLimit(step: Step, t: Translate): string {
  const limit = step.limit === undefined ? undefined : ratioText(step.limit);
  switch (step.rule) {
    case 'bonded':
      return t('more than 0');
    case 'quorum':
      return limit === undefined ? t('not known') : t('≥ {0}', limit);
    case 'notAllAbstain':
      return t('less than all');
    case 'veto':
      return limit === undefined ? t('not known') : t('≤ {0}', limit);
    case 'threshold':
      return limit === undefined ? t('not known') : t('> {0}', limit);
    default:
      return step.rule satisfies never;
  }
}

/** How far the value is from its limit, in votes and for veto in points of a percent too. */
export function ruleMargin(step: Step, power: (amount: bigint) => string, t: Translate): string {
  const { margin, met } = step;
  if (met === undefined) return '';
  switch (step.rule) {
    case 'bonded':
    case 'notAllAbstain':
      return '';
    case 'quorum':
      if (margin === undefined) return '';
      return met ? t('{0} more than needed', power(margin)) : t('needs {0} more votes', power(margin));
    case 'veto': {
      if (margin === undefined || step.value === undefined || step.limit === undefined) return '';
      const points = ratioText(met ? step.limit - step.value : step.value - step.limit).replace(' %', '');
      return met
        ? t('{0} below its limit ({1} points)', power(margin), points)
        : t('{0} above its limit ({1} points)', power(margin), points);
    }
    case 'threshold':
      if (met) return margin === undefined ? '' : t('{0} of Yes to spare', power(margin));
      return step.moreYes === undefined
        ? t('no number of Yes is enough')
        : t('needs {0} more Yes', power(step.moreYes));
    default:
      return step.rule satisfies never;
  }
}

/** What is not known, and why. */
export function inputWords(input: VoteInput, t: Translate): string {
  switch (input) {
    case 'tally':
      return t('votes unknown: this source does not tell the votes so far');
    case 'bonded':
      return t('turnout unknown: this source has no staking data');
    case 'quorum':
      return t('quorum unknown: this source does not tell its gov parameters');
    case 'threshold':
      return t('threshold unknown: this source does not tell its gov parameters');
    case 'expeditedThreshold':
      return t('expedited threshold unknown: this source does not tell it');
    case 'vetoThreshold':
      return t('veto limit unknown: this source does not tell its gov parameters');
    default:
      return input satisfies never;
  }
}

/** A ratio as hundredths of a percent, for drawing only. */
export function basisPoints(ratio: Ratio): BasisPoints {
  return Number((ratio * 10_000n) / whole);
}
