import * as vscode from 'vscode';
import { type DenomUnit, displayAmount, groupDigits } from '../../chain/coin.ts';
import type { Voter, WatchTarget } from '../../watch/list.ts';
import {
  type DenomSnapshot,
  isUnvoted,
  type ProposalSnapshot,
  periodEnd,
  type Snapshot,
  type WatchedStatus,
} from '../../watch/snapshot.ts';
import type { WatchEvent } from '../../watch/storedState.ts';
import { plain } from '../plain.ts';
import { statusName } from '../values.ts';
import { clockOf, dayOf, duration, shortAddress, voteText } from '../words.ts';

/** `#42 Title`, or the denom; made plain, since it stands in sentences. */
export function entryLabel(target: WatchTarget, title?: string): string {
  if (target.kind === 'everything') return vscode.l10n.t('Everything in voting');
  return plain(target.kind === 'denom' ? target.denom : ['#', target.id, title ? ` ${title}` : ''].join(''));
}

/** A proposal's status, which may have gone from the chain. */
export function statusText(status: WatchedStatus): string {
  return status === 'missing' ? vscode.l10n.t('Not on the chain any more') : statusName(status, '?', vscode.l10n.t);
}

const icons: Readonly<Record<WatchedStatus, string>> = {
  deposit: 'circle-outline',
  voting: 'clock',
  passed: 'pass',
  rejected: 'error',
  failed: 'error',
  vetoed: 'error',
  missing: 'circle-slash',
  unspecified: 'question',
  unknown: 'question',
};

/** The icon of a proposal's row; while voting, whether one of the user's accounts has voted. */
export function iconOf(snapshot: Snapshot | undefined): string {
  if (snapshot?.kind !== 'proposal') return 'circle-outline';
  if (snapshot.status !== 'voting' || !snapshot.votes) return icons[snapshot.status];
  return isUnvoted(snapshot) ? 'circle-large-outline' : 'check';
}

/** `3 h left, 61 % yes`: the time first, since there is little space. `now` is the time at the source, milliseconds since 1970. */
export function proposalWords(snapshot: ProposalSnapshot, now: number): string {
  const { status, submitTime, votingEnd, tally } = snapshot;
  if (status === 'missing' && submitTime === undefined) return vscode.l10n.t('Not found on this chain');
  const end = periodEnd(snapshot);
  const parts = status === 'voting' && end !== undefined ? [] : [statusText(status)];
  if (end !== undefined && end > now) parts.push(vscode.l10n.t('{0} left', duration(end - now)));
  else if (end !== undefined) parts.push(vscode.l10n.t('time is over, result not known yet'));
  else if (votingEnd !== undefined) parts.push(dayOf(new Date(votingEnd)));
  if (status === 'voting' && tally?.yes !== undefined) parts.push(vscode.l10n.t('{0} % yes', tally.yes));
  return parts.join(', ');
}

/** How each of the user's accounts voted, as far as is known: `voted yes`, or `Ops voted yes`, `Cold not voted`. */
export function voteWords(snapshot: Snapshot | undefined, voters: readonly Voter[]): string[] {
  if (snapshot?.kind !== 'proposal') return [];
  return voters.flatMap(({ address, name, text }) => {
    const vote = snapshot.votes?.[address];
    if (!vote) return [];
    return voters.length === 1 ? voteText(vote) : `${plain(name ?? shortAddress(text))} ${voteText(vote)}`;
  });
}

/** `+1,250 ATOM since yesterday`. */
export function supplyWords(snapshot: DenomSnapshot, unit: DenomUnit | undefined, now: number): string {
  const { amount, earlier } = snapshot;
  const since = sinceWords(earlier.at, now);
  return amount === earlier.amount
    ? vscode.l10n.t('{0}, unchanged {1}', amountWords(BigInt(amount), unit), since)
    : `${changeWords(earlier.amount, amount, unit)} ${since}`;
}

function changeWords(from: string, to: string, unit: DenomUnit | undefined): string {
  const change = BigInt(to) - BigInt(from);
  return `${change > 0n ? '+' : '−'}${amountWords(change > 0n ? change : -change, unit)}`;
}

/** An exact amount, in display units where they are stated. */
function amountWords(amount: bigint, unit: DenomUnit | undefined): string {
  return unit ? `${displayAmount(amount, unit.exponent)} ${plain(unit.symbol)}` : groupDigits(amount);
}

/** `since 14:02`, `since yesterday`, `since Mar 3, 2026`. */
function sinceWords(time: number, now: number): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (time >= midnight) return vscode.l10n.t('since {0}', clockOf(new Date(time)));
  if (time >= midnight - 24 * 3_600_000) return vscode.l10n.t('since yesterday');
  return vscode.l10n.t('since {0}', dayOf(new Date(time)));
}

/** An event in one sentence. */
export function eventWords({ title, facts }: WatchEvent, target: WatchTarget, unit: DenomUnit | undefined): string {
  const label = entryLabel(target, title);
  switch (facts.kind) {
    case 'status':
      return facts.unvoted
        ? vscode.l10n.t('{0}: {1}, not voted', label, statusText(facts.to))
        : vscode.l10n.t('{0}: {1}', label, statusText(facts.to));
    case 'ends':
      if (facts.unvoted) return vscode.l10n.t('{0}: voting ends within {1}, not voted', label, hoursWords(facts.hours));
      return facts.period === 'voting'
        ? vscode.l10n.t('{0}: voting ends within {1}', label, hoursWords(facts.hours))
        : vscode.l10n.t('{0}: the deposit period ends within {1}', label, hoursWords(facts.hours));
    case 'quorum':
      return vscode.l10n.t('{0}: quorum is reached', label);
    case 'verdict':
      return facts.to === 'wouldPass'
        ? vscode.l10n.t('{0}: would pass now', label)
        : vscode.l10n.t('{0}: would not pass now', label);
    case 'supply':
      return `${label}: ${changeWords(facts.from, facts.to, unit)} ${sinceWords(facts.since, Date.now())}`;
    default:
      return facts satisfies never;
  }
}

/** `an hour`, `a day`, `6 hours`. */
export function hoursWords(hours: number): string {
  if (hours === 1) return vscode.l10n.t('an hour');
  if (hours === 24) return vscode.l10n.t('a day');
  return vscode.l10n.t('{0} hours', hours);
}
