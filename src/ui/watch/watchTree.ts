import * as vscode from 'vscode';
import type { DenomUnit } from '../../chain/coin.ts';
import { escapeForUi } from '../../chain/text.ts';
import { isEntry, keyOf, type Voter, type WatchItem, type WatchTarget } from '../../watch/list.ts';
import {
  type DenomSnapshot,
  type EventFacts,
  isUnvoted,
  type ProposalSnapshot,
  periodEnd,
  type Snapshot,
  type WatchedStatus,
} from '../../watch/snapshot.ts';
import type { WatchEvent } from '../../watch/storedState.ts';
import { statusName, voteText } from '../../words/proposalWords.ts';
import { clockText, dayText, durationText, timeText } from '../../words/time.ts';
import { amountText, shortAddress } from '../../words/values.ts';
import { treeItem } from '../labels.ts';
import { labelBeside, markUri, type OwnVote } from '../trees/rows.ts';
import type { FoundSource, WatchNode, WatchParts } from './watchContext.ts';

const day = 24 * 3_600_000;

/** The rows of the watch list: sources, and under each what is watched there; what ends sooner stands above what ends later. */
export class WatchTree {
  readonly #parts: WatchParts;
  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  getChildren(node: WatchNode | undefined): WatchNode[] {
    const { entries, items } = this.#parts.watch;
    if (node?.kind === 'watchEntry') return [];
    const byEnd = entries
      .map(({ key, target: { sourceId } }) => ({ sourceId, key, rank: this.#rank(sourceId, key) }))
      .sort((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank));
    if (node)
      return byEnd
        .filter(({ sourceId }) => sourceId === node.sourceId)
        .map(({ sourceId, key }) => ({ kind: 'watchEntry', sourceId, key }));
    const running = byEnd.filter(({ rank }) => rank < Number.MAX_VALUE);
    const ids = new Set([...running.map(({ sourceId }) => sourceId), ...items.map(({ target }) => target.sourceId)]);
    return [...ids].map((sourceId) => ({ kind: 'watchSource', sourceId }));
  }

  /** The milliseconds that an open period has left; then what has no end, as the list has it, then what has ended. */
  #rank(sourceId: string, key: string): number {
    const { watch } = this.#parts;
    const snapshot = watch.snapshot(key);
    const end = periodEnd(snapshot);
    if (end !== undefined) return end - watch.timeAt(sourceId);
    return snapshot?.kind === 'proposal' ? Number.POSITIVE_INFINITY : Number.MAX_VALUE;
  }

  getParent(node: WatchNode): WatchNode | undefined {
    return node.kind === 'watchEntry' ? { kind: 'watchSource', sourceId: node.sourceId } : undefined;
  }

  getTreeItem(node: WatchNode): vscode.TreeItem {
    if (node.kind === 'watchSource') return this.#sourceItem(node.sourceId);
    const entry = this.#parts.watch.entries.find(({ key }) => key === node.key);
    return entry ? this.#entryItem(entry, node) : treeItem({ id: `watch/${node.key}`, label: '' });
  }

  /** Empty where it is not known how the user's accounts voted. */
  votesOn(sourceId: string, id: bigint): readonly OwnVote[] {
    const { watch } = this.#parts;
    return ownVotes(watch.snapshot(keyOf({ kind: 'proposal', sourceId, id })), watch.voters(sourceId));
  }

  #sourceItem(sourceId: string): vscode.TreeItem {
    const { watch, find } = this.#parts;
    const { source, unknown } = find(sourceId);
    const outage = watch.outage(sourceId);
    const isOwn = ({ target }: WatchItem): boolean => target.sourceId === sourceId;
    const everything = watch.items.find((item) => isOwn(item) && !isEntry(item));
    const isAll = everything?.own || everything?.shared;
    const all = isAll ? vscode.l10n.t('everything in voting') : vscode.l10n.t('my votes');
    const parts = [
      ...(everything ? [all, ...this.#marks(everything)] : []),
      ...(source.kind === 'file' ? [vscode.l10n.t('state file')] : []),
      ...(unknown === undefined ? [] : [unknown]),
      ...(outage ? [vscode.l10n.t('no answer since {0}', clockText(new Date(outage.since), vscode.env.language))] : []),
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
    const fileWords = known?.kind === 'proposal' ? watchedStatusText(known.status) : '';
    const words = found.source.kind === 'file' ? fileWords : this.#words(entry, snapshot, found);
    const description = [words, ...this.#marks(entry)].filter(Boolean).join(' · ');
    const end = periodEnd(snapshot);
    const left = end === undefined ? Number.POSITIVE_INFINITY : end - watch.timeAt(target.sourceId);
    return treeItem({
      id: `watch/${key}`,
      label: end === undefined ? label : labelBeside(label, description),
      description,
      accessibleText: [label, description].filter(Boolean).join(', '),
      tooltip: [label, description, ...this.#facts(entry, snapshot, found)],
      icon: isMuted ? 'bell-slash' : target.kind === 'denom' ? 'circle-filled' : iconOf(snapshot),
      context: ['watched', target.kind, isMuted ? 'muted' : 'audible'].join('.'),
      command: { command: 'chainInspector._openWatched', title: vscode.l10n.t('Open'), arguments: [node] },
      resourceUri: markUri({ unknown: found.unknown !== undefined, soon: left > 0 && left < day }),
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
      snapshot.kind === 'proposal'
        ? proposalWords(snapshot, ownVotes(snapshot, watch.voters(target.sourceId)), now)
        : supplyWords(snapshot, unitOf(target), now);
    if (!watch.outage(target.sourceId)) return words;
    return vscode.l10n.t('{0} (as of {1})', words, clockText(new Date(snapshot.at), vscode.env.language));
  }

  #facts({ key, target }: WatchItem, snapshot: Snapshot | undefined, { unitOf }: FoundSource): string[] {
    const { watch } = this.#parts;
    const last = watch.lastEvent(key);
    const lines: string[] = [];
    if (snapshot?.kind === 'proposal') lines.push(watchedStatusText(snapshot.status));
    if (snapshot?.kind === 'denom') lines.push(vscode.l10n.t('{0} base units', snapshot.amount));
    lines.push(...endLines(periodEnd(snapshot), watch.timeAt(target.sourceId)));
    if (snapshot?.kind === 'proposal') lines.push(...yesWords(snapshot));
    if (snapshot) lines.push(vscode.l10n.t('Read {0}', timeText(new Date(snapshot.at), vscode.env.language)));
    if (last)
      lines.push(
        `${timeText(new Date(last.at), vscode.env.language)}: ${eventWords(last, target, { unit: unitOf(target), now: last.at })}`,
      );
    return lines;
  }
}

/** `#42 Title`, or the denom; made plain, since it stands in sentences. */
export function entryLabel(target: WatchTarget, title?: string): string {
  if (target.kind === 'everything') return vscode.l10n.t('Everything in voting');
  return escapeForUi(target.kind === 'denom' ? target.denom : ['#', target.id, title ? ` ${title}` : ''].join(''));
}

function watchedStatusText(status: WatchedStatus): string {
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

/** `3 h · not voted`, `3 h · 61 % yes`: the time first, as in Proposals. `now` is the time at the source, milliseconds since 1970. */
function proposalWords(snapshot: ProposalSnapshot, votes: readonly OwnVote[], now: number): string {
  const { status, submitTime, votingEnd } = snapshot;
  if (status === 'missing' && submitTime === undefined) return vscode.l10n.t('Not found on this chain');
  const end = periodEnd(snapshot);
  if (end === undefined) {
    const day = votingEnd === undefined ? [] : [dayText(new Date(votingEnd), vscode.env.language)];
    return [watchedStatusText(status), ...day].join(' · ');
  }
  const time = end > now ? durationText(end - now, 'brief', vscode.l10n.t) : vscode.l10n.t('time is over');
  const state = votes.length > 0 ? [votes.map(({ words }) => words).join(', ')] : yesWords(snapshot);
  return [time, ...(status === 'deposit' ? [vscode.l10n.t('deposit')] : state)].join(' · ');
}

/** `61 % yes`, while the vote is open and was counted. */
function yesWords({ status, tally }: ProposalSnapshot): string[] {
  return status === 'voting' && tally?.yes !== undefined ? [vscode.l10n.t('{0} % yes', tally.yes)] : [];
}

function endLines(end: number | undefined, now: number): string[] {
  if (end === undefined) return [];
  return end > now
    ? [
        vscode.l10n.t(
          'Ends in {0}: {1}',
          durationText(end - now, 'short', vscode.l10n.t),
          timeText(new Date(end), vscode.env.language),
        ),
      ]
    : [vscode.l10n.t('Ended {0}, result not known yet', timeText(new Date(end), vscode.env.language))];
}

/** How each of the user's accounts voted, as far as is known: `voted yes`, or `Ops voted yes`, `Cold not voted`. */
function ownVotes(snapshot: Snapshot | undefined, voters: readonly Voter[]): OwnVote[] {
  if (snapshot?.kind !== 'proposal') return [];
  return voters.flatMap(({ address, name, text }) => {
    const vote = snapshot.votes?.[address];
    if (!vote) return [];
    const who = voters.length === 1 ? '' : `${escapeForUi(name ?? shortAddress(text))} `;
    return { words: `${who}${voteText(vote, vscode.l10n.t)}`, isMissing: vote.length === 0 };
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
  return escapeForUi(amountText({ denom: '', amount }, unit));
}

/** `since 14:02`, `since yesterday`, `since Mar 3, 2026`. */
function sinceWords(time: number, now: number): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (time >= midnight) return vscode.l10n.t('since {0}', clockText(new Date(time), vscode.env.language));
  if (time >= midnight - 24 * 3_600_000) return vscode.l10n.t('since yesterday');
  return vscode.l10n.t('since {0}', dayText(new Date(time), vscode.env.language));
}

/** What the words of an event need beside it: `now` is the time at the source, and `end` that of the open period, where it is known. */
interface EventContext {
  readonly unit: DenomUnit | undefined;
  readonly now: number;
  readonly end?: number | undefined;
}

/** An event in one sentence, with the time left where a period is open. */
export function eventWords(
  { title, facts }: WatchEvent,
  target: WatchTarget,
  { unit, now, end }: EventContext,
): string {
  const label = entryLabel(target, title);
  const withLeft = (text: string): string =>
    end !== undefined && end > now
      ? vscode.l10n.t('{0}, {1} left', text, durationText(end - now, 'short', vscode.l10n.t))
      : text;
  switch (facts.kind) {
    case 'status':
      return withVote(withLeft(vscode.l10n.t('{0}: {1}', label, watchedStatusText(facts.to))), facts);
    case 'ends':
      return withVote(`${label}: ${endWords(facts, now)}`, facts);
    case 'quorum':
      return withLeft(vscode.l10n.t('{0}: quorum is reached', label));
    case 'verdict':
      return withLeft(
        facts.to === 'wouldPass'
          ? vscode.l10n.t('{0}: would pass now', label)
          : vscode.l10n.t('{0}: would not pass now', label),
      );
    case 'supply':
      return `${label}: ${changeWords(facts.from, facts.to, unit)} ${sinceWords(facts.since, Date.now())}`;
    default:
      return facts satisfies never;
  }
}

/** `voting ends in 29 min`. */
function endWords({ period, end }: Extract<EventFacts, { kind: 'ends' }>, now: number): string {
  const isVoting = period === 'voting';
  if (end <= now) return isVoting ? vscode.l10n.t('voting has ended') : vscode.l10n.t('the deposit period has ended');
  const left = durationText(end - now, 'short', vscode.l10n.t);
  return isVoting ? vscode.l10n.t('voting ends in {0}', left) : vscode.l10n.t('the deposit period ends in {0}', left);
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
