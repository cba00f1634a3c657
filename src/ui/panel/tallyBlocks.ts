import { groupDigits } from '../../chain/coin.ts';
import { type Proposal, shares, type Tally, totalVotes, type VoteOption, voteOptions } from '../../chain/proposal.ts';
import { basisPoints, type Ratio, whole } from '../../chain/ratio.ts';
import type { Rule, Verdict } from '../../chain/verdict.ts';
import { amountText, ratioText, type Translate } from '../values.ts';
import { cell } from './blocks.ts';
import type { ProposalFacts } from './proposalModel.ts';
import type { Block, Cell, TallyMark } from './protocol.ts';
import {
  assumptionWords,
  inputWords,
  ruleFormula,
  ruleLimit,
  ruleMargin,
  ruleName,
  verdictWords,
} from './verdictWords.ts';

/** The count as bars and a table of exact numbers, or the plain sentence on why there is none. */
export function toTallyBlocks(
  proposal: Proposal,
  verdict: Verdict,
  facts: ProposalFacts,
  t: Translate,
): readonly Block[] {
  const { tally } = verdict;
  if (!tally) return facts.inputs === undefined ? [] : noTally(proposal, t);
  const parts = shares(tally);
  const turnout = toTurnout(verdict, t);
  if (!parts) return [{ kind: 'paragraph', text: t('No vote was counted.') }, ...turnout];
  const label = proposal.status === 'voting' ? t('Votes so far') : t('Final votes');
  return [toBar(parts, toMarks(tally, verdict, t), t), ...turnout, toTable(label, tally, parts, facts, t)];
}

/**
 * The count of the first round, where an expedited vote failed and goes on as a regular one: the only case in which a
 * proposal that is voted on states a final tally (contract-facts section 3).
 */
export function firstRoundBlocks(proposal: Proposal, facts: ProposalFacts, t: Translate): readonly Block[] {
  const tally = proposal.status === 'voting' ? proposal.finalTally : undefined;
  const parts = tally && shares(tally);
  if (!tally || !parts) return [];
  const text = t(
    'It was put to an expedited vote first and did not pass. It goes on as a regular proposal, and its votes are counted anew.',
  );
  const blocks = [
    { kind: 'paragraph', text } as const,
    toBar(parts, [], t),
    toTable(t('Votes of the first round'), tally, parts, facts, t),
  ];
  return [{ kind: 'fold', id: 'firstRound', summary: t('First round'), open: true, blocks }];
}

function toBar(parts: Readonly<Record<VoteOption, Ratio>>, marks: readonly TallyMark[], t: Translate): Block {
  const words = optionWords(t);
  return {
    kind: 'tally',
    label: voteOptions.map((option) => `${words[option]} ${ratioText(parts[option])}`).join(', '),
    parts: voteOptions.map((option) => ({ option, label: words[option], share: basisPoints(parts[option]) })),
    marks,
  };
}

function noTally(proposal: Proposal, t: Translate): readonly Block[] {
  switch (proposal.status) {
    case 'deposit':
      return [];
    case 'voting':
      return [{ kind: 'paragraph', text: t('The final tally is not known until voting ends.') }];
    case 'passed':
    case 'rejected':
    case 'failed':
    case 'vetoed':
    case 'unspecified':
    case 'unknown':
      return [{ kind: 'paragraph', text: t('This source states no tally.') }];
    default:
      return proposal.status satisfies never;
  }
}

/** Where Yes must reach, from the left; what No with veto must not exceed, from the right. */
function toMarks(tally: Tally, verdict: Verdict, t: Translate): readonly TallyMark[] {
  const limitOf = (rule: 'threshold' | 'veto') => verdict.rules.find(({ name }) => name === rule)?.limit;
  const threshold = limitOf('threshold');
  const veto = limitOf('veto');
  const total = totalVotes(tally);
  const counting = total - tally.abstain;
  const marks: TallyMark[] = [];
  if (threshold !== undefined && counting > 0n) {
    const at = basisPoints((threshold * counting) / total);
    marks.push({ at, side: 'above', label: t('threshold: {0} of all but Abstain', ratioText(threshold)) });
  }
  if (veto !== undefined) {
    const at = basisPoints(whole - veto);
    marks.push({ at, side: 'below', label: t('veto limit: {0} from this end', ratioText(veto)) });
  }
  return marks;
}

function toTurnout(verdict: Verdict, t: Translate): readonly Block[] {
  const quorum = verdict.rules.find(({ name }) => name === 'quorum');
  if (verdict.turnout === undefined || quorum?.value === undefined) return [];
  const caption = t('Turnout: {0} of bonded tokens', ratioText(quorum.value, quorum.limit));
  const filled = basisPoints(quorum.value);
  if (quorum.limit === undefined) return [{ kind: 'meter', caption, label: caption, filled }];
  const label = t('quorum: {0}', ratioText(quorum.limit));
  return [
    { kind: 'meter', caption, label: caption, filled, mark: { at: basisPoints(quorum.limit), side: 'below', label } },
  ];
}

function toTable(
  label: string,
  tally: Tally,
  parts: Readonly<Record<VoteOption, Ratio>>,
  facts: ProposalFacts,
  t: Translate,
): Block {
  const words = optionWords(t);
  const unit = facts.bondDenom === undefined ? undefined : facts.unitOf(facts.bondDenom);
  const row = (swatch: VoteOption | undefined, name: string, share: string, amount: bigint) => [
    cell(name, swatch ? { swatch } : {}),
    cell(share),
    ...(unit ? [cell(alignedAmount(amount, unit.exponent))] : []),
    cell(unit ? amount.toString() : groupDigits(amount)),
  ];
  return {
    kind: 'table',
    label,
    columns: [
      { label: t('Option') },
      { label: t('Share of votes'), numeric: true },
      ...(unit ? [{ label: unit.symbol, numeric: true }] : []),
      {
        label: facts.bondDenom === undefined ? t('Base units') : t('Base units ({0})', facts.bondDenom),
        numeric: true,
      },
    ],
    rows: [
      ...voteOptions.map((option) => row(option, words[option], ratioText(parts[option]), tally[option])),
      row(undefined, t('All votes'), ratioText(whole), totalVotes(tally)),
    ],
  };
}

/** Every digit after the point, zeros too, so that a column lines up. */
function alignedAmount(amount: bigint, exponent: number): string {
  if (exponent === 0) return groupDigits(amount);
  const digits = amount.toString().padStart(exponent + 1, '0');
  return `${groupDigits(BigInt(digits.slice(0, -exponent)))}.${digits.slice(-exponent)}`;
}

/** The options as people call them. */
function optionWords(t: Translate): Readonly<Record<VoteOption, string>> {
  return { yes: t('Yes'), abstain: t('Abstain'), no: t('No'), noWithVeto: t('No with veto') };
}

/** The verdict with its working: every rule in the chain's order, its inputs and where they are from. */
export function toVerdictBlock(proposal: Proposal, verdict: Verdict, facts: ProposalFacts, t: Translate): Block {
  const words = verdictWords(proposal, verdict, facts.now, votePower(facts, t), t);
  if (verdict.outcome.kind === 'notVoting') return { kind: 'verdict', ...words, blocks: [] };
  return {
    kind: 'verdict',
    ...words,
    blocks: [
      ...contradiction(verdict, t),
      ...assumptionWords(verdict, t).map((text) => ({ kind: 'paragraph', text }) as const),
      {
        kind: 'fold',
        id: 'working',
        summary: t('Working'),
        open: true,
        blocks: [workingTable(proposal, verdict, facts, t), inputs(proposal, verdict, facts, t)],
      },
    ],
  };
}

function contradiction(verdict: Verdict, t: Translate): readonly Block[] {
  if (verdict.contradicting.length === 0) return [];
  const rules = verdict.contradicting.map((rule) => ruleName(rule, t)).join(', ');
  const text = t(
    'By the parameters of today this would not be met: {0}. The status is that of the chain; parameters may have changed since.',
    rules,
  );
  return [{ kind: 'notice', tone: 'warning', text }];
}

function workingTable(proposal: Proposal, verdict: Verdict, facts: ProposalFacts, t: Translate): Block {
  const open = proposal.status === 'voting';
  const shown = verdict.rules.filter(({ name, result }) => name !== 'bonded' || result === 'missed');
  return {
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
    rows: shown.map((rule) => workingRow(rule, open, facts, t)),
  };
}

function workingRow(rule: Rule, open: boolean, facts: ProposalFacts, t: Translate): readonly Cell[] {
  const power = votePower(facts, t);
  const part = rule.part === undefined ? t('not known') : power(rule.part);
  const isStake = rule.name === 'quorum' || rule.name === 'bonded';
  const noOf = isStake && !open ? t('not known for an ended vote') : t('not known');
  const of = rule.of === undefined ? noOf : power(rule.of);
  const note = rule.name === 'bonded' ? part : `${part} / ${of}`;
  return [
    cell(ruleName(rule.name, t)),
    cell(ruleFormula(rule.name, t), { note }),
    cell(rule.value === undefined ? '–' : ratioText(rule.value, rule.limit)),
    cell(ruleLimit(rule, t)),
    cell(resultWords(rule.result, t)),
    cell(ruleMargin(rule, power, t)),
  ];
}

function resultWords(result: Rule['result'], t: Translate): string {
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
function inputs(proposal: Proposal, verdict: Verdict, facts: ProposalFacts, t: Translate): Block {
  const open = proposal.status === 'voting';
  const at = (open ? facts.inputsReadAt : undefined) ?? facts.readAt;
  const from = (text: string, time: Date = at): Cell =>
    cell(t('{0}, from {1}', text, facts.sourceName), { at: time.toISOString() });
  const stake = open
    ? facts.inputs?.bonded === undefined
      ? cell(inputWords('bonded', t))
      : from(votePower(facts, t)(facts.inputs.bonded))
    : cell(t('not used: the stake of today says nothing about a vote that has ended'));
  const params = verdict.rules.filter((rule) => rule.limit !== undefined);
  const paramsText = params.map((rule) => `${ruleName(rule.name, t)} ${rule.limit ? ratioText(rule.limit) : ''}`);
  return {
    kind: 'facts',
    rows: [
      {
        label: t('Votes'),
        value: verdict.tally ? from(open ? t('running count') : t('final tally')) : cell(inputWords('tally', t)),
      },
      { label: t('Stake'), value: stake },
      {
        label: t('Parameters'),
        value:
          params.length === 0
            ? cell(t('not known: this source does not tell its gov parameters'))
            : from(
                open ? paramsText.join(', ') : t('{0} (those of today)', paramsText.join(', ')),
                facts.inputsReadAt ?? facts.readAt,
              ),
      },
      ...unitRow(facts, t),
      ...(proposal.expedited ? [{ label: t('Kind'), value: cell(t('expedited: its own threshold applies')) }] : []),
    ],
  };
}

/** Where the chain itself does not say what votes are counted in. */
function unitRow(facts: ProposalFacts, t: Translate): readonly { readonly label: string; readonly value: Cell }[] {
  if (facts.bondDenom === undefined) {
    return [{ label: t('Unit'), value: cell(t('base units: this source does not name the denom of its stake')) }];
  }
  return facts.isRegistryDenom
    ? [
        {
          label: t('Unit'),
          value: cell(t('{0}: the staking token of this chain by the chain registry', facts.bondDenom)),
        },
      ]
    : [];
}

/** Writes votes: in display units of the bond denom where they are known, else in base units. */
export function votePower(facts: ProposalFacts, t: Translate): (amount: bigint) => string {
  const denom = facts.bondDenom;
  if (denom === undefined) return (amount) => t('{0} base units', groupDigits(amount));
  return (amount) => amountText({ denom, amount }, facts.unitOf(denom));
}
