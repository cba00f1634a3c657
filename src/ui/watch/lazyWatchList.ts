import * as vscode from 'vscode';
import type { KeyValueStore } from '../../session/memory.ts';
import type { WatchTarget } from '../../watch/watchList.ts';
import type { OwnVote } from '../../words/proposalWords.ts';
import { stateFileDrop } from '../endpoints/stateFileDrop.ts';
import { Redraws } from '../redraws.ts';
import type { Report } from '../report.ts';
import type { Settings } from '../settings.ts';
import type { WatchNode } from './watchScreen.ts';
import { readSetting } from './watchSetting.ts';
import type { WatchView } from './watchView.ts';

const viewId = 'chainInspector.watch';

/** Creates the loaded part of the watch list. `redraw` is called when an entry or its state changed. */
type MakeWatchView = (view: vscode.TreeView<WatchNode>, redraw: () => void) => Promise<WatchView>;

/** The Watch List view. Most of the code is loaded when there is an entry, or for a command. */
export class LazyWatchList implements vscode.Disposable {
  readonly #globalState: KeyValueStore;
  readonly #report: Report;
  readonly #make: MakeWatchView;
  readonly #view: vscode.TreeView<WatchNode>;
  readonly #redraws = new Redraws<WatchNode>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listener: vscode.Disposable;
  #opening: Promise<WatchView> | undefined;
  #opened: WatchView | undefined;

  constructor(settings: Settings, globalState: KeyValueStore, report: Report, make: MakeWatchView) {
    this.#globalState = globalState;
    this.#report = report;
    this.#make = make;
    this.#view = vscode.window.createTreeView<WatchNode>(viewId, {
      treeDataProvider: {
        onDidChangeTreeData: this.#redraws.event,
        getChildren: async (node?: WatchNode) => {
          if (!this.#isNeeded()) return [];
          const loading = this.load();
          await this.#redraws.during(loading);
          return (await loading).tree.getChildren(node);
        },
        getTreeItem: async (node) => (await this.load()).tree.getTreeItem(node),
        getParent: (node) => this.#opened?.tree.getParent(node),
      },
      dragAndDropController: stateFileDrop,
      canSelectMany: true,
    });
    this.#listener = settings.onDidChange(() => this.#loadIfNeeded());
    this.#loadIfNeeded();
  }

  /** Fires when an entry or its state changed. */
  readonly onDidChange = this.#changed.event;

  /** Loads the rest. Rejects if that fails. The next call tries again. */
  load(): Promise<WatchView> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** False until the list is loaded. `onDidChange` fires then. */
  isWatched(target: WatchTarget): boolean {
    return this.#opened?.watch.isWatched(target) ?? false;
  }

  /** Empty if the votes of the user's accounts are not known. */
  votesOn(sourceId: string, id: bigint): readonly OwnVote[] {
    return this.#opened?.tree.votesOn(sourceId, id) ?? [];
  }

  async toggle(target: WatchTarget): Promise<void> {
    await (await this.load()).commands.toggle([target]);
  }

  /** Ends polling. Resolves when all running work has ended. */
  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    this.#opened = undefined;
    await opened?.dispose();
  }

  dispose(): void {
    this.#view.dispose();
    this.#listener.dispose();
    this.#redraws.dispose();
    this.#changed.dispose();
    void this.close();
  }

  /** Whether there is an entry, or a list that an older version may have left (`migrateOldList`). */
  #isNeeded(): boolean {
    if (this.#opening || this.#globalState.keys().some((key) => key.startsWith('watch'))) return true;
    const { user, workspace } = readSetting('watch');
    return [user, workspace, readSetting('voters').user].some((value) => Array.isArray(value) && value.length > 0);
  }

  #loadIfNeeded(): void {
    if (this.#opening || !this.#isNeeded()) return;
    void this.#report.run(vscode.l10n.t('Watch List'), async () => void (await this.load()));
  }

  async #open(): Promise<WatchView> {
    const redraw = (): void => {
      this.#redraws.fire();
      this.#changed.fire();
    };
    const opened = await this.#make(this.#view, redraw);
    await opened.start();
    this.#opened = opened;
    redraw();
    return opened;
  }
}
