/** Ends a subscription, a session or another resource. */
export interface Disposable {
  dispose(): void;
}

/** Calls listeners with an event; the same shape as the editor's own events, without the editor. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(event: T) => void>();

  readonly on = (listener: (event: T) => void): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
