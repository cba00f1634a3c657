import { setTimeout as delay } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { isApiError } from '../../api/errors.ts';
import type { AnyPager } from '../../lists/pager.ts';
import type { Session } from '../../session/session.ts';
import type { ActiveSession } from '../activeSession.ts';
import { afterDrawing, Redraws } from '../redraws.ts';
import type { Settings } from '../settings.ts';
import type { Watched } from '../watch/watchScreen.ts';
import { longSilence, type MoreNode, moreItem, type NoticeNode, noticeItem } from './rows.ts';

/**
 * The time after which a list shows a row that says it is being read. A shorter wait would only make it flicker. In
 * milliseconds.
 */
export const readingRowDelay = 300;

/** The parts that the tree of a list uses. */
export interface TreeParts {
  /** The view of the tree. */
  readonly view: vscode.TreeView<unknown>;
  readonly active: ActiveSession;
  readonly watched: Watched;
  readonly settings: Settings;
}

/**
 * The rows of a list of the shown session. Each paged list is read when its rows are first requested, and continued
 * while they are visible.
 */
export abstract class ListTree<Node> implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #redraws = new Redraws<Node>();
  readonly onDidChangeTreeData = this.#redraws.event;
  readonly view: vscode.TreeView<unknown>;
  protected readonly active: ActiveSession;
  protected readonly watched: Watched;
  readonly #listeners: vscode.Disposable[];
  /** The reads of this tree. Reads of commands continue when the view is hidden. */
  readonly #running = new Map<string, { readonly pager: AnyPager }>();
  readonly #pending = new Set<string>();
  /** The owners that the user expanded (true) or collapsed (false). */
  readonly #expanded = new Map<string, boolean>();
  #visible = true;
  #counting: NodeJS.Timeout | undefined;

  constructor({ view, active, watched }: TreeParts) {
    this.view = view;
    this.active = active;
    this.watched = watched;
    this.#listeners = [this.#redraws, watched.onDidChange(() => this.redraw())];
  }

  /** Filter and order of the list in a few words. "" without either. */
  abstract get filterWords(): string;

  /** The parent of a row. Undefined in a list without groups. */
  getParent(_node: Node): Node | undefined {
    return undefined;
  }

  abstract getTreeItem(node: Node): vscode.TreeItem | Promise<vscode.TreeItem>;

  /** Makes the tooltip on hover, so that its facts are asked for only then. */
  abstract resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem>;

  /** The paged list under a row. For a row that only expands, its own name. */
  protected abstract ownerOf(node: Node): string | undefined;
  protected abstract loadUnder(node: Node | undefined): Promise<void>;
  protected abstract rowsUnder(node: Node | undefined): Node[];

  async getChildren(node?: Node): Promise<Node[]> {
    const { session } = this.active;
    await this.#redraws.during(this.loadUnder(node));
    if (session !== this.active.session) {
      // VS Code will ask for the rows of the new session next.
      this.redraw();
      return [];
    }
    // Rows of a list that waits for its view are redrawn when the view is visible.
    if (node === undefined && this.#pending.size === 0) this.#redraws.settle();
    return this.rowsUnder(node);
  }

  /** Redraws a row with the rows under it. Redraws everything if `node` is absent. */
  redraw(node?: Node): void {
    this.#redraws.fire(node);
  }

  /** Stops reading while the view is hidden, and continues when it is visible. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    if (!visible) for (const owner of [...this.#running.keys()]) this.#stop(owner);
    else if (this.#pending.size > 0) this.redraw();
  }

  /** Stops reading the rows under a collapsed row. */
  setExpanded(node: Node, isExpanded: boolean): void {
    const owner = this.ownerOf(node);
    if (owner === undefined) return;
    this.#expanded.set(owner, isExpanded);
    if (!isExpanded) this.#stop(owner);
    else if (this.#pending.has(owner)) this.redraw(node);
  }

  dispose(): void {
    clearTimeout(this.#counting);
    for (const listener of this.#listeners) listener.dispose();
  }

  protected own(...disposables: readonly vscode.Disposable[]): void {
    this.#listeners.push(...disposables);
  }

  /** Calls `attach` with the shown session now and after each switch. `first` is the list at the top of the view. */
  protected followSession(first: (session: Session) => AnyPager, attach: Parameters<ActiveSession['follow']>[0]): void {
    const following = this.active.follow((session) => {
      this.#running.clear();
      this.#pending.clear();
      const attached = attach(session);
      this.redraw();
      const retry = ({ kind }: Session['state']): void => {
        if (kind === 'ready') void retryUnreached(first(session));
        // Only one view explains why a source is not reached, and this view may no longer be the one.
        else if (kind === 'failed' && first(session).state === 'failed') this.redraw();
      };
      return [...attached, session.onDidChangeState(retry)];
    });
    this.own(following);
  }

  /** The item of a row about a list. */
  protected itemAbout(node: MoreNode | NoticeNode, pager: AnyPager | undefined): vscode.TreeItem {
    const { id } = this.active.session.source;
    if (node.kind === 'more') return moreItem(id, node, pager);
    if (node.notice === 'loading' || node.notice === 'silent') this.#countSilence();
    return noticeItem(id, node);
  }

  /** Redraws while a list gets no answer, so that its row counts the seconds. */
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

  /** Whether rows are missing that `load` asked for. */
  protected isShortOf(owner: string, upTo: number): boolean {
    const pager = this.#running.get(owner)?.pager;
    return pager !== undefined && pager.error === undefined && hasTooFewRows(pager, upTo);
  }

  /**
   * Reads a list up to `upTo` rows. Waits briefly for the first page. With `next`, waits for all rows, and for the work
   * of `next` after the first page. Never rejects, since a failure becomes a row.
   */
  protected async load(owner: string, pager: AnyPager, upTo = 1, next?: () => Promise<unknown>): Promise<void> {
    if (pager.error !== undefined || !hasTooFewRows(pager, upTo)) return;
    if (!this.#visible || this.#expanded.get(owner) === false) return void this.#pending.add(owner);
    this.#pending.delete(owner);
    const isFirst = !pager.started;
    const isIdle = !pager.loading && !this.#running.has(owner);
    const reading = isIdle ? this.#read(owner, pager, upTo, next !== undefined) : undefined;
    if (!isFirst) return;
    const first = pager.loadMore();
    await within(next ? Promise.all([first.then(next), reading]) : first, readingRowDelay);
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
      if (isRunning() && hasTooFewRows(pager, upTo)) await pager.loadAll({ limit: upTo });
    } catch {
      // The pager keeps the failure.
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

function hasTooFewRows({ hasMore, paused, rows }: AnyPager, upTo: number): boolean {
  return hasMore && !paused && rows.length < upTo;
}

/** Waits until `work` settles, but not longer than `milliseconds`. */
export async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  const late = new AbortController();
  await Promise.race([work, delay(milliseconds, undefined, late)]).catch(() => undefined);
  late.abort();
}
