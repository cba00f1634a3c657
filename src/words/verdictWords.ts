import type { DenomUnit } from '../chain/coin.ts';
import type { Proposal } from '../chain/gov/proposal.ts';
import type { RuleName, VoteInput } from '../chain/gov/rules.ts';
import { optionShares, type Tally, totalVotes } from '../chain/gov/tally.ts';
import type { Assumption, RuleResult, Verdict } from '../chain/gov/verdict.ts';
import { listText, sentencesText, type Tone, type Translate } from './language.ts';
import { amountText, enoughText, ratioText } from './values.ts';

type Rejection = Extract<Verdict['outcome'], { kind: 'rejected' }>;

/** The inputs of the words of a verdict. */
export interface VerdictContext {
  readonly proposal: Proposal;
  readonly verdict: Verdict;
  readonly now: Date;
  readonly power: PowerText;
  readonly t: Translate;
}

/**
 * Writes an amount of votes: in display units of the staking denom if they are known, otherwise in base units. The form
 * `enough` has few digits, and is never below the amount.
 */
export type PowerText = (amount: bigint, form?: 'enough') => string;

/** Returns a function that writes votes counted in this denom. Undefined if the denom is not known. */
export function powerText(
  denom: string | undefined,
  unitOf: (denom: string) => DenomUnit | undefined,
  t: Translate,
): PowerText {
  const unit = denom === undefined ? undefined : unitOf(denom);
  return (amount, form) => {
    const coin = { amount, denom: denom ?? t('base units') };
    return form === 'enough' ? enoughText(coin, unit) : amountText(coin, unit);
  };
}

/** A verdict in words. */
export interface VerdictWords {
  readonly tone: Tone;
  readonly lead: string;
  /** "" if the lead says everything. */
  readonly text: string;
  /** The exact form of an amount that the text shortens. */
  readonly hint?: string | undefined;
}

/** The deciding rule of an open vote as it stands. `unknown` if the vote is not judged. */
export type Standing = 'passes' | 'quorum' | 'threshold' | 'veto' | 'tooClose' | 'unknown';

export function standingOf({ outcome }: Verdict): Standing {
  if (outcome.kind === 'wouldPass') return 'passes';
  if (outcome.kind === 'tooClose') return 'tooClose';
  if (outcome.kind !== 'wouldFail') return 'unknown';
  const { rule } = outcome;
  if (rule === 'bonded') return 'quorum';
  return rule === 'notAllAbstain' ? 'threshold' : rule;
}

/**
 * The icon of a standing (a codicon), its tone, and its words for the hover and for screen readers. Each icon differs
 * from those of groups.
 */
export function standingWords(
  standing: Standing,
  t: Translate,
): { readonly icon: string; readonly tone: Tone; readonly words: string } {
  const looks: Readonly<Record<Standing, ReturnType<typeof standingWords>>> = {
    passes: { icon: 'thumbsup', tone: 'good', words: t('would pass now') },
    quorum: { icon: 'pie-chart', tone: 'warning', words: t('no quorum yet') },
    threshold: { icon: 'thumbsdown', tone: 'bad', words: t('not enough Yes') },
    veto: { icon: 'shield', tone: 'bad', words: t('would be vetoed now') },
    tooClose: { icon: 'law', tone: 'warning', words: t('too close to call') },
    unknown: { icon: 'circle-outline', tone: 'plain', words: t('outcome unknown') },
  };
  return looks[standing];
}

/** A verdict in one sentence. `lead` is the outcome, `text` the reason. Margins stand in the table of rules. */
export function verdictWords({ proposal, verdict, now, power, t }: VerdictContext): VerdictWords {
  // The voting period is over, and the chain has not counted the votes yet.
  const isOver = proposal.votingEndTime !== undefined && proposal.votingEndTime <= now;
  const leads: Readonly<Record<Verdict['outcome']['kind'], readonly [Tone, now: string, over?: string]>> = {
    wouldPass: ['good', t('Would pass if voting ended now'), t('Voting ended, likely passed')],
    wouldFail: ['bad', t('Would be rejected if voting ended now'), t('Voting ended, likely rejected')],
    tooClose: ['warning', t('Too close to call'), t('Voting ended, too close to call')],
    unknown: ['plain', t('Outcome unknown'), t('Voting ended')],
    notVoting: [
      'plain',
      proposal.status === 'deposit' ? t('Voting has not started') : t('Outcome unknown for this status'),
    ],
    passed: ['good', t('Passed')],
    rejected: ['bad', t('Rejected')],
    vetoed: ['bad', t('Vetoed')],
    failed: ['bad', t('Passed, but execution failed')],
  };
  const [tone, running, over] = leads[verdict.outcome.kind];
  const sentences = ruleSentences(verdict, isOver, power, t);
  if (isOver && over !== undefined) sentences.push(t('The chain has not reported a result yet.'));
  const [first = '', ...others] = sentences.filter((sentence) => sentence !== '');
  const later = others.map((other) => `${other.charAt(0).toUpperCase()}${other.slice(1)}`);
  const text = sentencesText([first, ...later], t);
  const lead = isOver ? (over ?? running) : running;
  const more = isOver ? 0n : yesToPass(verdict);
  const hint = power(more, 'enough') === power(more) ? undefined : t('another {0} in Yes votes', power(more));
  return { tone, lead: text === '' ? t('{0}.', lead) : t('{0}:', lead), text, hint };
}

/** The Yes votes that are missing. 0 if their number does not decide. */
function yesToPass({ outcome, moreYes = 0n }: Verdict): bigint {
  return outcome.kind === 'wouldFail' ? moreYes : 0n;
}

/** Words the Yes votes that are missing. `unvoted` is the power that has not voted, if it is known. */
function yesText(more: bigint, unvoted: bigint | undefined, power: PowerText, t: Translate): string {
  if (unvoted === undefined || more <= unvoted)
    return t('It would pass with another {0} in Yes votes.', power(more, 'enough'));
  return t(
    'To pass, it needs another {0} in Yes votes, but only {1} have not voted. It can pass only if votes change.',
    power(more, 'enough'),
    power(unvoted),
  );
}

/** Says that an expedited vote goes on as a regular vote, after the sentence on the Yes votes that are missing. */
function regularText(more: bigint, t: Translate): string {
  return more > 0n ? t('Otherwise, it would continue as a regular vote.') : t('It would continue as a regular vote.');
}

/** The reasons for an outcome, as sentences that begin with a small letter. */
function ruleSentences(verdict: Verdict, isOver: boolean, power: PowerText, t: Translate): string[] {
  const { outcome, missing } = verdict;
  const more = isOver ? 0n : yesToPass(verdict);
  switch (outcome.kind) {
    case 'wouldPass':
    case 'passed':
      return [metText(verdict, t)];
    case 'wouldFail':
      return [
        reason(outcome.rule, verdict, t),
        more > 0n ? yesText(more, verdict.unvoted, power, t) : '',
        verdict.becomesRegular ? regularText(more, t) : '',
        ...missing.map((input) => inputWords(input, t)),
      ];
    case 'tooClose':
      return [reason(outcome.rule, verdict, t)];
    case 'unknown':
      return missing.map((input) => inputWords(input, t));
    case 'notVoting':
      return [];
    case 'rejected':
      return [rejectionText(verdict, outcome, t)];
    case 'vetoed':
      return [t('the oversight body of the chain ended the vote.')];
    case 'failed':
      return [outcome.reason ?? t('no reason given.')];
    default:
      return outcome satisfies never;
  }
}

/**
 * Words a rejection. The first rule that may have failed comes first. A later rule decides only if the first one is
 * met.
 */
function rejectionText(verdict: Verdict, { rule, byElimination, candidates }: Rejection, t: Translate): string {
  const [first, second, ...others] = candidates;
  if (first === undefined) return t('the deciding rule is unknown.');
  if (rule !== undefined && !byElimination) return reason(rule, verdict, t);
  if (rule === 'quorum') return t('quorum was not reached. All other rules are met.');
  const names = listText(
    candidates.map((name) => ruleWords(name, t).name),
    t,
  );
  if (rule !== undefined) return t('{0}. All other rules are met.', names);
  const isSure = verdict.rules.some(({ name, result }) => name === second && result === 'missed');
  if (first !== 'quorum' || second === undefined || others.length > 0 || !isSure)
    return t('the result was decided by one of these rules: {0}.', names);
  const missed = reason(second, verdict, t);
  return t('{0} Turnout is not recorded, so quorum may have failed too.', missed);
}

function metText({ rules, tally, turnout }: Verdict, t: Translate): string {
  const met = (rule: RuleName): RuleResult | undefined =>
    rules.find(({ name, result }): boolean => name === rule && result === 'met');
  const threshold = met('threshold');
  const quorum = met('quorum')?.limit;
  if (threshold?.value === undefined || threshold.limit === undefined) return '';
  const [yes, needed] = [ruleValueText(threshold, tally), ratioText(threshold.limit)];
  if (turnout === undefined || quorum === undefined) return t('{0} Yes, more than {1} needed.', yes, needed);
  const [votes, quorumText] = [ratioText(turnout, quorum), ratioText(quorum)];
  return t('{0} Yes, more than {1} needed. Turnout {2}, quorum {3}.', yes, needed, votes, quorumText);
}

function reason(name: RuleName, { rules, tally }: Verdict, t: Translate): string {
  const rule = rules.find((one) => one.name === name);
  const value = rule?.value === undefined ? ratioText(0n, rule?.limit) : ruleValueText(rule, tally);
  const limit = rule?.limit === undefined ? '' : ratioText(rule.limit);
  const [missed, close = missed] = {
    bonded: [t('nothing is bonded.')],
    notAllAbstain: [
      rule?.of === 0n ? t('there are no votes.') : t('all votes are Abstain.'),
      t(
        'all votes are Abstain when rounded to whole units. The result depends on a fraction of a unit for another option.',
      ),
    ],
    quorum: [
      t('turnout is {0}, quorum {1}.', value, limit),
      t('turnout is {0}, quorum {1}. The result depends on decimals that nodes do not report.', value, limit),
    ],
    veto: [
      t('{0} No with veto, limit {1}.', value, limit),
      t('{0} No with veto, limit {1}. The result depends on decimals that nodes do not report.', value, limit),
    ],
    threshold: [
      t('{0} Yes excluding Abstain, more than {1} needed.', value, limit),
      t(
        '{0} Yes excluding Abstain, more than {1} needed. The result depends on decimals that nodes do not report.',
        value,
        limit,
      ),
    ],
  }[name];
  return (rule?.result === 'close' ? close : missed) ?? '';
}

/** The assumptions of a verdict as sentences (docs/governance.md#assumptions). */
export function assumptionWords({ assumptions, variant }: Verdict, t: Translate): readonly string[] {
  const sentences: Record<Assumption, string> = {
    variant: t('Assumes the voting rules in the source code of {0}.', t(variant.label)),
    stakingPool: t(
      'Assumes that turnout is a share of all bonded tokens. Since SDK 0.53, chains may calculate turnout differently.',
    ),
    otherCount: t(
      'Estimate: there are more votes than bonded tokens, so the chain must calculate turnout differently.',
    ),
    regular: t('Assumes a regular vote. This node does not report expedited votes.'),
  };
  return assumptions.map((assumption) => sentences[assumption]);
}

/** A rule as a row of the calculation: its name, and the quotient that it compares. */
export function ruleWords(rule: RuleName, t: Translate): { readonly name: string; readonly formula: string } {
  return {
    bonded: { name: t('Stake'), formula: t('bonded tokens') },
    quorum: { name: t('Quorum'), formula: t('all votes / bonded tokens') },
    notAllAbstain: { name: t('Votes other than Abstain'), formula: t('Abstain / all votes') },
    veto: { name: t('Veto'), formula: t('No with veto / all votes') },
    threshold: { name: t('Threshold'), formula: t('Yes / (all votes − Abstain)') },
  }[rule];
}

/**
 * The value of a rule in percent. For the share of an option, the same number as beside the other options that count.
 * "" if not known.
 */
export function ruleValueText({ name, value, of, limit }: RuleResult, tally: Tally | undefined): string {
  if (value === undefined) return '';
  const option = name === 'veto' ? 'noWithVeto' : name === 'threshold' ? 'yes' : undefined;
  const counted = tally && (name === 'threshold' ? { ...tally, abstain: 0n } : tally);
  if (!option || !counted || of !== totalVotes(counted)) return ratioText(value, limit);
  return ratioText(value, limit, optionShares(counted)[option]);
}

/** The sign between the share of a rule and its limit (x/gov/keeper/tally.go). */
export const limitSigns = { quorum: '≥', veto: '≤', threshold: '>' } as const;

/**
 * The limit of a rule with its sign (`> 50.00 %`), and the margin of the value: in votes, for veto also in percentage
 * points.
 */
export function ruleMargin(
  rule: RuleResult,
  power: PowerText,
  t: Translate,
): { readonly needed: string; readonly margin: string } {
  const { name, result, value, limit, moreYes } = rule;
  const than = (sign: string): string => (limit === undefined ? t('unknown') : `${sign} ${ratioText(limit)}`);
  const margin = power(rule.margin ?? 0n);
  const gap = (value ?? 0n) - (limit ?? 0n);
  const points = ratioText(gap < 0n ? -gap : gap).replace(' %', '');
  const moreText =
    moreYes === undefined
      ? t('cannot be reached with Yes votes alone')
      : t('needs another {0} in Yes votes', power(moreYes));
  const texts = {
    bonded: [t('more than 0'), '', ''],
    notAllAbstain: [t('less than 100 %'), '', ''],
    quorum: [than(limitSigns.quorum), t('{0} more than needed', margin), t('needs another {0} in votes', margin)],
    veto: [
      than(limitSigns.veto),
      t('{0} below its limit ({1} percentage points)', margin, points),
      t('{0} above its limit ({1} percentage points)', margin, points),
    ],
    threshold: [than(limitSigns.threshold), t('{0} Yes to spare', margin), moreText],
  } as const;
  const [needed, met, missed] = texts[name];
  const isKnown = rule.margin !== undefined && value !== undefined;
  if (result === 'met') return { needed, margin: isKnown ? met : '' };
  return { needed, margin: result === 'missed' && (isKnown || name === 'threshold') ? missed : '' };
}

/** Says which input is missing and why, as a sentence that begins with a small letter. */
export function inputWords(input: VoteInput, t: Translate): string {
  return {
    tally: t('votes unknown because the running tally is not available.'),
    bonded: t('turnout unknown because staking data is not available.'),
    quorum: t('quorum unknown because gov parameters are not available.'),
    threshold: t('threshold unknown because gov parameters are not available.'),
    expeditedThreshold: t('expedited threshold unknown.'),
    vetoThreshold: t('veto limit unknown because gov parameters are not available.'),
  }[input];
}
