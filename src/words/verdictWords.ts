import type { DenomUnit } from '../chain/coin.ts';
import { optionShares, type Proposal, type Tally, totalVotes } from '../chain/proposal.ts';
import type { RuleName, VoteInput } from '../chain/rules.ts';
import type { Assumption, Rule, Verdict } from '../chain/verdict.ts';
import type { Tone, Translate } from './language.ts';
import { amountText, enoughText, ratioText } from './values.ts';

type Rejection = Extract<Verdict['outcome'], { kind: 'rejected' }>;

/** What a verdict is worded from. */
export interface VerdictContext {
  readonly proposal: Proposal;
  readonly verdict: Verdict;
  readonly now: Date;
  readonly power: PowerText;
  readonly t: Translate;
}

/**
 * Writes an amount of votes: in display units of the bond denom where they are known, else in base units. `enough`: in few
 * digits, and never less than the amount.
 */
export type PowerText = (amount: bigint, form?: 'enough') => string;

/** The amounts of votes that are counted in this denom; undefined where it is not known. */
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
  /** "" where the lead says it all. */
  readonly text: string;
  /** Every digit of an amount that the text gives in few. */
  readonly hint?: string | undefined;
}

/** What decides an open vote as it stands; `unknown` where that is not judged. */
export type Standing = 'passes' | 'quorum' | 'threshold' | 'veto' | 'tooClose' | 'unknown';

export function standingOf({ outcome }: Verdict): Standing {
  if (outcome.kind === 'wouldPass') return 'passes';
  if (outcome.kind === 'tooClose') return 'tooClose';
  if (outcome.kind !== 'wouldFail') return 'unknown';
  const { rule } = outcome;
  if (rule === 'bonded') return 'quorum';
  return rule === 'notAllAbstain' ? 'threshold' : rule;
}

/** A shape for each (a codicon), its tone, and its words for who hovers or listens; no shape is one of a group. */
export function standingWords(
  standing: Standing,
  t: Translate,
): { readonly icon: string; readonly tone: Tone; readonly words: string } {
  const looks: Readonly<Record<Standing, ReturnType<typeof standingWords>>> = {
    passes: { icon: 'thumbsup', tone: 'good', words: t('passes as it stands') },
    quorum: { icon: 'pie-chart', tone: 'warning', words: t('no quorum yet') },
    threshold: { icon: 'thumbsdown', tone: 'bad', words: t('not enough Yes') },
    veto: { icon: 'shield', tone: 'bad', words: t('vetoed as it stands') },
    tooClose: { icon: 'law', tone: 'warning', words: t('too close to tell') },
    unknown: { icon: 'circle-outline', tone: 'plain', words: t('not judged') },
  };
  return looks[standing];
}

/** The verdict in one sentence: what would happen or did (`lead`), and why (`text`); margins stand in the table of rules. */
export function verdictWords({ proposal, verdict, now, power, t }: VerdictContext): VerdictWords {
  // Between the end of the time and the block in which the chain counts.
  const isOver = proposal.votingEndTime !== undefined && proposal.votingEndTime <= now;
  const leads: Readonly<Record<Verdict['outcome']['kind'], readonly [Tone, now: string, over?: string]>> = {
    wouldPass: ['good', t('Would pass if voting ended now'), t('Voting is over, and by this count it passes')],
    wouldFail: [
      'bad',
      t('Would be rejected if voting ended now'),
      t('Voting is over, and by this count it is rejected'),
    ],
    tooClose: ['warning', t('Too close to tell from whole units'), t('Voting is over, too close to tell')],
    unknown: ['plain', t('Not known from this source'), t('Voting is over')],
    notVoting: [
      'plain',
      proposal.status === 'deposit'
        ? t('Voting has not started')
        : t('It is not known how this status bears on the vote'),
    ],
    passed: ['good', t('Passed')],
    rejected: ['bad', t('Rejected')],
    vetoed: ['bad', t('Vetoed')],
    failed: ['bad', t('Passed, and then could not be executed')],
  };
  const [tone, running, over] = leads[verdict.outcome.kind];
  const sentences = reasons(verdict, isOver, power, t);
  if (isOver && over !== undefined) sentences.push(t('The chain has not reported the result yet.'));
  const [first = '', ...others] = sentences.filter((sentence) => sentence !== '');
  const text = [first, ...others.map((other) => `${other.charAt(0).toUpperCase()}${other.slice(1)}`)].join(' ');
  const lead = isOver ? (over ?? running) : running;
  const more = isOver ? 0n : yesToPass(verdict);
  const hint = power(more, 'enough') === power(more) ? undefined : t('{0} more Yes', power(more));
  return { tone, lead: text === '' ? t('{0}.', lead) : t('{0}:', lead), text, hint };
}

/** How much Yes is missing; 0 where no number of it decides. */
function yesToPass({ outcome, moreYes = 0n }: Verdict): bigint {
  return outcome.kind === 'wouldFail' ? moreYes : 0n;
}

/** Why the outcome is what it is, in sentences without their capitals. */
function reasons(verdict: Verdict, isOver: boolean, power: PowerText, t: Translate): string[] {
  const { outcome, missing } = verdict;
  const more = isOver ? 0n : yesToPass(verdict);
  switch (outcome.kind) {
    case 'wouldPass':
    case 'passed':
      return [metText(verdict, t)];
    case 'wouldFail':
      return [
        reason(outcome.rule, verdict, t),
        verdict.becomesRegular ? t('It would go on as a regular proposal.') : '',
        more > 0n ? t('It passes with {0} more Yes.', power(more, 'enough')) : '',
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
      return [t('the oversight of the chain ended the vote.')];
    case 'failed':
      return [outcome.reason ?? t('the chain states no reason.')];
    default:
      return outcome satisfies never;
  }
}

/** The first rule that may have failed comes first: a later one decides only where that one is met. */
function rejectionText(verdict: Verdict, { rule, byElimination, candidates }: Rejection, t: Translate): string {
  const [first, second, ...others] = candidates;
  if (first === undefined) return t('which rule decided is not known from this source.');
  if (rule !== undefined && !byElimination) return reason(rule, verdict, t);
  if (rule === 'quorum') return t('the quorum was not reached, every other rule is met.');
  const names = candidates.map((name) => ruleWords(name, t).name).join(', ');
  if (rule !== undefined) return t('by this rule, every other one is met: {0}.', names);
  const isSure = verdict.rules.some(({ name, result }) => name === second && result === 'missed');
  if (first !== 'quorum' || second === undefined || others.length > 0 || !isSure)
    return t('one of these rules decided: {0}.', names);
  const missed = reason(second, verdict, t);
  return t('the quorum may have been missed, which an ended vote does not show; if it was reached: {0}', missed);
}

function metText({ rules, tally, turnout }: Verdict, t: Translate): string {
  const met = (rule: RuleName): Rule | undefined =>
    rules.find(({ name, result }): boolean => name === rule && result === 'met');
  const threshold = met('threshold');
  const quorum = met('quorum')?.limit;
  if (threshold?.value === undefined || threshold.limit === undefined) return '';
  const [yes, needed] = [ruleValueText(threshold, tally), ratioText(threshold.limit)];
  if (turnout === undefined || quorum === undefined) return t('{0} Yes, more than {1} is needed.', yes, needed);
  const [votes, quorumText] = [ratioText(turnout, quorum), ratioText(quorum)];
  return t('{0} Yes, more than {1} is needed; turnout {2} of {3}.', yes, needed, votes, quorumText);
}

function reason(name: RuleName, { rules, tally }: Verdict, t: Translate): string {
  const rule = rules.find((one) => one.name === name);
  const value = rule?.value === undefined ? ratioText(0n, rule?.limit) : ruleValueText(rule, tally);
  const limit = rule?.limit === undefined ? '' : ratioText(rule.limit);
  const [missed, close = missed] = {
    bonded: [t('nothing is bonded.')],
    notAllAbstain: [
      rule?.of === 0n ? t('there are no votes.') : t('all votes are Abstain.'),
      t('all whole votes are Abstain, and less than one unit of another option decides.'),
    ],
    quorum: [
      t('quorum is not reached, {0} of {1}.', value, limit),
      t('turnout is {0}, the quorum {1}; decimals that nodes do not state decide.', value, limit),
    ],
    veto: [
      t('No with veto is {0}, above its limit of {1}.', value, limit),
      t('No with veto is {0}, its limit {1}; decimals that nodes do not state decide.', value, limit),
    ],
    threshold: [
      t('Yes is {0} of the votes that count and needs more than {1}.', value, limit),
      t('Yes is {0}, the limit {1}; decimals that nodes do not state decide.', value, limit),
    ],
  }[name];
  return (rule?.result === 'close' ? close : missed) ?? '';
}

/** What the verdict takes for granted, in sentences; docs/governance.md#assumptions. */
export function assumptionWords({ assumptions, variant }: Verdict, t: Translate): readonly string[] {
  const sentences: Record<Assumption, string> = {
    variant: t('Assumes the rules of {0}, as its source states them.', t(variant.label)),
    stakingPool: t('Assumes that turnout is a share of all bonded tokens: since SDK 0.53 a chain may count otherwise.'),
    otherCount: t('An estimate: more votes were counted than tokens are bonded, so the chain counts otherwise.'),
    regular: t('Assumes a regular vote: this node does not state whether it is expedited.'),
  };
  return assumptions.map((assumption) => sentences[assumption]);
}

/** A rule, as a row of the calculation: its name, and what is divided by what. */
export function ruleWords(rule: RuleName, t: Translate): { readonly name: string; readonly formula: string } {
  return {
    bonded: { name: t('Stake'), formula: t('bonded tokens') },
    quorum: { name: t('Quorum'), formula: t('all votes / bonded tokens') },
    notAllAbstain: { name: t('Not all abstain'), formula: t('Abstain / all votes') },
    veto: { name: t('Veto'), formula: t('No with veto / all votes') },
    threshold: { name: t('Threshold'), formula: t('Yes / (all votes − Abstain)') },
  }[rule];
}

/** The value of a rule in percent: the share of an option as it is shown beside the others, where it is that; "" where not known. */
export function ruleValueText({ name, value, of, limit }: Rule, tally: Tally | undefined): string {
  if (value === undefined) return '';
  const option = name === 'veto' ? 'noWithVeto' : name === 'threshold' ? 'yes' : undefined;
  if (!option || !tally || of !== totalVotes(tally)) return ratioText(value, limit);
  return ratioText(value, limit, optionShares(tally)[option]);
}

/** The limit of a rule with its sign (`> 50.00 %`), and how far the value is from it: in votes, for veto in points too. */
export function ruleMargin(
  rule: Rule,
  power: PowerText,
  t: Translate,
): { readonly needed: string; readonly margin: string } {
  const { name, result, value, limit, moreYes } = rule;
  const than = (sign: string): string => (limit === undefined ? t('not known') : `${sign} ${ratioText(limit)}`);
  const margin = power(rule.margin ?? 0n);
  const gap = (value ?? 0n) - (limit ?? 0n);
  const points = ratioText(gap < 0n ? -gap : gap).replace(' %', '');
  const moreText = moreYes === undefined ? t('no number of Yes is enough') : t('needs {0} more Yes', power(moreYes));
  const texts = {
    bonded: [t('more than 0'), '', ''],
    notAllAbstain: [t('less than all'), '', ''],
    quorum: [than('≥'), t('{0} more than needed', margin), t('needs {0} more votes', margin)],
    veto: [
      than('≤'),
      t('{0} below its limit ({1} points)', margin, points),
      t('{0} above its limit ({1} points)', margin, points),
    ],
    threshold: [than('>'), t('{0} of Yes to spare', margin), moreText],
  } as const;
  const [needed, met, missed] = texts[name];
  const isKnown = rule.margin !== undefined && value !== undefined;
  if (result === 'met') return { needed, margin: isKnown ? met : '' };
  return { needed, margin: result === 'missed' && (isKnown || name === 'threshold') ? missed : '' };
}

/** An input that is not known, and why; a sentence without its capital. */
export function inputWords(input: VoteInput, t: Translate): string {
  return {
    tally: t('votes unknown, this source does not offer the running count.'),
    bonded: t('turnout unknown, this source has no staking data.'),
    quorum: t('quorum unknown, this source does not offer its gov parameters.'),
    threshold: t('threshold unknown, this source does not offer its gov parameters.'),
    expeditedThreshold: t('expedited threshold unknown, this source does not offer it.'),
    vetoThreshold: t('veto limit unknown, this source does not offer its gov parameters.'),
  }[input];
}
