import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { setContext } from './contextKeys.ts';

/** Milliseconds: the extension host sends answers by a timer of its own. */
const sendTime = 4;

/** Resolves when answers that are ready have left for the editor: what holds the extension host up waits for it. */
export async function afterSending(): Promise<void> {
  await delay(sendTime);
}

/**
 * Resolves when rows that the caller returns now are on the screen: what only adds to them waits for it. The editor tells of that
 * by no event: after the first round trip it has received them, after the second those under them were asked for.
 */
export async function afterDrawing(): Promise<void> {
  await new Promise(setImmediate);
  for (let trip = 0; trip < 2; trip++) await setContext('drawn', true).then(undefined, () => undefined);
}

/**
 * The redraws of one tree, none lost and none needless. When a redraw reaches the editor together with rows that it asked
 * for before, the editor takes the rows for the newer ones: so redraws wait while rows are being made, and until the editor
 * has received them.
 */
export class Redraws<Node> implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly #waiting = new Set<Node | undefined>();
  #requests = 0;
  /** Rows were returned to the editor, which has not confirmed them. */
  #unconfirmed = false;
  #confirming = false;
  readonly event = this.#changed.event;

  /** Draws a node with its children again; all where none is given. */
  fire(node?: Node): void {
    this.#waiting.add(node);
    this.#flush();
  }

  /** Waits for what rows are made from. The caller returns its rows without waiting again. */
  async during(work: Promise<unknown>): Promise<void> {
    this.#requests += 1;
    try {
      await work;
    } finally {
      this.#requests -= 1;
      this.#unconfirmed = true;
      // After the promises that carry the rows.
      if (this.#waiting.size > 0) setImmediate(() => this.#flush());
    }
  }

  /** The rows of the root were just made: a waiting redraw of it is not needed any more. */
  settle(): void {
    this.#waiting.delete(undefined);
  }

  dispose(): void {
    this.#waiting.clear();
    this.#changed.dispose();
  }

  #flush(): void {
    if (this.#waiting.size === 0 || this.#requests > 0 || this.#confirming) return;
    if (this.#unconfirmed) return void this.#confirm();
    const nodes = [...this.#waiting];
    this.#waiting.clear();
    for (const node of nodes.includes(undefined) ? [undefined] : nodes) this.#changed.fire(node);
  }

  async #confirm(): Promise<void> {
    this.#confirming = true;
    this.#unconfirmed = false;
    await afterDrawing();
    this.#confirming = false;
    this.#flush();
  }
}
