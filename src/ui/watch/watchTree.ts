import * as vscode from 'vscode';
import { type DenomUnit, groupDigits } from '../../chain/coin.ts';
import { escapeForUi } from '../../chain/text.ts';
import {
  type DenomSnapshot,
  type EventFacts,
  type ProposalSnapshot,
  type Snapshot,
  snapshotEnd,
  type WatchedStatus,
} from '../../watch/snapshot.ts';
import type { WatchEvent } from '../../watch/storedState.ts';
import type { Voter } from '../../watch/voters.ts';
import type { Watch } from '../../watch/watch.ts';
import { isEntry, keyOf, type WatchItem, type WatchTarget } from '../../watch/watchList.ts';
import { listText } from '../../words/language.ts';
import {
  isVoteDue,
  labelBeside,
  type OwnVote,
  ownVotesWords,
  statusName,
  voteInRow,
  voteText,
} from '../../words/proposalWords.ts';
import { clockText, type DurationForm, dayText, durationText, endText, timeText } from '../../words/time.ts';
import { amountText, rowAmount, shortAddress, signed } from '../../words/values.ts';
import { standingWords } from '../../words/verdictWords.ts';
import { type Row, soonUri, treeItem } from '../editorTexts.ts';
import { rowIcons, voteDue } from '../lists/proposals.ts';
import { language } from '../settings.ts';
import type { WatchNode } from './watchScreen.ts';
import type { FoundSource, WatchSources } from './watchSources.ts';

const day = 24 * 3_600_000;

/**
 * The rows of the watch list. The entries of all sources are ordered by their end. Entries that need nothing are in a
 * collapsed group at the end.
 */
export class WatchTree {
  readonly #watch: Watch;
  readonly #sources: WatchSources;
  constructor(watch: Watch, sources: WatchSources) {
    this.#watch = watch;
    this.#sources = sources;
  }

  getChildren(node: WatchNode | undefined): WatchNode[] {
    if (node?.kind === 'watchEntry') return [];
    const watch = this.#watch;
    const { due = [], idle = [] } = Object.groupBy(watch.rows, (item) => (this.#isDue(item) ? 'due' : 'idle'));
    if (node) return idle.map(toNode);
    // All rows of a source use one time, so that entries with the same end keep their order.
    const times = new Map(due.map(({ target: { sourceId } }) => [sourceId, watch.timeAt(sourceId)]));
    const byEnd = due
      .map((item) => ({ item, left: this.#left(item, times.get(item.target.sourceId)) }))
      .sort((a, b) => (a.left === b.left ? 0 : a.left - b.left));
    return [...byEnd.map(({ item }) => toNode(item)), ...(idle.length > 0 ? [{ kind: 'watchIdle' } as const] : [])];
  }

  /** Whether an entry needs attention: its period is open, its supply changed, or it cannot be read. */
  #isDue({ key, target }: WatchItem): boolean {
    const watch = this.#watch;
    const sources = this.#sources;
    const { source, unknown } = sources.find(target.sourceId);
    if (unknown !== undefined) return true;
    if (target.kind === 'everything') return watch.outage(target.sourceId) !== undefined;
    const snapshot = watch.snapshot(key);
    if (snapshot?.kind === 'denom') return snapshot.amount !== snapshot.earlier.amount;
    return snapshot ? snapshotEnd(snapshot) !== undefined : source.kind !== 'file';
  }

  /** The time left in the open period at a time of its chain, in milliseconds. Infinite without an open period. */
  #left({ key }: WatchItem, now: number | undefined): number {
    const end = snapshotEnd(this.#watch.snapshot(key));
    return end === undefined || now === undefined ? Number.POSITIVE_INFINITY : end - now;
  }

  getParent(node: WatchNode): WatchNode | undefined {
    const isRoot = this.getChildren(undefined).some((root) => keyOfNode(root) === keyOfNode(node));
    return isRoot ? undefined : { kind: 'watchIdle' };
  }

  getTreeItem(node: WatchNode): vscode.TreeItem {
    if (node.kind === 'watchIdle') return this.#idleItem();
    const watch = this.#watch;
    const item = watch.rows.find(({ key }) => key === node.key);
    if (!item) return treeItem({ id: `watch/${node.key}`, label: '' });
    return isEntry(item) ? this.#entryItem(item, node) : this.#everythingItem(item);
  }

  #idleItem(): vscode.TreeItem {
    return treeItem({
      id: 'watch',
      label: vscode.l10n.t('No deadline'),
      description: `${this.getChildren({ kind: 'watchIdle' }).length}`,
      state: vscode.TreeItemCollapsibleState.Collapsed,
    });
  }

  /** Empty if the votes of the user's accounts are not known. */
  votesOn(sourceId: string, id: bigint): readonly OwnVote[] {
    const watch = this.#watch;
    return ownVotes(watch.snapshot(keyOf({ kind: 'proposal', sourceId, id })), watch.voters(sourceId));
  }

  /**
   * The item of an entry for a whole source. If no setting names the entry, it stands for the votes of the user's
   * accounts.
   */
  #everythingItem(item: WatchItem): vscode.TreeItem {
    const { key, target, own, shared } = item;
    const { source, unknown } = this.#sources.find(target.sourceId);
    const outage = this.#watch.outage(target.sourceId);
    const isAll = own || shared;
    const label = isAll ? entryLabel(target) : vscode.l10n.t('My votes');
    const parts = [...(unknown === undefined ? outageWords(outage) : [unknown]), ...this.#marks(item), source.name];
    return treeItem({
      id: `watch/${key}`,
      label,
      description: parts.join(' · '),
      tooltip: [label, ...parts, ...(outage ? [outage.reason] : []), target.sourceId],
      icon: outage ? 'warning' : 'checklist',
      tone: outage ? 'warning' : undefined,
      context: this.#context(item, isAll ? 'all' : 'votes'),
    });
  }

  #context(item: WatchItem, what: string): string {
    const known = this.#sources.find(item.target.sourceId).unknown === undefined ? 'known' : 'unknown';
    return ['watched', what, this.#watch.isMuted(item) ? 'muted' : 'audible', known].join('.');
  }

  #entryItem(entry: WatchItem, node: WatchNode): vscode.TreeItem {
    const watch = this.#watch;
    const sources = this.#sources;
    const { key, target } = entry;
    const found = sources.find(target.sourceId);
    const { source } = found;
    const snapshot = watch.snapshot(key);
    const known = target.kind === 'proposal' ? found.session?.lists.proposals.find(target.id) : undefined;
    const row = snapshot ?? known;
    const label = entryLabel(target, row?.kind === 'proposal' ? row.title : undefined);
    // A state file is not polled, so the item shows the facts of its session.
    const isAbsent = target.kind === 'proposal' && found.session?.lists.proposals.hasGov === false;
    const absence = isAbsent ? vscode.l10n.t('not in this state') : '';
    const fileWords = known?.kind === 'proposal' ? watchedStatusText(known.status) : absence;
    const votes = ownVotes(snapshot, watch.voters(target.sourceId));
    const wordsIn = (form: DurationForm): string => {
      const state = source.kind === 'file' ? fileWords : this.#words(entry, snapshot, found, form);
      return [state, ...this.#marks(entry)].filter(Boolean).join(' · ');
    };
    const words = wordsIn('brief');
    const look = lookOf(snapshot);
    const left = this.#left(entry, watch.timeAt(target.sourceId));
    const soon = left > 0 && left < day;
    const details = [wordsIn('short'), look.words ?? '', ...votes.map((vote) => vote.words), source.name].filter(
      Boolean,
    );
    return treeItem({
      id: `watch/${key}`,
      label: Number.isFinite(left) ? labelBeside(label, words) : label,
      description: [words, this.#sourceWords(source)].filter(Boolean).join(' · '),
      accessibleText: listText([label, ...details], vscode.l10n.t),
      tooltip: [label, ...details, target.sourceId, ...this.#facts(entry, snapshot, found)].filter(Boolean),
      ...look,
      ...(isVoteDue(votes) ? voteDue : {}),
      ...(watch.isMuted(entry) ? { icon: 'bell-slash' } : {}),
      ...(soon ? { tone: 'warning' } : {}),
      context: this.#context(entry, target.kind),
      command: { command: 'chainInspector._openWatched', title: vscode.l10n.t('Open'), arguments: [node] },
      resourceUri: soon ? soonUri : undefined,
    });
  }

  /** The name of the source, if several sources are watched. */
  #sourceWords({ name }: FoundSource['source']): string {
    const ids = new Set(this.#watch.rows.map(({ target }) => target.sourceId));
    return ids.size > 1 ? name : '';
  }

  #marks(item: WatchItem): string[] {
    return [
      ...(item.shared ? [vscode.l10n.t('shared')] : []),
      ...(this.#watch.isMuted(item) ? [vscode.l10n.t('muted')] : []),
    ];
  }

  #words(
    { target }: WatchItem,
    snapshot: Snapshot | undefined,
    { unknown, unitOf }: FoundSource,
    form: DurationForm,
  ): string {
    if (unknown !== undefined) return unknown;
    if (!snapshot) return vscode.l10n.t('not loaded yet');
    const watch = this.#watch;
    const now = watch.timeAt(target.sourceId);
    const own = form === 'brief' ? ownVotesWords(ownVotes(snapshot, watch.voters(target.sourceId)), vscode.l10n.t) : '';
    const words =
      snapshot.kind === 'proposal'
        ? proposalWords(snapshot, own, now, form)
        : supplyWords(snapshot, unitOf(target), now, form);
    if (!watch.outage(target.sourceId)) return words;
    return vscode.l10n.t('{0} (as of {1})', words, clockText(new Date(snapshot.at), vscode.env.language));
  }

  #facts({ key, target }: WatchItem, snapshot: Snapshot | undefined, { unitOf }: FoundSource): string[] {
    const watch = this.#watch;
    const last = watch.lastEvent(key);
    const outage = watch.outage(target.sourceId);
    const lines: string[] = [...outageWords(outage), ...(outage ? [outage.reason] : [])];
    if (snapshot?.kind === 'proposal') lines.push(watchedStatusText(snapshot.status));
    if (snapshot?.kind === 'denom') lines.push(vscode.l10n.t('{0} base units', groupDigits(BigInt(snapshot.amount))));
    lines.push(...endLines(snapshotEnd(snapshot), watch.timeAt(target.sourceId)));
    if (snapshot?.kind === 'proposal') lines.push(...yesWords(snapshot));
    if (snapshot) lines.push(vscode.l10n.t('Loaded {0}', timeText(new Date(snapshot.at), vscode.env.language)));
    if (last)
      lines.push(
        `${timeText(new Date(last.at), vscode.env.language)}: ${eventWords(last, target, { unit: unitOf(target), now: last.at })}`,
      );
    return lines;
  }
}

/** `#42 Title`, or the denom. Made plain, since it stands in sentences. */
export function entryLabel(target: WatchTarget, title?: string): string {
  if (target.kind === 'everything') return vscode.l10n.t('All open votes');
  return escapeForUi(target.kind === 'denom' ? target.denom : ['#', target.id, title ? ` ${title}` : ''].join(''));
}

function watchedStatusText(status: WatchedStatus): string {
  return status === 'missing' ? vscode.l10n.t('No longer on the chain') : statusName(status, '?', vscode.l10n.t);
}

function toNode({ key, target: { sourceId } }: WatchItem): WatchNode {
  return { kind: 'watchEntry', sourceId, key };
}

function keyOfNode(node: WatchNode): string {
  return node.kind === 'watchIdle' ? '' : node.key;
}

function outageWords(outage: { readonly since: number } | undefined): string[] {
  if (!outage) return [];
  return [vscode.l10n.t('no response since {0}', clockText(new Date(outage.since), vscode.env.language))];
}

const icons: Readonly<Record<Exclude<WatchedStatus, 'voting'>, string>> = {
  ...rowIcons,
  vetoed: rowIcons.rejected,
  missing: 'question',
  unspecified: 'question',
  unknown: 'question',
};

/** The icon of a row and its words. That of an open vote shows its standing, as far as it was counted. */
function lookOf(snapshot: Snapshot | undefined): Pick<Row, 'icon' | 'tone'> & { readonly words?: string } {
  if (snapshot?.kind !== 'proposal') return { icon: snapshot ? 'circle-filled' : 'circle-outline' };
  const { status, quorum, verdict } = snapshot;
  if (status !== 'voting') return { icon: icons[status] };
  if (quorum === false) return standingWords('quorum', vscode.l10n.t);
  if (verdict === 'wouldFail') return { icon: 'thumbsdown', tone: 'bad', words: vscode.l10n.t('would be rejected') };
  return standingWords(verdict === 'wouldPass' ? 'passes' : 'unknown', vscode.l10n.t);
}

/**
 * `3h · not voted`: the time first, as in Proposals, then the reader's votes. `now` is the time at the source, in
 * milliseconds since 1970.
 */
function proposalWords(snapshot: ProposalSnapshot, own: string, now: number, form: DurationForm): string {
  const { status, submitTime, votingEnd } = snapshot;
  if (status === 'missing' && submitTime === undefined) return vscode.l10n.t('Not found on this chain');
  const end = snapshotEnd(snapshot);
  if (end === undefined) {
    const day = votingEnd === undefined ? [] : [dayText(new Date(votingEnd), new Date(now), vscode.env.language)];
    return [watchedStatusText(status), ...day].join(' · ');
  }
  const time = end > now ? durationText(end - now, form, vscode.l10n.t) : vscode.l10n.t('ended');
  const state = status === 'deposit' ? vscode.l10n.t('deposit') : own;
  return [time, state].filter(Boolean).join(' · ');
}

/** `61 % yes`, while the vote is open and was counted. */
function yesWords({ status, tally }: ProposalSnapshot): string[] {
  return status === 'voting' && tally?.yes !== undefined ? [vscode.l10n.t('{0} % yes', tally.yes)] : [];
}

function endLines(end: number | undefined, now: number): string[] {
  if (end === undefined) return [];
  const time = new Date(end);
  return end > now
    ? [endText(time, new Date(now), language())]
    : [vscode.l10n.t('Ended {0}, no result yet', timeText(time, vscode.env.language))];
}

/** The votes of the user's accounts, as far as known: `Ops: voted yes`, `Cold: has not voted`. */
function ownVotes(snapshot: Snapshot | undefined, voters: readonly Voter[]): OwnVote[] {
  if (snapshot?.kind !== 'proposal') return [];
  return voters.flatMap(({ address, name, text }) => {
    const vote = snapshot.votes?.[address];
    if (!vote) return [];
    const who = escapeForUi(name ?? shortAddress(text));
    const { t } = vscode.l10n;
    return { words: t('{0}: {1}', who, voteText(vote, t)), inRow: voteInRow(vote, t), isMissing: vote.length === 0 };
  });
}

/** `+1,250 ATOM since yesterday`. */
function supplyWords(snapshot: DenomSnapshot, unit: DenomUnit | undefined, now: number, form: DurationForm): string {
  const { amount, earlier } = snapshot;
  const since = sinceWords(earlier.at, now);
  return amount === earlier.amount
    ? vscode.l10n.t('{0}, unchanged {1}', amountWords(BigInt(amount), unit, form), since)
    : `${changeWords(earlier.amount, amount, unit, form)} ${since}`;
}

function changeWords(from: string, to: string, unit: DenomUnit | undefined, form?: DurationForm): string {
  return signed(BigInt(to) - BigInt(from), (amount) => amountWords(amount, unit, form));
}

/** An amount with its symbol. Exact, but for the brief form, which is that of rows. */
function amountWords(amount: bigint, unit: DenomUnit | undefined, form?: DurationForm): string {
  const text =
    form === 'brief'
      ? `${rowAmount(amount, unit?.exponent ?? 0)} ${unit?.symbol ?? ''}`.trim()
      : amountText({ denom: '', amount }, unit);
  return escapeForUi(text);
}

/** `since 14:02`, `since yesterday`, `since Mar 3, 2026`. */
function sinceWords(time: number, now: number): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (time >= midnight) return vscode.l10n.t('since {0}', clockText(new Date(time), vscode.env.language));
  if (time >= midnight - 24 * 3_600_000) return vscode.l10n.t('since yesterday');
  return vscode.l10n.t('since {0}', dayText(new Date(time), new Date(now), vscode.env.language));
}

/** The context of an event. `now` is the time at the source, and `end` that of the open period, if known. */
interface EventContext {
  readonly unit: DenomUnit | undefined;
  readonly now: number;
  readonly end?: number | undefined;
}

/** Words an event in one sentence, with the time left in an open period. */
export function eventWords(
  { title, facts }: WatchEvent,
  target: WatchTarget,
  { unit, now, end }: EventContext,
): string {
  const label = entryLabel(target, title);
  const isOver = (at: number | undefined): boolean => at !== undefined && at <= now;
  const withLeft = (text: string): string =>
    end !== undefined && end > now
      ? vscode.l10n.t('{0}, {1} left', text, durationText(end - now, 'short', vscode.l10n.t))
      : text;
  switch (facts.kind) {
    case 'status':
      return withVote(withLeft(vscode.l10n.t('{0}: {1}', label, watchedStatusText(facts.to))), facts, isOver(end));
    case 'ends':
      return withVote(`${label}: ${endWords(facts, now)}`, facts, isOver(facts.end));
    case 'quorum':
      return withLeft(vscode.l10n.t('{0}: quorum reached', label));
    case 'verdict':
      return withLeft(
        facts.to === 'wouldPass'
          ? vscode.l10n.t('{0}: would pass if voting ended now', label)
          : vscode.l10n.t('{0}: would be rejected if voting ended now', label),
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

function withVote(text: string, { unvoted }: { readonly unvoted?: boolean | undefined }, isOver: boolean): string {
  if (!unvoted) return text;
  return isOver ? vscode.l10n.t('{0}, you did not vote', text) : vscode.l10n.t('{0}, you have not voted', text);
}

/** `an hour`, `a day`, `6 hours`. */
export function hoursWords(hours: number): string {
  if (hours === 1) return vscode.l10n.t('an hour');
  if (hours === 24) return vscode.l10n.t('a day');
  return vscode.l10n.t('{0} hours', hours);
}
