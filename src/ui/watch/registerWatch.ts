import * as vscode from 'vscode';
import type { WatchTarget } from '../../session/watch/watchEntry.ts';
import type { Command } from '../commands/command.ts';
import { Redraws } from '../trees/redraws.ts';
import { stateFileDrop } from '../trees/rows.ts';
import { type WatchCommand, watchCommands } from './watchCommandNames.ts';
import type { WatchContext } from './watchContext.ts';
import type { WatchNode } from './watchNode.ts';
import type { WatchView } from './watchView.ts';

const viewId = 'chainInspector.watch';
const dragType = `application/vnd.code.tree.${viewId.toLowerCase()}`;

/** The Watch List as the rest knows it. Its code is loaded when something is watched, or when somebody looks at it. */
export class WatchList implements vscode.Disposable {
  readonly #context: WatchContext;
  readonly #view: vscode.TreeView<WatchNode>;
  readonly #redraws = new Redraws<WatchNode>();
  readonly #changed = new vscode.EventEmitter<void>();
  #opening: Promise<WatchView> | undefined;
  #opened: WatchView | undefined;
  #dragged: readonly WatchNode[] = [];
  #later: NodeJS.Timeout | undefined;

  constructor(context: WatchContext) {
    this.#context = context;
    this.#view = vscode.window.createTreeView(viewId, {
      treeDataProvider: {
        onDidChangeTreeData: this.#redraws.event,
        getChildren: async (node?: WatchNode) => {
          if (!this.#isNeeded()) return this.#lookLater();
          await this.#redraws.during(this.load());
          return (await this.load()).tree.getChildren(node);
        },
        getTreeItem: async (node) => (await this.load()).tree.getTreeItem(node),
        getParent: (node) => this.#opened?.tree.getParent(node),
      },
      dragAndDropController: {
        dragMimeTypes: [dragType],
        dropMimeTypes: [dragType, ...stateFileDrop.dropMimeTypes],
        handleDrag: (nodes) => {
          this.#dragged = nodes;
        },
        handleDrop: async (target, transfer, token) => {
          if (!transfer.get(dragType)) return stateFileDrop.handleDrop?.(target, transfer, token);
          const dragged = this.#dragged;
          this.#dragged = [];
          await (await this.load()).move(dragged, target);
        },
      },
      canSelectMany: true,
      showCollapseAll: false,
    });
  }

  readonly commands: readonly Command[] = watchCommands.map((command) => ({
    id: command,
    failure: titleOf(command),
    run: async (node, nodes) => (await this.load()).run(command, node, nodes),
  }));

  /** Fires when what is watched, or how it is, has changed. */
  readonly onDidChange = this.#changed.event;

  /** Loads the list if something is watched; reads one key and asks nothing of any chain before that. */
  start(): void {
    if (this.#isNeeded()) this.#loadByItself();
  }

  /** The list itself. Rejects as the file system does; the next call tries again. */
  load(): Promise<WatchView> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Undefined until the list is loaded. */
  isWatched(target: WatchTarget): boolean | undefined {
    return this.#opened?.watch.isWatched(target);
  }

  /** Puts a target on the list, or takes it off. */
  async toggle(target: WatchTarget): Promise<void> {
    await (await this.load()).toggle(target);
  }

  /** Ends polling and lets another window lead; resolves when that is done. */
  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    this.#opened = undefined;
    await opened?.dispose();
  }

  dispose(): void {
    clearTimeout(this.#later);
    this.#view.dispose();
    this.#redraws.dispose();
    this.#changed.dispose();
    void this.close();
  }

  /** Nothing is known to be watched; the list itself may know better, from another machine. */
  #lookLater(): WatchNode[] {
    // What the other views show comes first: loading holds the extension host up.
    this.#later ??= setTimeout(() => this.#loadByItself(), 1000);
    return [];
  }

  #loadByItself(): void {
    void this.#context.report.run(vscode.l10n.t('Watch List'), async () => void (await this.load()));
  }

  #isNeeded(): boolean {
    return this.#opening !== undefined || this.#context.globalState.get('watchInUse') === true || hasSharedList();
  }

  async #open(): Promise<WatchView> {
    try {
      const { openWatchView } = await import('./watchView.ts');
      const opened = await openWatchView(this.#context, this.#view);
      this.#opened = opened;
      const tell = () => {
        this.#redraws.fire();
        this.#changed.fire();
      };
      opened.onDidChange(tell);
      tell();
      return opened;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }
}

/** Shows the Watch List and begins to keep it current where something is watched. */
export function registerWatch(context: WatchContext): WatchList {
  const list = new WatchList(context);
  list.start();
  return list;
}

function hasSharedList(): boolean {
  const shared: unknown = vscode.workspace.getConfiguration('chainInspector').get('watch');
  return Array.isArray(shared) && shared.length > 0;
}

/** What failed, in the words of the palette. */
function titleOf(command: WatchCommand): string {
  switch (command) {
    case 'importWatchList':
      return vscode.l10n.t('Could not import the watch list');
    case 'exportWatchList':
      return vscode.l10n.t('Could not export the watch list');
    case '_openWatched':
      return vscode.l10n.t('Could not open the entry');
    default:
      return vscode.l10n.t('Could not change the watch list');
  }
}
