import { setTimeout } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { isApiError } from '../../api/errors.ts';
import type { AnyPager } from '../../chain/pager.ts';

/** Milliseconds after which a list that is being read shows a row that says so; a row for less would only flicker. */
const patience = 300;

/** Milliseconds in which rows are sent to the editor, which the extension host does by timer. */
export const sendTime = 20;

/** What tells whether the rows of a view are visible. */
export type ViewEvents<Node> = Pick<
  vscode.TreeView<Node>,
  'onDidChangeVisibility' | 'onDidCollapseElement' | 'onDidExpandElement'
>;

/** Reads lists when their rows are first shown, and no longer than the rows are visible. Lists are named by their owner. */
export class FirstLoads {
  readonly #running = new Map<string, AnyPager>();
  readonly #collapsed = new Set<string>();
  /** Lists that are read on when their rows are visible again. */
  readonly #pending = new Set<string>();
  #visible = true;

  /**
   * Starts to read a list that was not read before, and waits a moment. Behind the first page the list is read on in large
   * pages, to `upTo` rows. A failure becomes a row, so it is not thrown.
   */
  async start(owner: string, pager: AnyPager, upTo = 0): Promise<void> {
    const isPending = this.#pending.has(owner);
    if (pager.error !== undefined || (pager.started && !isPending && !isShort(pager, upTo))) return;
    if (!this.#visible || this.#collapsed.has(owner)) {
      this.#pending.add(owner);
      return;
    }
    this.#pending.delete(owner);
    const isFirst = !pager.started || (isPending && !isShort(pager, upTo));
    if (!isFirst) {
      void this.#readOn(owner, pager, upTo);
      return;
    }
    const load = this.#read(owner, pager, () => pager.loadMore());
    void load.then(() => setTimeout(sendTime)).then(() => this.#readOn(owner, pager, upTo));
    await within(load, patience);
  }

  /** Reads a list whose source could not be reached before. */
  async retry(pager: AnyPager): Promise<void> {
    if (pager.state !== 'failed' || !isApiError(pager.error) || pager.error.kind !== 'unreachable') return;
    await pager.loadMore().catch(() => undefined);
  }

  /** Whether rows of a list come in behind those that are shown. */
  isReadingOn(owner: string): boolean {
    const pager = this.#running.get(owner);
    return pager?.started === true && pager.loading;
  }

  async #readOn(owner: string, pager: AnyPager, upTo: number): Promise<void> {
    if (!isShort(pager, upTo) || pager.loading || !this.#visible || this.#collapsed.has(owner)) return;
    const { signal } = new AbortController();
    await this.#read(owner, pager, () => pager.loadAll({ signal, limit: upTo }));
  }

  /** What a command reads is not stopped with the view. */
  async #read(owner: string, pager: AnyPager, read: () => Promise<void>): Promise<void> {
    if (!pager.loading) this.#running.set(owner, pager);
    await read().catch(() => undefined);
    if (this.#running.get(owner) === pager) this.#running.delete(owner);
  }

  /** Stops reading while rows are not visible; `redraw` makes the tree ask for them again (absent: all of them). */
  follow<Node>(
    view: ViewEvents<Node>,
    ownerOf: (node: Node) => string | undefined,
    redraw: (owner?: string) => void,
  ): readonly vscode.Disposable[] {
    return [
      view.onDidChangeVisibility(({ visible }) => {
        this.#visible = visible;
        if (!visible) for (const owner of [...this.#running.keys()]) this.#stop(owner);
        else if (this.#pending.size > 0) redraw();
      }),
      view.onDidCollapseElement(({ element }) => {
        const owner = ownerOf(element);
        if (owner === undefined) return;
        this.#collapsed.add(owner);
        this.#stop(owner);
      }),
      view.onDidExpandElement(({ element }) => {
        const owner = ownerOf(element);
        if (owner !== undefined && this.#collapsed.delete(owner) && this.#pending.has(owner)) redraw(owner);
      }),
    ];
  }

  /** Other lists are shown from now on. */
  clear(): void {
    this.#running.clear();
    this.#collapsed.clear();
    this.#pending.clear();
  }

  #stop(owner: string): void {
    const pager = this.#running.get(owner);
    if (!pager) return;
    this.#running.delete(owner);
    this.#pending.add(owner);
    pager.stop();
  }
}

/** Whether a list goes on before it has so many rows. */
function isShort({ started, hasMore, paused, error, rows }: AnyPager, upTo: number): boolean {
  return started && hasMore && !paused && error === undefined && rows.length < upTo;
}

async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  const late = new AbortController();
  await Promise.race([work, setTimeout(milliseconds, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
}
