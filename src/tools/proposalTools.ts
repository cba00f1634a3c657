import { heightFault, isApiError, isHttpError, orUndefined } from '../api/errors.ts';
import type { ChainNode, Voters } from '../api/node.ts';
import { toAccount } from '../chain/address.ts';
import { type Deposit, descending } from '../chain/coin.ts';
import type { Fields } from '../chain/fields.ts';
import { depositStanding, type Proposal } from '../chain/gov/proposal.ts';
import { type Tally, type Vote, voteOptions } from '../chain/gov/tally.ts';
import { phishingSigns } from '../chain/phishing.ts';
import { shownText } from '../chain/text.ts';
import { Judge, type Judgement } from '../reads/judge.ts';
import {
  maxDepositors,
  readAllDeposits,
  readPageFacts,
  readSingleVotes,
  readValidatorVotes,
  type ValidatorVote,
  type VotersProgress,
} from '../reads/proposalReads.ts';
import { readId } from '../reads/search.ts';
import { toolQuestion } from '../session/kept.ts';
import type { Session } from '../session/session.ts';
import { addressFaultText } from '../words/errorWords.ts';
import { plainEnglish } from '../words/language.ts';
import { inputWords } from '../words/verdictWords.ts';
import {
  addressOf,
  amountsOf,
  displayOf,
  headOf,
  identifier,
  longText,
  nowOf,
  Space,
  stated,
  timeOf,
  untrusted,
  wordOf,
} from './answers/answer.ts';
import {
  amountSchema,
  answerSchema,
  count,
  denomAmountSchema,
  flag,
  headRequired,
  listOf,
  maybe,
  membersOf,
  rarely,
  record,
  text,
  textOrList,
} from './answers/answerSchema.ts';
import { type ContentSource, contentAnswer, contentSchema } from './answers/contentAnswer.ts';
import { checkOwnAccounts, factsOf, reasons, unreadableRow } from './answers/proposalMembers.ts';
import { verdictAnswer, verdictSchema } from './answers/verdictAnswer.ts';
import { type FieldMembers, narrowed, readFields } from './answers/wantedMembers.ts';
import { defineTool } from './defineTool.ts';
import { absenceError, sourceLabel, withSource } from './questionSource.ts';
import type { Question, ToolAnswer } from './tool.ts';
import { ToolError } from './toolError.ts';
import { heightParameter, maxTextLength, sourceParameter } from './toolInput.ts';
import { readAllValidators } from './validatorsTool.ts';

/** `not voted`, or the options with their weights. */
const voteSchema = textOrList(membersOf({ option: rarely(text), weight: rarely(text) }));

const times = ['submit_time', 'deposit_end_time', 'voting_start_time', 'voting_end_time'] as const;
const fieldMembers: FieldMembers = {
  title: ['untrusted_title', 'reads_like_phishing', 'untrusted_hosts'],
  times,
  verdict: ['verdict'],
  tally: ['tally', 'tally_height'],
  deposit: ['deposit'],
  depositors: ['depositors', 'more_depositors'],
  description: ['untrusted_description', 'untrusted_metadata', 'reads_like_phishing', 'untrusted_hosts'],
  contents: ['contents', 'more_contents'],
};

/** The members that stand in every answer, or were asked for in another way. */
const alwaysMembers = [
  ...[...headRequired, 'chain_id', 'untrusted_chain_id', 'estimated', 'time_estimated_from', 'unknown'],
  ...['untrusted_height_notice', 'untrusted_notices', 'more_notices', 'left_out', 'unreadable_fields'],
  ...['status', 'untrusted_status', 'expedited', 'untrusted_failed_reason', 'untrusted_reason'],
  ...['votes_of', 'votes_of_height', 'validator_votes', 'validator_votes_height', 'more_validator_votes'],
  ...['votes_cast', 'validators_not_voted', 'largest_other_votes', 'power'],
];

/** Gives one proposal with all known facts. */
export const getProposal = defineTool({
  name: 'get_proposal',
  title: 'Read a Proposal',
  description:
    'One governance proposal: its contents decoded, with the value of each parameter now and as proposed, tally, deposits and depositors, times, ' +
    'and the verdict: whether it passes by the rules of its chain as of now, with the inputs, limit and margin of every rule. ' +
    'Use it rather than working out quorum or thresholds. Votes and shares of the tally are in base units of the bond denom.',
  inputSchema: {
    type: 'object',
    properties: {
      source: sourceParameter,
      height: heightParameter,
      id: { type: ['string', 'integer'], description: 'The number of the proposal, such as "42".' },
      votes: {
        type: 'boolean',
        description:
          'Also the votes of bonded validators, the greatest first, and of a state the largest others; while voting is open.',
      },
      votes_of: {
        type: 'string',
        maxLength: 2000,
        description: 'Also the votes of these accounts, operator addresses or monikers, up to 20, with commas.',
      },
      fields: {
        type: 'string',
        maxLength: maxTextLength,
        description: `Only these and what "votes" ask for, with commas: ${Object.keys(fieldMembers).join(', ')}.`,
      },
    },
    required: ['id'],
    additionalProperties: false,
  },
  outputSchema: answerSchema(
    {
      id: text,
      status: maybe(text),
      untrusted_title: maybe(text),
      expedited: flag,
      submit_time: maybe(text),
      deposit_end_time: maybe(text),
      voting_start_time: maybe(text),
      voting_end_time: maybe(text),
      proposer: maybe(text),
      untrusted_status: rarely(text),
      verdict: verdictSchema,
      tally: maybe(
        membersOf({
          yes: amountSchema,
          abstain: amountSchema,
          no: amountSchema,
          no_with_veto: amountSchema,
          untrusted_denom: rarely(maybe(text)),
          untrusted_symbol: rarely(text),
        }),
      ),
      deposit: membersOf({
        total: listOf(denomAmountSchema),
        minimum: maybe(listOf(denomAmountSchema)),
        missing: maybe(listOf(denomAmountSchema)),
        effect: maybe(text),
        effect_if_minimum_is_missed: rarely(maybe(text)),
        by_parameter: rarely(text),
        unknown: rarely(record),
      }),
      untrusted_description: maybe(text),
      untrusted_failed_reason: text,
      untrusted_metadata: text,
      untrusted_reason: text,
      reads_like_phishing: flag,
      untrusted_hosts: listOf(text),
      emergency: flag,
      unreadable_fields: count,
      tally_height: maybe(text),
      votes_of_height: maybe(text),
      validator_votes_height: maybe(text),
      more_contents: count,
      more_depositors: count,
      more_validator_votes: count,
      votes_cast: maybe(count),
      validators_not_voted: membersOf({
        validators: count,
        power: text,
        gross_power: rarely(text),
        untrusted_largest: listOf(text),
      }),
      largest_other_votes: maybe(listOf(membersOf({ address: text, power: text, vote: voteSchema }))),
      contents: listOf(contentSchema),
      depositors: maybe(
        listOf(membersOf({ address: text, untrusted_address: rarely(text), deposit: listOf(denomAmountSchema) })),
      ),
      votes_of: maybe(listOf(membersOf({ address: text, vote: voteSchema }))),
      validator_votes: maybe(
        listOf(
          membersOf({
            operator_address: maybe(text),
            untrusted_moniker: rarely(text),
            power: text,
            gross_power: text,
            vote: voteSchema,
          }),
        ),
      ),
      left_out: listOf(text),
    },
    'id',
    'status',
  ),
  answer: (question) =>
    withSource(question, question.input.text('source'), async (session) => {
      const { input, signal } = question;
      const id = readId(input.text('id') ?? '');
      const wanted = readFields(input.text('fields'), fieldMembers);
      const accounts = await readAccounts(question, session, input.text('votes_of'));
      if (id === undefined) throw new ToolError('input', '"id" has to be the number of a proposal, such as "42".');
      await checkOwnAccounts(
        session,
        'votes_of',
        (accounts ?? []).map(({ account }) => account),
      );
      const node = await session.node();
      const first = await node.proposal(id, signal).catch((error: unknown) => {
        if (node.dialect.gov === 'none') throw absenceError(question, session, 'proposals');
        if (!isHttpError(error) || error.status !== 404) throw error;
        const label = sourceLabel(session.source, question.host);
        throw new ToolError(
          'missing',
          `${label} has no proposal ${id}.`,
          'Call list_proposals for those that there are.',
        );
      });
      const head = await headOf(question, session, { height: first.height });
      if (first.kind === 'unreadable') return { ...head, ...unreadableRow(first) };
      await session.lists.supply.loadUnits(toolQuestion(session, question.signal));
      const now = await nowOf(question, session, { height: first.height });
      const judgement = await new Judge(node, session.kept, toolQuestion(session, signal)).judge(
        first,
        now,
        first.height,
      );
      // The node has just kept to that height.
      const { height } = judgement;
      const beside = session.source.kind === 'http' && height !== undefined ? node.at(height) : node;
      const page = await readPageFacts(beside, first, session.source.kind, signal);
      const { proposal: row } = judgement;
      const votes = input.isSet('votes') ? await validatorVotes(question, session, judgement) : undefined;
      const depositors = await readDepositors(node, row, signal);
      const single = accounts && (await singleVotes(question, session, judgement, accounts));
      const answer = proposalAnswer(head, {
        asker: question.host,
        row,
        session,
        page,
        now,
        judgement,
        votes,
        depositors,
        single,
      });
      return narrowed(answer, wanted && new Set([...wanted, ...alwaysMembers]));
    }),
});

/** An address that was named, and its account if the address is that of an operator. */
interface NamedAccount {
  readonly named: string;
  readonly account: string;
}

const maxAccounts = 20;

/**
 * Reads addresses and monikers. Throws a `ToolError` for text that is no address of an account or an operator, and no
 * moniker.
 */
async function readAccounts(
  question: Question,
  session: Session,
  text: string | undefined,
): Promise<readonly NamedAccount[] | undefined> {
  const names = text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names && names.length > maxAccounts)
    throw new ToolError('input', `"votes_of" takes at most ${maxAccounts} addresses at once.`);
  const isMoniker = (name: string): boolean => !('address' in toAccount(name)) && !/^[a-z]+1[a-z0-9]{20,}$/i.test(name);
  const validators = names?.some(isMoniker) ? (await readAllValidators(question, session)).rows : [];
  return names?.map((named) => {
    const alike = isMoniker(named)
      ? validators.filter(({ moniker }) => moniker.toLowerCase() === named.toLowerCase())
      : [];
    const read = toAccount(alike.length === 1 ? (alike[0]?.operator ?? '') : named);
    if ('address' in read) return { named, account: read.address };
    const reason = `${addressFaultText(read, plainEnglish)}.`;
    throw new ToolError(
      'input',
      alike.length > 1
        ? `"votes_of": ${alike.length} validators have this moniker.`
        : `"votes_of" has an address that is none of an account or operator, and no moniker. ${reason}`,
      'Take operator addresses from list_validators.',
    );
  });
}

/** Reads the depositors. Gives a text if they cannot be known. */
async function readDepositors(
  node: ChainNode,
  { id, status, height }: Proposal,
  signal: AbortSignal,
): Promise<readonly Deposit[] | string> {
  if (status !== 'deposit' && status !== 'voting') return 'deposits of an ended proposal are paid back or burnt';
  const pinned = height === undefined ? node : node.at(height);
  const found = await readAllDeposits(pinned, id, signal).catch(async (error: unknown) => {
    if (!isApiError(error)) throw error;
    // A node may refuse the height that it has just answered at.
    return heightFault(error) === undefined ? undefined : readAllDeposits(node, id, signal);
  });
  if (found === 'tooMany') return `there are more than ${maxDepositors}, and more are not read`;
  const most = ({ coins: [coin] }: Deposit): bigint => coin?.amount ?? 0n;
  return found?.toSorted((a, b) => descending(most(a), most(b))) ?? 'the source does not list deposits';
}

/** Reads single votes at the height of the tally. Gives a text if they cannot be known. */
async function singleVotes(
  { signal, onProgress }: Question,
  session: Session,
  { proposal: { id, status }, height: tallyHeight }: Judgement,
  accounts: readonly NamedAccount[],
): Promise<CastVotes | string> {
  if (status !== 'voting') return votesAreGone;
  let done = 0;
  const options = { height: tallyHeight, signal, onVote: (): void => onProgress(++done) };
  const names = [...new Set(accounts.map(({ account }) => account))];
  const { found, height } = await readSingleVotes(await session.node(), id, names, options);
  const rows = accounts.map(({ named, account }) => ({ address: named, vote: voteAnswer(found.get(account)) }));
  return { rows, height, isOfTally: session.isStill || (height !== undefined && height === tallyHeight) };
}

const votesAreGone = 'a chain keeps single votes only while voting is open';

function voteAnswer(vote: Vote | undefined): unknown {
  return vote?.map(({ option, weight }) => ({ option: wordOf(option), weight })) ?? 'not voted';
}

/** The facts that the answer is written from. */
interface Known extends ContentSource {
  readonly now: Date;
  readonly judgement: Judgement;
  readonly votes: CastVotes | string | undefined;
  readonly depositors: readonly Deposit[] | string;
  readonly single: CastVotes | string | undefined;
}

/** Writes the answer. The most important parts come first, for as long as there is space. */
function proposalAnswer(head: Fields, known: Known): ToolAnswer {
  const { row, votes, depositors, single } = known;
  const { description, metadata, proposer, failedReason, emergency, depositEndTime, votingStartTime } = row;
  const signs = phishingSigns(`${row.title ?? ''}\n${description ?? ''}`);
  const isBeforeVote = row.status === 'deposit';
  const { unpinnedReason, verdict } = known.judgement;
  const { tally } = verdict;
  const isUnpinned = unpinnedReason !== undefined && !known.session.isStill;
  const members = {
    ...head,
    ...factsOf(row),
    ...(row.statesExpedited ? { expedited: row.expedited } : {}),
    proposer: identifier(proposer),
    deposit_end_time: timeOf(depositEndTime),
    ...(isBeforeVote ? {} : { voting_start_time: timeOf(votingStartTime), voting_end_time: timeOf(row.votingEndTime) }),
    verdict: verdictAnswer(row, known.judgement, known.now),
    tally: tally && tallyAnswer(tally, known),
    ...(isUnpinned ? { tally_height: undefined } : {}),
    deposit: depositAnswer(known),
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
    typeof depositors === 'string' ? undefined : space.fit(depositors.map((one) => depositorRow(one, known)));
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
function absences({ row, votes, depositors, single, judgement }: Known): Readonly<Record<string, string>> {
  const { unpinnedReason, verdict } = judgement;
  const noTally = verdict.missing.includes('tally') ? inputWords('tally', plainEnglish) : 'the chain states none';
  return {
    ...reasons,
    tally: row.status === 'deposit' ? reasons.noVotes : noTally,
    tally_height: `tally and voting power may be of different heights: ${unpinnedReason}`,
    validator_votes: typeof votes === 'string' ? votes : '',
    votes_of: typeof single === 'string' ? single : '',
    votes_of_height: 'the votes may be of another height than the tally',
    depositors: typeof depositors === 'string' ? depositors : '',
    votes_cast: 'the node does not count its votes',
    largest_other_votes: 'a node does not state the power of voters: name some in "votes_of"',
    validator_votes_height: 'power and votes may be of different heights, and of others than the tally',
  };
}

function depositorRow({ depositor, coins }: Deposit, { session, asker }: Known): Fields {
  return { ...addressOf(depositor), deposit: amountsOf(coins, session, asker) };
}

function depositAnswer({ row, session, judgement, asker }: Known): Fields {
  const { params } = judgement.inputs;
  const minimum = row.expedited ? params.expeditedMinDeposit : params.minDeposit;
  const standing = minimum && depositStanding(row.totalDeposit, minimum);
  const missing = standing?.map(({ denom, missing: amount }) => ({ denom, amount }));
  const { deposits } = judgement.verdict;
  const isWaiting = row.status === 'deposit';
  return stated(
    {
      total: amountsOf(row.totalDeposit, session, asker),
      ...(isWaiting
        ? {
            minimum: minimum && amountsOf(minimum, session, asker),
            missing: missing && amountsOf(missing, session, asker),
          }
        : {}),
      [isWaiting ? 'effect_if_minimum_is_missed' : 'effect']: deposits?.effect,
      ...(deposits && 'parameter' in deposits && deposits.parameter ? { by_parameter: deposits.parameter } : {}),
    },
    reasons,
  );
}

function tallyAnswer(tally: Tally, { session }: Known): Fields {
  const denom = session.lists.supply.staking?.denom;
  const unit = denom === undefined ? undefined : session.lists.supply.unit(denom);
  const options = voteOptions.map((option) => {
    return [wordOf(option), { amount: `${tally[option]}`, ...displayOf(tally[option], unit) }];
  });
  return stated({
    untrusted_denom: denom && untrusted(denom),
    ...(unit ? { untrusted_symbol: untrusted(unit.symbol) } : {}),
    ...Object.fromEntries(options),
  });
}

/** Reads the validators' votes at the height of the tally. Gives a text if they cannot be known. */
async function validatorVotes(
  { host, signal, onProgress }: Question,
  session: Session,
  { proposal: { id, status }, height: tallyHeight }: Judgement,
): Promise<CastVotes | string> {
  if (status !== 'voting') return votesAreGone;
  const options = { height: tallyHeight, signal, onProgress: ({ done }: VotersProgress): void => onProgress(done) };
  const node = await session.node();
  const { validators, height } = await readValidatorVotes(node, id, options);
  const voters = await node.voters(id, signal);
  const counted = voters?.validators;
  const listed = host.isUnbounded ? validators : validators.filter(({ vote }) => vote !== undefined);
  const rows = listed.map((one) => ({
    ...stated({ operator_address: identifier(one.operator) }),
    untrusted_moniker: shownText(one.moniker, 100),
    ...powerAnswer([one], counted),
    vote: voteAnswer(one.vote),
  }));
  const silent = validators.filter(({ vote }) => vote === undefined);
  const beside = {
    ...(counted || rows.length === 0 ? {} : { unknown: { power: noCountedPower } }),
    validators_not_voted: {
      validators: silent.length,
      ...powerAnswer(silent, counted),
      untrusted_largest: silent.slice(0, 5).map(({ moniker }) => shownText(moniker, 100)),
    },
    ...(voters ? await otherVotes(node, id, voters, signal) : await votesCast(node, id, signal)),
  };
  return { rows, beside, height, isOfTally: session.isStill || (height !== undefined && height === tallyHeight) };
}

const noCountedPower = 'a node does not state how much of gross_power delegators took away who voted themselves';

/**
 * Gives the power of validators as it counts in the tally, if it is known, beside all tokens that are bonded with them
 * (`gross_power`), if that is more.
 */
function powerAnswer(
  validators: readonly Pick<ValidatorVote, 'operator' | 'power'>[],
  counted: ReadonlyMap<string, bigint> | undefined,
): Fields {
  const gross = validators.reduce((sum, { power }) => sum + power, 0n);
  if (!counted) return { gross_power: `${gross}` };
  const net = validators.reduce((sum, { operator, power }) => sum + (counted.get(operator) ?? power), 0n);
  return { power: `${net}`, ...(net === gross ? {} : { gross_power: `${gross}` }) };
}

async function votesCast(node: ChainNode, id: bigint, signal: AbortSignal): Promise<Fields> {
  const page = await orUndefined(node.votes(id, { limit: 1, countTotal: true }, signal));
  const total = page?.total;
  return { votes_cast: total === undefined ? undefined : Number(total), largest_other_votes: undefined };
}

/** Gives the number of all votes, and the largest of those that are not of bonded validators. */
async function otherVotes(
  node: ChainNode,
  id: bigint,
  { votes, largest: others }: Voters,
  signal: AbortSignal,
): Promise<Fields> {
  const names = others.map(({ voter }) => voter);
  const { found } = await readSingleVotes(node, id, names, { height: undefined, signal, onVote: () => undefined });
  const largest = others.map(({ voter, power }) => {
    return { ...addressOf(voter), power: `${power}`, vote: voteAnswer(found.get(voter)) };
  });
  return { votes_cast: Number(votes), largest_other_votes: largest };
}

/** The votes of the validators, and whether power and votes are of the height of the tally. */
interface CastVotes {
  readonly rows: readonly Fields[];
  /** Members that stand beside the rows. */
  readonly beside?: Fields;
  readonly height: bigint | undefined;
  readonly isOfTally: boolean;
}
