import type * as vscode from 'vscode';
import type { AnyPager } from '../../chain/pager.ts';

/** Milliseconds after which a list that is being read shows a row that says so; a row for less would only flicker. */
const patience = 300;

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

  /** Starts to read a list that was not read before, and waits a moment. A failure becomes a row, so it is not thrown. */
  async start(owner: string, pager: AnyPager): Promise<void> {
    if (pager.error !== undefined || (pager.started && !this.#pending.has(owner))) return;
    if (!this.#visible || this.#collapsed.has(owner)) {
      this.#pending.add(owner);
      return;
    }
    this.#pending.delete(owner);
    // What a command reads is not stopped here.
    if (!pager.loading) this.#running.set(owner, pager);
    const load = pager
      .loadMore()
      .catch(() => undefined)
      .finally(() => this.#running.get(owner) === pager && this.#running.delete(owner));
    await within(load, patience);
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

async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
