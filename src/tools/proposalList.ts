import { orUndefined } from '../api/errors.ts';
import type { ChainNode } from '../api/node.ts';
import type { LoadPage } from '../api/readPages.ts';
import type { NodeTraits } from '../api/rest/dialect.ts';
import { concurrently } from '../api/sharing.ts';
import type { Coin } from '../chain/coin.ts';
import type { Fields } from '../chain/fields.ts';
import { depositStanding, type ProposalRow, periodEnd } from '../chain/gov/proposal.ts';
import { groupOf, type StatusGroup, statusGroups } from '../chain/gov/proposalGroups.ts';
import { voteOptions } from '../chain/gov/tally.ts';
import { maxOpen, textsOf } from '../lists/proposals.ts';
import { Judge, type Judgement } from '../reads/judge.ts';
import { spendsPool } from '../reads/proposalReads.ts';
import { toMatcher } from '../reads/search.ts';
import { toolQuestion } from '../session/kept.ts';
import type { Session } from '../session/session.ts';
import {
  type Asker,
  amountsOf,
  headOf,
  listAnswer,
  nowOf,
  readWindow,
  shareOf,
  stated,
  untrusted,
  type Window,
  windowOf,
  wordOf,
} from './answers/answer.ts';
import {
  count,
  denomAmountSchema,
  flag,
  listOf,
  listSchema,
  maybe,
  membersOf,
  rarely,
  record,
  text,
} from './answers/answerSchema.ts';
import { listedSpends, poolLackAnswer, spendSchema, upgradeSchema, upgradesAnswer } from './answers/contentAnswer.ts';
import {
  accountIn,
  checkOwnAccounts,
  missingText,
  proposalMembers,
  reasons,
  unreadableRow,
} from './answers/proposalMembers.ts';
import { noPool } from './answers/supplyAnswer.ts';
import { castVoteSchema } from './answers/voteAnswer.ts';
import { type FieldMembers, narrowed, readWantedFields } from './answers/wantedMembers.ts';
import { accountOfMoniker, isMoniker, votesOn } from './castVotes.ts';
import { depositorRow, depositorSchema, readDepositors } from './depositors.ts';
import { defineTool } from './question/defineTool.ts';
import { absenceError, withSource } from './question/questionSource.ts';
import type { Question } from './question/tool.ts';
import { ToolError } from './question/toolError.ts';
import { heightParameter, keyParameter, limitParameter, maxTextLength, sourceParameter } from './question/toolInput.ts';

/** The results that an open vote would have if it ended now. */
const openOutcomes = ['would_pass', 'would_fail', 'too_close', 'unknown'] as const;
const sorts = ['newest', 'oldest', 'ends', 'turnout'] as const;

const fieldMembers: FieldMembers = {
  status: ['status', 'untrusted_status', 'expedited', 'untrusted_failed_reason'],
  title: ['untrusted_title'],
  types: ['untrusted_types', 'more_types'],
  submit_time: ['submit_time'],
  ends: ['voting_end_time', 'deposit_end_time'],
  deposit: ['deposit'],
  missing_deposit: ['missing_deposit'],
  depositors: ['depositors', 'more_depositors'],
  verdict: ['outcome', 'rule', 'turnout', 'more_yes_needed', 'becomes_regular', 'outcome_needs', 'not_read', 'tally'],
  upgrades: ['upgrades'],
  spends: ['spends', 'more_spends', 'community_pool_lacks'],
};

/** Lists proposals by status, voter, words, type, end and outcome. */
export const listProposals = defineTool({
  name: 'list_proposals',
  title: 'List Proposals',
  description:
    'Governance proposals of a Cosmos SDK chain: id, status, title, message types, times in UTC, "expedited" if so. For open votes: turnout, ' +
    'the outcome if voting ended now and the rule that fails. In the deposit period: deposit and amount needed. One call with "outcome" finds votes that would pass. ' +
    'Newest first, or soonest to end with status "voting", "outcome" or "ends_before". For contents and tally, call get_proposal.',
  inputSchema: {
    type: 'object',
    properties: {
      source: sourceParameter,
      height: heightParameter,
      status: { type: 'string', enum: statusGroups, description: 'Only this status.' },
      outcome: { type: 'string', enum: openOutcomes, description: 'Only open votes with this outcome now.' },
      ends_before: {
        type: 'string',
        maxLength: 40,
        description: 'Only open ones that end before this time (2026-12-31T00:00:00Z).',
      },
      type: { type: 'string', maxLength: maxTextLength, description: 'Only with this text in a message type.' },
      voter: {
        type: 'string',
        description: 'Only open ones this account or moniker voted on, with its vote.',
      },
      depositor: { type: 'string', description: 'Only open ones this account or moniker deposited on.' },
      text: {
        type: 'string',
        maxLength: maxTextLength,
        description: 'Only with this text in title, description or a message type.',
      },
      sort: {
        type: 'string',
        enum: sorts,
        description: '"ends" (next first) and "turnout" (highest first): only open ones.',
      },
      fields: {
        type: 'string',
        maxLength: maxTextLength,
        description: `Only these members, comma-separated: ${Object.keys(fieldMembers).join(', ')}.`,
      },
      limit: limitParameter,
      key: keyParameter,
    },
    additionalProperties: false,
  },
  outputSchema: listSchema(
    'proposals',
    membersOf(
      {
        id: text,
        status: maybe(text),
        untrusted_status: text,
        untrusted_title: maybe(text),
        expedited: flag,
        submit_time: maybe(text),
        voting_end_time: maybe(text),
        deposit_end_time: maybe(text),
        outcome: maybe(text),
        rule: text,
        turnout: maybe(text),
        more_yes_needed: text,
        becomes_regular: flag,
        outcome_needs: listOf(text),
        not_read: listOf(text),
        untrusted_types: listOf(text),
        more_types: count,
        deposit: listOf(denomAmountSchema),
        missing_deposit: maybe(listOf(denomAmountSchema)),
        upgrades: listOf(upgradeSchema),
        spends: listOf(spendSchema),
        more_spends: count,
        community_pool_lacks: rarely(maybe(listOf(denomAmountSchema))),
        tally: rarely(maybe(membersOf({ yes: text, abstain: text, no: text, no_with_veto: text }))),
        vote: castVoteSchema,
        depositors: rarely(maybe(listOf(depositorSchema))),
        more_depositors: rarely(count),
        untrusted_reason: text,
        untrusted_failed_reason: rarely(maybe(text)),
        unknown: record,
      },
      'id',
    ),
    { notice: text },
  ),
  answer: (question) => {
    const given = readWish(question);
    return withSource(question, question.input.text('source'), async (session) => {
      const wish = { ...given, ...(await readNames(question, session)) };
      const found = await readProposals(question, session, wish);
      const head = await headOf(question, session, found.info);
      await session.lists.supply.loadUnits(toolQuestion(session, question.signal));
      const { dialect } = await session.node();
      if (dialect.gov === 'none' && session.source.kind !== 'http') throw absenceError(question, session, 'proposals');
      const judged = await judgeRows(question, session, found.rows, found, wish);
      const votes = await rowVotes(session, found, wish, question.signal);
      const deposits = await rowDeposits(question, session, found, wish);
      const pool = await poolOf(session, found, wish, question.signal);
      const isWhole = wish.key === undefined && found.keyAfter(found.rows.length) === undefined;
      return listAnswer(
        question.host,
        {
          ...head,
          ...noticeOf(dialect.gov, wish),
          ...(session.source.kind === 'http' ? heightNotice(judged) : {}),
        },
        'proposals',
        {
          rows: found.rows.map((row) => ({
            ...narrowed(
              toRow(session, row, judged.get(row), { host: question.host, wanted: wish.members, pool }),
              wish.members,
            ),
            ...(votes.has(row.id) ? { vote: votes.get(row.id) } : {}),
            ...deposits.get(row.id),
          })),
          total: isWhole ? found.rows.length + found.faults : found.isCounted ? found.total : undefined,
          noTotal: 'in this list, rows are counted only on the first page or at the end',
          keyAfter: found.keyAfter,
        },
      );
    });
  },
});

/** Gives the accounts that are named by their addresses, those of their operators, or monikers. */
async function readNames(question: Question, session: Session): Promise<Pick<Wish, 'voter' | 'depositor'>> {
  const accountOf = async (name: 'voter' | 'depositor'): Promise<string | undefined> => {
    const named = question.input.text(name);
    if (named === undefined) return undefined;
    const account = isMoniker(named)
      ? await accountOfMoniker(question, session, [name, named])
      : accountIn(question.input, name);
    await checkOwnAccounts(session, name, account === undefined ? [] : [account]);
    return account;
  };
  return { voter: await accountOf('voter'), depositor: await accountOf('depositor') };
}

/** Reads the community pool at the height of the list, if open proposals are to show what they spend from it. */
async function poolOf(
  session: Session,
  { rows, info }: FoundProposals,
  { members }: Wish,
  signal: AbortSignal,
): Promise<readonly Coin[] | undefined> {
  const spends = (row: ProposalRow): boolean =>
    row.kind === 'proposal' && isOpen(row.status) && row.contents.some(spendsPool);
  if (!members?.has('spends') || !rows.some(spends)) return undefined;
  const node = await session.node();
  const at = session.source.kind === 'http' && info.height ? node.at(info.height) : node;
  return orUndefined(at.communityPool(signal));
}

/** The limit for the depositors of a row. */
const maxListedDepositors = 20;

/** Reads who has deposited on each row, or what the depositor that was named has. */
async function rowDeposits(
  { host, signal }: Question,
  session: Session,
  { rows }: FoundProposals,
  { members, depositor }: Wish,
): Promise<ReadonlyMap<bigint, Fields>> {
  const found = new Map<bigint, Fields>();
  if (depositor === undefined && !members?.has('depositors')) return found;
  const node = await session.node();
  await concurrently(rows, 4, async (row) => {
    if (row.kind !== 'proposal') return;
    const read = await readDepositors(node, row, signal);
    if (typeof read === 'string')
      return void found.set(row.id, stated({ depositors: undefined }, { depositors: read }));
    const wanted = read.filter((one) => depositor === undefined || one.depositor.toLowerCase() === depositor);
    const shown = wanted.slice(0, host.isUnbounded ? wanted.length : maxListedDepositors);
    const more = wanted.length - shown.length;
    found.set(row.id, {
      depositors: shown.map((one) => depositorRow(one, session, host)),
      ...(more > 0 ? { more_depositors: more } : {}),
    });
  });
  return found;
}

/** Reads what the voter that was named has voted, at the height of the list. */
async function rowVotes(
  session: Session,
  { rows, info }: FoundProposals,
  { voter }: Wish,
  signal: AbortSignal,
): Promise<ReadonlyMap<bigint, unknown>> {
  if (voter === undefined) return new Map();
  const open = rows.flatMap((row) => (row.kind === 'proposal' && row.status === 'voting' ? [row.id] : []));
  const node = await session.node();
  return votesOn(session.source.kind === 'http' && info.height ? node.at(info.height) : node, open, voter, signal);
}

/** Says why proposals are missing from the list, if they may be. */
function noticeOf(gov: NodeTraits['gov'], { voter, depositor, statuses }: Wish): Fields {
  if (gov === 'none') return { notice: 'This chain has no governance module.' };
  const withEnded = statuses.length === 0 || statuses.some((status) => !openStatuses.includes(status));
  if (!withEnded) return {};
  const said = [
    ...(voter === undefined ? [] : [openVotesOnly]),
    ...(depositor === undefined ? [] : [openDepositsOnly]),
  ];
  return said.length > 0 ? { notice: said.join(' ') } : {};
}

const openVotesOnly = 'Chains delete votes when voting ends, so "voter" finds only proposals that are open for voting.';
const openDepositsOnly =
  'Chains return or burn deposits when a proposal ends, so "depositor" finds only proposals that are open.';

/** The rows that are wanted, and their members. */
interface Wish {
  readonly statuses: readonly StatusGroup[];
  readonly outcome: string | undefined;
  readonly endsBefore: Date | undefined;
  readonly sort: (typeof sorts)[number];
  /** The members; undefined for all. */
  readonly members: ReadonlySet<string> | undefined;
  readonly voter?: string | undefined;
  readonly depositor?: string | undefined;
  readonly limit: number;
  readonly key: string | undefined;
  readonly keep: (row: ProposalRow) => boolean;
}

/** Reads the wish. Throws a `ToolError` for members that exclude each other. */
function readWish({ input }: Question): Wish {
  const status = input.oneOf('status', statusGroups);
  const outcome = input.oneOf('outcome', openOutcomes);
  const endsBefore = input.time('ends_before');
  const isOpenOnly = outcome !== undefined || endsBefore !== undefined;
  const sort = input.oneOf('sort', sorts) ?? (isOpenOnly || status === 'voting' ? 'ends' : 'newest');
  if (outcome !== undefined && status !== undefined && status !== 'voting')
    throw new ToolError('input', `"outcome" is only for open votes. Leave out "status" or set it to "voting".`);
  if ((isOpenOnly || sort === 'ends') && status !== undefined && !openStatuses.includes(status))
    throw new ToolError(
      'input',
      `Proposals with the status "${status}" have ended. Set "status" to "voting" or "deposit".`,
    );
  if (sort === 'turnout' && status !== undefined && status !== 'voting')
    throw new ToolError('input', '"turnout" is only for open votes. Leave out "status" or set it to "voting".');
  const ofVotes = outcome !== undefined || sort === 'turnout' ? (['voting'] as const) : openStatuses;
  const statuses = status ? [status] : isOpenOnly || sort === 'ends' || sort === 'turnout' ? ofVotes : [];
  const limit = input.number('limit') ?? limitParameter.default;
  const members = readWantedFields(input.text('fields'), fieldMembers);
  return {
    ...{ statuses, outcome, endsBefore, sort, members, limit },
    key: input.text('key'),
    keep: wantedFilter(statuses, endsBefore, input.text('text'), input.text('type')),
  };
}

const openStatuses: readonly StatusGroup[] = ['voting', 'deposit'];

function isOpen(status: string): boolean {
  return openStatuses.some((open) => open === status);
}

function wantedFilter(
  statuses: readonly string[],
  endsBefore: Date | undefined,
  text: string | undefined,
  type: string | undefined,
): Wish['keep'] {
  const hasText = text === undefined ? undefined : toMatcher(text);
  const words = type?.split(',').filter((word) => word.trim() !== '');
  const hasTypes = words && words.length > 0 ? words.map(toMatcher) : undefined;
  return (row) => {
    if (statuses.length > 0 && !statuses.includes(groupOf(row))) return false;
    const types = row.kind === 'proposal' ? row.contents.map(({ typeUrl }) => typeUrl) : [];
    const end = row.kind === 'proposal' ? periodEnd(row) : undefined;
    return (
      (endsBefore === undefined || (end !== undefined && end < endsBefore)) &&
      (!hasText || textsOf(row).some(hasText)) &&
      (!hasTypes || hasTypes.some((hasType) => types.some(hasType)))
    );
  };
}

interface FoundProposals extends Window<ProposalRow> {
  /** True if `total` counts the rows that match. */
  readonly isCounted: boolean;
  /** The judgements that were made to select rows. */
  readonly judged?: ReadonlyMap<ProposalRow, Judgement>;
}

async function readProposals(question: Question, session: Session, wish: Wish): Promise<FoundProposals> {
  const { input } = question;
  const { statuses, sort, keep, limit, key } = wish;
  if (sort === 'ends' || sort === 'turnout' || wish.outcome !== undefined || statuses.length > 1)
    return readOpen(question, session, wish);
  const node = await session.node();
  const options = { idOf, limit: 100, wanted: limit, key, keep };
  const found = await readWindow(question, loaderOf(node, wish, statuses[0], sort === 'newest'), options);
  const isFiltered = ['voter', 'depositor', 'text', 'type'].some((name) => input.text(name) !== undefined);
  return { ...found, isCounted: !isFiltered && (statuses.length === 0 || node.countsFiltered) };
}

function idOf({ id }: ProposalRow): string {
  return `${id}`;
}

function loaderOf(
  node: ChainNode,
  { voter, depositor }: Wish,
  status: StatusGroup | undefined,
  reverse: boolean,
): LoadPage<ProposalRow> {
  const filter = { status, voter, depositor };
  return (request, signal) => {
    const page = { ...request, reverse, countTotal: request.key === undefined };
    return node.proposals(filter, page, signal);
  };
}

/** Reads all open proposals, because the wanted ones may be anywhere in the list. */
async function readOpen(question: Question, session: Session, wish: Wish): Promise<FoundProposals> {
  const { statuses, keep, limit, key, sort, outcome } = wish;
  const node = await session.node();
  let found: Window<ProposalRow> | undefined;
  const rows: ProposalRow[] = [];
  for (const status of statuses) {
    const options = { idOf, limit: 100, wanted: maxOpen + 1, key: undefined, keep, height: found?.info.height };
    const one = await readWindow(question, loaderOf(node, wish, status, true), options);
    found = found ? { ...one, info: found.info, faults: one.faults + found.faults } : one;
    for (const row of one.rows) rows.push(row);
  }
  if (!found || rows.length > maxOpen)
    throw new ToolError(
      'input',
      `More than ${maxOpen} open proposals match, too many to sort or evaluate.`,
      'Narrow them down with "text" or "type", or sort by "newest".',
    );
  const isJudged = outcome !== undefined || sort === 'turnout';
  const judged = isJudged ? await judgeRows(question, session, rows, found, wish) : undefined;
  const matching = rows.filter((row) => outcome === undefined || outcomeOf(judged?.get(row)) === outcome);
  const turnout = (row: ProposalRow): bigint => judged?.get(row)?.verdict.turnout ?? -1n;
  const orders = {
    ends: (a: ProposalRow, b: ProposalRow): number => endOf(a) - endOf(b) || (a.id < b.id ? -1 : 1),
    turnout: (a: ProposalRow, b: ProposalRow): number => (turnout(a) < turnout(b) ? 1 : -1),
    newest: (a: ProposalRow, b: ProposalRow): number => (a.id < b.id ? 1 : -1),
    oldest: (a: ProposalRow, b: ProposalRow): number => (a.id > b.id ? 1 : -1),
  } as const;
  const window = windowOf(matching.toSorted(orders[sort]), limit, key);
  return { ...found, ...window, faults: found.faults, isCounted: true, ...(judged ? { judged } : {}) };
}

/** Gives the end in milliseconds since 1970. An unknown end is later than all others. */
function endOf(row: ProposalRow): number {
  const end = row.kind === 'proposal' ? periodEnd(row) : undefined;
  return end?.getTime() ?? Number.MAX_SAFE_INTEGER;
}

function outcomeOf(judgement: Judgement | undefined): string | undefined {
  return judgement && wordOf(judgement.verdict.outcome.kind);
}

/** Judges rows, if their wanted members need it. Open votes are judged at the height of the list. */
async function judgeRows(
  question: Question,
  session: Session,
  rows: readonly ProposalRow[],
  { info, judged }: Pick<FoundProposals, 'info' | 'judged'>,
  { members }: Wish,
): Promise<ReadonlyMap<ProposalRow, Judgement>> {
  if (judged) return judged;
  const isWanted = !members || [...members].some((name) => name === 'outcome' || name === 'missing_deposit');
  const found = new Map<ProposalRow, Judgement>();
  if (!isWanted) return found;
  const now = await nowOf(question, session, info);
  const judge = new Judge(await session.node(), session.kept, toolQuestion(session, question.signal));
  await concurrently(rows, 4, async (row) => {
    if (row.kind === 'proposal') found.set(row, await judge.judge(row, now, row.height));
  });
  return found;
}

/** Tells why open votes are not of the height of the list, if so. */
function heightNotice(judged: ReadonlyMap<ProposalRow, Judgement>): Fields {
  const dropped = [...judged.values()]
    .map(({ unpinnedReason }) => unpinnedReason)
    .find((reason) => reason !== undefined);
  return dropped === undefined ? {} : { untrusted_height_notice: untrusted(dropped) };
}

/** The facts that rows are written with, beside their judgement. */
interface RowSource {
  readonly host: Asker;
  /** The members; undefined for all. */
  readonly wanted: Wish['members'];
  readonly pool: readonly Coin[] | undefined;
}

/** Gives a row. With `wanted`, members that are named and not known stand there, too. */
function toRow(
  session: Session,
  row: ProposalRow,
  judgement: Judgement | undefined,
  { host, wanted, pool }: RowSource,
): Fields {
  if (row.kind === 'unreadable') return unreadableRow(row);
  // A vote may have ended since the list was read.
  const proposal = judgement?.proposal ?? row;
  const isWaiting = proposal.status === 'deposit';
  const members = {
    ...proposalMembers(proposal),
    ...(judgement ? verdictFacts(judgement) : {}),
    untrusted_types: proposal.contents.slice(0, 5).map(({ typeUrl }) => untrusted(typeUrl)),
    ...(proposal.contents.length > 5 ? { more_types: proposal.contents.length - 5 } : {}),
    ...(isWaiting || wanted?.has('deposit') ? { deposit: amountsOf(proposal.totalDeposit, session, host) } : {}),
    ...(isWaiting && judgement ? { missing_deposit: missingDeposit(judgement, session, host) } : {}),
    ...(!isWaiting && wanted?.has('missing_deposit') ? { missing_deposit: undefined } : {}),
    ...(proposal.status !== 'voting' && wanted?.has('outcome') ? { outcome: undefined } : {}),
    ...(wanted?.has('upgrades') ? upgradesAnswer(proposal.contents) : {}),
    ...(wanted?.has('spends')
      ? {
          ...listedSpends(proposal.contents, session, host),
          ...poolLackAnswer(proposal, pool, { session, asker: host }),
        }
      : {}),
    ...(wanted?.has('tally') && judgement ? finalTally(judgement) : {}),
  };
  const noOutcome = judgement && `${missingText(judgement.verdict.missing, true)}`;
  return stated(members, {
    ...reasons,
    missing_deposit: isWaiting ? reasons.missing : 'the deposit period has ended',
    outcome: isWaiting ? reasons.noVotes : 'voting has ended: see the status',
    turnout: noOutcome ?? '',
    community_pool_lacks: noPool,
  });
}

/** Gives the final tally of an ended proposal, in base units of the bond denom. */
function finalTally({ proposal: { status }, verdict: { tally } }: Judgement): Fields {
  if (isOpen(status)) return {};
  return { tally: tally && Object.fromEntries(voteOptions.map((option) => [wordOf(option), `${tally[option]}`])) };
}

function missingDeposit(
  { proposal, inputs: { params } }: Judgement,
  session: Session,
  asker: Asker,
): readonly Fields[] | undefined {
  const minimum = proposal.expedited ? params.expeditedMinDeposit : params.minDeposit;
  const standing = minimum && depositStanding(proposal.totalDeposit, minimum);
  const missing = standing?.filter((one) => one.missing > 0n);
  return (
    missing &&
    amountsOf(
      missing.map(({ denom, missing: amount }) => ({ denom, amount })),
      session,
      asker,
    )
  );
}

/**
 * Gives the verdict on an open vote, or the rule that a rejected one missed. The outcome of other proposals is their
 * status.
 */
function verdictFacts({ proposal, verdict, faults }: Judgement): Fields {
  const { outcome, turnout, moreYes } = verdict;
  const rule = 'rule' in outcome && outcome.rule ? { rule: wordOf(outcome.rule) } : {};
  if (proposal.status !== 'voting') return rule;
  return {
    outcome: wordOf(outcome.kind),
    ...rule,
    turnout: turnout === undefined ? undefined : shareOf(turnout),
    ...(moreYes === undefined || moreYes === 0n ? {} : { more_yes_needed: `${moreYes}` }),
    ...(verdict.becomesRegular ? { becomes_regular: true } : {}),
    ...(outcome.kind === 'unknown' ? { outcome_needs: verdict.missing.map(wordOf) } : {}),
    ...(faults.length > 0 ? { not_read: faults.map(({ read }) => read) } : {}),
  };
}
