import { isHttpError } from '../api/errors.ts';
import { Judge } from '../reads/judge.ts';
import { type PageExtras, readPageFacts } from '../reads/proposalReads.ts';
import { readId } from '../reads/search.ts';
import { toolQuestion } from '../session/kept.ts';
import type { Session } from '../session/session.ts';
import { headOf, nowOf, pastHeight } from './answers/answer.ts';
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
} from './answers/answerSchema.ts';
import { contentSchema } from './answers/contentAnswer.ts';
import { proposalAnswer } from './answers/proposalAnswer.ts';
import { checkOwnAccounts, unreadableRow } from './answers/proposalMembers.ts';
import { verdictSchema } from './answers/verdictAnswer.ts';
import { castVoteSchema } from './answers/voteAnswer.ts';
import { type FieldMembers, narrowed, readWantedFields } from './answers/wantedMembers.ts';
import { readAccounts, singleVotes, validatorVotes } from './castVotes.ts';
import { depositorSchema, readDepositors } from './depositors.ts';
import { defineTool } from './question/defineTool.ts';
import { absenceError, sourceLabel, withSource } from './question/questionSource.ts';
import type { Question } from './question/tool.ts';
import { ToolError } from './question/toolError.ts';
import { heightParameter, maxTextLength, sourceParameter } from './question/toolInput.ts';

const times = ['submit_time', 'deposit_end_time', 'voting_start_time', 'voting_end_time'] as const;
const fieldMembers: FieldMembers = {
  title: ['untrusted_title', 'reads_like_phishing', 'untrusted_hosts'],
  times,
  verdict: ['verdict'],
  tally: ['tally', 'tally_height'],
  deposit: ['deposit'],
  depositors: ['depositors', 'more_depositors'],
  description: ['untrusted_description', 'untrusted_metadata', 'reads_like_phishing', 'untrusted_hosts'],
  contents: ['contents', 'more_contents', 'community_pool_lacks'],
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
    'One governance proposal: decoded contents with current and proposed parameters, tally, deposits and depositors, times, ' +
    'and the verdict: whether it would pass now under the rules of its chain, with the inputs, limit and margin of each rule. ' +
    'Use it instead of calculating quorum or thresholds. Votes and tally are in base units of the bond denom.',
  inputSchema: {
    type: 'object',
    properties: {
      source: sourceParameter,
      height: heightParameter,
      id: { type: ['string', 'integer'], description: 'Proposal ID ("42").' },
      votes: {
        type: 'boolean',
        description:
          'While voting is open: votes of bonded validators, largest first. State files: also the largest other voters. The rest of the proposal is left out unless named in "fields".',
      },
      votes_of: {
        type: 'string',
        maxLength: 2000,
        description:
          'While voting is open: votes of up to 20 accounts, operator addresses or monikers, comma-separated.',
      },
      fields: {
        type: 'string',
        maxLength: maxTextLength,
        description: `Only these members and requested votes, comma-separated: ${Object.keys(fieldMembers).join(', ')}.`,
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
        by_missing_parameter: rarely(text),
        smallest_accepted: rarely(listOf(denomAmountSchema)),
        unknown: rarely(record),
      }),
      untrusted_description: maybe(text),
      untrusted_failed_reason: maybe(text),
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
        largest: listOf(membersOf({ untrusted_moniker: text, power: text, gross_power: rarely(text) })),
      }),
      largest_other_votes: maybe(listOf(membersOf({ address: text, power: text, vote: castVoteSchema }))),
      contents: listOf(contentSchema),
      community_pool_lacks: rarely(maybe(listOf(denomAmountSchema))),
      depositors: maybe(listOf(depositorSchema)),
      votes_of: maybe(
        listOf(
          membersOf({
            address: text,
            vote: castVoteSchema,
            untrusted_moniker: rarely(text),
            power: rarely(maybe(text)),
            gross_power: rarely(text),
            own_stake: rarely(text),
            validators: rarely(
              listOf(membersOf({ operator_address: text, power: text, untrusted_moniker: text, vote: castVoteSchema })),
            ),
            more_validators: rarely(count),
            unknown: rarely(record),
          }),
        ),
      ),
      validator_votes: maybe(
        listOf(
          membersOf({
            operator_address: maybe(text),
            untrusted_moniker: rarely(text),
            power: text,
            gross_power: text,
            own_stake: rarely(text),
            vote: castVoteSchema,
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
      const wanted = readWantedFields(input.text('fields') ?? defaultFields(question), fieldMembers);
      const accounts = await readAccounts(question, session, input.text('votes_of'));
      if (id === undefined) throw new ToolError('input', '"id" must be a proposal ID, such as "42".');
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
        throw new ToolError('missing', `${label} has no proposal ${id}.`, 'To see which exist, call list_proposals.');
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
      const page = pageAt(session, await readPageFacts(beside, first, session.source.kind, signal));
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

/** Drops a time that was counted from now, where the state is of the past. */
function pageAt(session: Session, page: PageExtras): PageExtras {
  return page.chainTime?.isByClock && pastHeight(session) !== undefined ? { ...page, chainTime: undefined } : page;
}

/** Gives the fields of a question that names none. Scripts get all of them. */
function defaultFields({ input, host }: Question): string | undefined {
  const asksVotes = input.isSet('votes') || input.text('votes_of') !== undefined;
  return asksVotes && !host.isUnbounded ? 'tally' : undefined;
}
