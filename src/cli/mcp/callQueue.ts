/** Runs at most `width` calls at once, in their order. At most `places` others may wait. */
export class CallQueue {
  readonly #width: number;
  readonly #places: number;
  /** Functions that each begin a call that waits. */
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(width: number, places: number) {
    this.#width = width;
    this.#places = places;
  }

  /**
   * Runs `work` when its turn comes. Rejects at once with a sentence if no place is left. Rejects with the signal's
   * reason if it fires while the call waits, which frees its place.
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#running < this.#width) this.#running++;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next) next();
      else this.#running--;
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#places)
      throw new Error(
        `Too many calls at once: ${this.#width} are running and ${this.#places} are waiting. Try again when some of them have finished.`,
      );
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        leave();
        resolve();
      };
      const end = (): void => {
        leave();
        reject(signal.reason);
      };
      const leave = (): void => {
        this.#waiting.delete(begin);
        signal.removeEventListener('abort', end);
      };
      this.#waiting.add(begin);
      signal.addEventListener('abort', end);
    });
  }
}
