import * as vscode from 'vscode';
import { groupDigits } from '../../chain/coin.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { AnyList, ListName } from '../../lists/lists.ts';
import type { AnyPager } from '../../lists/pager.ts';
import type { Session } from '../../session/session.ts';
import type { Source } from '../../session/source.ts';
import { heightText } from '../../words/values.ts';
import type { ActiveSession } from '../activeSession.ts';
import { setContext } from '../contextKeys.ts';
import { setViewTexts } from '../editorTexts.ts';
import { stateFileDrop } from '../endpoints/stateFileDrop.ts';
import { language } from '../settings.ts';
import type { ListTree } from './listTree.ts';
import type { ListTrees } from './listTrees.ts';

type View = vscode.TreeView<unknown>;

/** Makes the tree of each list in its view. */
type MakeTrees = (viewOf: (name: ListName) => View) => Promise<ListTrees>;

/** The views of all lists, their titles and context keys. The trees are loaded when rows are first requested. */
export class ListViews implements vscode.Disposable {
  readonly #active: ActiveSession;
  readonly #make: MakeTrees;
  readonly #views: Readonly<Record<ListName, View>>;
  /** Fires with the list whose rows have to be redrawn, from the root or from these rows on. */
  readonly #redrawn = new vscode.EventEmitter<{ readonly name: ListName; readonly nodes: unknown[] | undefined }>();
  readonly #following: vscode.Disposable;
  #loading: Promise<ListTrees> | undefined;
  #trees: ListTrees | undefined;
  /** The values that VS Code was given. */
  readonly #contexts = new Map<string, boolean>();

  constructor(active: ActiveSession, make: MakeTrees) {
    this.#active = active;
    this.#make = make;
    const create = (name: ListName): View => this.#create(name);
    this.#views = { proposals: create('proposals'), supply: create('supply'), validators: create('validators') };
    this.#following = active.follow((session) => this.#follow(session));
  }

  /** Loads the trees. Rejects if that fails. The next call tries again. */
  load(): Promise<ListTrees> {
    this.#loading ??= this.#open().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  selection(name: ListName): readonly unknown[] {
    return this.#views[name].selection;
  }

  dispose(): void {
    this.#following.dispose();
    this.#redrawn.dispose();
    for (const view of Object.values(this.#views)) view.dispose();
    const end = (trees: ListTrees): void => {
      for (const tree of Object.values(trees)) tree.dispose();
    };
    void this.#loading?.then(end, () => undefined);
  }

  #create(name: ListName): View {
    const load = async (): Promise<ListTree<unknown>> => (await this.load())[name];
    const treeDataProvider: vscode.TreeDataProvider<unknown> = {
      onDidChangeTreeData: (listener) =>
        this.#redrawn.event((redrawn) => {
          if (redrawn.name === name) listener(redrawn.nodes);
        }),
      getChildren: async (node) => (await load()).getChildren(node),
      getTreeItem: (node) => {
        const tree: ListTree<unknown> | undefined = this.#trees?.[name];
        return tree ? tree.getTreeItem(node) : load().then((loaded) => loaded.getTreeItem(node));
      },
      getParent: (node) => {
        const tree: ListTree<unknown> | undefined = this.#trees?.[name];
        return tree?.getParent(node);
      },
      resolveTreeItem: async (item, node) => (await load()).resolveTreeItem(item, node),
    };
    const options = { treeDataProvider, dragAndDropController: stateFileDrop, canSelectMany: true };
    return vscode.window.createTreeView<unknown>(`chainInspector.${name}`, options);
  }

  async #open(): Promise<ListTrees> {
    const trees = await this.#make((name) => this.#views[name]);
    const lists = Object.values<AnyList>(this.#active.session.lists);
    for (const { name } of lists) {
      const tree: ListTree<unknown> = trees[name];
      const view = this.#views[name];
      tree.onDidChangeTreeData((nodes) => this.#redrawn.fire({ name, nodes }));
      view.onDidChangeVisibility(({ visible }) => tree.setVisible(visible));
      view.onDidCollapseElement(({ element }) => tree.setExpanded(element, false));
      view.onDidExpandElement(({ element }) => tree.setExpanded(element, true));
    }
    this.#trees = trees;
    for (const list of lists) this.#title(list, this.#active.session);
    return trees;
  }

  #follow(session: Session): readonly vscode.Disposable[] {
    this.#setContext('isEndpoint', session.source.kind === 'http');
    const onDidChangeState = session.onDidChangeState(({ kind }) => {
      if (kind === 'ready') void session.noteChain();
    });
    const draw = (list: AnyList): void => {
      this.#title(list, session);
      this.#setContext(`${list.name}Filtered`, list.isChanged);
      this.#setContext(
        `${list.name}HasMore`,
        list.pagers.some(({ hasMore }) => hasMore),
      );
    };
    const ofLists = Object.values<AnyList>(session.lists).map((list) => {
      draw(list);
      return list.onDidChange(() => draw(list));
    });
    return [onDidChangeState, ...ofLists];
  }

  /**
   * Sets the text beside the title of a view: filter, source and height. Above the supply it also shows the notices of
   * a state file.
   */
  #title({ name, pagers }: AnyList, { source, notices }: Session): void {
    const past =
      source.kind === 'http' && source.at ? [vscode.l10n.t('At {0}', heightText(source.at, language()))] : [];
    const pager = pagers.find(({ height }) => height !== undefined);
    // The filter comes first, since VS Code cuts long descriptions.
    const texts = [this.#trees?.[name].filterWords, sourceText(source, pager)];
    const message = name === 'supply' ? [...past, ...noticeLines(notices)] : past;
    setViewTexts(this.#views[name], { description: texts.filter(Boolean).join(' · '), message });
  }

  #setContext(name: string, value: boolean): void {
    if (this.#contexts.get(name) === value) return;
    this.#contexts.set(name, value);
    void setContext(name, value);
  }
}

/** Two notices at most, to leave space for the rows. */
function noticeLines(notices: readonly string[]): readonly string[] {
  const [first, ...others] = notices;
  if (first === undefined || others.length < 2) return notices;
  return [first, vscode.l10n.t('{0} more notices. To see them, use Test Connection.', others.length)];
}

/**
 * The name of the source with the height of the first page. Later pages may be of later heights if the node could not
 * pin it.
 */
function sourceText(source: Source, list: Pick<AnyPager, 'height' | 'unpinnedReason'> | undefined): string {
  const name = escapeForUi(source.name);
  if (!list?.height || (source.kind === 'http' && source.at)) return name;
  return list.unpinnedReason === undefined
    ? vscode.l10n.t('{0}, height {1}', name, groupDigits(list.height))
    : vscode.l10n.t('{0}, height {1} or later', name, groupDigits(list.height));
}
