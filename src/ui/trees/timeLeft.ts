import type * as vscode from 'vscode';

/** Milliseconds between two redraws: rows show minutes at the finest. */
const interval = 60_000;

/** Redraws rows that show the time left, every minute while their view is visible; sends no request. */
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
    this.#redraw();
    this.#start();
  }

  #start(): void {
    this.#timer = setInterval(this.#redraw, interval);
  }
}
