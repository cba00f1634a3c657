import { type Vote, voteOptions } from '../../chain/proposal.ts';
import { quotient, toRatio, whole } from '../../chain/ratio.ts';
import { toVerdict } from '../../chain/verdict.ts';
import type { ValidatorVote, ValidatorVotes, WhoVoted } from '../../session/whoVoted.ts';
import { exactRatioText, ratioText, type Translate } from '../values.ts';
import {
  type Block,
  buttons,
  type Cell,
  type Fact,
  factList,
  newFold,
  newTable,
  notice,
  paragraph,
} from './protocol.ts';
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
  const share = validators.kind === 'read' ? shareText(validators.validators, t) : unread;
  const count = votes.total === undefined ? unread : t('{0} votes', String(votes.total));
  const blocks = validatorBlocks(validators, vote);
  return [
    newFold('validators', t('Validators'), blocks, { note: share, key: 'v', onOpen: 'openValidators' }),
    newFold('votes', t('Single votes'), voteList(whoVoted, t), { note: count, onOpen: 'openVotes' }),
  ];
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

function validatorBlocks(state: ValidatorVotes, vote: VoteContext): readonly Block[] {
  const { t } = vote;
  switch (state.kind) {
    case 'idle':
      return [buttons(['readValidators', t('Read the Votes of the Validators')])];
    case 'reading': {
      const { step, done, of } = state.progress;
      const count = of === undefined ? String(done) : t('{0} of {1}', done, of);
      const text = step === 'validators' ? t('Reading the validators: {0}', count) : t('Reading the votes: {0}', count);
      return [paragraph(text), buttons(['stopValidators', t('Cancel')])];
    }
    case 'failed':
      return [notice(state.reason), buttons(['readValidators', t('Retry')])];
    case 'read':
      return readBlocks(state, vote);
    default:
      return state satisfies never;
  }
}

function readBlocks(
  { validators, at }: Extract<ValidatorVotes, { kind: 'read' }>,
  context: VoteContext,
): readonly Block[] {
  const { power: powerText, t } = context;
  const total = sumOf(validators);
  const shareOf = (power: bigint) => ratioText(quotient(power, total) ?? 0n);
  const silent = validators.filter(({ vote }) => !vote);
  const silentPower = sumOf(silent);
  const notVoted = {
    text: t('{0}, {1} of the power', powerText(silentPower), shareOf(silentPower)),
    note: t('{0} of {1} validators', silent.length, validators.length),
    time: readTime(at, t('read {0}')),
  };
  const outcomes = silent.length > 0 ? outcomeFacts(context) : [];
  const rows = validators
    .slice(0, maxRows)
    .map(({ moniker, operator, power, vote }): readonly Cell[] => [
      moniker || { text: operator, code: true },
      powerText(power),
      shareOf(power),
      vote ? voteCell(vote, t) : t('has not voted'),
    ]);
  const columns = [t('Validator'), t('Power'), t('Share'), t('Vote')];
  const inheritance = t(
    'Each vote is the validator’s own, with all that is delegated to it. The count above is the chain’s: it takes off what delegators voted themselves.',
  );
  return [
    factList({ label: t('Not voted'), value: notVoted }, ...outcomes),
    newTable(t('Validators'), columns, rows, [1, 2]),
    paragraph(inheritance),
    buttons(['readValidators', t('Read Again')]),
  ];
}

/**
 * What the vote would come to with all that is not counted yet. Once every validator has voted all bonded tokens are counted,
 * so this is what is left of them: the power of those that have not voted without what their delegators voted themselves.
 */
function outcomeFacts(vote: VoteContext): readonly Fact[] {
  const { proposal, known, verdict, power, t } = vote;
  if (verdict.variant === 'atomone') {
    const value = t(
      'Delegators on this chain do not inherit the vote of their validator, which counts with its own stake only.',
    );
    return [{ label: t('If they vote'), value }];
  }
  const { tally, unvoted } = verdict;
  if (!tally || unvoted === undefined) return [];
  const note = t('with {0} that are not counted yet', power(unvoted));
  return (['yes', 'no'] as const).map((option): Fact => {
    const then = toVerdict(proposal, { ...known, liveTally: { ...tally, [option]: tally[option] + unvoted } });
    const { text } = verdictWords({ ...vote, verdict: { ...then, moreYes: undefined } });
    const label = option === 'yes' ? t('If all of them vote Yes') : t('If all of them vote No');
    const { kind } = then.outcome;
    const lead = kind === 'wouldPass' ? t('Passes:') : kind === 'wouldFail' ? t('Rejected:') : t('Not known:');
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
  const { error, loading, started, hasMore, total } = votes;
  const shown = votes.rows.slice(0, maxRows);
  const blocks: Block[] = [];
  if (found) {
    blocks.push(factList({ label: found.voter, value: found.vote ? voteCell(found.vote, t) : t('has not voted') }));
  }
  if (shown.length > 0) {
    const rows = shown.map(({ voter, vote }) => [{ text: voter, code: true }, voteCell(vote, t)]);
    blocks.push(newTable(t('Single votes'), [t('Voter'), t('Vote')], rows));
  } else if (started) blocks.push(paragraph(t('No votes yet.')));
  if (error !== undefined) blocks.push(notice(error instanceof Error ? error.message : String(error)));
  if (loading) blocks.push(paragraph(t('Reading votes…')));
  const counted = t('Show More ({0} of {1} are shown)', shown.length, String(total));
  const more = total === undefined ? t('Show More') : counted;
  const label = started ? more : t('Read the Votes');
  const isMore = hasMore && !loading && shown.length < maxRows;
  const read = isMore ? ([['moreVotes', error === undefined ? label : t('Retry')]] as const) : [];
  blocks.push(buttons(...read, ['findVote', t('Find by Address…')], ['exportVotes', t('Export…')]));
  return blocks;
}
