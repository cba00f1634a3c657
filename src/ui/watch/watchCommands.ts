import * as vscode from 'vscode';
import { readId } from '../../session/find/readQuery.ts';
import type { WatchedEntry } from '../../session/watch/mergeEntries.ts';
import type { Watch } from '../../session/watch/startWatch.ts';
import { entryKey, type WatchTarget } from '../../session/watch/watchEntry.ts';
import { isNode } from '../commands/treeNode.ts';
import { plain } from '../plain.ts';
import { askRules } from './editRules.ts';
import { entryLabel } from './entryWords.ts';
import { faultWords } from './faultWords.ts';
import { showCoinOf } from './showWatchedCoin.ts';
import type { WatchCommand } from './watchCommandNames.ts';
import type { WatchContext } from './watchContext.ts';
import { isWatchNode, type WatchNode } from './watchNode.ts';
import { sourceOf } from './watchSources.ts';

const hour = 3_600_000;

/** What the commands of the Watch List do; `node` and `nodes` are what a menu or a key hands over. */
export class WatchCommands {
  readonly #context: WatchContext;
  readonly #watch: Watch;
  readonly #selected: () => readonly WatchNode[];
  #undo: (() => Promise<void>) | undefined;

  constructor(context: WatchContext, watch: Watch, selected: () => readonly WatchNode[]) {
    this.#context = context;
    this.#watch = watch;
    this.#selected = selected;
  }

  /** Runs a command by its name without `chainInspector.`. */
  async run(command: WatchCommand, node: unknown, nodes: unknown): Promise<void> {
    switch (command) {
      case 'watch':
        return this.#add(await this.#targets(node, nodes));
      case 'watchById':
        return this.#add(await this.#askTargets());
      case 'unwatch':
        return this.unwatch(await this.#keys(node, nodes));
      case 'toggleWatch':
        return this.#toggle(node);
      case 'undoUnwatch':
        return this.#undoUnwatch();
      case 'watchEverything':
        return this.#watch.setEverything(this.#sourceId(node), true);
      case 'stopWatchingEverything':
        return this.#watch.setEverything(this.#sourceId(node), false);
      case 'muteForHour':
        return this.#watch.mute(await this.#keys(node, nodes), hour);
      case 'muteForDay':
        return this.#watch.mute(await this.#keys(node, nodes), 24 * hour);
      case 'muteForGood':
        return this.#watch.mute(await this.#keys(node, nodes), 'forGood');
      case 'unmute':
        return this.#watch.mute(await this.#keys(node, nodes), undefined);
      case 'editWatchRules':
        return this.#editRules(await this.#keys(node, nodes));
      case 'openWatched':
        return this.#open(isWatchNode(node) ? node : this.#selected()[0]);
      case 'addWatchedEndpoint':
        return this.#addEndpoint(this.#sourceId(node));
      case 'importWatchList':
        return this.#import(node);
      case 'exportWatchList':
        return this.#export(node);
      case 'refreshWatchList':
        return this.#watch.refresh();
      case 'showWatchNews':
        await vscode.commands.executeCommand('chainInspector.watch.focus');
        return this.#watch.markTold();
      case 'showWatchRequests':
        return this.#showRequests();
      default:
        return command satisfies never;
    }
  }

  /** Takes entries off the list, with a way back. */
  async unwatch(keys: ReadonlySet<string>): Promise<void> {
    const shared = this.#watch.entries.filter((entry) => keys.has(entry.key) && !entry.own);
    const own = this.#watch.entries.filter((entry) => keys.has(entry.key) && entry.own).length;
    if (own > 0) {
      this.#undo = await this.#watch.unwatch(keys);
      await vscode.commands.executeCommand('setContext', 'chainInspector.canUndoUnwatch', true);
      const text = own === 1 ? vscode.l10n.t('Unwatched') : vscode.l10n.t('{0} entries unwatched', own);
      vscode.window.setStatusBarMessage(text, 5000);
    }
    if (shared.length > 0) {
      const text = vscode.l10n.t('Shared entries come from the workspace settings. Mute them to hear no more of them.');
      void vscode.window.showInformationMessage(text);
    }
  }

  async #add(targets: readonly WatchTarget[]): Promise<void> {
    if (targets.length === 0) return;
    await this.#watch.watch(targets);
    const [first] = targets;
    const what = first?.kind === 'proposal' ? `#${first.id}` : first?.denom;
    const text =
      targets.length === 1
        ? vscode.l10n.t('Watching {0}', what ?? '')
        : vscode.l10n.t('Watching {0} entries', targets.length);
    vscode.window.setStatusBarMessage(text, 5000);
  }

  /** Rows of the other views; without any, one that is asked for. */
  async #targets(node: unknown, nodes: unknown): Promise<readonly WatchTarget[]> {
    const { proposals, supply } = this.#context.selection;
    const given = rowsOf(node, nodes);
    const targets = this.#targetsOf(given.length > 0 ? given : [...proposals(), ...supply()]);
    return targets.length > 0 ? targets : this.#askTargets();
  }

  #targetsOf(rows: readonly unknown[]): readonly WatchTarget[] {
    const sourceId = this.#context.active.session.source.id;
    return rows.flatMap((row): WatchTarget[] => {
      if (isNode(row, 'proposal')) return [{ kind: 'proposal', sourceId, id: row.id }];
      return isNode(row, 'coin') ? [{ kind: 'denom', sourceId, denom: row.coin.denom }] : [];
    });
  }

  /** The key of the view says which one has the focus: its rows come on the list, or off it where all are there. */
  async #toggle(view: unknown): Promise<void> {
    const { proposals, supply } = this.#context.selection;
    const targets = this.#targetsOf(view === 'supply' ? supply() : proposals());
    if (targets.length === 0) return;
    if (targets.every((target) => this.#watch.isWatched(target))) await this.unwatch(new Set(targets.map(entryKey)));
    else await this.#add(targets);
  }

  /** By id, without opening it: of the source that is shown. */
  async #askTargets(): Promise<readonly WatchTarget[]> {
    const { source } = this.#context.active.session;
    const sourceId = source.id;
    const text = await vscode.window.showInputBox({
      title: vscode.l10n.t('Watch on {0}', source.name),
      prompt: vscode.l10n.t('Proposal IDs or denoms, separated by commas'),
      placeHolder: '42, uatom',
      validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('A proposal ID or a denom') : undefined),
    });
    const words = (text ?? '').split(/[\s,]+/).filter((word) => word !== '');
    return words.map((word) => {
      const id = readId(word);
      return id === undefined ? { kind: 'denom', sourceId, denom: word } : { kind: 'proposal', sourceId, id };
    });
  }

  /** Entries of the rows that a command was called on, or of those selected here, else of those that are picked. */
  async #keys(node: unknown, nodes: unknown): Promise<ReadonlySet<string>> {
    const given = rowsOf(node, nodes);
    const rows = given.length > 0 ? given : this.#selected();
    const keys = rows.filter(isWatchNode).flatMap((row) => (row.kind === 'watchEntry' ? [row.key] : this.#under(row)));
    const all = [...keys, ...this.#targetsOf(rows).map(entryKey)];
    return new Set(all.length > 0 ? all : await this.#pick());
  }

  #under({ sourceId }: { readonly sourceId: string }): readonly string[] {
    return this.#watch.entries.filter(({ target }) => target.sourceId === sourceId).map(({ key }) => key);
  }

  async #pick(): Promise<readonly string[]> {
    const items = this.#watch.entries.map(({ key, target }) => {
      const reading = this.#watch.reading(key);
      const label = entryLabel(target, reading?.kind === 'proposal' ? reading.title : undefined);
      return { label: plain(label), description: plain(sourceOf(this.#context, target.sourceId).name), key };
    });
    if (items.length === 0) throw new Error(vscode.l10n.t('Nothing is watched yet'));
    const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Watch List'), canPickMany: true });
    return (picked ?? []).map(({ key }) => key);
  }

  #sourceId(node: unknown): string {
    if (isWatchNode(node)) return node.kind === 'watchSource' ? node.sourceId : node.target.sourceId;
    return this.#context.active.session.source.id;
  }

  async #undoUnwatch(): Promise<void> {
    const undo = this.#undo;
    this.#undo = undefined;
    await vscode.commands.executeCommand('setContext', 'chainInspector.canUndoUnwatch', false);
    await undo?.();
  }

  async #editRules(keys: ReadonlySet<string>): Promise<void> {
    const entries: readonly WatchedEntry[] = this.#watch.entries.filter(({ key }) => keys.has(key));
    const rules = await askRules(entries);
    if (rules) await this.#watch.setRules(entries, rules);
  }

  async #open(node: WatchNode | undefined): Promise<void> {
    if (node?.kind !== 'watchEntry') return;
    const { target } = node;
    if (target.kind === 'proposal') await this.#context.openProposal(target.sourceId, target.id);
    else await showCoinOf(this.#context, target.sourceId, target.denom);
  }

  async #addEndpoint(sourceId: string): Promise<void> {
    const source = sourceOf(this.#context, sourceId);
    await this.#context.settings.addEndpoint({ name: source.name, url: sourceId });
  }

  async #import(from: unknown): Promise<void> {
    const filters = { JSON: ['json'] };
    const picked = from instanceof vscode.Uri ? [from] : await vscode.window.showOpenDialog({ filters });
    const [uri] = picked ?? [];
    if (!uri) return;
    const result = await this.#watch.importText(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
    if (typeof result !== 'number') throw new Error(faultWords(result));
    this.#context.report.info(vscode.l10n.t('{0} entries imported', result));
  }

  async #export(to: unknown): Promise<void> {
    const filters = { JSON: ['json'] };
    const uri = to instanceof vscode.Uri ? to : await vscode.window.showSaveDialog({ filters });
    if (uri) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(this.#watch.exportText()));
  }

  #showRequests(): void {
    const count = this.#watch.requestsLastHour;
    const text = this.#watch.leads
      ? vscode.l10n.t('The Watch List sent {0} requests in the last hour.', count)
      : vscode.l10n.t(
          'Another window keeps the Watch List current; this one sent {0} requests in the last hour.',
          count,
        );
    this.#context.report.info(text);
  }
}

function rowsOf(node: unknown, nodes: unknown): readonly unknown[] {
  if (Array.isArray(nodes) && nodes.length > 0) return nodes;
  return node === undefined || node === null ? [] : [node];
}
