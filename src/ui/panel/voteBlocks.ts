import { groupDigits } from '../../chain/coin.ts';
import { type Proposal, shares, type Tally, totalVotes, type VoteOption, voteOptions } from '../../chain/proposal.ts';
import { basisPoints, quotient, whole } from '../../chain/ratio.ts';
import type { Rule, Verdict } from '../../chain/verdict.ts';
import { ratioText, type Translate } from '../values.ts';
import type { BarBlock, BarMark, Block, Cell, Fact, Section, TimeText } from './protocol.ts';
import {
  assumptionWords,
  inputWords,
  type PowerText,
  ruleLimit,
  ruleMargin,
  ruleWords,
  type VoteContext,
} from './verdictWords.ts';

/** The votes with everything that the verdict rests on, and `more`; undefined before voting begins. */
export function votesSection(vote: VoteContext, more: readonly Block[]): Section | undefined {
  const { proposal, verdict, facts, t } = vote;
  if (proposal.status === 'deposit') return undefined;
  const isOpen = proposal.status === 'voting';
  const { tally } = verdict;
  const isCounted = tally !== undefined && totalVotes(tally) > 0n;
  const count = isCounted
    ? [votesTable(isOpen ? t('Votes so far') : t('Final votes'), tally, vote)]
    : [{ kind: 'paragraph', text: noVotesText(proposal, tally, t) } as const];
  const judged = facts.inputs !== undefined && verdict.outcome.kind !== 'notVoting';
  return {
    id: 'votes',
    title: t('Votes'),
    note: isOpen && tally ? { text: t('running count'), time: readTime(facts.inputsReadAt) } : undefined,
    blocks: [
      ...count,
      ...turnoutMeter(verdict, t),
      ...contradictionNotice(verdict, t),
      ...assumptionWords(verdict, t).map((text) => ({ kind: 'paragraph', text }) as const),
      ...(judged ? [workingFold(vote)] : []),
      ...more,
      ...firstRoundFold(vote),
      ...pastButton(vote),
    ],
  };
}

/** The votes of an ended proposal are deleted; they and the stake of their time are in the block before the end. */
function pastButton({ proposal, facts, t }: VoteContext): readonly Block[] {
  if (proposal.status === 'voting' || !facts.hasPast || !proposal.votingEndTime) return [];
  return [{ kind: 'buttons', items: [{ action: 'votesBeforeEnd', label: t('Votes Before the End') }] }];
}

/** When something was read, as `20 s ago`. */
export function readTime(at: Date | undefined, past = '{0}'): TimeText | undefined {
  return at && { at: at.toISOString(), future: past, past, clock: 'machine' };
}

/** The counted votes as one bar; undefined where there are none. */
export function tallyBar(verdict: Verdict, t: Translate): BarBlock | undefined {
  const { tally, turnout } = verdict;
  const bar = tally && toBar(tally, verdict, t);
  if (!bar) return undefined;
  const more = turnout === undefined ? [] : [{ label: t('Turnout'), value: ratioText(turnout) }];
  return { ...bar, marks: toMarks(tally, verdict, t), legend: [...(bar.legend ?? []), ...more] };
}

function toBar(tally: Tally, verdict: Verdict, t: Translate): BarBlock | undefined {
  const parts = shares(tally);
  if (!parts) return undefined;
  const options = shownOptions(tally, verdict);
  const legend = options.map((option) => ({
    label: optionName(option, t),
    value: ratioText(parts[option]),
    swatch: option,
  }));
  return {
    kind: 'bar',
    label: legend.map(({ label, value }) => `${label} ${value}`).join(', '),
    parts: options.map((option) => ({ look: option, share: basisPoints(parts[option]) })),
    marks: [],
    legend,
  };
}

/** A chain without the rule of the veto has no such option. */
function shownOptions(tally: Tally, { rules }: Verdict): readonly VoteOption[] {
  const hasVeto = tally.noWithVeto > 0n || rules.some(({ name }) => name === 'veto');
  return hasVeto ? voteOptions : voteOptions.filter((option) => option !== 'noWithVeto');
}

/** What Yes must exceed, from the left; what No with veto must not exceed, from the right. */
function toMarks(tally: Tally, { rules }: Verdict, t: Translate): readonly BarMark[] {
  const limitOf = (rule: 'threshold' | 'veto') => rules.find(({ name }) => name === rule)?.limit;
  const [threshold, veto] = [limitOf('threshold'), limitOf('veto')];
  const total = totalVotes(tally);
  const counting = total - tally.abstain;
  const marks: BarMark[] = [];
  if (threshold !== undefined && counting > 0n) {
    const at = basisPoints((threshold * counting) / total);
    marks.push({ at, side: 'above', label: t('needs {0} of all but Abstain', ratioText(threshold)) });
  }
  if (veto !== undefined) {
    marks.push({ at: basisPoints(whole - veto), side: 'below', label: t('veto limit {0}', ratioText(veto)) });
  }
  return marks;
}

function noVotesText(proposal: Proposal, tally: Tally | undefined, t: Translate): string {
  if (tally) return t('No vote was counted.');
  return proposal.status === 'voting'
    ? t('This source does not offer the running count; the final tally comes when voting ends.')
    : t('This source states no tally.');
}

function turnoutMeter({ rules, turnout }: Verdict, t: Translate): readonly Block[] {
  if (turnout === undefined) return [];
  const limit = rules.find(({ name }) => name === 'quorum')?.limit;
  const label = t('Turnout {0} of the bonded tokens', ratioText(turnout, limit));
  const share = Math.min(basisPoints(turnout), 10_000);
  const marks: readonly BarMark[] =
    limit === undefined ? [] : [{ at: basisPoints(limit), side: 'below', label: t('quorum {0}', ratioText(limit)) }];
  return [{ kind: 'bar', label, parts: [{ look: 'filled', share }], marks }];
}

function votesTable(label: string, tally: Tally, { verdict, facts, t }: VoteContext): Block {
  const unit = facts.bondDenom === undefined ? undefined : facts.unitOf(facts.bondDenom);
  const total = totalVotes(tally);
  const row = (text: string, amount: bigint, swatch?: VoteOption): readonly Cell[] => [
    { text, swatch },
    ratioText(quotient(amount, total) ?? 0n),
    ...(unit ? [alignedAmount(amount, unit.exponent)] : []),
    unit ? amount.toString() : groupDigits(amount),
  ];
  const base = facts.bondDenom === undefined ? t('Base units') : t('Base units ({0})', facts.bondDenom);
  return {
    kind: 'table',
    label,
    columns: [t('Option'), t('Share'), ...(unit ? [unit.symbol] : []), base],
    numeric: [1, 2, 3],
    rows: [
      ...shownOptions(tally, verdict).map((option) => row(optionName(option, t), tally[option], option)),
      row(t('All votes'), total),
    ],
  };
}

/** Every digit after the point, zeros too, so that a column lines up. */
function alignedAmount(amount: bigint, exponent: number): string {
  if (exponent === 0) return groupDigits(amount);
  const digits = amount.toString().padStart(exponent + 1, '0');
  return `${groupDigits(BigInt(digits.slice(0, -exponent)))}.${digits.slice(-exponent)}`;
}

/** An option by its name in the interface. */
export function optionName(option: VoteOption, t: Translate): string {
  return { yes: t('Yes'), abstain: t('Abstain'), no: t('No'), noWithVeto: t('No with veto') }[option];
}

function contradictionNotice({ contradicting }: Verdict, t: Translate): readonly Block[] {
  if (contradicting.length === 0) return [];
  const text = t(
    'By the parameters of today this would not be met: {0}. The status is that of the chain; parameters may have changed since.',
    contradicting.map((rule) => ruleWords(rule, t).name).join(', '),
  );
  return [{ kind: 'notice', tone: 'warning', text }];
}

/** Every rule in the chain's order, its inputs and where they are from. */
function workingFold(vote: VoteContext): Block {
  const { proposal, verdict, power, t } = vote;
  const shown = verdict.rules.filter(({ name, result }) => name !== 'bonded' || result === 'missed');
  const isOpen = proposal.status === 'voting';
  const table: Block = {
    kind: 'table',
    label: t('Working'),
    columns: [t('Rule'), t('Inputs'), t('Value'), t('Needed'), t('Result'), t('Margin')],
    numeric: [2, 3],
    rows: shown.map((rule) => workingRow(rule, isOpen, power, t)),
  };
  return {
    kind: 'fold',
    id: 'working',
    key: 'w',
    summary: t('Working'),
    note: shown.map(({ name, result }) => `${ruleWords(name, t).name} ${resultSigns[result]}`).join(' · '),
    blocks: [table, inputFacts(vote)],
  };
}

function workingRow(rule: Rule, isOpen: boolean, power: PowerText, t: Translate): readonly Cell[] {
  const unknown = t('not known');
  const part = rule.part === undefined ? unknown : power(rule.part);
  const isStake = rule.name === 'quorum' || rule.name === 'bonded';
  const noOf = isStake && !isOpen ? t('not known for an ended vote') : unknown;
  const of = rule.of === undefined ? noOf : power(rule.of);
  const words = ruleWords(rule.name, t);
  const results = { met: t('✓ met'), missed: t('✕ not met'), close: t('too close to tell'), unknown };
  return [
    words.name,
    { text: words.formula, note: rule.name === 'bonded' ? part : `${part} / ${of}` },
    rule.value === undefined ? '–' : ratioText(rule.value, rule.limit),
    ruleLimit(rule, t),
    results[rule.result],
    ruleMargin(rule, power, t),
  ];
}

const resultSigns = { met: '✓', missed: '✕', close: '≈', unknown: '?' } as const;

/** Every input with its source and time; what is not known says so. */
function inputFacts({ proposal, verdict, facts, power, t }: VoteContext): Block {
  const isOpen = proposal.status === 'voting';
  const { inputs, inputsReadAt, readAt, bondDenom } = facts;
  const unknown = t('not known');
  const from = (text: string, at: Date | undefined): Cell => ({
    text: t('{0}, from {1}', text, facts.sourceName),
    time: readTime(at),
  });
  const limits = verdict.rules
    .flatMap(({ name, limit }) => (limit === undefined ? [] : [`${ruleWords(name, t).name} ${ratioText(limit)}`]))
    .join(', ');
  const bonded = verdict.tally?.power ?? inputs?.bonded;
  const stake = bonded === undefined ? unknown : from(power(bonded), inputsReadAt);
  const votes = isOpen ? from(t('running count'), inputsReadAt) : from(t('final tally'), readAt);
  const rows: Fact[] = [
    { label: t('Votes'), value: verdict.tally ? votes : unknown },
    {
      label: t('Stake'),
      value: isOpen ? stake : t('not used: the stake of today says nothing about a vote that has ended'),
    },
    {
      label: t('Parameters'),
      value: limits === '' ? unknown : from(isOpen ? limits : t('{0} (those of today)', limits), inputsReadAt),
    },
  ];
  // Where the chain itself does not state what votes are counted in.
  if (bondDenom === undefined) {
    rows.push({ label: t('Unit'), value: t('base units: this source does not name the denom of its stake') });
  } else if (facts.isRegistryDenom) {
    rows.push({ label: t('Unit'), value: t('{0}, the staking token in the chain registry', bondDenom) });
  }
  if (proposal.expedited) rows.push({ label: t('Kind'), value: t('expedited: its own threshold applies') });
  for (const input of verdict.missing) rows.push({ label: t('Missing'), value: inputWords(input, t) });
  return { kind: 'facts', rows };
}

/**
 * The count of the first round, where an expedited vote failed and goes on as a regular one: the only case in which a
 * proposal in voting has a final tally (docs/governance.md#expedited).
 */
function firstRoundFold(vote: VoteContext): readonly Block[] {
  const { proposal, verdict, t } = vote;
  const tally = proposal.status === 'voting' ? proposal.finalTally : undefined;
  const bar = tally && toBar(tally, verdict, t);
  if (!tally || !bar) return [];
  const text = t('The expedited vote failed. It goes on as a regular proposal, and its votes are counted anew.');
  const table = votesTable(t('Votes of the first round'), tally, vote);
  const blocks = [{ kind: 'paragraph', text } as const, bar, table];
  return [{ kind: 'fold', id: 'firstRound', summary: t('First round, expedited'), blocks }];
}
