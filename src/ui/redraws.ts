import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { setContext } from './contextKeys.ts';

/** The extension host sends answers by a timer of its own. In milliseconds. */
const sendTime = 4;

/**
 * The least time between two redraws of a tree. VS Code delays a redraw that follows another within 200 ms, and it would
 * then meet rows that are requested meanwhile. In milliseconds.
 */
const spacing = 210;

/** Resolves when answers that are ready were sent to the editor. Work that blocks the extension host waits for it. */
export async function afterSending(): Promise<void> {
  await delay(sendTime);
}

/** Resolves when the editor has handled all that was sent to it before. Any command of its own tells that. */
export async function roundTrip(): Promise<void> {
  await setContext('drawn', true).then(undefined, () => undefined);
}

/**
 * Resolves when the rows that the caller returns now are on the screen. Optional work waits for it. No event tells of
 * that, so two round trips are awaited: the first delivers the rows, the second asks for the rows under them.
 */
export async function afterDrawing(): Promise<void> {
  await new Promise(setImmediate);
  for (let trip = 0; trip < 2; trip++) await roundTrip();
}

/**
 * Redraws one tree, without lost or needless redraws. If a redraw reaches the editor together with rows that it
 * requested before, it takes those rows for the new ones, or loses them. So redraws wait while rows are being made, and
 * until the editor has received them. They keep a distance that the editor does not delay.
 */
export class Redraws<Node> implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<Node[] | undefined>();
  readonly #waiting = new Set<Node | undefined>();
  #requests = 0;
  /** Rows were returned, and the editor has not confirmed them. */
  #unconfirmed = false;
  #confirming = false;
  #last = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  readonly event = this.#changed.event;

  /** Redraws a node with its children. Redraws everything if `node` is absent. */
  fire(node?: Node): void {
    this.#waiting.add(node);
    this.#flush();
  }

  /** Waits for work that rows need. The caller then returns its rows without further waiting. */
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

  /** Drops a waiting redraw of the root, since its rows were just made. */
  settle(): void {
    this.#waiting.delete(undefined);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
    this.#changed.dispose();
  }

  #flush(): void {
    if (this.#waiting.size === 0 || this.#requests > 0 || this.#confirming) return;
    if (this.#unconfirmed) return void this.#confirm();
    clearTimeout(this.#timer);
    const early = this.#last + spacing - performance.now();
    if (early > 0) {
      this.#timer = setTimeout(() => this.#flush(), early);
      return;
    }
    this.#last = performance.now();
    const isWhole = this.#waiting.has(undefined);
    const nodes = [...this.#waiting].filter((node) => node !== undefined);
    this.#waiting.clear();
    this.#changed.fire(isWhole ? undefined : nodes);
  }

  async #confirm(): Promise<void> {
    this.#confirming = true;
    this.#unconfirmed = false;
    await afterDrawing();
    this.#confirming = false;
    this.#flush();
  }
}
