import * as vscode from 'vscode';

/**
 * The redraws of one tree, none of which is lost or needless. The editor takes rows that are still on their way to it for
 * newer than a redraw that reaches it together with them, and keeps them: so while rows are being made, and until the
 * editor has them, redraws wait.
 */
export class Redraws<Node> implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly #waiting = new Set<Node | undefined>();
  #answers = 0;
  /** Rows were handed over since the editor last gave a sign. */
  #handedOver = false;
  #travelling = false;

  /** For `onDidChangeTreeData`. */
  readonly event = this.#changed.event;

  /** Draws a node and what is under it again, everything when none is named. */
  fire(node?: Node): void {
    this.#waiting.add(node);
    this.#flush();
  }

  /** Awaits what the rows of an answer are made from. Whoever calls it hands its rows over without waiting again. */
  async during(work: Promise<unknown>): Promise<void> {
    this.#answers += 1;
    try {
      await work;
    } finally {
      this.#answers -= 1;
      this.#handOver();
    }
  }

  /** To be called when the root's rows are made: they are drawn as they are now, and need not be drawn again. */
  settle(): void {
    this.#waiting.delete(undefined);
  }

  dispose(): void {
    this.#waiting.clear();
    this.#changed.dispose();
  }

  #handOver(): void {
    this.#handedOver = true;
    // The rows leave after the promises that carry them.
    if (this.#waiting.size > 0) setImmediate(() => this.#flush());
  }

  #flush(): void {
    if (this.#waiting.size === 0 || this.#answers > 0 || this.#travelling) return;
    if (this.#handedOver) {
      void this.#travel();
      return;
    }
    const nodes = [...this.#waiting];
    this.#waiting.clear();
    for (const node of nodes.includes(undefined) ? [undefined] : nodes) this.#changed.fire(node);
  }

  /** To the editor and back: a command that changes nothing arrives after the rows, and is answered after they are taken. */
  async #travel(): Promise<void> {
    this.#travelling = true;
    await new Promise(setImmediate);
    this.#handedOver = false;
    await vscode.commands.executeCommand('setContext', 'chainInspector.drawn', true).then(undefined, () => undefined);
    this.#travelling = false;
    this.#flush();
  }
}
