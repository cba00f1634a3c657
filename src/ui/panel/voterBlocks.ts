import { type Vote, voteOptions } from '../../chain/proposal.ts';
import { quotient, toRatio, whole } from '../../chain/ratio.ts';
import { toVerdict } from '../../chain/verdict.ts';
import type { ValidatorVote, ValidatorVotes, WhoVoted } from '../../session/whoVoted.ts';
import { exactRatioText, ratioText, type Translate } from '../values.ts';
import { paragraph } from './contentBlocks.ts';
import type { Block, Cell, Fact } from './protocol.ts';
import { type VoteContext, verdictWords } from './verdictWords.ts';
import { optionName, readTime } from './voteBlocks.ts';

/** Of longer lists the beginning is shown; an export holds them whole. */
const maxRows = 1_000;

/** Who voted on an open proposal: its validators, and every vote. Both are read when they are opened. */
export function voterFolds(vote: VoteContext): readonly Block[] {
  const { proposal, facts, t } = vote;
  const { whoVoted } = facts;
  if (proposal.status !== 'voting' || !whoVoted) return [];
  const { validators, votes } = whoVoted;
  const unread = t('read when opened');
  const isRead = validators.kind === 'read';
  const note = isRead ? shareText(validators.validators, t) : unread;
  const blocks = isRead ? validatorBlocks(validators, vote) : progressBlocks(validators, t);
  const count = votes.total === undefined ? unread : t('{0} votes', String(votes.total));
  const list = voteList(whoVoted, t);
  return [
    { kind: 'fold', id: 'validators', key: 'v', onOpen: 'openValidators', summary: t('Validators'), note, blocks },
    { kind: 'fold', id: 'votes', onOpen: 'openVotes', summary: t('Single votes'), note: count, blocks: list },
  ];
}

function progressBlocks(state: Exclude<ValidatorVotes, { kind: 'read' }>, t: Translate): readonly Block[] {
  switch (state.kind) {
    case 'idle':
      return [{ kind: 'buttons', items: [{ action: 'readValidators', label: t('Read the Votes of the Validators') }] }];
    case 'reading': {
      const { step, done, of } = state.progress;
      const count = of === undefined ? String(done) : t('{0} of {1}', done, of);
      const text = step === 'validators' ? t('Reading the validators: {0}', count) : t('Reading the votes: {0}', count);
      return [paragraph(text), { kind: 'buttons', items: [{ action: 'stopValidators', label: t('Cancel') }] }];
    }
    case 'failed':
      return [
        { kind: 'notice', tone: 'warning', text: state.reason },
        { kind: 'buttons', items: [{ action: 'readValidators', label: t('Retry') }] },
      ];
    default:
      return state satisfies never;
  }
}

/** `12 of 30 have voted, 41.20 % of the power`. */
function shareText(validators: readonly ValidatorVote[], t: Translate): string {
  const voted = validators.filter(({ vote }) => vote);
  const share = quotient(sumOf(voted), sumOf(validators)) ?? 0n;
  return t('{0} of {1} have voted, {2} of the power', voted.length, validators.length, ratioText(share));
}

function sumOf(validators: readonly ValidatorVote[]): bigint {
  return validators.reduce((sum, { power }) => sum + power, 0n);
}

function validatorBlocks(
  { validators, at }: Extract<ValidatorVotes, { kind: 'read' }>,
  vote: VoteContext,
): readonly Block[] {
  const { power, t } = vote;
  const total = sumOf(validators);
  const silent = validators.filter(({ vote }) => !vote);
  const silentPower = sumOf(silent);
  const share = ratioText(quotient(silentPower, total) ?? 0n);
  const rows: Fact[] = [
    {
      label: t('Not voted'),
      value: {
        text: t('{0}, {1} of the power', power(silentPower), share),
        note: t('{0} of {1} validators', silent.length, validators.length),
        time: readTime(at, t('read {0}')),
      },
    },
    ...(silent.length > 0 ? outcomeFacts(vote) : []),
  ];
  const columns = [t('Validator'), t('Power'), t('Share'), t('Vote')];
  const cells = validators
    .slice(0, maxRows)
    .map((validator): readonly Cell[] => [
      validator.moniker || { text: validator.operator, code: true },
      power(validator.power),
      ratioText(quotient(validator.power, total) ?? 0n),
      validator.vote ? voteCell(validator.vote, t) : t('has not voted'),
    ]);
  return [
    { kind: 'facts', rows },
    { kind: 'table', label: t('Validators'), columns, numeric: [1, 2], rows: cells },
    paragraph(
      t(
        'Each vote is the validator’s own, with all that is delegated to it. The count above is the chain’s: it takes off what delegators voted themselves.',
      ),
    ),
    { kind: 'buttons', items: [{ action: 'readValidators', label: t('Read Again') }] },
  ];
}

/**
 * What the vote would come to with all that is not counted yet. Once every validator has voted all bonded tokens are counted,
 * so this is what is left of them: the power of those that have not voted without what their delegators voted themselves.
 */
function outcomeFacts(vote: VoteContext): readonly Fact[] {
  const { proposal, known, verdict, power, t } = vote;
  if (verdict.variant === 'atomone') {
    const text = t(
      'Delegators on this chain do not inherit the vote of their validator, which counts with its own stake only.',
    );
    return [{ label: t('If they vote'), value: text }];
  }
  const { tally, unvoted } = verdict;
  if (!tally || unvoted === undefined) return [];
  return (['yes', 'no'] as const).map((option): Fact => {
    const liveTally = { ...tally, [option]: tally[option] + unvoted };
    const then = toVerdict(proposal, { ...known, liveTally });
    const { text } = verdictWords({ ...vote, verdict: { ...then, moreYes: undefined } });
    const label = option === 'yes' ? t('If all of them vote Yes') : t('If all of them vote No');
    const { kind } = then.outcome;
    const lead = kind === 'wouldPass' ? t('Passes:') : kind === 'wouldFail' ? t('Rejected:') : t('Not known:');
    const note = t('with {0} that are not counted yet', power(unvoted));
    return { label, value: { text: `${lead} ${text}`, note } };
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

function voteList({ votes, found }: Pick<WhoVoted, 'votes' | 'found'>, t: Translate): readonly Block[] {
  const { rows, error, loading, started, hasMore, total } = votes;
  const columns = [t('Voter'), t('Vote')];
  const blocks: Block[] = [];
  if (found) {
    const value = found.vote ? voteCell(found.vote, t) : t('has not voted');
    blocks.push({ kind: 'facts', rows: [{ label: found.voter, value }] });
  }
  if (rows.length > 0) {
    const cells = rows.slice(0, maxRows).map(({ voter, vote }) => [{ text: voter, code: true }, voteCell(vote, t)]);
    blocks.push({ kind: 'table', label: t('Single votes'), columns, rows: cells });
  } else if (started) blocks.push(paragraph(t('No votes yet.')));
  if (error !== undefined) {
    const text = error instanceof Error ? error.message : String(error);
    blocks.push({ kind: 'notice', tone: 'warning', text });
  }
  if (loading) blocks.push(paragraph(t('Reading votes…')));
  const shown = Math.min(rows.length, maxRows);
  const more = !started
    ? t('Read the Votes')
    : total === undefined
      ? t('Show More')
      : t('Show More ({0} of {1} are shown)', shown, String(total));
  const isMore = hasMore && !loading && rows.length < maxRows;
  blocks.push({
    kind: 'buttons',
    items: [
      ...(isMore ? [{ action: 'moreVotes', label: error === undefined ? more : t('Retry') } as const] : []),
      { action: 'findVote', label: t('Find by Address…') },
      { action: 'exportVotes', label: t('Export…') },
    ],
  });
  return blocks;
}
