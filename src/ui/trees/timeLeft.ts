import type * as vscode from 'vscode';

/** Milliseconds between two looks at the clock: rows say minutes at the finest. */
const every = 60_000;

/** Draws again what tells the time that is left, once a minute and only while the view is seen. Asks nothing of any chain. */
export class TimeLeft implements vscode.Disposable {
  readonly #redraw: () => void;
  readonly #listener: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;

  constructor(view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>, redraw: () => void) {
    this.#redraw = redraw;
    this.#listener = view.onDidChangeVisibility(({ visible }) => this.#follow(visible));
    if (view.visible) this.#start();
  }

  dispose(): void {
    this.#listener.dispose();
    clearInterval(this.#timer);
  }

  #follow(visible: boolean): void {
    clearInterval(this.#timer);
    if (!visible) return;
    // Time went on while nobody looked.
    this.#redraw();
    this.#start();
  }

  #start(): void {
    this.#timer = setInterval(this.#redraw, every);
  }
}
