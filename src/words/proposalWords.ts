import { shorten } from '../api/errors.ts';
import { groupDigits } from '../chain/coin.ts';
import {
  type CastOption,
  isText,
  type ListFilter,
  type Proposal,
  type ProposalGroup,
  type ProposalRow,
  type ProposalStatus,
  periodEnd,
  type StatusGroup,
  statusGroups,
  type Vote,
} from '../chain/proposal.ts';
import type { Language, Translate } from './language.ts';
import { type DurationForm, dayText, durationText } from './time.ts';
import { shortAddress } from './values.ts';

/** The name of a group of proposals, as the chain's own status words it. */
export function groupName(group: ProposalGroup, t: Translate): string {
  if (group === 'other') return t('Other statuses');
  if (group === 'unreadable') return t('Unreadable');
  return statusName(group, '', t);
}

/** `#42 Title`; what the content is where it has no title. */
export function proposalLabel(row: ProposalRow, t: Translate): string {
  if (row.kind === 'unreadable') return `#${row.id}`;
  return `#${row.id} ${row.title || contentName(row, t)}`;
}

/** The last word of the content's type, for proposals without a title. */
export function contentName(proposal: Proposal, t: Translate): string {
  const [first] = proposal.contents;
  if (!first) return isText(proposal) ? t('Text') : t('(no content)');
  const name = first.typeUrl.split(/[./]/).pop() || first.typeUrl || t('(unknown content)');
  return proposal.contents.length > 1 ? t('{0} and {1} more', name, proposal.contents.length - 1) : name;
}

/** What matters now: time left while live (once it is over the chain still has to count), the day it ended afterwards. */
export function proposalTiming(row: ProposalRow, now: Date, { t, locale }: Language, form: DurationForm): string {
  if (row.kind === 'unreadable') return row.reason;
  if (row.status === 'unspecified' || row.status === 'unknown') return row.wireStatus;
  if (row.status !== 'voting' && row.status !== 'deposit')
    return row.votingEndTime ? dayText(row.votingEndTime, locale) : '';
  const end = periodEnd(row);
  const left = (end?.getTime() ?? 0) - now.getTime();
  if (left > 0) return durationText(left, form, t);
  return end ? t('ended') : '';
}

/** For a chain that has not had any proposal. */
export function noProposals(height: bigint | undefined, t: Translate): string {
  return height === undefined ? t('No proposals') : t('No proposals at height {0}', groupDigits(height));
}

/** What a filter lets through, in a few words: `voter cosmos1ab…wxyz · Voting period, Passed`; "" for no filter. */
export function filterText({ statuses, voter, depositor }: ListFilter, t: Translate): string {
  const parts = [
    ...(voter ? [t('voter {0}', shortAddress(voter))] : []),
    ...(depositor ? [t('depositor {0}', shortAddress(depositor))] : []),
    ...(statuses ? [groupsText(statuses, t)] : []),
  ];
  return parts.join(' · ');
}

function groupsText(statuses: readonly StatusGroup[], t: Translate): string {
  const hidden = statusGroups.filter((group) => !statuses.includes(group));
  return hidden.length < statuses.length
    ? t('without {0}', hidden.map((group) => groupName(group, t)).join(', '))
    : statuses.map((group) => groupName(group, t)).join(', ');
}

/** What an address filter means on a chain (docs/nodes.md#address-filters); undefined where the filter has none. */
export function filterMeaning(
  { voter, depositor }: ListFilter,
  t: Translate,
): { text: string; detail: string } | undefined {
  if (!voter && !depositor) return undefined;
  const text = !voter
    ? t('Deposits are known until the end')
    : depositor
      ? t('Votes are known only while voting, deposits until the end')
      : t('Votes are known only while voting');
  const detail = t(
    'A chain deletes votes when it has counted them, and deposits when the proposal has ended: this filter finds nothing among proposals that have passed, were rejected or failed. Exported states may hold more.',
  );
  return { text, detail };
}

/** Characters of label and description that fit into a view of 300 px, one level below its roots. */
const rowLength = 26;

/** Characters of a label that are always seen: less does not tell proposals apart. */
const leastLabel = 20;

/** Characters beside them, of which `m` and `%` take the space of two. */
const mostBeside = 8;

/** A label that leaves space for the description, which the editor would cut first. */
export function labelBeside(label: string, description: string): string {
  return shorten(label, Math.max(leastLabel, rowLength - description.length));
}

/** What stands beside the label of a proposal: `mark`, its time and, where they fit, how its vote stands: `•3h 16%`, `•12d`. */
export function besideLabel(mark: string, time: string, state: string | undefined): string {
  const whole = mark + [time, state].filter(Boolean).join(' ');
  return whole.replace(/[m%]/g, '$&$&').length > mostBeside ? mark + time : whole;
}

/** How one of the reader's accounts voted: `Ops voted yes`, in a row `yes`; `isMissing` where it has not. */
export interface OwnVote {
  readonly words: string;
  readonly inRow: string;
  readonly isMissing: boolean;
}

/** The votes of all accounts in the space of a row: `due`, `veto`, `1/2`; "" where nothing is known. */
export function ownVotesText(votes: readonly OwnVote[], t: Translate): string {
  const cast = votes.filter(({ isMissing }) => !isMissing).length;
  if (cast === 0 && votes.length > 0) return t('due');
  return votes.length > 1 ? `${cast}/${votes.length}` : (votes[0]?.inRow ?? '');
}

/** Whether none of the accounts has voted, as far as is known. */
export function isVoteDue(votes: readonly OwnVote[]): boolean {
  return votes.length > 0 && votes.every(({ isMissing }) => isMissing);
}

/** `voted yes`, `voted 70 % yes, 30 % no`; `not voted` for a vote without options. */
export function voteText(vote: Vote, t: Translate): string {
  if (vote.length === 0) return t('not voted');
  const names = optionNames(t);
  const [only, ...others] = vote.map(({ option }) => names[option]);
  if (only !== undefined && others.length === 0) return t('voted {0}', only);
  const percent = (weight: string): string => `${Number((Number(weight) * 100).toFixed(2))}`;
  const parts = vote.map(({ option, weight }) => t('{0} % {1}', percent(weight), names[option]));
  return t('voted {0}', parts.join(', '));
}

/** The same in the space of a row: `yes`, `veto`, `abst`, `split`; "" for a vote without options. */
export function voteInRow([only, ...others]: Vote, t: Translate): string {
  if (others.length > 0) return t('split');
  if (only === undefined) return '';
  const short = { noWithVeto: t('veto'), abstain: t('abst'), unknown: '?' };
  return { ...optionNames(t), ...short }[only.option];
}

function optionNames(t: Translate): Readonly<Record<CastOption, string>> {
  return {
    yes: t('yes'),
    abstain: t('abstain'),
    no: t('no'),
    noWithVeto: t('no with veto'),
    unknown: t('an unknown option'),
  };
}

/** The status of a proposal; one that the contract does not name is shown as it is on the wire. */
export function statusName(status: ProposalStatus, wireStatus: string, t: Translate): string {
  return {
    deposit: t('Deposit period'),
    voting: t('Voting period'),
    passed: t('Passed'),
    rejected: t('Rejected'),
    failed: t('Failed'),
    vetoed: t('Vetoed'),
    unspecified: t('No status'),
    unknown: t('Status {0}', wireStatus),
  }[status];
}
