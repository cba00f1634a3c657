import * as vscode from 'vscode';
import type { WatchedEntry } from '../../session/watch/mergeEntries.ts';
import type { Watch } from '../../session/watch/watch.ts';
import { entryKey, type WatchTarget } from '../../session/watch/watchEntry.ts';
import { type RowKey, readRows, readView } from '../commands/command.ts';
import { flash, showInfo } from '../report.ts';
import { askRules } from './editRules.ts';
import { entryLabel } from './entryWords.ts';
import { showCoinOf } from './showWatchedCoin.ts';
import type { WatchCommand } from './watchCommandNames.ts';
import type { WatchContext } from './watchContext.ts';
import { exportWatchList, importWatchList } from './watchListFile.ts';
import type { WatchNode } from './watchNode.ts';
import { sourceOf } from './watchSources.ts';
import { WatchTargets } from './watchTargets.ts';

const hour = 3_600_000;

/** What the commands of the Watch List do; `node` and `nodes` are what a menu or a key hands over. */
export class WatchCommands {
  readonly #context: WatchContext;
  readonly #watch: Watch;
  readonly #selected: () => readonly WatchNode[];
  readonly #targets: WatchTargets;
  #undo: (() => Promise<void>) | undefined;

  constructor(context: WatchContext, watch: Watch, selected: () => readonly WatchNode[]) {
    this.#context = context;
    this.#watch = watch;
    this.#selected = selected;
    this.#targets = new WatchTargets(context, watch, selected);
  }

  /** Runs a command by its name without `chainInspector.`; `first` and `second` are what it was called with. */
  async run(command: WatchCommand, first: unknown, second: unknown): Promise<void> {
    const rows = readRows(first, second);
    switch (command) {
      case 'watch':
        return this.#add(await this.#targets.toWatch(rows));
      case 'watchById':
        return this.#add(await this.#targets.ask());
      case 'unwatch':
        return this.unwatch(await this.#targets.keys(rows));
      case '_toggleWatch':
        return this.#toggle(readView(first));
      case 'undoUnwatch':
        return this.#undoUnwatch();
      case 'watchEverything':
        return this.#setEverything(rows, true);
      case 'stopWatchingEverything':
        return this.#setEverything(rows, false);
      case 'muteForHour':
        return this.#watch.mute(await this.#targets.keys(rows), hour);
      case 'muteForDay':
        return this.#watch.mute(await this.#targets.keys(rows), 24 * hour);
      case 'muteForGood':
        return this.#watch.mute(await this.#targets.keys(rows), 'forGood');
      case 'unmute':
        return this.#watch.mute(await this.#targets.keys(rows), undefined);
      case 'editWatchRules':
        return this.#editRules(await this.#targets.keys(rows));
      case '_openWatched':
        return this.#open((rows ?? readRows(undefined, this.#selected()))?.[0]);
      case 'addWatchedEndpoint':
        return this.#addEndpoint(rows && this.#targets.sourceId(rows));
      case 'importWatchList':
        return importWatchList(this.#watch);
      case 'exportWatchList':
        return exportWatchList(this.#watch);
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
      flash(text);
    }
    if (shared.length > 0) {
      const text = vscode.l10n.t('Shared entries come from the workspace settings. Mute them to hear no more of them.');
      void showInfo(text);
    }
  }

  async #add(targets: readonly WatchTarget[]): Promise<void> {
    if (targets.length === 0) return;
    await this.#watch.watch(targets);
    const [first] = targets;
    const what = first && entryLabel(first, undefined);
    const text =
      targets.length === 1
        ? vscode.l10n.t('Watching {0}', what ?? '')
        : vscode.l10n.t('Watching {0} entries', targets.length);
    flash(text);
  }

  /** The key of the view says which one has the focus: its rows come on the list, or off it where all are there. */
  async #toggle(view: 'proposals' | 'supply' | undefined): Promise<void> {
    const { proposals, supply } = this.#context.selection;
    const targets = view
      ? this.#targets.ofRows(readRows(undefined, view === 'supply' ? supply() : proposals()) ?? [])
      : [];
    if (targets.length === 0) return;
    if (targets.every((target) => this.#watch.isWatched(target))) await this.unwatch(new Set(targets.map(entryKey)));
    else await this.#add(targets);
  }

  async #setEverything(rows: readonly RowKey[] | undefined, on: boolean): Promise<void> {
    const sourceId = this.#targets.sourceId(rows);
    if (sourceId !== undefined) await this.#watch.setEverything(sourceId, on);
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

  async #open(row: RowKey | undefined): Promise<void> {
    const entry = row?.kind === 'watchEntry' ? this.#watch.entries.find(({ key }) => key === row.key) : undefined;
    if (!entry) return;
    const { target } = entry;
    if (target.kind === 'proposal') await this.#context.openProposal(target.sourceId, target.id);
    else await showCoinOf(this.#context, target.sourceId, target.denom);
  }

  async #addEndpoint(sourceId: string | undefined): Promise<void> {
    if (sourceId === undefined) return;
    const source = sourceOf(this.#context, sourceId);
    await this.#context.settings.addEndpoints({ name: source.name, url: sourceId });
  }

  #showRequests(): void {
    const count = this.#watch.requestsLastHour;
    const text = this.#watch.leads
      ? vscode.l10n.t('The Watch List sent {0} requests in the last hour.', count)
      : vscode.l10n.t(
          'Another window keeps the Watch List current; this one sent {0} requests in the last hour.',
          count,
        );
    void showInfo(text);
  }
}
