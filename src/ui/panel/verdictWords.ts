import type { Proposal } from '../../chain/proposal.ts';
import type { RuleName, VoteInput } from '../../chain/rules.ts';
import type { Assumption, Rule, Verdict } from '../../chain/verdict.ts';
import { ratioText, type Translate } from '../values.ts';
import type { Tone } from './protocol.ts';

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
  const known = verdict.rules.flatMap((rule) => ruleSentence(rule, power, t) ?? []);
  const met = verdict.rules.flatMap((rule) => (rule.result === 'met' ? (ruleSentence(rule, power, t) ?? []) : []));
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
    case 'tooClose':
      return {
        tone: 'warning',
        lead: isOver ? t('Voting is over, too close to tell.') : t('Too close to tell from whole units.'),
        text: [reason(verdict, outcome.rule, power, t), ...waiting(isOver, t)].join(' '),
      };
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
            ? [undecided(outcome.candidates, t), ...known].join(' ')
            : outcome.byElimination
              ? outcome.rule === 'quorum'
                ? t('The quorum was not reached: every other rule is met.')
                : t('Every other rule is met; this one decided: {0}.', ruleName(outcome.rule, t))
              : reason(verdict, outcome.rule, power, t),
      };
    case 'vetoed':
      return { tone: 'bad', lead: t('Vetoed.'), text: t('The oversight of the chain ended the vote.') };
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

function undecided(candidates: readonly RuleName[], t: Translate): string {
  if (candidates.length === 0) return t('Which rule decided cannot be told from this source.');
  return t('One of these rules decided: {0}.', candidates.map((name) => ruleName(name, t)).join(', '));
}

/** Between the end of the time and the block in which the chain counts. */
function waiting(isOver: boolean, t: Translate): readonly string[] {
  return isOver ? [t('The chain has not said the result yet.')] : [];
}

function reason(verdict: Verdict, name: RuleName, power: (amount: bigint) => string, t: Translate): string {
  const rule = verdict.rules.find((candidate) => candidate.name === name);
  return (rule && ruleSentence(rule, power, t)) ?? '';
}

/** One rule in a sentence; undefined where it is not known or goes without saying. */
function ruleSentence(rule: Rule, power: (amount: bigint) => string, t: Translate): string | undefined {
  const { result, margin } = rule;
  if (result === 'unknown') return undefined;
  const value = rule.value === undefined ? '' : ratioText(rule.value, rule.limit);
  const limit = rule.limit === undefined ? '' : ratioText(rule.limit);
  const isMet = result === 'met';
  switch (rule.name) {
    case 'bonded':
      return isMet ? undefined : t('Nothing is bonded.');
    case 'notAllAbstain':
      if (isMet) return undefined;
      return rule.of === 0n ? t('There are no votes.') : t('There is no vote but Abstain.');
    case 'quorum':
      if (result === 'close')
        return t('Turnout is at {0}, at its limit of {1}: decimals that are not shown decide.', value, limit);
      if (isMet) return t('Quorum is reached: turnout {0} of {1} needed.', value, limit);
      return margin === undefined
        ? t('Quorum is not reached: turnout {0} of {1} needed.', value, limit)
        : t('Quorum is not reached: turnout {0} of {1} needed, {2} more votes.', value, limit, power(margin));
    case 'veto':
      if (result === 'close')
        return t('Veto is at {0}, at its limit of {1}: decimals that are not shown decide.', value, limit);
      return isMet
        ? t('Veto is at {0}, its limit is {1}.', value, limit)
        : t('Veto is at {0}, above its limit of {1}.', value, limit);
    case 'threshold':
      if (result === 'close')
        return t('Yes is at {0}, at the limit of {1}: decimals that are not shown decide.', value, limit);
      return isMet
        ? t('Yes has {0} of the votes that count, more than {1} is needed.', value, limit)
        : t('Yes has {0} of the votes that count and needs more than {1}.', value || '0.00 %', limit);
    default:
      return rule.name satisfies never;
  }
}

/** What the verdict takes for granted, in sentences. */
export function assumptionWords(verdict: Verdict, t: Translate): readonly string[] {
  return verdict.assumptions.map((assumption) => assumptionSentence(assumption, verdict, t));
}

function assumptionSentence(assumption: Assumption, { variant }: Verdict, t: Translate): string {
  switch (assumption) {
    case 'variant':
      return t('Assumes the rules of {0}, as its source states them.', variantName(variant, t));
    case 'stakingPool':
      return t('Assumes that turnout is a share of all bonded tokens: since SDK 0.53 a chain may count otherwise.');
    case 'otherCount':
      return t('An estimate: more votes were counted than tokens are bonded, so the chain counts otherwise.');
    case 'regular':
      return t('Assumes a regular vote: this node does not state whether it is expedited.');
    default:
      return assumption satisfies never;
  }
}

function variantName(variant: Verdict['variant'], t: Translate): string {
  switch (variant) {
    case 'sdk':
      return 'Cosmos SDK';
    case 'atomone':
      return 'AtomOne';
    case 'initia':
      return 'Initia';
    case 'sei':
      return 'Sei';
    case 'poa':
      return t('proof of authority');
    default:
      return variant satisfies never;
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The name of a rule, as a row of the working. */
export function ruleName(rule: RuleName, t: Translate): string {
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
export function ruleFormula(rule: RuleName, t: Translate): string {
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
export function ruleLimit(rule: Rule, t: Translate): string {
  const limit = rule.limit === undefined ? undefined : ratioText(rule.limit);
  switch (rule.name) {
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
      return rule.name satisfies never;
  }
}

/** How far the value is from its limit, in votes and for veto in points of a percent too. */
export function ruleMargin(rule: Rule, power: (amount: bigint) => string, t: Translate): string {
  const { margin, result } = rule;
  if (result === 'unknown' || result === 'close') return '';
  const met = result === 'met';
  switch (rule.name) {
    case 'bonded':
    case 'notAllAbstain':
      return '';
    case 'quorum':
      if (margin === undefined) return '';
      return met ? t('{0} more than needed', power(margin)) : t('needs {0} more votes', power(margin));
    case 'veto': {
      if (margin === undefined || rule.value === undefined || rule.limit === undefined) return '';
      const points = ratioText(met ? rule.limit - rule.value : rule.value - rule.limit).replace(' %', '');
      return met
        ? t('{0} below its limit ({1} points)', power(margin), points)
        : t('{0} above its limit ({1} points)', power(margin), points);
    }
    case 'threshold':
      if (met) return margin === undefined ? '' : t('{0} of Yes to spare', power(margin));
      return rule.moreYes === undefined
        ? t('no number of Yes is enough')
        : t('needs {0} more Yes', power(rule.moreYes));
    default:
      return rule.name satisfies never;
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
