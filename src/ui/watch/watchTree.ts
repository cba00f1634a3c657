import * as vscode from 'vscode';
import { isEntry, keyOf, type WatchEntry, type WatchItem } from '../../watch/list.ts';
import { periodEnd, type Snapshot } from '../../watch/snapshot.ts';
import { treeItem } from '../labels.ts';
import { markUri } from '../trees/rows.ts';
import { clockOf, timeWords } from '../words.ts';
import type { FoundSource, WatchNode, WatchParts } from './watchContext.ts';
import { entryLabel, eventWords, iconOf, proposalWords, statusText, supplyWords, voteWords } from './watchWords.ts';

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
    const state = watch.endpointState(sourceId);
    const isOwn = ({ target }: WatchItem) => target.sourceId === sourceId;
    const everything = watch.items.find((item) => isOwn(item) && !isEntry(item));
    const isAll = everything?.own || everything?.shared;
    const all = isAll ? vscode.l10n.t('everything in voting') : vscode.l10n.t('my votes');
    const parts = [
      ...(everything ? [all, ...this.#marks(everything)] : []),
      ...(source.kind === 'file' ? [vscode.l10n.t('state file')] : []),
      ...(unknown === undefined ? [] : [unknown]),
      ...(state.kind === 'down' ? [vscode.l10n.t('no answer since {0}', clockOf(new Date(state.since)))] : []),
    ];
    const items = [...watch.entries.filter(isOwn), ...(everything ? [everything] : [])];
    const sounds = new Set(items.map((item) => (watch.isMuted(item) ? 'muted' : 'audible')));
    const known = unknown === undefined ? 'known' : 'unknown';
    return treeItem({
      id: `watch/${sourceId}`,
      label: source.name,
      description: parts.join(', '),
      tooltip: [sourceId || source.name, ...parts, ...(state.kind === 'down' ? [state.reason] : [])],
      icon: state.kind === 'down' ? 'warning' : source.kind === 'file' ? 'file' : 'link',
      context: ['watchSource', known, isAll ? 'all' : 'some', ...sounds].join('.'),
      state: vscode.TreeItemCollapsibleState.Expanded,
      resourceUri: markUri({ unknown: unknown !== undefined }),
    });
  }

  #entryItem(entry: WatchEntry, node: WatchNode): vscode.TreeItem {
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

  #words({ target }: WatchEntry, snapshot: Snapshot | undefined, { unknown, unitOf }: FoundSource): string {
    if (unknown !== undefined) return unknown;
    if (!snapshot) return vscode.l10n.t('not read yet');
    const { watch } = this.#parts;
    const now = watch.timeAt(target.sourceId);
    const words =
      snapshot.kind === 'proposal' ? proposalWords(snapshot, now) : supplyWords(snapshot, unitOf(target), now);
    const isDown = watch.endpointState(target.sourceId).kind === 'down';
    return isDown ? vscode.l10n.t('{0} (as of {1})', words, clockOf(new Date(snapshot.at))) : words;
  }

  /** The lines of a tooltip behind what the row says itself. */
  #facts({ key, target }: WatchEntry, snapshot: Snapshot | undefined, { unitOf }: FoundSource): string[] {
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
