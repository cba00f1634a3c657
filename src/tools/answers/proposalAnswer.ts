import type { Deposit } from '../../chain/coin.ts';
import type { Fields } from '../../chain/fields.ts';
import { depositStanding, smallestDeposits } from '../../chain/gov/proposal.ts';
import type { DepositRule } from '../../chain/gov/rules.ts';
import { type Tally, voteOptions } from '../../chain/gov/tally.ts';
import { phishingSigns } from '../../chain/phishing.ts';
import type { Judgement } from '../../reads/judge.ts';
import { plainEnglish } from '../../words/language.ts';
import { inputWords } from '../../words/verdictWords.ts';
import type { CastVotes } from '../castVotes.ts';
import { depositorRow } from '../depositors.ts';
import type { ToolAnswer } from '../question/tool.ts';
import { amountsOf, baseAmount, identifier, longText, Space, stated, timeOf, untrusted, wordOf } from './answer.ts';
import { type ContentSource, contentAnswer, poolLackAnswer } from './contentAnswer.ts';
import { proposalMembers, reasons } from './proposalMembers.ts';
import { noPool } from './supplyAnswer.ts';
import { verdictAnswer } from './verdictAnswer.ts';

/** The facts that the answer is written from. */
interface ProposalReads extends ContentSource {
  readonly now: Date;
  readonly judgement: Judgement;
  readonly votes: CastVotes | string | undefined;
  readonly depositors: readonly Deposit[] | string;
  readonly single: CastVotes | string | undefined;
}

/** Writes the answer. The most important parts come first, for as long as there is space. */
export function proposalAnswer(head: Fields, known: ProposalReads): ToolAnswer {
  const { row, votes, depositors, single } = known;
  const { description, metadata, proposer, failedReason, emergency, depositEndTime, votingStartTime } = row;
  const signs = phishingSigns(`${row.title ?? ''}\n${description ?? ''}`);
  const isBeforeVote = row.status === 'deposit';
  const { unpinnedReason, verdict } = known.judgement;
  const { tally } = verdict;
  const isUnpinned = unpinnedReason !== undefined && !known.session.isStill;
  const members = {
    ...head,
    ...proposalMembers(row),
    ...(row.statesExpedited ? { expedited: row.expedited } : {}),
    proposer: identifier(proposer),
    deposit_end_time: timeOf(depositEndTime),
    ...(isBeforeVote ? {} : { voting_start_time: timeOf(votingStartTime), voting_end_time: timeOf(row.votingEndTime) }),
    verdict: verdictAnswer(row, known.judgement, known.now),
    tally: tally && tallyAnswer(tally, known),
    ...(isUnpinned ? { tally_height: undefined } : {}),
    deposit: depositAnswer(known),
    ...poolLackAnswer(row, known.page.communityPool, known),
    ...(single === undefined ? {} : { votes_of: typeof single === 'string' ? undefined : single.rows }),
    ...(typeof depositors === 'string' ? { depositors: undefined } : {}),
    untrusted_description: description ? longText(description, known.asker) : undefined,
    ...(emergency ? { emergency } : {}),
    ...(failedReason ? { untrusted_failed_reason: longText(failedReason, known.asker) } : {}),
    ...(metadata ? { untrusted_metadata: longText(metadata.text, known.asker) } : {}),
    ...(signs ? { reads_like_phishing: true, untrusted_hosts: signs.hosts.map(untrusted) } : {}),
    ...(row.faults.length > 0 ? { unreadable_fields: row.faults.length } : {}),
    ...(typeof votes === 'string' ? { validator_votes: undefined } : {}),
    ...(typeof votes === 'object' ? votes.beside : {}),
    ...(typeof single === 'object' && !single.isOfTally ? { votes_of_height: single.height?.toString() } : {}),
    ...(typeof votes === 'object' && !votes.isOfTally ? { validator_votes_height: votes.height?.toString() } : {}),
  };
  const space = new Space(known.asker);
  const facts = space.members(stated(members, absences(known)));
  const contents = row.contents
    .slice(0, known.asker.isUnbounded ? row.contents.length : 50)
    .flatMap((content) => contentAnswer(content, known, space) ?? []);
  const left = row.contents.length - contents.length;
  const listed =
    typeof depositors === 'string'
      ? undefined
      : space.fit(depositors.map((one) => depositorRow(one, known.session, known.asker)));
  const cast = typeof votes === 'object' ? space.fit(votes.rows) : undefined;
  return {
    ...facts,
    contents,
    ...(left > 0 ? { more_contents: left } : {}),
    ...(listed ? { depositors: listed.shown } : {}),
    ...(listed && listed.left > 0 ? { more_depositors: listed.left } : {}),
    ...(cast ? { validator_votes: cast.shown, more_validator_votes: cast.left } : {}),
  };
}

/** The reasons why parts of an answer are unknown. */
function absences({ row, votes, depositors, single, judgement }: ProposalReads): Readonly<Record<string, string>> {
  const { unpinnedReason, verdict } = judgement;
  const noTally = verdict.missing.includes('tally') ? inputWords('tally', plainEnglish) : 'the chain reports none';
  return {
    ...reasons,
    tally: row.status === 'deposit' ? reasons.noVotes : noTally,
    tally_height: `tally and voting power may be from different heights: ${unpinnedReason}`,
    validator_votes: typeof votes === 'string' ? votes : '',
    votes_of: typeof single === 'string' ? single : '',
    votes_of_height: 'the votes may be from a different height than the tally',
    depositors: typeof depositors === 'string' ? depositors : '',
    community_pool_lacks: noPool,
    votes_cast: 'the node does not report how many votes were cast',
    largest_other_votes: 'nodes do not report the power of voters: name voters in "votes_of"',
    validator_votes_height: 'power, votes and tally may be from different heights',
  };
}

function depositAnswer({ row, session, judgement, asker }: ProposalReads): Fields {
  const { params } = judgement.inputs;
  const minimum = row.expedited ? params.expeditedMinDeposit : params.minDeposit;
  const standing = minimum && depositStanding(row.totalDeposit, minimum);
  const missing = standing?.map(({ denom, missing: amount }) => ({ denom, amount }));
  const smallest = minimum && smallestDeposits(minimum, params.minDepositRatio);
  const { deposits } = judgement.verdict;
  const isWaiting = row.status === 'deposit';
  return stated(
    {
      total: amountsOf(row.totalDeposit, session, asker),
      ...(isWaiting
        ? {
            minimum: minimum && amountsOf(minimum, session, asker),
            missing: missing && amountsOf(missing, session, asker),
            ...(smallest ? { smallest_accepted: amountsOf(smallest, session, asker) } : {}),
          }
        : {}),
      [isWaiting ? 'effect_if_minimum_is_missed' : 'effect']: deposits?.effect,
      ...(deposits && 'parameter' in deposits ? parameterAnswer(deposits) : {}),
    },
    reasons,
  );
}

/** Names the parameter that decides the effect on a deposit, also where the source does not have it. */
function parameterAnswer({ parameter, absent, effect }: DepositRule): Fields {
  if (parameter !== undefined) return { by_parameter: parameter };
  if (absent === undefined) return {};
  const meaning = effect === 'returned' ? ' and counts as false' : ', as in versions that always burn the deposit';
  return { by_missing_parameter: `${absent} is not in this source${meaning}` };
}

function tallyAnswer(tally: Tally, { session }: ProposalReads): Fields {
  const denom = session.lists.supply.staking?.denom;
  const unit = denom === undefined ? undefined : session.lists.supply.unit(denom);
  const options = voteOptions.map((option) => {
    return [wordOf(option), baseAmount(tally[option], unit)];
  });
  return stated({
    untrusted_denom: denom && untrusted(denom),
    ...(unit ? { untrusted_symbol: untrusted(unit.symbol) } : {}),
    ...Object.fromEntries(options),
  });
}
