import * as vscode from 'vscode';
import type { DenomUnit } from '../../chain/coin.ts';
import type { EndpointState } from '../../session/watch/endpointHealth.ts';
import type { WatchedEntry } from '../../session/watch/mergeEntries.ts';
import { isLive, periodEnd, type Reading } from '../../session/watch/reading.ts';
import type { Watch } from '../../session/watch/watch.ts';
import type { WatchedSource } from '../../session/watch/watchedSource.ts';
import { treeItem } from '../labels.ts';
import { clockOf } from '../words.ts';
import { entryLabel, proposalWords, supplyWords } from './entryWords.ts';
import { eventWords } from './eventWords.ts';
import { goneUri } from './goneRows.ts';
import type { WatchContext } from './watchContext.ts';
import type { WatchNode } from './watchNode.ts';
import { sourceOf, watchedSource } from './watchSources.ts';

const day = 24 * 3_600_000;

/** The rows of the Watch List: sources in the order of their first entry, and under each what is watched there. */
export class WatchTree {
  readonly #context: WatchContext;
  readonly #watch: Watch;

  constructor(context: WatchContext, watch: Watch) {
    this.#context = context;
    this.#watch = watch;
  }

  getChildren(node: WatchNode | undefined): WatchNode[] {
    if (node?.kind === 'watchEntry') return [];
    if (node) return this.#entriesOf(node.sourceId).map(({ key, target }) => ({ kind: 'watchEntry', key, target }));
    const sources = [...this.#watch.entries.map(({ target }) => target.sourceId), ...this.#watch.everything];
    return [...new Set(sources)].map((sourceId) => ({ kind: 'watchSource', sourceId }));
  }

  getParent(node: WatchNode): WatchNode | undefined {
    return node.kind === 'watchEntry' ? { kind: 'watchSource', sourceId: node.target.sourceId } : undefined;
  }

  getTreeItem(node: WatchNode): vscode.TreeItem {
    return node.kind === 'watchSource' ? this.#sourceItem(node.sourceId) : this.#entryItem(node);
  }

  /** Proposals in voting that end within a day, for the badge. */
  endingSoon(): number {
    return this.#watch.entries.filter(({ key, target }) => {
      const reading = this.#watch.reading(key);
      if (reading?.kind !== 'proposal' || reading.status !== 'voting' || reading.votingEnd === undefined) return false;
      const left = reading.votingEnd - this.#watch.timeAt(target.sourceId);
      return left > 0 && left <= day;
    }).length;
  }

  #entriesOf(sourceId: string): readonly WatchedEntry[] {
    return this.#watch.entries.filter(({ target }) => target.sourceId === sourceId);
  }

  #sourceItem(sourceId: string): vscode.TreeItem {
    const source = watchedSource(this.#context, sourceId);
    const state = this.#watch.stateOf(sourceId);
    const everything = this.#watch.everything.includes(sourceId);
    const parts = everything ? [vscode.l10n.t('everything in voting')] : [];
    const gone = goneReason(source, state);
    if (gone !== undefined) parts.push(gone);
    else if (state?.kind === 'down') parts.push(vscode.l10n.t('no answer since {0}', clockOf(new Date(state.since))));
    const id = `watch/${sourceId}`;
    return treeItem({
      id,
      label: source.name,
      description: parts.join(', '),
      tooltip: [sourceId || source.name, ...parts, ...(state?.kind === 'down' ? [state.reason] : [])],
      icon: state?.kind === 'down' ? 'warning' : source.kind === 'file' ? 'file' : 'link',
      context: `watchSource${source.kind === 'gone' ? '.gone' : ''}${everything ? '.everything' : ''}`,
      state: vscode.TreeItemCollapsibleState.Expanded,
      resourceUri: gone === undefined ? undefined : goneUri(id),
    });
  }

  #entryItem({ key, target }: Extract<WatchNode, { kind: 'watchEntry' }>): vscode.TreeItem {
    const reading = this.#watch.reading(key);
    const entry = this.#watch.entries.find((one) => one.key === key);
    const source = watchedSource(this.#context, target.sourceId);
    const muted = entry !== undefined && this.#watch.isMuted(entry);
    const marks = [...(entry?.shared ? [vscode.l10n.t('shared')] : []), ...(muted ? [vscode.l10n.t('muted')] : [])];
    const gone = goneReason(source, this.#watch.stateOf(target.sourceId));
    const live = gone ?? this.#liveWords(reading, target.sourceId, unitOf(this.#context, target));
    const id = `watch/${key}`;
    const label = entryLabel(target, reading?.kind === 'proposal' ? reading.title : undefined);
    const description = [live, ...marks].join(', ');
    return treeItem({
      id,
      label,
      description,
      tooltip: [label, description, ...this.#facts(key, target)],
      icon: muted ? 'bell-slash' : target.kind === 'denom' ? 'circle-filled' : iconOf(reading),
      context: `watched.${target.kind}${muted ? '.muted' : ''}${entry?.own === false ? '.shared' : ''}`,
      command: {
        command: 'chainInspector._openWatched',
        title: vscode.l10n.t('Open'),
        arguments: [{ kind: 'watchEntry', key, target }],
      },
      resourceUri: gone === undefined ? undefined : goneUri(id),
    });
  }

  #liveWords(reading: Reading | undefined, sourceId: string, unit: DenomUnit | undefined): string {
    if (!reading) return vscode.l10n.t('not read yet');
    const now = this.#watch.timeAt(sourceId);
    const words = reading.kind === 'proposal' ? proposalWords(reading, now) : supplyWords(reading, unit, now);
    const isDown = this.#watch.stateOf(sourceId)?.kind === 'down';
    return isDown ? vscode.l10n.t('{0} (as of {1})', words, clockOf(new Date(reading.at))) : words;
  }

  /** The lines of a tooltip behind what the row says itself. */
  #facts(key: string, target: WatchedEntry['target']): string[] {
    const last = this.#watch.lastEvent(key);
    const reading = this.#watch.reading(key);
    const end = reading && isLive(reading) ? periodEnd(reading) : undefined;
    const lines: string[] = [];
    if (reading?.kind === 'denom') lines.push(vscode.l10n.t('{0} base units', reading.amount));
    if (end !== undefined) lines.push(vscode.l10n.t('Ends {0}', timeWords(end)));
    if (reading) lines.push(vscode.l10n.t('Read {0}', timeWords(reading.at)));
    if (last) lines.push(`${timeWords(last.at)}: ${eventWords(last, target, unitOf(this.#context, target))}`);
    return lines;
  }
}

/** How a denom is shown, where its source is open and says so. */
export function unitOf(context: WatchContext, target: WatchedEntry['target']): DenomUnit | undefined {
  if (target.kind !== 'denom') return undefined;
  return context.sessions.find(sourceOf(context, target.sourceId))?.supply.unit(target.denom);
}

/** Why nothing more is to be heard of a source; undefined while it may answer again. */
function goneReason(source: WatchedSource, state: EndpointState | undefined): string | undefined {
  if (source.kind === 'gone') return source.reason;
  if (source.kind !== 'file' || state?.kind !== 'down') return undefined;
  return state.reason.includes('ENOENT') ? vscode.l10n.t('The file is not there any more') : state.reason;
}

function iconOf(reading: Reading | undefined): string {
  if (reading?.kind !== 'proposal') return 'circle-outline';
  switch (reading.status) {
    case 'deposit':
      return 'circle-outline';
    case 'voting':
      return 'clock';
    case 'passed':
      return 'pass';
    case 'rejected':
    case 'failed':
    case 'vetoed':
      return 'error';
    case 'missing':
      return 'circle-slash';
    case 'unspecified':
    case 'unknown':
      return 'question';
    default:
      return reading.status satisfies never;
  }
}

function timeWords(time: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}
