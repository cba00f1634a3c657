import * as vscode from 'vscode';
import { startWatch } from '../../session/watch/startWatch.ts';
import type { Watch } from '../../session/watch/watch.ts';
import type { WatchTarget } from '../../session/watch/watchEntry.ts';
import { entryKey } from '../../session/watch/watchEntry.ts';
import type { KeptAside } from '../../session/watch/watchFiles.ts';
import { setViewTexts } from '../labels.ts';
import { plain } from '../plain.ts';
import { faultWords } from './faultWords.ts';
import { GlobalKeys } from './globalKeys.ts';
import { registerGoneRows } from './goneRows.ts';
import type { WatchCommand } from './watchCommandNames.ts';
import { WatchCommands } from './watchCommands.ts';
import type { WatchContext } from './watchContext.ts';
import { WatchNews } from './watchNews.ts';
import type { WatchNode } from './watchNode.ts';
import { noticeLevel, sharedEntries, watchInterval } from './watchSettings.ts';
import { watchedSource } from './watchSources.ts';
import { WatchTree } from './watchTree.ts';

/** Whether something is watched on this machine, so that the next start loads the watch list. */
export const inUseKey = 'watchInUse';

/** Entry of the lazily loaded part: opens the stored list and keeps view, badge and status bar as it is. */
export async function openWatchView(context: WatchContext, view: vscode.TreeView<WatchNode>): Promise<WatchView> {
  const news = new WatchNews(context);
  const watch: Watch = await startWatch({
    folder: vscode.Uri.joinPath(context.globalStorageUri, 'watch').fsPath,
    synced: new GlobalKeys(context.globalState),
    source: (sourceId) => watchedSource(context, sourceId),
    shared: sharedEntries,
    interval: watchInterval,
    level: noticeLevel,
    focused: vscode.window.state.focused,
    show: (events) => news.show(watch, events),
    onKeptAside: (kept) => reportKeptAside(context, kept),
    onError: (error) => context.report.error(vscode.l10n.t('Watch List'), error),
  });
  return new WatchView(context, view, watch, news);
}

function reportKeptAside(context: WatchContext, { fault, path }: KeptAside): void {
  const title = vscode.l10n.t('The stored watch list could not be read and was kept aside as {0}', plain(path));
  context.report.error(title, new Error(faultWords(fault)));
}

/** The Watch List of this window, once something asked for it. */
export class WatchView {
  readonly watch: Watch;
  readonly tree: WatchTree;
  readonly #context: WatchContext;
  readonly #view: vscode.TreeView<WatchNode>;
  readonly #news: WatchNews;
  readonly #commands: WatchCommands;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listeners: { dispose(): unknown }[];
  #folded = new Set<string>();
  #minutes: NodeJS.Timeout | undefined;

  constructor(context: WatchContext, view: vscode.TreeView<WatchNode>, watch: Watch, news: WatchNews) {
    this.#context = context;
    this.#view = view;
    this.#news = news;
    this.watch = watch;
    this.tree = new WatchTree(context, watch);
    this.#commands = new WatchCommands(context, watch, () => view.selection);
    this.#listeners = [
      watch.onDidChange(() => this.#draw()),
      vscode.window.onDidChangeWindowState(({ focused }) => watch.setFocused(focused)),
      view.onDidChangeVisibility(() => this.#follow()),
      view.onDidCollapseElement(({ element }) => this.#fold(element, true)),
      view.onDidExpandElement(({ element }) => this.#fold(element, false)),
      context.settings.onDidChange(() => watch.settingsChanged()),
      context.active.onDidChange(() => watch.settingsChanged()),
      registerGoneRows(),
    ];
    this.#follow();
    this.#draw();
  }

  /** Fires when the tree is to be drawn again. */
  readonly onDidChange = this.#changed.event;

  run(command: WatchCommand, node: unknown, nodes: unknown): Promise<void> {
    return this.#commands.run(command, node, nodes);
  }

  /** Puts a target on the list, or takes it off. */
  async toggle(target: WatchTarget): Promise<void> {
    if (this.watch.isWatched(target)) await this.#commands.unwatch(new Set([entryKey(target)]));
    else await this.watch.watch([target]);
  }

  /** Moves rows in front of another one, or behind all. */
  async move(nodes: readonly WatchNode[], before: WatchNode | undefined): Promise<void> {
    const keysOf = (node: WatchNode) =>
      node.kind === 'watchEntry'
        ? [node.key]
        : this.watch.entries.filter(({ target }) => target.sourceId === node.sourceId).map(({ key }) => key);
    await this.watch.move(new Set(nodes.flatMap(keysOf)), before && keysOf(before)[0]);
  }

  async dispose(): Promise<void> {
    clearInterval(this.#minutes);
    for (const listener of this.#listeners) listener.dispose();
    this.#news.dispose();
    this.#changed.dispose();
    await this.watch.dispose();
  }

  #draw(): void {
    const { globalState } = this.#context;
    if (globalState.get(inUseKey, false) === this.watch.isEmpty) void globalState.update(inUseKey, !this.watch.isEmpty);
    const soon = this.tree.endingSoon();
    const tooltip =
      soon === 1
        ? vscode.l10n.t('1 proposal in voting ends within a day')
        : vscode.l10n.t('{0} proposals in voting end within a day', soon);
    this.#view.badge = soon > 0 ? { value: soon, tooltip } : undefined;
    const requests = vscode.l10n.t('{0} requests in the last hour', this.watch.requestsLastHour);
    setViewTexts(this.#view, { description: this.watch.isEmpty ? '' : requests });
    this.#news.draw(this.watch);
    this.#changed.fire();
  }

  /** Rows that are on the screen have their votes counted, and their "3 h left" runs. */
  #follow(): void {
    clearInterval(this.#minutes);
    this.#minutes = undefined;
    const { visible } = this.#view;
    const shown = this.watch.entries.filter(({ target }) => !this.#folded.has(target.sourceId));
    this.watch.setVisible(new Set(visible ? shown.map(({ key }) => key) : []));
    if (visible) this.#minutes = setInterval(() => this.#draw(), 60_000);
  }

  #fold(node: WatchNode, folded: boolean): void {
    if (node.kind !== 'watchSource') return;
    if (folded) this.#folded.add(node.sourceId);
    else this.#folded.delete(node.sourceId);
    this.#follow();
  }
}
