import * as vscode from 'vscode';
import type { DenomUnit } from '../../chain/coin.ts';
import { isEntry, keyOf, type Voter, type WatchItem, type WatchTarget } from '../../watch/list.ts';
import {
  type DenomSnapshot,
  isUnvoted,
  type ProposalSnapshot,
  periodEnd,
  type Snapshot,
  type WatchedStatus,
} from '../../watch/snapshot.ts';
import type { WatchEvent } from '../../watch/storedState.ts';
import { treeItem } from '../labels.ts';
import { plain } from '../plain.ts';
import { markUri } from '../trees/rows.ts';
import { amountText, shortAddress, statusName } from '../values.ts';
import { clockOf, dayOf, duration, timeWords, voteText } from '../words.ts';
import type { FoundSource, WatchNode, WatchParts } from './watchContext.ts';

/** The rows of the watch list: sources in the order of their first entry, and under each what is watched there. */
export class WatchTree {
  readonly #parts: WatchParts;
  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  getChildren(node: WatchNode | undefined): WatchNode[] {
    const { entries, items } = this.#parts.watch;
    if (node?.kind === 'watchEntry') return [];
    if (node)
      return entries
        .filter(({ target }) => target.sourceId === node.sourceId)
        .map(({ key }) => ({ kind: 'watchEntry', sourceId: node.sourceId, key }));
    const ids = new Set(items.map(({ target }) => target.sourceId));
    return [...ids].map((sourceId) => ({ kind: 'watchSource', sourceId }));
  }

  getParent(node: WatchNode): WatchNode | undefined {
    return node.kind === 'watchEntry' ? { kind: 'watchSource', sourceId: node.sourceId } : undefined;
  }

  getTreeItem(node: WatchNode): vscode.TreeItem {
    if (node.kind === 'watchSource') return this.#sourceItem(node.sourceId);
    const entry = this.#parts.watch.entries.find(({ key }) => key === node.key);
    return entry ? this.#entryItem(entry, node) : treeItem({ id: `watch/${node.key}`, label: '' });
  }

  /** How the user's accounts voted on a proposal, in words; empty where that is not known. */
  votesOn(sourceId: string, id: bigint): readonly string[] {
    const { watch } = this.#parts;
    return voteWords(watch.snapshot(keyOf({ kind: 'proposal', sourceId, id })), watch.voters(sourceId));
  }

  #sourceItem(sourceId: string): vscode.TreeItem {
    const { watch, find } = this.#parts;
    const { source, unknown } = find(sourceId);
    const outage = watch.outage(sourceId);
    const isOwn = ({ target }: WatchItem) => target.sourceId === sourceId;
    const everything = watch.items.find((item) => isOwn(item) && !isEntry(item));
    const isAll = everything?.own || everything?.shared;
    const all = isAll ? vscode.l10n.t('everything in voting') : vscode.l10n.t('my votes');
    const parts = [
      ...(everything ? [all, ...this.#marks(everything)] : []),
      ...(source.kind === 'file' ? [vscode.l10n.t('state file')] : []),
      ...(unknown === undefined ? [] : [unknown]),
      ...(outage ? [vscode.l10n.t('no answer since {0}', clockOf(new Date(outage.since)))] : []),
    ];
    const items = [...watch.entries.filter(isOwn), ...(everything ? [everything] : [])];
    const sounds = new Set(items.map((item) => (watch.isMuted(item) ? 'muted' : 'audible')));
    const known = unknown === undefined ? 'known' : 'unknown';
    return treeItem({
      id: `watch/${sourceId}`,
      label: source.name,
      description: parts.join(', '),
      tooltip: [sourceId || source.name, ...parts, ...(outage ? [outage.reason] : [])],
      icon: outage ? 'warning' : source.kind === 'file' ? 'file' : 'link',
      context: ['watchSource', known, isAll ? 'all' : 'some', ...sounds].join('.'),
      state: vscode.TreeItemCollapsibleState.Expanded,
      resourceUri: markUri({ unknown: unknown !== undefined }),
    });
  }

  #entryItem(entry: WatchItem, node: WatchNode): vscode.TreeItem {
    const { watch, find } = this.#parts;
    const { key, target } = entry;
    const found = find(target.sourceId);
    const snapshot = watch.snapshot(key);
    const isMuted = watch.isMuted(entry);
    const known = target.kind === 'proposal' ? found.session?.proposals.known(target.id) : undefined;
    const row = snapshot ?? known;
    const label = entryLabel(target, row?.kind === 'proposal' ? row.title : undefined);
    // A state file is not polled: what its session knows is shown.
    const fileWords = known?.kind === 'proposal' ? statusText(known.status) : '';
    const words = found.source.kind === 'file' ? fileWords : this.#words(entry, snapshot, found);
    const votes = voteWords(snapshot, watch.voters(target.sourceId));
    const description = [...votes, words, ...this.#marks(entry)].filter(Boolean).join(', ');
    return treeItem({
      id: `watch/${key}`,
      label,
      description,
      tooltip: [label, description, ...this.#facts(entry, snapshot, found)],
      icon: isMuted ? 'bell-slash' : target.kind === 'denom' ? 'circle-filled' : iconOf(snapshot),
      context: ['watched', target.kind, isMuted ? 'muted' : 'audible'].join('.'),
      command: { command: 'chainInspector._openWatched', title: vscode.l10n.t('Open'), arguments: [node] },
      resourceUri: markUri({ unknown: found.unknown !== undefined }),
    });
  }

  #marks(item: WatchItem): string[] {
    return [
      ...(item.shared ? [vscode.l10n.t('shared')] : []),
      ...(this.#parts.watch.isMuted(item) ? [vscode.l10n.t('muted')] : []),
    ];
  }

  #words({ target }: WatchItem, snapshot: Snapshot | undefined, { unknown, unitOf }: FoundSource): string {
    if (unknown !== undefined) return unknown;
    if (!snapshot) return vscode.l10n.t('not read yet');
    const { watch } = this.#parts;
    const now = watch.timeAt(target.sourceId);
    const words =
      snapshot.kind === 'proposal' ? proposalWords(snapshot, now) : supplyWords(snapshot, unitOf(target), now);
    if (!watch.outage(target.sourceId)) return words;
    return vscode.l10n.t('{0} (as of {1})', words, clockOf(new Date(snapshot.at)));
  }

  #facts({ key, target }: WatchItem, snapshot: Snapshot | undefined, { unitOf }: FoundSource): string[] {
    const last = this.#parts.watch.lastEvent(key);
    const end = periodEnd(snapshot);
    const lines: string[] = [];
    if (snapshot?.kind === 'proposal') lines.push(statusText(snapshot.status));
    if (snapshot?.kind === 'denom') lines.push(vscode.l10n.t('{0} base units', snapshot.amount));
    if (end !== undefined) lines.push(vscode.l10n.t('Ends {0}', timeWords(end)));
    if (snapshot) lines.push(vscode.l10n.t('Read {0}', timeWords(snapshot.at)));
    if (last) lines.push(`${timeWords(last.at)}: ${eventWords(last, target, unitOf(target))}`);
    return lines;
  }
}

/** `#42 Title`, or the denom; made plain, since it stands in sentences. */
export function entryLabel(target: WatchTarget, title?: string): string {
  if (target.kind === 'everything') return vscode.l10n.t('Everything in voting');
  return plain(target.kind === 'denom' ? target.denom : ['#', target.id, title ? ` ${title}` : ''].join(''));
}

function statusText(status: WatchedStatus): string {
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
function iconOf(snapshot: Snapshot | undefined): string {
  if (snapshot?.kind !== 'proposal') return 'circle-outline';
  if (snapshot.status !== 'voting' || !snapshot.votes) return icons[snapshot.status];
  return isUnvoted(snapshot) ? 'circle-large-outline' : 'check';
}

/** `3 h left, 61 % yes`: the time first, since there is little space. `now` is the time at the source, milliseconds since 1970. */
function proposalWords(snapshot: ProposalSnapshot, now: number): string {
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
function voteWords(snapshot: Snapshot | undefined, voters: readonly Voter[]): string[] {
  if (snapshot?.kind !== 'proposal') return [];
  return voters.flatMap(({ address, name, text }) => {
    const vote = snapshot.votes?.[address];
    if (!vote) return [];
    return voters.length === 1 ? voteText(vote) : `${plain(name ?? shortAddress(text))} ${voteText(vote)}`;
  });
}

/** `+1,250 ATOM since yesterday`. */
function supplyWords(snapshot: DenomSnapshot, unit: DenomUnit | undefined, now: number): string {
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

function amountWords(amount: bigint, unit: DenomUnit | undefined): string {
  return plain(amountText({ denom: '', amount }, unit));
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
      return withVote(vscode.l10n.t('{0}: {1}', label, statusText(facts.to)), facts);
    case 'ends':
      return facts.period === 'voting'
        ? withVote(vscode.l10n.t('{0}: voting ends within {1}', label, hoursWords(facts.hours)), facts)
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

function withVote(text: string, { unvoted }: { readonly unvoted?: boolean | undefined }): string {
  return unvoted ? vscode.l10n.t('{0}, not voted', text) : text;
}

/** `an hour`, `a day`, `6 hours`. */
export function hoursWords(hours: number): string {
  if (hours === 1) return vscode.l10n.t('an hour');
  if (hours === 24) return vscode.l10n.t('a day');
  return vscode.l10n.t('{0} hours', hours);
}
