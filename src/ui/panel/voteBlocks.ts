import { groupDigits } from '../../chain/coin.ts';
import { type Proposal, shares, type Tally, totalVotes, type VoteOption, voteOptions } from '../../chain/proposal.ts';
import { basisPoints, quotient, whole } from '../../chain/ratio.ts';
import type { Rule, Verdict } from '../../chain/verdict.ts';
import { amountText, ratioText, type Translate } from '../values.ts';
import { cell, readTime } from './blocks.ts';
import type { ProposalFacts } from './proposalModel.ts';
import type { Block, Cell, Section, TallyBlock, TallyMark } from './protocol.ts';
import {
  assumptionWords,
  inputWords,
  type PowerText,
  ruleFormula,
  ruleLimit,
  ruleMargin,
  ruleName,
} from './verdictWords.ts';

/** The votes with everything that the verdict rests on; undefined before voting begins. */
export function votesSection(
  proposal: Proposal,
  verdict: Verdict,
  facts: ProposalFacts,
  t: Translate,
): Section | undefined {
  if (proposal.status === 'deposit') return undefined;
  const isOpen = proposal.status === 'voting';
  const { tally } = verdict;
  const isCounted = tally !== undefined && totalVotes(tally) > 0n;
  const count = isCounted
    ? [votesTable(isOpen ? t('Votes so far') : t('Final votes'), tally, verdict, facts, t)]
    : [{ kind: 'paragraph', text: noVotesText(proposal, tally, t) } as const];
  const judged = facts.inputs !== undefined && verdict.outcome.kind !== 'notVoting';
  return {
    id: 'votes',
    title: t('Votes'),
    ...(isOpen && tally && facts.inputsReadAt
      ? { note: cell(t('running count'), { time: readTime(facts.inputsReadAt) }) }
      : {}),
    blocks: [
      ...count,
      ...turnoutMeter(verdict, t),
      ...contradictionNotice(verdict, t),
      ...assumptionWords(verdict, t).map((text) => ({ kind: 'paragraph', text }) as const),
      ...(judged ? [workingFold(proposal, verdict, facts, t)] : []),
      ...firstRoundFold(proposal, verdict, facts, t),
    ],
  };
}

/** The counted votes as one bar; undefined where there are none. */
export function tallyBar(verdict: Verdict, t: Translate): TallyBlock | undefined {
  const { tally, turnout } = verdict;
  if (!tally) return undefined;
  const bar = toBar(tally, verdict, toMarks(tally, verdict, t), t);
  if (!bar || turnout === undefined) return bar;
  return { ...bar, legend: [...bar.legend, { label: t('Turnout'), value: ratioText(turnout) }] };
}

function toBar(tally: Tally, verdict: Verdict, marks: readonly TallyMark[], t: Translate): TallyBlock | undefined {
  const parts = shares(tally);
  if (!parts) return undefined;
  const options = shownOptions(tally, verdict);
  const legend = options.map((option) => ({
    label: optionName(option, t),
    value: ratioText(parts[option]),
    swatch: option,
  }));
  return {
    kind: 'tally',
    label: legend.map(({ label, value }) => `${label} ${value}`).join(', '),
    parts: options.map((option) => ({ option, share: basisPoints(parts[option]) })),
    marks,
    legend,
  };
}

/** A chain without the rule of the veto has no such option. */
function shownOptions(tally: Tally, { rules }: Verdict): readonly VoteOption[] {
  const hasVeto = tally.noWithVeto > 0n || rules.some(({ name }) => name === 'veto');
  return hasVeto ? voteOptions : voteOptions.filter((option) => option !== 'noWithVeto');
}

/** What Yes must exceed, from the left; what No with veto must not exceed, from the right. */
function toMarks(tally: Tally, { rules }: Verdict, t: Translate): readonly TallyMark[] {
  const limitOf = (rule: 'threshold' | 'veto') => rules.find(({ name }) => name === rule)?.limit;
  const [threshold, veto] = [limitOf('threshold'), limitOf('veto')];
  const total = totalVotes(tally);
  const counting = total - tally.abstain;
  const marks: TallyMark[] = [];
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
  const caption = t('Turnout {0} of the bonded tokens', ratioText(turnout, limit));
  const filled = Math.min(basisPoints(turnout), 10_000);
  if (limit === undefined) return [{ kind: 'meter', caption, filled }];
  const mark = { at: basisPoints(limit), side: 'below', label: t('quorum {0}', ratioText(limit)) } as const;
  return [{ kind: 'meter', caption, filled, mark }];
}

function votesTable(label: string, tally: Tally, verdict: Verdict, facts: ProposalFacts, t: Translate): Block {
  const unit = facts.bondDenom === undefined ? undefined : facts.unitOf(facts.bondDenom);
  const total = totalVotes(tally);
  const row = (name: string, amount: bigint, swatch?: VoteOption) => [
    cell(name, swatch ? { swatch } : {}),
    cell(ratioText(quotient(amount, total) ?? 0n)),
    ...(unit ? [cell(alignedAmount(amount, unit.exponent))] : []),
    cell(unit ? amount.toString() : groupDigits(amount)),
  ];
  const base = facts.bondDenom === undefined ? t('Base units') : t('Base units ({0})', facts.bondDenom);
  return {
    kind: 'table',
    label,
    columns: [
      { label: t('Option') },
      { label: t('Share'), numeric: true },
      ...(unit ? [{ label: unit.symbol, numeric: true }] : []),
      { label: base, numeric: true },
    ],
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

function optionName(option: VoteOption, t: Translate): string {
  switch (option) {
    case 'yes':
      return t('Yes');
    case 'abstain':
      return t('Abstain');
    case 'no':
      return t('No');
    case 'noWithVeto':
      return t('No with veto');
    default:
      return option satisfies never;
  }
}

function contradictionNotice({ contradicting }: Verdict, t: Translate): readonly Block[] {
  if (contradicting.length === 0) return [];
  const text = t(
    'By the parameters of today this would not be met: {0}. The status is that of the chain; parameters may have changed since.',
    contradicting.map((rule) => ruleName(rule, t)).join(', '),
  );
  return [{ kind: 'notice', tone: 'warning', text }];
}

/** Every rule in the chain's order, its inputs and where they are from. */
function workingFold(proposal: Proposal, verdict: Verdict, facts: ProposalFacts, t: Translate): Block {
  const shown = verdict.rules.filter(({ name, result }) => name !== 'bonded' || result === 'missed');
  const power = powerText(facts, t);
  const isOpen = proposal.status === 'voting';
  const table: Block = {
    kind: 'table',
    label: t('Working'),
    columns: [
      { label: t('Rule') },
      { label: t('Inputs') },
      { label: t('Value'), numeric: true },
      { label: t('Needed'), numeric: true },
      { label: t('Result') },
      { label: t('Margin') },
    ],
    rows: shown.map((rule) => workingRow(rule, isOpen, power, t)),
  };
  return {
    kind: 'fold',
    id: 'working',
    key: 'w',
    summary: t('Working'),
    note: shown.map(({ name, result }) => `${ruleName(name, t)} ${resultSign(result)}`).join(' · '),
    blocks: [table, inputFacts(proposal, verdict, facts, t)],
  };
}

function workingRow(rule: Rule, isOpen: boolean, power: PowerText, t: Translate): readonly Cell[] {
  const part = rule.part === undefined ? t('not known') : power(rule.part);
  const isStake = rule.name === 'quorum' || rule.name === 'bonded';
  const noOf = isStake && !isOpen ? t('not known for an ended vote') : t('not known');
  const of = rule.of === undefined ? noOf : power(rule.of);
  return [
    cell(ruleName(rule.name, t)),
    cell(ruleFormula(rule.name, t), { note: rule.name === 'bonded' ? part : `${part} / ${of}` }),
    cell(rule.value === undefined ? '–' : ratioText(rule.value, rule.limit)),
    cell(ruleLimit(rule, t)),
    cell(resultText(rule.result, t)),
    cell(ruleMargin(rule, power, t)),
  ];
}

function resultSign(result: Rule['result']): string {
  return { met: '✓', missed: '✕', close: '≈', unknown: '?' }[result];
}

function resultText(result: Rule['result'], t: Translate): string {
  switch (result) {
    case 'met':
      return t('✓ met');
    case 'missed':
      return t('✕ not met');
    case 'close':
      return t('too close to tell');
    case 'unknown':
      return t('not known');
    default:
      return result satisfies never;
  }
}

/** Every input with its source and time; what is not known says so. */
function inputFacts(proposal: Proposal, verdict: Verdict, facts: ProposalFacts, t: Translate): Block {
  const isOpen = proposal.status === 'voting';
  const inputsAt = facts.inputsReadAt ?? facts.readAt;
  const from = (text: string, at: Date) => cell(t('{0}, from {1}', text, facts.sourceName), { time: readTime(at) });
  const unknown = t('not known');
  const limits = verdict.rules.flatMap(({ name, limit }) =>
    limit === undefined ? [] : [`${ruleName(name, t)} ${ratioText(limit)}`],
  );
  const votes = verdict.tally && from(isOpen ? t('running count') : t('final tally'), isOpen ? inputsAt : facts.readAt);
  const stake =
    facts.inputs?.bonded === undefined ? cell(unknown) : from(powerText(facts, t)(facts.inputs.bonded), inputsAt);
  const params = isOpen ? limits.join(', ') : t('{0} (those of today)', limits.join(', '));
  return {
    kind: 'facts',
    rows: [
      { label: t('Votes'), value: votes ?? cell(unknown) },
      {
        label: t('Stake'),
        value: isOpen ? stake : cell(t('not used: the stake of today says nothing about a vote that has ended')),
      },
      { label: t('Parameters'), value: limits.length === 0 ? cell(unknown) : from(params, inputsAt) },
      ...unitRow(facts, t),
      ...(proposal.expedited ? [{ label: t('Kind'), value: cell(t('expedited: its own threshold applies')) }] : []),
      ...verdict.missing.map((input) => ({ label: t('Missing'), value: cell(inputWords(input, t)) })),
    ],
  };
}

/** Where the chain itself does not state what votes are counted in. */
function unitRow(facts: ProposalFacts, t: Translate): readonly { readonly label: string; readonly value: Cell }[] {
  if (facts.bondDenom === undefined) {
    return [{ label: t('Unit'), value: cell(t('base units: this source does not name the denom of its stake')) }];
  }
  if (!facts.isRegistryDenom) return [];
  return [{ label: t('Unit'), value: cell(t('{0}, the staking token in the chain registry', facts.bondDenom)) }];
}

/**
 * The count of the first round, where an expedited vote failed and goes on as a regular one: the only case in which a
 * proposal in voting has a final tally (docs/governance.md#expedited).
 */
function firstRoundFold(proposal: Proposal, verdict: Verdict, facts: ProposalFacts, t: Translate): readonly Block[] {
  const tally = proposal.status === 'voting' ? proposal.finalTally : undefined;
  const bar = tally && toBar(tally, verdict, [], t);
  if (!tally || !bar) return [];
  const text = t('The expedited vote failed. It goes on as a regular proposal, and its votes are counted anew.');
  const table = votesTable(t('Votes of the first round'), tally, verdict, facts, t);
  const blocks = [{ kind: 'paragraph', text } as const, bar, table];
  return [{ kind: 'fold', id: 'firstRound', summary: t('First round, expedited'), blocks }];
}

/** Writes votes: in display units of the bond denom where they are known, else in base units. */
export function powerText(facts: ProposalFacts, t: Translate): PowerText {
  const denom = facts.bondDenom;
  if (denom === undefined) return (amount) => t('{0} base units', groupDigits(amount));
  return (amount) => amountText({ denom, amount }, facts.unitOf(denom));
}
