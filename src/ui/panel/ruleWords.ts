import type { Rule, Step, VoteInput } from '../../chain/working.ts';
import { ratioText } from './percentText.ts';
import type { Translate } from './proposalFacts.ts';

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
