import { messageOf } from '../api/errors.ts';
import { basisPoints, groupDigits, quotient, toRatio, whole } from '../chain/coin.ts';
import {
  optionShares,
  recordedTally,
  type Tally,
  totalVotes,
  type Vote,
  type VoteOption,
  voteOptions,
} from '../chain/proposal.ts';
import type { Rule, Verdict } from '../chain/verdict.ts';
import { verdictIfAllVote } from '../session/judge.ts';
import type { ValidatorVote, ValidatorVotes, WhoVoted } from '../session/proposalReads.ts';
import type { Translate } from '../words/language.ts';
import { alignedAmount, exactRatioText, percentText, ratioText } from '../words/values.ts';
import {
  assumptionWords,
  inputWords,
  ruleMargin,
  ruleValueText,
  ruleWords,
  verdictWords,
} from '../words/verdictWords.ts';
import * as block from './blocks.ts';
import type { ProposalAction } from './pageMessages.ts';
import type { BarBlock, BarMark, Block, Cell, Fact, Section } from './pageView.ts';
import type { ViewContext } from './proposalFacts.ts';

/** The votes with everything that the verdict rests on, and who voted; undefined before voting begins. */
export function votesSection(view: ViewContext): Section<ProposalAction> | undefined {
  const { proposal, verdict, inputs, hasPast, t } = view;
  if (proposal.status === 'deposit') return undefined;
  const isOpen = proposal.status === 'voting';
  const isJudged = inputs !== undefined && verdict.outcome.kind !== 'notVoting';
  const section = block.section(
    'votes',
    t('Votes'),
    countBlock(view),
    turnoutBar(verdict, t),
    contradiction(verdict, t),
    ...assumptionWords(verdict, t).map(block.paragraph),
    isJudged && calculationFold(view),
    ...voterFolds(view),
    firstRoundFold(view),
    // The votes of an ended proposal are deleted; they and the stake of their time are in the block before the end.
    !isOpen && hasPast && proposal.votingEndTime && block.buttons(['votesBeforeEnd', t('Votes Before the End')]),
  );
  if (!isOpen || !verdict.tally) return section;
  return { ...section, note: { text: t('running count'), time: block.readTime(inputs?.readAt) } };
}

/** The counted votes as one bar with the limits of the rules; undefined where there are none. */
export function tallyBar({ verdict, t }: ViewContext): BarBlock | undefined {
  const { tally, turnout } = verdict;
  const bar = tally && toBar(tally, verdict, t);
  if (!bar) return undefined;
  const [threshold, veto] = [limitOf('threshold', verdict), limitOf('veto', verdict)];
  const total = totalVotes(tally);
  const marks: BarMark[] = [];
  if (threshold !== undefined && total > tally.abstain) {
    const at = basisPoints((threshold * (total - tally.abstain)) / total);
    marks.push({ at, side: 'above', label: t('needs {0} of all but Abstain', ratioText(threshold)) });
  }
  // What No with veto must not exceed, from the right.
  if (veto !== undefined)
    marks.push({ at: basisPoints(whole - veto), side: 'below', label: t('veto limit {0}', ratioText(veto)) });
  const quorum = verdict.rules.find(({ name }) => name === 'quorum');
  const legend = [...bar.legend];
  if (turnout !== undefined) legend.push({ label: t('Turnout'), value: ratioText(turnout, quorum?.limit) });
  // A share of another whole than the bar's: it stands beside it.
  if (quorum?.limit !== undefined)
    legend.push({ label: t('Quorum'), value: `${ratioText(quorum.limit)} ${resultSigns[quorum.result]}` });
  return { ...bar, marks, legend };
}

function limitOf(rule: Rule['name'], { rules }: Verdict): bigint | undefined {
  return rules.find(({ name }) => name === rule)?.limit;
}

type LegendBar = BarBlock & Required<Pick<BarBlock, 'legend'>>;

function toBar(tally: Tally, verdict: Verdict, t: Translate): LegendBar | undefined {
  if (totalVotes(tally) === 0n) return undefined;
  const options = optionsOf(tally, verdict, t);
  const legend = options.map(({ label, share, option }) => ({ label, value: percentText(share), swatch: option }));
  return {
    kind: 'bar',
    label: legend.map(({ label, value }) => `${label} ${value}`).join(', '),
    parts: options.map(({ option, share }) => ({ look: option, share })),
    marks: [],
    legend,
  };
}

interface OptionRow {
  readonly option: VoteOption;
  readonly label: string;
  readonly amount: bigint;
  /** Of all votes, in hundredths of a percent; the shares add up. */
  readonly share: number;
}

/** A chain without the rule of the veto has no such option. */
function optionsOf(tally: Tally, { rules }: Verdict, t: Translate): readonly OptionRow[] {
  const hasVeto = tally.noWithVeto > 0n || rules.some(({ name }) => name === 'veto');
  const options = voteOptions.filter((option) => hasVeto || option !== 'noWithVeto');
  const shares = optionShares(tally);
  return options.map((option) => {
    return { option, label: optionName(option, t), amount: tally[option], share: shares[option] };
  });
}

function optionName(option: VoteOption, t: Translate): string {
  return { yes: t('Yes'), abstain: t('Abstain'), no: t('No'), noWithVeto: t('No with veto') }[option];
}

function turnoutBar(verdict: Verdict, t: Translate): BarBlock | undefined {
  const { turnout } = verdict;
  if (turnout === undefined) return undefined;
  const limit = limitOf('quorum', verdict);
  const label = t('Turnout {0} of the bonded tokens', ratioText(turnout, limit));
  const share = Math.min(basisPoints(turnout), 10_000);
  const marks: readonly BarMark[] =
    limit === undefined ? [] : [{ at: basisPoints(limit), side: 'below', label: t('quorum {0}', ratioText(limit)) }];
  return { kind: 'bar', label, parts: [{ look: 'filled', share }], marks };
}

function countBlock(view: ViewContext): Block {
  const { proposal, verdict, t } = view;
  const { tally } = verdict;
  const isOpen = proposal.status === 'voting';
  if (tally && totalVotes(tally) > 0n) return votesTable(isOpen ? t('Votes so far') : t('Final votes'), tally, view);
  if (tally) return block.paragraph(t('No vote was counted.'));
  const running = t('This source does not offer the running count; the final tally comes when voting ends.');
  if (isOpen) return block.paragraph(running);
  const isUnrecorded = proposal.finalTally !== undefined && recordedTally(proposal) === undefined;
  const unrecorded = t('The tally was not recorded: the chain states no votes for a proposal that passed.');
  return block.paragraph(isUnrecorded ? unrecorded : t('This source states no tally.'));
}

function votesTable(label: string, tally: Tally, { verdict, unitOf, bondDenom, t }: ViewContext): Block {
  const unit = bondDenom === undefined ? undefined : unitOf(bondDenom);
  const total = { label: t('All votes'), option: undefined, amount: totalVotes(tally), share: 10_000 };
  const rows = [...optionsOf(tally, verdict, t), total].map(({ label: text, option, amount, share }) => [
    { text, swatch: option },
    percentText(share),
    ...(unit ? [alignedAmount(amount, unit.exponent)] : []),
    groupDigits(amount),
  ]);
  const base = bondDenom === undefined ? t('Base units') : t('Base units ({0})', bondDenom);
  const columns = [t('Option'), t('Share'), ...(unit ? [unit.symbol] : []), base];
  return block.table(label, columns, rows, [1, 2, 3]);
}

function contradiction({ contradicting }: Verdict, t: Translate): Block | undefined {
  if (contradicting.length === 0) return undefined;
  const text = t(
    'By the parameters of today this would not be met: {0}. The status is that of the chain; parameters may have changed since.',
    contradicting.map((rule) => ruleWords(rule, t).name).join(', '),
  );
  return block.notice(text);
}

const resultSigns = { met: '✓', missed: '✕', close: '≈', unknown: '?' } as const;

function calculationFold(view: ViewContext): Block {
  const { verdict, t } = view;
  const shown = verdict.rules.filter(({ name, result }) => name !== 'bonded' || result === 'missed');
  const columns = [t('Rule'), t('Inputs'), t('Value'), t('Needed'), t('Result'), t('Margin')];
  const rows = shown.map((rule) => calculationRow(rule, view));
  const table = block.table(t('Calculation'), columns, rows, [2, 3]);
  const note = shown.map(({ name, result }) => `${ruleWords(name, t).name} ${resultSigns[result]}`).join(' · ');
  return block.fold('calculation', t('Calculation'), [table, inputFacts(view)], { note, key: 'c' });
}

function calculationRow(rule: Rule, { proposal, verdict, power, t }: ViewContext): readonly Cell[] {
  const unknown = t('not known');
  const isStake = rule.name === 'quorum' || rule.name === 'bonded';
  const noStake = isStake && proposal.status !== 'voting' ? t('not known for an ended vote') : unknown;
  const part = rule.part === undefined ? unknown : power(rule.part);
  const of = rule.of === undefined ? noStake : power(rule.of);
  const words = ruleWords(rule.name, t);
  const { needed, margin } = ruleMargin(rule, power, t);
  const results = { met: t('✓ met'), missed: t('✕ not met'), close: t('too close to tell'), unknown };
  return [
    words.name,
    { text: words.formula, note: rule.name === 'bonded' ? part : `${part} / ${of}` },
    ruleValueText(rule, verdict.tally) || '–',
    needed,
    results[rule.result],
    margin,
  ];
}

function inputFacts(view: ViewContext): Block {
  const { proposal, verdict, inputs, readAt, sourceName, bondDenom, power, t } = view;
  const isOpen = proposal.status === 'voting';
  const unknown = t('not known');
  const from = (text: string, at: Date | undefined): Cell => {
    return { text: t('{0}, from {1}', text, sourceName), time: block.readTime(at) };
  };
  const limits = verdict.rules
    .flatMap(({ name, limit }) => (limit === undefined ? [] : [`${ruleWords(name, t).name} ${ratioText(limit)}`]))
    .join(', ');
  const bonded = verdict.tally?.power ?? inputs?.bonded;
  const stake = bonded === undefined ? unknown : from(power(bonded), inputs?.readAt);
  const ended = t('not used: the stake of today says nothing about a vote that has ended');
  const votes = isOpen ? from(t('running count'), inputs?.readAt) : from(t('final tally'), readAt);
  const parameters = from(isOpen ? limits : t('{0} (those of today)', limits), inputs?.readAt);
  // Where the chain itself does not state what votes are counted in.
  const unit =
    bondDenom === undefined
      ? t('base units: this source does not name the denom of its stake')
      : t('{0}, the staking token in the chain registry', bondDenom);
  // A state stands still: nothing in it is of another height.
  const dropped = isOpen && view.clockRuns ? inputs?.heightDropped : undefined;
  return block.facts(
    { label: t('Votes'), value: verdict.tally ? votes : unknown },
    { label: t('Stake'), value: isOpen ? stake : ended },
    dropped !== undefined && {
      label: t('Height'),
      value: t('votes and stake may be of different heights: {0}', dropped),
    },
    { label: t('Parameters'), value: limits === '' ? unknown : parameters },
    inputs?.bondDenom === undefined && { label: t('Unit'), value: unit },
    proposal.expedited && { label: t('Kind'), value: t('expedited: its own threshold applies') },
    ...verdict.missing.map((input) => {
      const isFinal = input === 'tally' && !isOpen;
      return { label: t('Missing'), value: isFinal ? t('votes unknown, no final tally.') : inputWords(input, t) };
    }),
  );
}

/** Only where an expedited vote failed does a proposal in voting have a final tally (docs/governance.md#expedited). */
function firstRoundFold(view: ViewContext): Block | undefined {
  const { proposal, verdict, t } = view;
  const tally = proposal.status === 'voting' ? proposal.finalTally : undefined;
  const bar = tally && toBar(tally, verdict, t);
  if (!tally || !bar) return undefined;
  const text = t('The expedited vote failed. It goes on as a regular proposal, and its votes are counted anew.');
  const blocks = [block.paragraph(text), bar, votesTable(t('Votes of the first round'), tally, view)];
  return block.fold('firstRound', t('First round, expedited'), blocks);
}

function voterFolds(view: ViewContext): readonly Block<ProposalAction>[] {
  const { proposal, whoVoted, t } = view;
  if (proposal.status !== 'voting' || !whoVoted) return [];
  const { validators, votes } = whoVoted;
  const unread = t('read when opened');
  const share = validators.kind === 'read' ? shareText(validators.validators, t) : unread;
  const count = votes.total === undefined ? unread : t('{0} votes', groupDigits(votes.total));
  const blocks = validatorBlocks(validators, view);
  const onOpen = validators.kind === 'idle' ? 'readValidators' : undefined;
  const onOpenVotes = votes.started ? undefined : 'moreVotes';
  return [
    block.fold('validators', t('Validators'), blocks, { note: share, key: 'v', onOpen }),
    block.fold('votes', t('Single votes'), voteList(whoVoted, t), { note: count, onOpen: onOpenVotes }),
  ];
}

function shareText(validators: readonly ValidatorVote[], t: Translate): string {
  const voted = validators.filter(({ vote }) => vote);
  const share = sharesAmong(validators)(voted);
  return t('{0} of {1} have voted, {2} of the power', voted.length, validators.length, share);
}

/** The share that some of the validators have of the power of all, cut as in Validators. */
function sharesAmong(validators: readonly ValidatorVote[]): (some: readonly ValidatorVote[]) => string {
  const all = sumOf(validators);
  return (some) => ratioText(quotient(sumOf(some), all) ?? 0n);
}

function sumOf(validators: readonly ValidatorVote[]): bigint {
  return validators.reduce((sum, { power }) => sum + power, 0n);
}

function validatorBlocks(state: ValidatorVotes, view: ViewContext): readonly Block<ProposalAction>[] {
  const { t } = view;
  switch (state.kind) {
    case 'idle':
      return [block.buttons(['readValidators', t('Read the Votes of the Validators')])];
    case 'reading': {
      const { step, done, of } = state.progress;
      const count = of === undefined ? groupDigits(done) : t('{0} of {1}', groupDigits(done), groupDigits(of));
      const text = step === 'validators' ? t('Reading the validators: {0}', count) : t('Reading the votes: {0}', count);
      return [block.paragraph(text), block.buttons(['stopValidators', t('Cancel')])];
    }
    case 'failed':
      return [block.notice(state.reason), block.buttons(['readValidators', t('Retry')])];
    case 'read':
      return readBlocks(state, view);
    default:
      return state satisfies never;
  }
}

function readBlocks(
  { validators, at }: Extract<ValidatorVotes, { kind: 'read' }>,
  view: ViewContext,
): Block<ProposalAction>[] {
  const { power: powerText, t } = view;
  const shareOf = sharesAmong(validators);
  const silent = validators.filter(({ vote }) => !vote);
  const notVoted = {
    text: t('{0}, {1} of the power', powerText(sumOf(silent)), shareOf(silent)),
    note: t('{0} of {1} validators', silent.length, validators.length),
    time: block.readTime(at, t('read {0}')),
  };
  const outcomes = silent.length > 0 ? outcomeFacts(view) : [];
  const rows = validators.map((one): readonly Cell[] => [
    one.moniker || block.codeCell(one.operator),
    powerText(one.power),
    shareOf([one]),
    one.vote ? voteCell(one.vote, t) : t('has not voted'),
  ]);
  const columns = [t('Validator'), t('Power'), t('Share'), t('Vote')];
  const inheritance = t(
    'Each vote is the validator’s own, with all that is delegated to it. The count above is the chain’s: it takes off what delegators voted themselves.',
  );
  return [
    block.facts({ label: t('Not voted'), value: notVoted }, ...outcomes),
    block.table(t('Validators'), columns, rows, [1, 2]),
    block.paragraph(inheritance),
    block.buttons(['readValidators', t('Read Again')]),
  ];
}

/** If what is not counted yet votes: the power of silent validators without what their delegators voted themselves. */
function outcomeFacts(view: ViewContext): readonly Fact[] {
  const { proposal, inputs, verdict, power, t } = view;
  if (!verdict.variant.inheritsVotes) {
    const value = t(
      'Delegators on this chain do not inherit the vote of their validator, which counts with its own stake only.',
    );
    return [{ label: t('If they vote'), value }];
  }
  const { unvoted } = verdict;
  if (!inputs || unvoted === undefined) return [];
  const note = t('with {0} that are not counted yet', power(unvoted));
  return (['yes', 'no'] as const).flatMap((option): readonly Fact[] => {
    const then = verdictIfAllVote(proposal, inputs, option);
    if (!then) return [];
    const { text } = verdictWords({ ...view, verdict: { ...then, moreYes: undefined } });
    const label = option === 'yes' ? t('If all of them vote Yes') : t('If all of them vote No');
    const { kind } = then.outcome;
    const lead = kind === 'wouldPass' ? t('Passes:') : kind === 'wouldFail' ? t('Rejected:') : t('Not known:');
    return [{ label, value: { text: `${lead} ${text}`, note } }];
  });
}

/** `Yes`, or `Yes 70 %, Abstain 30 %` where a vote was split. */
function voteCell(vote: Vote, t: Translate): Cell {
  const isSplit = vote.length > 1 || vote.some(({ weight }) => toRatio(weight) !== whole);
  const parts = vote.map(({ option, weight }) => {
    const name = option === 'unknown' ? t('unknown option') : optionName(option, t);
    const share = toRatio(weight);
    return isSplit ? `${name} ${share === undefined ? weight : exactRatioText(share)}` : name;
  });
  const swatch = isSplit ? undefined : voteOptions.find((option) => option === vote[0]?.option);
  return { text: parts.join(', '), swatch };
}

function voteList(
  { votes, found, monikers }: Pick<WhoVoted, 'votes' | 'found' | 'monikers'>,
  t: Translate,
): readonly Block<ProposalAction>[] {
  const { rows, error, loading, started, hasMore, total } = votes;
  const blocks: Block<ProposalAction>[] = [];
  if (found)
    blocks.push(block.facts({ label: found.voter, value: found.vote ? voteCell(found.vote, t) : t('has not voted') }));
  if (rows.length > 0) {
    const cells = rows.map(({ voter, vote }) => {
      const moniker = monikers.get(voter);
      return [moniker ? { text: moniker, note: voter } : block.codeCell(voter), voteCell(vote, t)];
    });
    blocks.push(block.table(t('Single votes'), [t('Voter'), t('Vote')], cells));
  } else if (started) blocks.push(block.paragraph(t('No votes yet.')));
  if (error !== undefined) blocks.push(block.notice(messageOf(error)));
  if (loading) blocks.push(block.paragraph(t('Reading votes…')));
  const counted = t('Show More ({0} of {1} are shown)', groupDigits(rows.length), groupDigits(total ?? 0n));
  const more = total === undefined ? t('Show More') : counted;
  const label = started ? more : t('Read the Votes');
  const isMore = hasMore && !loading && rows.length < block.maxRows;
  const read = isMore ? ([['moreVotes', error === undefined ? label : t('Retry')]] as const) : [];
  blocks.push(block.buttons(...read, ['findVote', t('Find by Address…')], ['exportVotes', t('Export…')]));
  return blocks;
}
