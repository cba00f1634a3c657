import { groupDigits } from '../chain/coin.ts';
import type { ListFilter } from '../chain/gov/listFilter.ts';
import { isText, type Proposal, type ProposalRow, type ProposalStatus, periodEnd } from '../chain/gov/proposal.ts';
import { type ProposalGroup, type StatusGroup, statusGroups } from '../chain/gov/proposalGroups.ts';
import type { CastOption, Vote } from '../chain/gov/tally.ts';
import { shorten } from '../chain/text.ts';
import { type Language, listText, type Translate } from './language.ts';
import { type DurationForm, dayText, durationText } from './time.ts';
import { shortAddress } from './values.ts';

/** The name of a group of proposals, in the words of the chain's statuses. */
export function groupName(group: ProposalGroup, t: Translate): string {
  if (group === 'other') return t('Other statuses');
  if (group === 'unreadable') return t('Unreadable');
  return statusName(group, '', t);
}

/** `#42 Title`. Without a title, the type of the content. */
export function proposalLabel(row: ProposalRow, t: Translate): string {
  if (row.kind === 'unreadable') return `#${row.id}`;
  return `#${row.id} ${row.title || contentName(row, t)}`;
}

/** The last word of the content's type. Shown for proposals without a title. */
export function contentName(proposal: Proposal, t: Translate): string {
  const [first] = proposal.contents;
  if (!first) return isText(proposal) ? t('Text') : t('(no content)');
  const name = first.typeUrl.split(/[./]/).pop() || first.typeUrl || t('(unknown content)');
  return proposal.contents.length > 1 ? t('{0} and {1} more', name, proposal.contents.length - 1) : name;
}

/**
 * The time that matters now. For an open period the time left, or that counting is due. For an ended proposal the day
 * of its end.
 */
export function proposalTiming(row: ProposalRow, now: Date, { t, locale }: Language, form: DurationForm): string {
  if (row.kind === 'unreadable') return row.reason;
  if (row.status === 'unspecified' || row.status === 'unknown') return row.wireStatus;
  if (row.status !== 'voting' && row.status !== 'deposit')
    return row.votingEndTime ? dayText(row.votingEndTime, now, locale) : '';
  const end = periodEnd(row);
  const left = (end?.getTime() ?? 0) - now.getTime();
  if (left > 0) return durationText(left, form, t);
  return end ? t('ended') : '';
}

/** Says that a chain has no proposals. */
export function noProposals(height: bigint | undefined, t: Translate): string {
  return height === undefined ? t('No proposals') : t('No proposals at height {0}', groupDigits(height));
}

/** Describes a filter: `voter cosmos1ab…wxyz · Voting period, Passed`. "" for no filter. */
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
    ? t(
        'all except {0}',
        listText(
          hidden.map((group) => groupName(group, t)),
          t,
        ),
      )
    : listText(
        statuses.map((group) => groupName(group, t)),
        t,
      );
}

/** Explains an address filter on a chain (docs/nodes.md#address-filters). Undefined without such a filter. */
export function filterMeaning(
  { voter, depositor }: ListFilter,
  t: Translate,
): { text: string; detail: string } | undefined {
  if (!voter && !depositor) return undefined;
  const text = !voter
    ? t('Finds open proposals only: deposits are deleted when a proposal ends')
    : depositor
      ? t('Finds open proposals only: votes and deposits are deleted when a proposal ends')
      : t('Finds only proposals that are open for voting: votes are deleted after the tally');
  const detail = t(
    'On an endpoint, this filter finds only open proposals: chains delete deposits and votes when a proposal ends. A state file may still contain them.',
  );
  return { text, detail };
}

/** The width of label and description in a view of 300 px, one level below its roots. In characters. */
const rowLength = 26;

/** The width of the part of a label that is never cut. Fewer characters do not tell proposals apart. */
const leastLabel = 20;

/** The widest letters, which take the room of two characters. */
const widest = /[mW]/g;

/** The width of the description, in which `m`, `%` and the characters of East Asia take two characters. */
const mostBeside = 8;

/** Chinese, Japanese and Korean characters, which have twice the width of others. */
const wide = /[\u2e80-\uffef]/g;

/** The width of an icon, in wide characters. */
const iconLength = 1;

/** Shortens a label, so that its description is visible. VS Code would cut the description first. */
export function labelBeside(label: string, description: string, hasIcon = true): string {
  const room = rowLength + (hasIcon ? 0 : iconLength);
  const left = room - description.replace(wide, '$&$&').length;
  if (left >= leastLabel) return shorten(label, left);
  return shorten(label, leastLabel - (label.slice(0, leastLabel).match(widest)?.length ?? 0));
}

/** The description of a proposal: `mark`, its time, and the state of its vote if that fits. `•3h 16%`, `•12d`. */
export function besideLabel(mark: string, time: string, state: string | undefined): string {
  const whole = mark + [time, state].filter(Boolean).join(' ');
  return whole.replace(/[m%]/g, '$&$&').replace(wide, '$&$&').length > mostBeside ? mark + time : whole;
}

/**
 * The vote of one of the reader's accounts: `Ops voted yes`, in a row `yes`. `isMissing` if the account has not voted.
 */
export interface OwnVote {
  readonly words: string;
  readonly inRow: string;
  readonly isMissing: boolean;
}

/** The votes of the reader's accounts for a narrow row: `0/1`, `veto`, `1/2`. "" if nothing is known. */
export function ownVotesText(votes: readonly OwnVote[]): string {
  const cast = votes.filter(({ isMissing }) => !isMissing).length;
  const [only] = votes;
  if (!only) return '';
  return votes.length > 1 || cast === 0 ? `${cast}/${votes.length}` : only.inRow;
}

/** The votes of the reader's accounts in words: `not voted`, `1 of 2 voted`, `yes`. */
export function ownVotesWords(votes: readonly OwnVote[], t: Translate): string {
  const cast = votes.filter(({ isMissing }) => !isMissing).length;
  if (cast === 0 && votes.length > 0) return t('not voted');
  return votes.length > 1 ? t('{0} of {1} voted', cast, votes.length) : (votes[0]?.inRow ?? '');
}

/** Whether none of the accounts is known to have voted. */
export function isVoteDue(votes: readonly OwnVote[]): boolean {
  return votes.length > 0 && votes.every(({ isMissing }) => isMissing);
}

/** Words a vote: `voted yes`, `voted 70 % yes, 30 % no`. `has not voted` for a vote without options. */
export function voteText(vote: Vote, t: Translate): string {
  if (vote.length === 0) return t('has not voted');
  const names = optionNames(t);
  const [only, ...others] = vote.map(({ option }) => names[option]);
  if (only !== undefined && others.length === 0) return t('voted {0}', only);
  const percent = (weight: string): string => `${Number((Number(weight) * 100).toFixed(2))}`;
  const parts = vote.map(({ option, weight }) => t('{0} % {1}', percent(weight), names[option]));
  return t('voted {0}', listText(parts, t));
}

/** Words a vote for a narrow row: `yes`, `veto`, `abst`, `split`. "" for a vote without options. */
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
    unknown: t('unknown option'),
  };
}

/** The name of a status. A status outside the contract is shown as the chain writes it. */
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
