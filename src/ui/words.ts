import * as vscode from 'vscode';
import type { IbcDenom } from '../api/node.ts';
import { type Coin, type DenomUnit, groupDigits } from '../chain/coin.ts';
import type { AnyPager } from '../chain/pager.ts';
import {
  type CastOption,
  type ListFilter,
  type Proposal,
  type ProposalGroup,
  type ProposalRow,
  periodEnd,
  type StatusGroup,
  statusGroups,
  type Vote,
} from '../chain/proposal.ts';
import type { SupplyOrder, SupplyView } from '../chain/supplyStore.ts';
import type { PastState } from '../session/source.ts';
import { plain } from './plain.ts';
import { amountText, briefDuration, shortAddress, statusName } from './values.ts';

/** The name of a group of proposals, as the chain's own status words it. */
export function groupName(group: ProposalGroup): string {
  if (group === 'other') return vscode.l10n.t('Other statuses');
  if (group === 'unreadable') return vscode.l10n.t('Unreadable');
  return statusName(group, '', vscode.l10n.t);
}

/** `#42 Title`; what the content is where it has no title. */
export function proposalLabel(row: ProposalRow): string {
  if (row.kind === 'unreadable') return row.id < 0n ? vscode.l10n.t('Unknown id') : `#${row.id}`;
  return `#${row.id} ${row.title || contentName(row)}`;
}

/** The last word of the content's type, for proposals without a title. */
export function contentName(proposal: Proposal): string {
  const [first] = proposal.contents;
  if (!first) return vscode.l10n.t('(no content)');
  const name = first.typeUrl.split(/[./]/).pop() || first.typeUrl || vscode.l10n.t('(unknown content)');
  return proposal.contents.length > 1 ? vscode.l10n.t('{0} and {1} more', name, proposal.contents.length - 1) : name;
}

/** What matters now: time left while live (once it is over the chain still has to count), the day it ended afterwards. */
export function proposalTiming(row: ProposalRow, now: Date): string {
  if (row.kind === 'unreadable') return row.reason;
  if (row.status === 'unspecified' || row.status === 'unknown') return row.wireStatus;
  if (row.status !== 'voting' && row.status !== 'deposit') return row.votingEndTime ? dayOf(row.votingEndTime) : '';
  const end = periodEnd(row);
  const left = (end?.getTime() ?? 0) - now.getTime();
  if (left > 0) return briefDuration(left, vscode.l10n.t);
  return end ? vscode.l10n.t('time is over') : '';
}

/** Whether a live proposal's period ends later than `now`, and within so many hours. */
export function isRunning(row: Proposal, now: Date, hours = Number.POSITIVE_INFINITY): boolean {
  const left = (periodEnd(row)?.getTime() ?? 0) - now.getTime();
  return left > 0 && left < hours * 3_600_000;
}

/** For a chain that has not had any proposal. */
export function noProposals(height: bigint | undefined): string {
  return height === undefined
    ? vscode.l10n.t('No proposals')
    : vscode.l10n.t('No proposals at height {0}', groupDigits(height));
}

/** The two largest units of a span of milliseconds: `2 d 7 h`, `3 h 10 min`. */
export function duration(milliseconds: number): string {
  const { t } = vscode.l10n;
  const minutes = Math.floor(milliseconds / 60_000);
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor(minutes / 60) % 24;
  if (days > 0) return hours > 0 ? t('{0} d {1} h', days, hours) : t('{0} d', days);
  if (hours > 0) return minutes % 60 > 0 ? t('{0} h {1} min', hours, minutes % 60) : t('{0} h', hours);
  return minutes > 0 ? t('{0} min', minutes) : t('less than a minute');
}

/** A day in the user's language. */
export function dayOf(time: Date): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium' }).format(time);
}

/** A time of day, with the day when it is another one. */
export function clockOf(time: Date): string {
  return new Intl.DateTimeFormat(vscode.env.language, { timeStyle: 'short' }).format(time);
}

/** `height 12,345, Mar 3, 2026, 2:02 PM`: a block of the past and its time. */
export function heightText({ height, time }: PastState): string {
  const shown = vscode.l10n.t('height {0}', groupDigits(BigInt(height)));
  return time === undefined ? shown : `${shown}, ${timeWords(new Date(time).getTime())}`;
}

/** A day and a time of day in the user's language. */
export function timeWords(time: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

/** The amount in display units where they are stated, and always the exact base units: `1.5 ATOM (1,500,000)`. */
export function amountWithRaw(coin: Coin, unit: DenomUnit | undefined): string {
  const raw = groupDigits(coin.amount);
  if (!unit) return raw;
  return unit.exponent > 0 ? `${amountText(coin, unit)} (${raw})` : amountText(coin, unit);
}

/** `uatom over transfer/channel-0`: where an `ibc/…` denom comes from; "" where that is not known. */
export function originText(origin: IbcDenom | undefined): string {
  return origin ? vscode.l10n.t('{0} over {1}', origin.base, origin.path) : '';
}

/** A denom short enough to leave space for its amount; both ends stay, since they tell denoms apart. */
export function denomLabel(denom: string): string {
  return denom.length <= 22 ? denom : `${denom.slice(0, 12)}…${denom.slice(-6)}`;
}

/** What is there of a list that goes on: `50 of 70 are loaded`. */
export function loadedWords({ rows, total }: Pick<AnyPager, 'rows' | 'total'>): string {
  return isCounted(rows.length, total)
    ? vscode.l10n.t('{0} of {1} are loaded', rows.length, total.toString())
    : vscode.l10n.t('{0} are loaded; how many there are the node does not say', rows.length);
}

/** `Load all (70)`; without the number where the node did not count. */
export function loadAllWords({ rows, total }: Pick<AnyPager, 'rows' | 'total'>): string {
  return isCounted(rows.length, total) ? vscode.l10n.t('Load all ({0})', total.toString()) : vscode.l10n.t('Load all');
}

/** A total that is smaller than what was loaded was counted wrong, or is of another time. */
function isCounted(loaded: number, total: bigint | undefined): total is bigint {
  return total !== undefined && total >= BigInt(loaded);
}

/** `12 of 70`, `50 loaded`, `12`: how much of a list is there. */
export function loadedText(loaded: number, total: bigint | undefined, hasMore: boolean): string {
  if (!hasMore) return `${loaded}`;
  return isCounted(loaded, total)
    ? vscode.l10n.t('{0} of {1}', loaded, total.toString())
    : vscode.l10n.t('{0} loaded', loaded);
}

/** What "Copy as cURL" says where there is no address to copy. */
export function servedInProcess(): string {
  return vscode.l10n.t(
    'The editor reads this state itself, so there is no address for cURL. "npm run serve" in a checkout of the extension serves a state file over HTTP.',
  );
}

/** What a filter lets through, in a few words: `voter cosmos1ab…wxyz · Voting period, Passed`; "" for no filter. */
export function filterText({ statuses, voter, depositor }: ListFilter): string {
  const parts = [
    ...(voter ? [vscode.l10n.t('voter {0}', shortAddress(voter))] : []),
    ...(depositor ? [vscode.l10n.t('depositor {0}', shortAddress(depositor))] : []),
    ...(statuses ? [statusText(statuses)] : []),
  ];
  return parts.join(' · ');
}

function statusText(statuses: readonly StatusGroup[]): string {
  const hidden = statusGroups.filter((group) => !statuses.includes(group));
  return hidden.length < statuses.length
    ? vscode.l10n.t('without {0}', hidden.map(groupName).join(', '))
    : statuses.map(groupName).join(', ');
}

/** The same for the supply: `“ibc” 12 of 50, by amount`. */
export function supplyText(view: SupplyView, shown: number, loaded: number): string {
  const parts = [
    ...(view.text ? [vscode.l10n.t('“{0}” {1} of {2}', plain(view.text), shown, loaded)] : []),
    ...(view.order === 'value' ? [] : [orderName(view.order)]),
  ];
  return parts.join(', ');
}

/** What an order of the supply is called. */
export function orderName(order: SupplyOrder): string {
  return {
    value: vscode.l10n.t('known denoms first'),
    denom: vscode.l10n.t('by denom'),
    amount: vscode.l10n.t('by amount in base units'),
    symbol: vscode.l10n.t('by symbol'),
  }[order];
}

/** What an address filter means on a chain (docs/nodes.md#address-filters); undefined where the filter has none. */
export function filterMeaning({ voter, depositor }: ListFilter): { text: string; detail: string } | undefined {
  if (!voter && !depositor) return undefined;
  const text = !voter
    ? vscode.l10n.t('Deposits are known until the end')
    : depositor
      ? vscode.l10n.t('Votes are known only while voting, deposits until the end')
      : vscode.l10n.t('Votes are known only while voting');
  const detail = vscode.l10n.t(
    'A chain deletes votes when it has counted them, and deposits when the proposal has ended: this filter finds nothing among proposals that have passed, were rejected or failed. Exported states may hold more.',
  );
  return { text, detail };
}

/** `voted yes`, `voted 70 % yes, 30 % no`; `not voted` for a vote without options. */
export function voteText(vote: Vote): string {
  if (vote.length === 0) return vscode.l10n.t('not voted');
  const [only, ...others] = vote.map(({ option }) => optionName(option));
  if (only !== undefined && others.length === 0) return vscode.l10n.t('voted {0}', only);
  const percent = (weight: string) => `${Number((Number(weight) * 100).toFixed(2))}`;
  const parts = vote.map(({ option, weight }) => vscode.l10n.t('{0} % {1}', percent(weight), optionName(option)));
  return vscode.l10n.t('voted {0}', parts.join(', '));
}

function optionName(option: CastOption): string {
  return {
    yes: vscode.l10n.t('yes'),
    abstain: vscode.l10n.t('abstain'),
    no: vscode.l10n.t('no'),
    noWithVeto: vscode.l10n.t('no with veto'),
    unknown: vscode.l10n.t('an unknown option'),
  }[option];
}
