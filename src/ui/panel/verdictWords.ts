import type { Proposal } from '../../chain/proposal.ts';
import type { Verdict } from '../../chain/verdict.ts';
import type { Rule, Step } from '../../chain/working.ts';
import type { Tone } from './block.ts';
import { ratioText } from './percentText.ts';
import type { Translate } from './proposalFacts.ts';
import { inputWords } from './ruleWords.ts';

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
