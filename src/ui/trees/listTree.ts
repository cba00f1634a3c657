import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isApiError } from '../../api/errors.ts';
import type { AnyPager } from '../../lists/pager.ts';
import type { Session } from '../../session/session.ts';
import type { ActiveSession } from '../activeSession.ts';
import { stateFileDrop } from '../endpoints/stateFileDrop.ts';
import { afterDrawing, Redraws } from '../redraws.ts';
import type { Watched } from '../watch/watchScreen.ts';
import { longSilence, type MoreNode, type NoticeNode, soonUri } from './rows.ts';

/** Milliseconds after which a list that is being read shows a row that says so; a row for less would only flicker. */
export const patience = 300;

type ViewEvents<Node> = Pick<
  vscode.TreeView<Node>,
  'onDidChangeVisibility' | 'onDidCollapseElement' | 'onDidExpandElement'
>;

/** A view over paged lists of the shown session: each is read when first asked for, and read on while visible. */
export abstract class ListTree<Node> implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #redraws = new Redraws<Node>();
  readonly onDidChangeTreeData = this.#redraws.event;
  readonly view: vscode.TreeView<Node>;
  protected readonly active: ActiveSession;
  protected readonly watched: Watched;
  readonly #listeners: vscode.Disposable[];
  /** Lists that this tree reads; what a command reads is not stopped with the view. */
  readonly #running = new Map<string, { readonly pager: AnyPager }>();
  readonly #pending = new Set<string>();
  /** What the user expanded (true) or collapsed. */
  readonly #expanded = new Map<string, boolean>();
  #visible = true;
  #counting: NodeJS.Timeout | undefined;

  constructor(view: { id: string; showCollapseAll: boolean }, active: ActiveSession, watched: Watched) {
    this.active = active;
    this.watched = watched;
    const { id, showCollapseAll } = view;
    const options = { treeDataProvider: this, dragAndDropController: stateFileDrop, canSelectMany: true };
    this.view = vscode.window.createTreeView<Node>(id, { ...options, showCollapseAll });
    this.#listeners = [this.view, this.#redraws, watched.onDidChange(() => this.redraw())];
    this.follow(this.view);
  }

  abstract getTreeItem(node: Node): vscode.TreeItem | Promise<vscode.TreeItem>;

  /** Makes the tooltip when it is shown: what it needs is asked then. */
  abstract resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem>;

  /** The list under a row or, where the row only expands, its own name. */
  protected abstract ownerOf(node: Node): string | undefined;
  protected abstract loadUnder(node: Node | undefined): Promise<void>;
  protected abstract rowsUnder(node: Node | undefined): Node[];

  async getChildren(node?: Node): Promise<Node[]> {
    const { session } = this.active;
    await this.#redraws.during(this.loadUnder(node));
    if (session !== this.active.session) {
      // The rows of the other session are asked for next, also where they were made before these.
      this.redraw();
      return [];
    }
    // Rows of a list that waits for its view are drawn again once that is visible.
    if (node === undefined && this.#pending.size === 0) this.#redraws.settle();
    return this.rowsUnder(node);
  }

  /** Draws a row with those under it again; everything where none is given. */
  redraw(node?: Node): void {
    this.#redraws.fire(node);
  }

  /** Stops reading while rows are not visible. */
  follow(view: ViewEvents<Node>): void {
    const setExpanded = (node: Node, isExpanded: boolean): void => {
      const owner = this.ownerOf(node);
      if (owner === undefined) return;
      this.#expanded.set(owner, isExpanded);
      if (!isExpanded) this.#stop(owner);
      else if (this.#pending.has(owner)) this.redraw(node);
    };
    this.#listeners.push(
      view.onDidChangeVisibility(({ visible }) => {
        this.#visible = visible;
        if (!visible) for (const owner of [...this.#running.keys()]) this.#stop(owner);
        else if (this.#pending.size > 0) this.redraw();
      }),
      view.onDidCollapseElement(({ element }) => setExpanded(element, false)),
      view.onDidExpandElement(({ element }) => setExpanded(element, true)),
    );
  }

  dispose(): void {
    clearTimeout(this.#counting);
    for (const listener of this.#listeners) listener.dispose();
  }

  protected own(...disposables: readonly vscode.Disposable[]): void {
    this.#listeners.push(...disposables);
  }

  /** Calls `attach` with the shown session now and after each switch; `first` is the list that the view begins with. */
  protected followSession(first: (session: Session) => AnyPager, attach: Parameters<ActiveSession['follow']>[0]): void {
    const following = this.active.follow((session) => {
      this.#running.clear();
      this.#pending.clear();
      const attached = attach(session);
      this.redraw();
      const retry = ({ kind }: Session['state']): void => {
        if (kind === 'ready') void Promise.all([retryUnreached(first(session)), session.noteChain()]);
        // What another view says of the source decides what this one says.
        else if (kind === 'failed' && first(session).state === 'failed') this.redraw();
      };
      return [...attached, session.onDidChangeState(retry)];
    });
    this.own(following);
  }

  /** The item of a row about a list. */
  protected async itemAbout(node: MoreNode | NoticeNode, pager: AnyPager | undefined): Promise<vscode.TreeItem> {
    const { session } = this.active;
    if (node.kind === 'notice' && (node.notice === 'loading' || node.notice === 'silent')) this.#countSilence();
    const { moreItem, noticeItem } = await rowDetails();
    return node.kind === 'more' ? moreItem(session.source.id, node, pager) : noticeItem(session, node);
  }

  /** Draws again while a list gives no answer, so that its row counts the seconds. */
  #countSilence(): void {
    const longest = Math.max(...this.active.session.pagers.map(({ silence }) => silence));
    if (this.#counting || longest === 0) return;
    this.#counting = setTimeout(
      () => {
        this.#counting = undefined;
        if (this.active.session.pagers.some(({ silence }) => silence >= longSilence)) this.redraw();
        else this.#countSilence();
      },
      Math.max(1000, longSilence - longest),
    );
  }

  protected isExpanded(owner: string): boolean | undefined {
    return this.#expanded.get(owner);
  }

  protected isReadingOn(owner: string): boolean {
    const run = this.#running.get(owner);
    return run?.pager.started === true && run.pager.loading;
  }

  /** Whether rows are still to come of what `load` asked for. */
  protected isShortOf(owner: string, upTo: number): boolean {
    const pager = this.#running.get(owner)?.pager;
    return pager !== undefined && pager.error === undefined && isShort(pager, upTo);
  }

  /**
   * Reads a list to `upTo` rows, and waits a moment for the first page or, where `next` is given, for all of them and for what
   * that reads behind the first. A failure becomes a row: it is not thrown.
   */
  protected async load(owner: string, pager: AnyPager, upTo = 1, next?: () => Promise<unknown>): Promise<void> {
    if (pager.error !== undefined || !isShort(pager, upTo)) return;
    if (!this.#visible || this.#expanded.get(owner) === false) return void this.#pending.add(owner);
    this.#pending.delete(owner);
    const isFirst = !pager.started;
    const isIdle = !pager.loading && !this.#running.has(owner);
    const reading = isIdle ? this.#read(owner, pager, upTo, next !== undefined) : undefined;
    if (!isFirst) return;
    const first = pager.loadMore();
    await within(next ? Promise.all([first.then(next), reading]) : first, patience);
  }

  /** `isAwaited`: no row is shown before all are read. */
  async #read(owner: string, pager: AnyPager, upTo: number, isAwaited: boolean): Promise<void> {
    const run = { pager };
    this.#running.set(owner, run);
    const isRunning = (): boolean => this.#running.get(owner) === run;
    try {
      if (!pager.started) {
        await pager.loadMore();
        if (!isAwaited) await afterDrawing();
      }
      if (isRunning() && isShort(pager, upTo)) await pager.loadAll({ limit: upTo });
    } catch {
      // The pager keeps it.
    }
    if (isRunning()) this.#running.delete(owner);
  }

  #stop(owner: string): void {
    const run = this.#running.get(owner);
    if (!run) return;
    this.#running.delete(owner);
    this.#pending.add(owner);
    run.pager.stop();
  }
}

async function retryUnreached(pager: AnyPager): Promise<void> {
  if (pager.state !== 'failed' || !isApiError(pager.error) || pager.error.kind !== 'unreachable') return;
  await pager.loadMore().catch(() => undefined);
}

function isShort({ hasMore, paused, rows }: AnyPager, upTo: number): boolean {
  return hasMore && !paused && rows.length < upTo;
}

/** Waits for work, whatever becomes of it, but not for longer. */
export async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  const late = new AbortController();
  await Promise.race([work, delay(milliseconds, undefined, late)]).catch(() => undefined);
  late.abort();
}

/** Brings what rows show beyond their labels. */
export function rowDetails(): Promise<typeof import('./rowDetails.ts')> {
  return import('./rowDetails.ts');
}

/** Colours rows that end soon, by the editor's own colour for rows that is bright enough for their dimmed descriptions. */
export function decorateRows(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme }) =>
      scheme === soonUri.scheme
        ? { color: new vscode.ThemeColor('gitDecoration.modifiedResourceForeground') }
        : undefined,
  });
}
