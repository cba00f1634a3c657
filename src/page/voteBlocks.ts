import { messageOf } from '../api/errors.ts';
import { groupDigits } from '../chain/coin.ts';
import { recordedTally } from '../chain/gov/proposal.ts';
import { optionShares, type Tally, totalVotes, type Vote, type VoteOption, voteOptions } from '../chain/gov/tally.ts';
import type { RuleResult, Verdict } from '../chain/gov/verdict.ts';
import { basisPoints, sharesOf, toRatio, whole } from '../chain/ratio.ts';
import { verdictIfAllVote } from '../reads/judge.ts';
import type { ValidatorVote, ValidatorVotes, WhoVoted } from '../reads/proposalReads.ts';
import { listText, sentencesText, type Translate } from '../words/language.ts';
import { exactRatioText, percentText, ratioText } from '../words/values.ts';
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

/** The votes with all inputs of the verdict, and the single votes. Undefined before voting begins. */
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
    // The chain deletes the votes of an ended proposal. The block before the end has them, with the stake of that time.
    !isOpen &&
      hasPast &&
      proposal.votingEndTime &&
      block.buttons(['votesBeforeEnd', t('Load Votes from the Last Block of Voting')]),
  );
  if (!isOpen || !verdict.tally) return section;
  return { ...section, note: { text: t('running tally'), time: block.readTime(inputs?.readAt) } };
}

/** The counted votes as one bar, with the limits of the rules. Undefined if there are no votes. */
export function tallyBar({ verdict, t }: ViewContext): BarBlock | undefined {
  const { tally, turnout } = verdict;
  const bar = tally && toBar(tally, verdict, t);
  if (!bar) return undefined;
  const [threshold, veto] = [limitOf('threshold', verdict), limitOf('veto', verdict)];
  const total = totalVotes(tally);
  const marks: BarMark[] = [];
  if (threshold !== undefined && total > tally.abstain) {
    const at = basisPoints((threshold * (total - tally.abstain)) / total);
    marks.push({ at, side: 'above', label: t('needs {0} excluding Abstain', ratioText(threshold)) });
  }
  // The limit of No with veto, measured from the right end.
  if (veto !== undefined)
    marks.push({ at: basisPoints(whole - veto), side: 'below', label: t('veto limit {0}', ratioText(veto)) });
  const quorum = verdict.rules.find(({ name }) => name === 'quorum');
  const legend = [...bar.legend];
  if (turnout !== undefined) legend.push({ label: t('Turnout'), value: ratioText(turnout, quorum?.limit) });
  // The quorum is a share of another whole than the bar, so it stands beside it.
  if (quorum?.limit !== undefined && quorum.result !== 'unknown')
    legend.push({ label: t('Quorum'), value: `${ratioText(quorum.limit)} ${resultSigns[quorum.result]}` });
  return { ...bar, marks, legend };
}

function limitOf(rule: RuleResult['name'], { rules }: Verdict): bigint | undefined {
  return rules.find(({ name }) => name === rule)?.limit;
}

type LegendBar = BarBlock & Required<Pick<BarBlock, 'legend'>>;

function toBar(tally: Tally, verdict: Verdict, t: Translate): LegendBar | undefined {
  if (totalVotes(tally) === 0n) return undefined;
  const options = optionsOf(tally, verdict, t);
  const legend = options.map(({ label, share, amount, option }) => ({
    label,
    value: percentText(share, amount),
    swatch: option,
  }));
  return {
    kind: 'bar',
    label: listText(
      legend.map(({ label, value }) => `${label} ${value}`),
      t,
    ),
    parts: options.map(({ option, share }) => ({ look: option, share })),
    marks: [],
    legend,
  };
}

interface OptionRow {
  readonly option: VoteOption;
  readonly label: string;
  readonly amount: bigint;
  /** The share of all votes, in hundredths of a percent. The shares add up. */
  readonly share: number;
}

/** A chain without the veto rule has no option No with veto. */
function optionsOf(tally: Tally, { rules }: Verdict, t: Translate): readonly OptionRow[] {
  const hasVeto = tally.noWithVeto > 0n || rules.some(({ name }) => name === 'veto');
  const options = voteOptions.filter((option) => hasVeto || option !== 'noWithVeto');
  const shares = optionShares(tally);
  return options.map((option) => {
    return { option, label: optionLabel(option, t), amount: tally[option], share: shares[option] };
  });
}

function optionLabel(option: VoteOption, t: Translate): string {
  return { yes: t('Yes'), abstain: t('Abstain'), no: t('No'), noWithVeto: t('No with veto') }[option];
}

function turnoutBar(verdict: Verdict, t: Translate): BarBlock | undefined {
  const { turnout } = verdict;
  if (turnout === undefined) return undefined;
  const limit = limitOf('quorum', verdict);
  const label = t('Turnout {0} of bonded tokens', ratioText(turnout, limit));
  const share = Math.min(basisPoints(turnout), 10_000);
  const marks: readonly BarMark[] =
    limit === undefined ? [] : [{ at: basisPoints(limit), side: 'below', label: t('quorum {0}', ratioText(limit)) }];
  return { kind: 'bar', label, parts: [{ look: 'filled', share }], marks };
}

function countBlock(view: ViewContext): Block {
  const { proposal, verdict, t } = view;
  const { tally } = verdict;
  const isOpen = proposal.status === 'voting';
  if (tally && totalVotes(tally) > 0n) return tallyTable(isOpen ? t('Votes so far') : t('Final votes'), tally, view);
  if (tally) return block.paragraph(t('No votes.'));
  const running = t('The running tally is not available. The final tally appears when voting ends.');
  if (isOpen) return block.paragraph(running);
  const isUnrecorded = proposal.finalTally !== undefined && recordedTally(proposal) === undefined;
  const unrecorded = t('The tally was not recorded. The proposal passed, but its tally shows no votes.');
  return block.paragraph(isUnrecorded ? unrecorded : t('The tally is not available.'));
}

function tallyTable(label: string, tally: Tally, { verdict, unitOf, bondDenom, t }: ViewContext): Block {
  const unit = bondDenom === undefined ? undefined : unitOf(bondDenom);
  const total = { label: t('All votes'), option: undefined, amount: totalVotes(tally), share: 10_000 };
  const lines = [...optionsOf(tally, verdict, t), total];
  const amounts = lines.map(({ amount }) => amount);
  const column = block.amountColumn(bondDenom, unit, amounts, t);
  const rows = lines.map(({ label: text, option, amount, share }, at) => [
    { text, swatch: option },
    percentText(share, amount),
    column.cells[at] ?? '',
  ]);
  return block.table(label, [t('Option'), t('Share'), column.name], rows, [1, 2]);
}

function contradiction({ contradicting }: Verdict, t: Translate): Block | undefined {
  if (contradicting.length === 0) return undefined;
  const text = t(
    'With the current parameters, these rules would not have been met: {0}. The parameters may have changed since the vote.',
    listText(
      contradicting.map((rule) => ruleWords(rule, t).name),
      t,
    ),
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
  const told = shown.filter(({ result }) => result !== 'unknown');
  const note = told.map(({ name, result }) => `${ruleWords(name, t).name} ${resultSigns[result]}`).join(' · ');
  return block.fold('calculation', t('Calculation'), [table, inputFacts(view)], { note, key: 'c' });
}

function calculationRow(rule: RuleResult, { proposal, verdict, power, t }: ViewContext): readonly Cell[] {
  const unknown = t('unknown');
  const isStake = rule.name === 'quorum' || rule.name === 'bonded';
  const noStake = isStake && proposal.status !== 'voting' ? t('unknown once voting has ended') : unknown;
  const part = rule.part === undefined ? unknown : power(rule.part);
  const of = rule.of === undefined ? noStake : power(rule.of);
  const words = ruleWords(rule.name, t);
  const { needed, margin } = ruleMargin(rule, power, t);
  const results = { met: t('✓ met'), missed: t('✕ not met'), close: t('too close to call'), unknown };
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
  const unknown = t('unknown');
  const from = (text: string, at: Date | undefined): Cell => {
    return { text: t('{0}, from {1}', text, sourceName), time: block.readTime(at) };
  };
  const limits = listText(
    verdict.rules.map(({ name, limit }) => limit !== undefined && `${ruleWords(name, t).name} ${ratioText(limit)}`),
    t,
  );
  const bonded = verdict.tally?.power ?? inputs?.votingPower;
  const stake = bonded === undefined ? unknown : from(power(bonded), inputs?.readAt);
  const ended = t('not used once voting has ended');
  const votes = isOpen ? from(t('running tally'), inputs?.readAt) : from(t('final tally'), readAt);
  const parameters = from(isOpen ? limits : t('{0} (current)', limits), inputs?.readAt);
  // The chain itself does not state the denom that votes are counted in.
  const unit =
    bondDenom === undefined ? t('base units (staking denom unknown)') : t('{0}, from the chain registry', bondDenom);
  // A state file stands still, so nothing in it is of another height.
  const dropped = isOpen && view.clockRuns ? inputs?.unpinnedReason : undefined;
  return block.facts(
    { label: t('Votes'), value: verdict.tally ? votes : unknown },
    { label: t('Stake'), value: isOpen ? stake : ended },
    dropped !== undefined && {
      label: t('Height'),
      value: t('votes and stake may be from different heights: {0}', dropped),
    },
    { label: t('Parameters'), value: limits === '' ? unknown : parameters },
    inputs?.bondDenom === undefined && { label: t('Unit'), value: unit },
    proposal.expedited && { label: t('Kind'), value: t('expedited, with its own threshold') },
    ...verdict.missing.map((input) => {
      const isFinal = input === 'tally' && !isOpen;
      return {
        label: t('Missing'),
        value: isFinal ? t('votes unknown because the final tally is not available.') : inputWords(input, t),
      };
    }),
  );
}

/**
 * Shows the tally of an expedited vote that failed. No other proposal in voting has a final tally
 * (docs/governance.md#expedited).
 */
function firstRoundFold(view: ViewContext): Block | undefined {
  const { proposal, verdict, t } = view;
  const tally = proposal.status === 'voting' ? proposal.finalTally : undefined;
  const bar = tally && toBar(tally, verdict, t);
  if (!tally || !bar) return undefined;
  const text = t('The expedited vote did not pass. The proposal continues as a regular vote with a new tally.');
  const blocks = [block.paragraph(text), bar, tallyTable(t('First-round votes'), tally, view)];
  return block.fold('firstRound', t('First round, expedited'), blocks);
}

function voterFolds(view: ViewContext): readonly Block<ProposalAction>[] {
  const { proposal, whoVoted, t } = view;
  if (proposal.status !== 'voting' || !whoVoted) return [];
  const { validators, votes } = whoVoted;
  const unread = t('Expand to load');
  const share = validators.kind === 'read' ? powerShareText(validators.validators, t) : unread;
  const count = votes.total === undefined ? unread : t('{0} votes', groupDigits(votes.total));
  const blocks = validatorBlocks(validators, view);
  const onOpen = validators.kind === 'idle' ? 'readValidators' : undefined;
  const onOpenVotes = votes.started ? undefined : 'moreVotes';
  return [
    block.fold('validators', t('Validators'), blocks, { note: share, key: 'v', onOpen }),
    block.fold('votes', t('Individual votes'), voteList(whoVoted, t), { note: count, onOpen: onOpenVotes }),
  ];
}

function powerShareText(validators: readonly ValidatorVote[], t: Translate): string {
  const voted = validators.filter(({ vote }) => vote);
  const share = sharesAmong(validators)(voted);
  return t('{0} of {1} have voted, with {2} of the power', voted.length, validators.length, share);
}

/**
 * Returns a function that words the share of some validators in the power of all. The shares of all rows add up to 100
 * %.
 */
function sharesAmong(validators: readonly ValidatorVote[]): (some: readonly ValidatorVote[]) => string {
  const points = sharesOf(validators.map(({ power }) => power));
  const pointsOf = new Map(validators.map((one, at) => [one, points[at] ?? 0]));
  return (some) =>
    percentText(
      some.reduce((sum, one) => sum + (pointsOf.get(one) ?? 0), 0),
      sumOf(some),
    );
}

function sumOf(validators: readonly ValidatorVote[]): bigint {
  return validators.reduce((sum, { power }) => sum + power, 0n);
}

function validatorBlocks(state: ValidatorVotes, view: ViewContext): readonly Block<ProposalAction>[] {
  const { t } = view;
  switch (state.kind) {
    case 'idle':
      return [block.buttons(['readValidators', t('Load Validator Votes')])];
    case 'reading': {
      const { step, done, of } = state.progress;
      const count = of === undefined ? groupDigits(done) : t('{0} of {1}', groupDigits(done), groupDigits(of));
      const text = step === 'validators' ? t('Loading validators: {0}', count) : t('Loading votes: {0}', count);
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
    time: block.readTime(at, t('loaded {0}')),
  };
  const outcomes = silent.length > 0 ? outcomeFacts(view) : [];
  const rows = validators.map((one): readonly Cell[] => [
    one.moniker || block.codeCell(one.operator),
    { text: shareOf([one]), hint: powerText(one.power) },
    one.vote ? voteCell(one.vote, t) : t('has not voted'),
  ]);
  const columns = [t('Validator'), t('Power'), t('Vote')];
  const inheritance = t(
    "Each vote is shown with the validator's full delegated power. In the tally above, delegators who cast their own votes are counted separately.",
  );
  return [
    block.facts({ label: t('Not voted yet'), value: notVoted }, ...outcomes),
    block.table(t('Validators'), columns, rows, [1]),
    block.paragraph(inheritance),
    block.buttons(['readValidators', t('Reload')]),
  ];
}

/**
 * The outcomes if the missing votes were cast. These are the power of silent validators, without the votes that their
 * delegators cast themselves.
 */
function outcomeFacts(view: ViewContext): readonly Fact[] {
  const { proposal, inputs, verdict, power, t } = view;
  if (!verdict.variant.inheritsVotes) {
    const value = t('Validators on this chain vote with their own stake only.');
    return [{ label: t('If the remaining validators vote'), value }];
  }
  const { unvoted } = verdict;
  if (!inputs || unvoted === undefined) return [];
  const note = t('adding {0} that is not in the tally yet', power(unvoted));
  return (['yes', 'no'] as const).flatMap((option): readonly Fact[] => {
    const then = verdictIfAllVote(proposal, inputs, option);
    if (!then) return [];
    const { text } = verdictWords({ ...view, verdict: { ...then, moreYes: undefined } });
    const label =
      option === 'yes' ? t('If all remaining validators vote Yes') : t('If all remaining validators vote No');
    const { kind } = then.outcome;
    const lead = kind === 'wouldPass' ? t('Passes:') : kind === 'wouldFail' ? t('Rejected:') : t('Unknown:');
    return [{ label, value: { text: sentencesText([lead, text], t), note } }];
  });
}

/** `Yes`, or `Yes 70 %, Abstain 30 %` for a split vote. */
function voteCell(vote: Vote, t: Translate): Cell {
  const isSplit = vote.length > 1 || vote.some(({ weight }) => toRatio(weight) !== whole);
  const parts = vote.map(({ option, weight }) => {
    const name = option === 'unknown' ? t('unknown option') : optionLabel(option, t);
    const share = toRatio(weight);
    return isSplit ? `${name} ${share === undefined ? weight : exactRatioText(share)}` : name;
  });
  const swatch = isSplit ? undefined : voteOptions.find((option) => option === vote[0]?.option);
  return { text: listText(parts, t), swatch };
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
    blocks.push(block.table(t('Individual votes'), [t('Voter'), t('Vote')], cells));
  } else if (started) blocks.push(block.paragraph(t('No votes yet.')));
  if (error !== undefined) blocks.push(block.notice(messageOf(error)));
  if (loading) blocks.push(block.paragraph(t('Loading votes…')));
  const counted = t('Show More ({0} of {1} shown)', groupDigits(rows.length), groupDigits(total ?? 0n));
  const more = total === undefined ? t('Show More') : counted;
  const label = started ? more : t('Load Votes');
  const isMore = hasMore && !loading && rows.length < block.maxTableRows;
  const read = isMore ? ([['moreVotes', error === undefined ? label : t('Retry')]] as const) : [];
  blocks.push(block.buttons(...read, ['findVote', t('Find by Address…')], ['exportVotes', t('Export…')]));
  return blocks;
}
