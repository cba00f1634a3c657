import type { Proposal } from '../../chain/proposal.ts';
import type { Verdict } from '../../chain/verdict.ts';
import type { Step } from '../../chain/working.ts';
import type { Block, Cell } from './block.ts';
import { cell } from './cell.ts';
import { ratioText } from './percentText.ts';
import type { ProposalFacts, Translate } from './proposalFacts.ts';
import { inputWords, ruleFormula, ruleLimit, ruleMargin, ruleName } from './ruleWords.ts';
import { verdictWords } from './verdictWords.ts';
import { votePower } from './votePower.ts';

/** The verdict with its working: every rule in the chain's order, its inputs and where they are from. */
export function toVerdictBlock(proposal: Proposal, verdict: Verdict, facts: ProposalFacts, t: Translate): Block {
  const words = verdictWords(proposal, verdict, facts.now, votePower(facts, t), t);
  if (verdict.outcome.kind === 'notVoting') return { kind: 'verdict', ...words, blocks: [] };
  return {
    kind: 'verdict',
    ...words,
    blocks: [
      ...contradiction(verdict, t),
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
    'By the parameters of today this would not be met: {0}. The status is that of the chain; parameters may have changed since, and a tally is cut to whole units.',
    rules,
  );
  return [{ kind: 'notice', tone: 'warning', text }];
}

function workingTable(proposal: Proposal, verdict: Verdict, facts: ProposalFacts, t: Translate): Block {
  const open = proposal.status === 'voting';
  const shown = verdict.working.filter((step) => step.rule !== 'bonded' || step.met === false);
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
    rows: shown.map((step) => workingRow(step, open, facts, t)),
  };
}

function workingRow(step: Step, open: boolean, facts: ProposalFacts, t: Translate): readonly Cell[] {
  const power = votePower(facts, t);
  const part = step.part === undefined ? t('not known') : power(step.part);
  const isStake = step.rule === 'quorum' || step.rule === 'bonded';
  const noOf = isStake && !open ? t('not known for an ended vote') : t('not known');
  const of = step.of === undefined ? noOf : power(step.of);
  const note = step.rule === 'bonded' ? part : `${part} / ${of}`;
  const result = step.met === undefined ? t('not known') : step.met ? t('✓ met') : t('✕ not met');
  return [
    cell(ruleName(step.rule, t)),
    cell(ruleFormula(step.rule, t), { note }),
    cell(step.value === undefined ? '–' : ratioText(step.value, step.limit)),
    cell(ruleLimit(step, t)),
    cell(result),
    cell(ruleMargin(step, power, t)),
  ];
}

/** Every input with its source and time; what is not known says so. */
function inputs(proposal: Proposal, verdict: Verdict, facts: ProposalFacts, t: Translate): Block {
  const open = proposal.status === 'voting';
  const at = (open ? facts.inputsReadAt : undefined) ?? facts.readAt;
  const from = (text: string, time: Date = at): Cell =>
    cell(t('{0}, from {1}', text, facts.sourceName), { at: time.toISOString() });
  const stake = open
    ? facts.bonded === undefined
      ? cell(inputWords('bonded', t))
      : from(votePower(facts, t)(facts.bonded))
    : cell(t('not used: the stake of today says nothing about a vote that has ended'));
  const params = verdict.working.filter((step) => step.limit !== undefined);
  const paramsText = params.map((step) => `${ruleName(step.rule, t)} ${step.limit ? ratioText(step.limit) : ''}`);
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
