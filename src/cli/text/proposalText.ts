import { isFields } from '../../chain/fields.ts';
import type { ToolAnswers } from '../../tools/toolTable.ts';
import { blockLines, type FactLine, tableFact, unknownText } from './factText.ts';
import { lineText, shareText, shownAmountText, type TextColumn } from './textTable.ts';

type ProposalAnswer = ToolAnswers['get_proposal'];
type ListedProposal = ToolAnswers['list_proposals']['proposals'][number];
type VerdictAnswer = NonNullable<ProposalAnswer['verdict']>;
type ContentAnswer = NonNullable<ProposalAnswer['contents']>[number];
type Coins = NonNullable<ListedProposal['deposit']>;

/** Gives a word of ours with spaces: `would_fail` → `would fail`. Do not use it for text of a chain. */
export function ownWord(word: string | undefined): string | undefined {
  return word?.replaceAll('_', ' ');
}

/** The columns of a list of proposals. */
export const proposalColumns: readonly TextColumn<ListedProposal>[] = [
  { header: 'ID', name: 'id', value: ({ id }) => id },
  { header: 'Status', name: 'status', value: ({ status, untrusted_status: other }) => other ?? status },
  {
    header: 'Ends',
    name: 'ends',
    value: ({ voting_end_time: vote, deposit_end_time: deposit }) => vote ?? deposit,
    rank: 1,
  },
  {
    header: 'Outcome',
    name: 'outcome',
    value: ({ outcome }) => outcome ?? undefined,
    shown: ({ outcome }) => ownWord(outcome ?? undefined),
    rank: 2,
  },
  { name: 'turnout', value: ({ turnout }) => turnout },
  { name: 'submit_time', value: ({ submit_time: time }) => time },
  { name: 'missing_deposit', value: ({ missing_deposit: coins }) => coins?.map(baseText).join(',') },
  { header: 'Title', name: 'title', value: ({ untrusted_title: title, untrusted_reason: reason }) => title ?? reason },
  { name: 'types', value: ({ untrusted_types: types }) => types?.join(',') },
];

function baseText({ amount = '', untrusted_denom: denom = '' }: Coins[number]): string {
  return `${amount}${denom}`;
}

function amountsLine(coins: Coins | null | undefined): string | undefined {
  if (!coins) return undefined;
  const named = coins.map((coin) =>
    coin.more_amounts === undefined ? shownAmountText(coin) : `and ${coin.more_amounts} more`,
  );
  return named.join(', ') || 'none';
}

/** Gives the facts of one proposal. */
export function proposalLines(answer: ProposalAnswer): readonly FactLine[] {
  const { deposit, tally, verdict, unknown } = answer;
  const reason = (name: string): string => unknownText(unknown, name);
  const time = (name: 'submit_time' | 'deposit_end_time' | 'voting_start_time' | 'voting_end_time'): FactLine[1] =>
    answer[name] === null ? reason(name) : answer[name];
  return [
    ['ID', answer.id],
    ['Status', answer.untrusted_status ?? answer.status],
    ['Title', answer.untrusted_title ?? reason('untrusted_title')],
    ['Reason', answer.untrusted_reason],
    ['Expedited', answer.expedited],
    ['Emergency', answer.emergency],
    ['Submit time', time('submit_time')],
    ['Deposit end time', time('deposit_end_time')],
    ['Voting start time', time('voting_start_time')],
    ['Voting end time', time('voting_end_time')],
    ['Proposer', answer.proposer],
    ['Possible phishing', answer.reads_like_phishing],
    ['Hosts', answer.untrusted_hosts?.join(', ')],
    ['Verdict', verdict && blockLines(verdictFacts(verdict))],
    ['Tally', tally === null ? reason('tally') : tally && blockLines(tallyFacts(tally))],
    ['Deposit', deposit && blockLines(depositFacts(deposit))],
    depositorFact(answer),
    voteFact('Account votes', answer.votes_of, reason('votes_of')),
    voteFact('Validator votes', answer.validator_votes, reason('validator_votes')),
    ['Failure reason', answer.untrusted_failed_reason],
    ['Metadata', answer.untrusted_metadata],
    ['Unreadable fields', answer.unreadable_fields],
    ...(answer.contents ?? []).map((content): FactLine => ['Content', blockLines(contentFacts(content))]),
    ['Description', answer.untrusted_description],
  ];
}

function verdictFacts(verdict: VerdictAnswer): readonly FactLine[] {
  const { unknown } = verdict;
  return [
    ['Outcome', ownWord(verdict.outcome)],
    ['Summary', verdict.sentence],
    ['Rule', ownWord(verdict.rule)],
    ['Possible deciding rules', verdict.rules_that_may_have_decided?.map(ownWord).join(', ')],
    tableFact('Rules', verdict.rules ?? [], [
      { header: 'Rule', name: 'rule', value: ({ rule }) => ownWord(rule) },
      { header: 'Result', name: 'result', value: ({ result }) => result },
      { header: 'Value', name: 'value', value: ({ value }) => value, shown: ({ value }) => shareText(value), rank: 1 },
      { header: 'Limit', name: 'limit', value: ({ limit }) => limit, shown: ({ limit }) => shareText(limit), rank: 1 },
      { header: 'Part', name: 'part', value: ({ part }) => part, rank: 3 },
      { header: 'Total', name: 'of', value: ({ of }) => of, rank: 4 },
      { header: 'Margin', name: 'margin', value: ({ margin }) => margin, rank: 5 },
      { header: 'Formula', name: 'formula', value: ({ formula }) => formula, rank: 2 },
    ]),
    ['Turnout', verdict.turnout === null ? unknownText(unknown, 'turnout') : shareText(verdict.turnout)],
    ['Not voted yet', verdict.not_voted],
    ['Yes votes still needed', verdict.more_yes_needed],
    ['Voting rules', verdict.rules_of],
    ['Continues as a regular vote', verdict.becomes_regular],
    ['End time may change', verdict.end_may_move],
    ['Assumes', verdict.assumes?.join(' ')],
    ['Not met with the current parameters', verdict.parameters_have_changed_since?.map(ownWord).join(', ')],
    ['Not read', verdict.not_read?.join(', ')],
  ];
}

function tallyFacts({
  untrusted_denom: denom,
  untrusted_symbol: symbol,
  ...options
}: NonNullable<ProposalAnswer['tally']>): readonly FactLine[] {
  const unit = { untrusted_denom: denom ?? undefined, untrusted_symbol: symbol };
  const { yes, abstain, no, no_with_veto: veto } = options;
  return [
    ['Yes', yes && shownAmountText({ ...unit, ...yes })],
    ['Abstain', abstain && shownAmountText({ ...unit, ...abstain })],
    ['No', no && shownAmountText({ ...unit, ...no })],
    ['No with veto', veto && shownAmountText({ ...unit, ...veto })],
  ];
}

function depositFacts(deposit: NonNullable<ProposalAnswer['deposit']>): readonly FactLine[] {
  const known = (name: 'minimum' | 'missing'): string | undefined =>
    deposit[name] === null ? unknownText(deposit.unknown, name) : amountsLine(deposit[name]);
  return [
    ['Total', amountsLine(deposit.total)],
    ['Minimum', known('minimum')],
    ['Missing', known('missing')],
    ['Smallest deposit accepted', amountsLine(deposit.smallest_accepted)],
    ['Effect', ownWord(deposit.effect ?? undefined)],
    ['Effect if the minimum is not reached', ownWord(deposit.effect_if_minimum_is_missed ?? undefined)],
    ['Set by parameter', deposit.by_parameter ?? deposit.by_missing_parameter],
  ];
}

function depositorFact({ depositors, more_depositors: more, unknown }: ProposalAnswer): FactLine {
  if (!depositors) return ['Depositors', unknownText(unknown, 'depositors')];
  const [label, lines] = tableFact('Depositors', depositors, [
    {
      header: 'Address',
      name: 'address',
      value: ({ address, untrusted_address: other }) => address ?? other,
    },
    { header: 'Deposit', name: 'deposit', value: ({ deposit }) => amountsLine(deposit) },
  ]);
  return [more ? `${label} (${more} more)` : label, lines];
}

/** Drops the zeros at the end of a weight: `0.700000000000000000` → `0.7`. */
function shortWeight(weight: string): string {
  const point = weight.indexOf('.');
  let end = weight.length;
  while (point >= 0 && end > point + 2 && weight[end - 1] === '0') end--;
  return weight.slice(0, end);
}

/** Gives the text of a vote for scripts: `yes`, `yes 0.7, no 0.3`, or that there is none. */
function voteText(vote: NonNullable<ProposalAnswer['votes_of']>[number]['vote']): string | undefined {
  if (typeof vote === 'string' || vote === undefined) return vote;
  if (vote.length === 1) return ownWord(vote[0]?.option);
  return vote.map(({ option, weight = '' }) => `${ownWord(option)} ${shortWeight(weight)}`).join(', ');
}

type VoteAnswer =
  | NonNullable<ProposalAnswer['validator_votes']>[number]
  | NonNullable<ProposalAnswer['votes_of']>[number];

/** The columns for votes of accounts or of validators. */
export const voteColumns: readonly TextColumn<VoteAnswer>[] = [
  {
    header: 'Power',
    name: 'power',
    value: (row) => ('power' in row ? row.power : 'gross_power' in row ? row.gross_power : undefined),
    rank: 2,
  },
  {
    header: 'Vote',
    name: 'vote',
    value: ({ vote }) => voteText(vote),
    // Votes are known only while voting is open.
    shown: ({ vote }) => (vote === 'not voted' ? 'has not voted' : voteText(vote)),
  },
  {
    header: 'Voter',
    name: 'voter',
    value: (row) => ('address' in row ? row.address : 'operator_address' in row ? row.operator_address : undefined),
  },
  {
    header: 'Moniker',
    name: 'moniker',
    value: (row) => ('untrusted_moniker' in row ? row.untrusted_moniker : undefined),
    rank: 1,
  },
];

function voteFact(label: string, votes: readonly VoteAnswer[] | null | undefined, reason: string): FactLine {
  if (votes === undefined) return [label, undefined];
  return votes === null ? [label, reason] : tableFact(label, votes, voteColumns);
}

function contentFacts(content: ContentAnswer): readonly FactLine[] {
  const changes: readonly TextColumn<NonNullable<ContentAnswer['changes']>[number]>[] = [
    { header: 'Parameter', name: 'parameter', value: ({ untrusted_name: name }) => name },
    { header: 'Now', name: 'now', value: ({ untrusted_now: now }) => now },
    { header: 'Proposed', name: 'proposed', value: ({ untrusted_proposed: proposed }) => proposed },
  ];
  return [
    ['Type', content.untrusted_type],
    ['Kind', ownWord(content.kind)],
    ['Title', content.untrusted_title],
    tableFact('Changes', content.changes ?? [], changes),
    tableFact('Unchanged', content.unchanged ?? [], changes),
    tableFact('In effect', content.in_effect ?? [], changes),
    ['More values', content.more_values],
    tableFact('Spends', content.spends ?? [], [
      { header: 'Recipient', name: 'recipient', value: ({ untrusted_recipient: recipient }) => recipient },
      { header: 'Amounts', name: 'amounts', value: ({ amounts }) => amountsLine(amounts) },
    ]),
    ['More spends', content.more_spends],
    ['Name', content.untrusted_name],
    ['Upgrade height', content.upgrade_height],
    ['Expected time', content.expected_time],
    ['Time', content.untrusted_time],
    ['Binaries', content.untrusted_binaries?.map(lineText)],
    ['More binaries', content.more_binaries],
    ['Info', content.untrusted_info],
    ['Subject', content.untrusted_subject],
    ['Substitute', content.untrusted_substitute],
    ['Code size in bytes', content.byte_code_bytes],
    ['Messages', content.untrusted_messages?.map(lineText)],
    ['Patch', content.untrusted_patch],
    ['Executes', content.executes],
    ['Fields', fieldLines(content.untrusted_fields)],
    ['Wrapped in', content.untrusted_wrapped_in],
    ['Fields without names', content.fields_without_names],
    ['Unreadable from byte', content.unreadable_from_byte],
    ['Description', content.untrusted_description],
  ];
}

/** Gives the fields of a message of no known kind, each as JSON on one line. */
function fieldLines(fields: ContentAnswer['untrusted_fields']): readonly string[] | undefined {
  if (!isFields(fields)) return fields === undefined ? undefined : [lineText(fields)];
  return Object.entries(fields).map(([name, value]) => {
    return lineText(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  });
}
