import { isHttpError } from '../api/errors.ts';
import type { LoadPage } from '../api/pages.ts';
import type { Fields } from '../api/wireValues.ts';
import { addressFault } from '../chain/address.ts';
import { readProposal, readProposalPage } from '../chain/nodeReads.ts';
import {
  depositStanding,
  groupOf,
  type Proposal,
  type ProposalRow,
  periodEnd,
  statusGroups,
  type Tally,
  voteOptions,
  wireStatus,
} from '../chain/proposal.ts';
import type { VoteInput } from '../chain/rules.ts';
import { phishingSigns, shownText } from '../chain/text.ts';
import type { Rule, Verdict } from '../chain/verdict.ts';
import { maxOpen, soonestFirst } from '../lists/proposalStore.ts';
import { Judge, type Judgement } from '../session/judge.ts';
import { toolQuestion } from '../session/kept.ts';
import { textsOf } from '../session/lists.ts';
import { readPageFacts, readValidatorVotes, type VotersProgress } from '../session/proposalReads.ts';
import { readId, toMatcher } from '../session/search.ts';
import type { Session } from '../session/session.ts';
import { addressFaultText } from '../words/errorWords.ts';
import { plainEnglish } from '../words/language.ts';
import { assumptionWords, inputWords, ruleWords, verdictWords } from '../words/verdictWords.ts';
import {
  amountsOf,
  displayOf,
  headOf,
  identifier,
  listAnswer,
  readWindow,
  Space,
  shareOf,
  stated,
  timeOf,
  untrusted,
  type Window,
  windowOf,
  wordOf,
} from './answer.ts';
import { type ContentSource, contentAnswer } from './contentAnswer.ts';
import {
  absenceError,
  defineTool,
  keyParameter,
  limitParameter,
  maxTextLength,
  type Question,
  sourceLabel,
  sourceParameter,
  type Tool,
  type ToolAnswer,
  ToolError,
  withSource,
} from './tool.ts';

/** Proposals by status, voter and words. */
export const listProposals: Tool = defineTool({
  name: 'list_proposals',
  title: 'List Proposals',
  description:
    'Governance proposals of a Cosmos SDK chain as the chain itself states them: id, status, title, types of messages, times in UTC, deposit. ' +
    'Newest first; with status "voting" those whose voting ends next come first. For contents, tally and whether it would pass call get_proposal.',
  inputSchema: {
    type: 'object',
    properties: {
      source: sourceParameter,
      status: { type: 'string', enum: statusGroups, description: 'Only proposals with this status.' },
      voter: {
        type: 'string',
        description: 'Only proposals that this account has voted on. Chains know this only while voting is open.',
      },
      text: {
        type: 'string',
        maxLength: maxTextLength,
        description: 'Only proposals that hold this in title, description or a message type.',
      },
      limit: limitParameter,
      key: keyParameter,
    },
    additionalProperties: false,
  },
  answer: (question) =>
    withSource(question, question.input.text('source'), async (session) => {
      const { input } = question;
      const status = input.oneOf('status', statusGroups);
      checkVoter(input.text('voter'));
      const isFiltered = [input.text('voter'), input.text('text')].some((one) => one !== undefined);
      const found = await readProposals(question, session);
      const head = await headOf(question, session, found.info);
      await session.stores.supply.loadUnits(toolQuestion(session, question.signal));
      const { countsFiltered, dialect } = await session.node();
      const isCounted = !isFiltered && (status === undefined || status === 'voting' || countsFiltered);
      const isWhole = input.text('key') === undefined && found.keyAfter(found.rows.length) === undefined;
      const counted = isCounted ? found.total : undefined;
      if (dialect.gov === 'none' && session.source.kind !== 'http') throw absenceError(question, session, 'proposals');
      return listAnswer(
        dialect.gov === 'none' ? { ...head, notice: 'This chain has no governance module.' } : head,
        'proposals',
        {
          rows: found.rows.map((row) => toRow(row, session)),
          total: isWhole ? found.rows.length + found.faults : counted,
          noTotal: 'the node does not count the rows of such a list behind its first page',
          keyAfter: found.keyAfter,
        },
      );
    }),
});

/** Throws a `ToolError` for what is no address. */
function checkVoter(voter: string | undefined): void {
  const fault = voter === undefined ? undefined : addressFault(voter, undefined);
  if (fault)
    throw new ToolError('input', `"voter" is no address of an account. ${addressFaultText(fault, plainEnglish)}.`);
}

async function readProposals(question: Question, session: Session): Promise<Window<ProposalRow>> {
  const { input } = question;
  const node = await session.node();
  const status = input.oneOf('status', statusGroups);
  const text = input.text('text');
  const voter = input.text('voter');
  const wanted = input.number('limit') ?? limitParameter.default;
  const filter = { status: status && wireStatus[status], voter };
  const load: LoadPage<ProposalRow> = (request, signal) => {
    const page = { ...request, reverse: true, countTotal: request.key === undefined };
    return readProposalPage(node, filter, page, signal);
  };
  const isMatch = text === undefined ? (): boolean => true : toMatcher(text);
  const keep = (row: ProposalRow): boolean =>
    (status === undefined || groupOf(row) === status) && (text === undefined || textsOf(row).some(isMatch));
  const idOf = ({ id }: ProposalRow): string => `${id}`;
  const from = input.text('key');
  if (status !== 'voting') return readWindow(question, load, { idOf, limit: 100, wanted, key: from, keep });
  // All of them, since those that end next may be anywhere in the list.
  const all = await readWindow(question, load, { idOf, limit: 100, wanted: maxOpen, key: undefined, keep });
  return { ...all, ...windowOf(all.rows.toSorted(soonestFirst), wanted, from) };
}

function toRow(row: ProposalRow, session: Session): Fields {
  if (row.kind === 'unreadable')
    return {
      id: `${row.id}`,
      status: null,
      unknown: { status: 'unreadable' },
      untrusted_reason: untrusted(row.reason),
    };
  const members = {
    ...factsOf(row),
    untrusted_types: row.contents.slice(0, 5).map(({ typeUrl }) => untrusted(typeUrl)),
    ...(row.contents.length > 5 ? { more_types: row.contents.length - 5 } : {}),
    ...(row.status === 'deposit' ? { deposit: amountsOf(row.totalDeposit, session) } : {}),
  };
  return stated(members, reasons);
}

/** What both tools say of a proposal; undefined is what is not known. */
function factsOf(proposal: Proposal): Fields {
  const { id, status, wireStatus: word, title, expedited, submitTime, votingEndTime } = proposal;
  const isNamed = status !== 'unknown' && status !== 'unspecified';
  return {
    id: `${id}`,
    status: isNamed ? status : undefined,
    ...(isNamed ? {} : { untrusted_status: untrusted(word) }),
    untrusted_title: title ? untrusted(title) : undefined,
    ...(expedited ? { expedited } : {}),
    submit_time: timeOf(submitTime),
    [status === 'deposit' ? 'deposit_end_time' : 'voting_end_time']: timeOf(periodEnd(proposal) ?? votingEndTime),
  };
}

/** Why members are null. */
const reasons = {
  status: 'not one of gov',
  untrusted_title: 'the proposal has no title',
  untrusted_description: 'the proposal has none',
  minimum: 'the source does not offer its gov parameters',
  missing: 'the source does not offer its gov parameters',
  effect: 'the rules that decide it are not known',
  effect_if_minimum_is_missed: 'the rules that decide it are not known',
} as const;

/** One proposal with everything that is known of it. */
export const getProposal: Tool = defineTool({
  name: 'get_proposal',
  title: 'Read a Proposal',
  description:
    'One governance proposal: its contents decoded, with the value of each parameter now and as proposed, tally, deposits, times in UTC, ' +
    'and the verdict: whether it passes by the rules of its chain as of now, with the inputs, limit and margin of every rule. ' +
    'Use it rather than working out quorum or thresholds. Votes and shares of the tally are in base units of the bond denom.',
  inputSchema: {
    type: 'object',
    properties: {
      source: sourceParameter,
      id: { type: ['string', 'integer'], description: 'The number of the proposal, such as "42".' },
      votes: {
        type: 'boolean',
        description: 'Also the vote of each bonded validator, the greatest first; while voting is open. Takes longer.',
      },
    },
    required: ['id'],
    additionalProperties: false,
  },
  answer: (question) =>
    withSource(question, question.input.text('source'), async (session) => {
      const { input, signal } = question;
      const id = readId(input.text('id') ?? '');
      if (id === undefined) throw new ToolError('input', '"id" has to be the number of a proposal, such as "42".');
      const node = await session.node();
      const first = await readProposal(node, id, signal).catch((error: unknown) => {
        if (node.dialect.gov === 'none') throw absenceError(question, session, 'proposals');
        if (!isHttpError(error) || error.status !== 404) throw error;
        const label = sourceLabel(session.source, question.host);
        throw new ToolError('missing', `${label} has no proposal ${id}. Call list_proposals for those that there are.`);
      });
      const head = await headOf(question, session, { height: first.height });
      if (first.kind === 'unreadable') return { ...head, ...toRow(first, session) };
      await session.stores.supply.loadUnits(toolQuestion(session, question.signal));
      const page = await readPageFacts(node, first, session.source.kind, signal);
      const now = session.pastTime ?? page.now ?? new Date();
      const judgement = await new Judge(node, signal).judge(first, now, first.height);
      const { proposal: row } = judgement;
      const votes = input.isSet('votes') ? await validatorVotes(question, session, judgement) : undefined;
      return proposalAnswer(head, { row, session, page, now, judgement, votes });
    }),
});

/** Everything that the answer is written from. */
interface Known extends ContentSource {
  readonly now: Date;
  readonly judgement: Judgement;
  readonly votes: CastVotes | string | undefined;
}

/** What matters most is written first, as far as there is space. */
function proposalAnswer(head: Fields, known: Known): ToolAnswer {
  const { row, votes } = known;
  const { description, metadata, proposer, failedReason, emergency, depositEndTime, votingStartTime } = row;
  const signs = phishingSigns(`${row.title ?? ''}\n${description ?? ''}`);
  const isBeforeVote = row.status === 'deposit';
  const { heightDropped, verdict } = known.judgement;
  const { tally, missing } = verdict;
  const isUnpinned = heightDropped !== undefined && !known.session.isStill;
  const noTally = missing.includes('tally') ? inputWords('tally', plainEnglish) : 'the chain states none';
  const members = {
    ...head,
    ...factsOf(row),
    proposer: identifier(proposer),
    deposit_end_time: timeOf(depositEndTime),
    ...(isBeforeVote ? {} : { voting_start_time: timeOf(votingStartTime), voting_end_time: timeOf(row.votingEndTime) }),
    verdict: verdictAnswer(known),
    tally: tally && tallyAnswer(tally, known),
    ...(isUnpinned ? { tally_height: undefined } : {}),
    deposit: depositAnswer(known),
    untrusted_description: description ? untrusted(description) : undefined,
    ...(emergency ? { emergency } : {}),
    ...(failedReason ? { untrusted_failed_reason: untrusted(failedReason) } : {}),
    ...(metadata ? { untrusted_metadata: untrusted(metadata.text) } : {}),
    ...(signs ? { reads_like_phishing: true, untrusted_hosts: signs.hosts.map(untrusted) } : {}),
    ...(row.faults.length > 0 ? { unreadable_fields: row.faults.length } : {}),
    ...(typeof votes === 'string' ? { validator_votes: undefined } : {}),
    ...(typeof votes === 'object' && !votes.isOfTally ? { validator_votes_height: votes.height?.toString() } : {}),
  };
  const space = new Space();
  const facts = space.members(
    stated(members, {
      ...reasons,
      tally: isBeforeVote ? 'voting has not begun' : noTally,
      tally_height: `tally and voting power may be of different heights: ${heightDropped}`,
      validator_votes: typeof votes === 'string' ? votes : '',
      validator_votes_height: 'power and votes may be of different heights, and of others than the tally',
    }),
  );
  const contents = row.contents.slice(0, 50).flatMap((content) => contentAnswer(content, known, space) ?? []);
  const left = row.contents.length - contents.length;
  const cast = typeof votes === 'object' ? space.fit(votes.rows) : undefined;
  return {
    ...facts,
    contents,
    ...(left > 0 ? { more_contents: left } : {}),
    ...(cast ? { validator_votes: cast.shown, more_validator_votes: cast.left } : {}),
  };
}

function depositAnswer({ row, session, judgement }: Known): Fields {
  const { params } = judgement.inputs;
  const minimum = row.expedited ? params.expeditedMinDeposit : params.minDeposit;
  const standing = minimum && depositStanding(row.totalDeposit, minimum);
  const missing = standing?.map(({ denom, missing: amount }) => ({ denom, amount }));
  const { deposits } = judgement.verdict;
  const isWaiting = row.status === 'deposit';
  return stated(
    {
      total: amountsOf(row.totalDeposit, session),
      ...(isWaiting
        ? { minimum: minimum && amountsOf(minimum, session), missing: missing && amountsOf(missing, session) }
        : {}),
      [isWaiting ? 'effect_if_minimum_is_missed' : 'effect']: deposits?.effect,
      ...(deposits && 'parameter' in deposits && deposits.parameter ? { by_parameter: deposits.parameter } : {}),
    },
    reasons,
  );
}

function tallyAnswer(tally: Tally, { session }: Known): Fields {
  const denom = session.stores.supply.staking?.denom;
  const unit = denom === undefined ? undefined : session.stores.supply.unit(denom);
  const options = voteOptions.map((option) => {
    return [wordOf(option), { amount: `${tally[option]}`, ...displayOf(tally[option], unit) }];
  });
  return stated({
    untrusted_denom: denom && untrusted(denom),
    ...(unit ? { untrusted_symbol: untrusted(unit.symbol) } : {}),
    ...Object.fromEntries(options),
  });
}

function verdictAnswer({ row, now, judgement }: Known): Fields {
  const { verdict, faults } = judgement;
  const { outcome } = verdict;
  const isOpen = row.status === 'voting';
  const power = (amount: bigint): string => `${amount} base units`;
  const { lead, text } = verdictWords({ proposal: row, verdict, now, power, t: plainEnglish });
  const candidates = outcome.kind === 'rejected' ? outcome.candidates.map(wordOf) : [];
  return {
    outcome: wordOf(outcome.kind),
    // The reason of a failed one is the chain's own text, which stands in a field of its own.
    sentence: outcome.kind === 'failed' ? lead : [lead, text].join(' ').trim(),
    ...('rule' in outcome && outcome.rule ? { rule: wordOf(outcome.rule) } : {}),
    ...(candidates.length > 1 ? { rules_that_may_have_decided: candidates } : {}),
    ...(outcome.kind === 'notVoting' ? { rules: verdict.rules.flatMap(limitAnswer) } : votesAnswer(verdict, isOpen)),
    rules_of: verdict.variant.name,
    ...(verdict.assumptions.length > 0 ? { assumes: assumptionWords(verdict, plainEnglish) } : {}),
    ...(verdict.contradicting.length > 0 ? { parameters_have_changed_since: verdict.contradicting.map(wordOf) } : {}),
    ...(faults.length > 0 ? { not_read: faults.map(({ read }) => read) } : {}),
  };
}

/** The limit that a vote will be held against, before it begins. */
function limitAnswer({ name, limit }: Rule): readonly Fields[] {
  if (limit === undefined) return [];
  return [{ rule: wordOf(name), formula: ruleWords(name, plainEnglish).formula, limit: shareOf(limit) }];
}

/** The rules with the votes held against them. */
function votesAnswer(verdict: Verdict, isOpen: boolean): Fields {
  const { turnout, unvoted, moreYes } = verdict;
  return {
    rules: verdict.rules.map((rule) => ruleAnswer(rule, isOpen)),
    ...stated(
      { turnout: turnout === undefined ? undefined : shareOf(turnout) },
      { turnout: missingText(isOpen ? verdict.missing : ['bonded'], isOpen) },
    ),
    ...(unvoted === undefined ? {} : { not_voted: `${unvoted}` }),
    ...(moreYes === undefined ? {} : { more_yes_needed: `${moreYes}` }),
    ...(verdict.becomesRegular ? { becomes_regular: true } : {}),
    ...(verdict.endMayMove ? { end_may_move: verdict.endMayMove } : {}),
  };
}

/** Why a share is not known. */
function missingText(missing: readonly VoteInput[], isOpen: boolean): string {
  const words = missing.map((input) =>
    input === 'bonded' && !isOpen
      ? 'an ended vote does not show the voting power of its end'
      : inputWords(input, plainEnglish),
  );
  return words.join(' ') || 'it is a share of nothing';
}

/** Amounts in base units of the bond denom, shares of 1. */
function ruleAnswer({ name, part, of, value, limit, result, margin, moreYes, missing }: Rule, isOpen: boolean): Fields {
  const digits = (amount: bigint | undefined): string | undefined => (amount === undefined ? undefined : `${amount}`);
  const share = (ratio: bigint | undefined): string | undefined => (ratio === undefined ? undefined : shareOf(ratio));
  const reason = missingText(missing, isOpen);
  const hasShare = name !== 'bonded' && name !== 'notAllAbstain';
  return {
    rule: wordOf(name),
    formula: ruleWords(name, plainEnglish).formula,
    result,
    ...stated(
      {
        part: digits(part),
        ...(name === 'bonded' ? {} : { of: digits(of) }),
        ...(hasShare ? { value: share(value), limit: share(limit) } : {}),
      },
      { part: reason, of: reason, value: reason, limit: reason },
    ),
    ...(margin === undefined ? {} : { margin: `${margin}` }),
    ...(isOpen && result === 'missed'
      ? stated({ more_yes_needed: digits(moreYes) }, { more_yes_needed: 'no number of Yes is enough' })
      : {}),
  };
}

/** At the height of the tally. A text where they cannot be known. */
async function validatorVotes(
  { signal, onProgress }: Question,
  session: Session,
  { proposal: { id, status }, height: tallyHeight }: Judgement,
): Promise<CastVotes | string> {
  if (status !== 'voting') return 'a chain keeps single votes only while voting is open';
  const options = { height: tallyHeight, signal, onProgress: ({ done }: VotersProgress): void => onProgress(done) };
  const { validators, height } = await readValidatorVotes(await session.node(), id, options);
  const rows = validators.map(({ operator, moniker, power, vote }) => ({
    ...stated({ operator_address: identifier(operator) }),
    untrusted_moniker: shownText(moniker, 100),
    power: `${power}`,
    vote: vote?.map(({ option, weight }) => ({ option: wordOf(option), weight })) ?? 'not voted',
  }));
  return { rows, height, isOfTally: session.isStill || (height !== undefined && height === tallyHeight) };
}

/** The votes of the validators, and whether power and votes are of the height of the tally. */
interface CastVotes {
  readonly rows: readonly Fields[];
  readonly height: bigint | undefined;
  readonly isOfTally: boolean;
}
