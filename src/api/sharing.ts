/** The error of every cancelled call, for any reason of the caller's signal. */
export function cancelled(): DOMException {
  return new DOMException('The request was canceled', 'AbortError');
}

/**
 * Gives the outcome of `promise`, or rejects with the signal's reason as soon as it fires. The promise itself goes on.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

interface Shared<T> {
  readonly result: Promise<T>;
  readonly control: AbortController;
  callers: number;
}

/** Shares work that is under way: callers with the same key wait for one piece of work. */
export class SharedWork<T> {
  readonly #underWay = new Map<string, Shared<T>>();

  /**
   * Joins or starts the work of this key. A cancelled caller gets an `AbortError`. The last one to leave ends the work.
   */
  async join(key: string, signal: AbortSignal | undefined, start: (own: AbortSignal) => Promise<T>): Promise<T> {
    if (signal?.aborted) throw cancelled();
    const shared = this.#underWay.get(key) ?? this.#start(key, start);
    shared.callers++;
    try {
      return await abortable(shared.result, signal);
    } catch (error) {
      throw signal?.aborted ? cancelled() : error;
    } finally {
      if (--shared.callers === 0 && this.#underWay.get(key) === shared) {
        this.#underWay.delete(key);
        shared.control.abort(cancelled());
      }
    }
  }

  abort(): void {
    for (const { control } of this.#underWay.values()) control.abort(cancelled());
    this.#underWay.clear();
  }

  #start(key: string, start: (own: AbortSignal) => Promise<T>): Shared<T> {
    const control = new AbortController();
    const result = start(control.signal).finally(() => this.#forget(key, control));
    const shared = { result, control, callers: 0 };
    this.#underWay.set(key, shared);
    return shared;
  }

  #forget(key: string, control: AbortController): void {
    if (this.#underWay.get(key)?.control === control) this.#underWay.delete(key);
  }
}

/** Runs at most `width` tasks at once, in the order of the calls. */
export function createConcurrencyLimit(width: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running < width) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/**
 * Runs `work` on items in order, `atOnce` at a time. After a failure, it begins no more items, and rejects when the
 * running ones have ended.
 */
export async function concurrently<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // A loop that throws closes the generator for the others.
  const queue = (function* (): Generator<T> {
    yield* items;
  })();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const worked of ended) if (worked.status === 'rejected') throw worked.reason;
}

/** Makes a function that calls `make` once, and gives that value to each call. */
export function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Makes a function that calls `make` once for each name. */
export function onceFor<T>(make: (name: string) => T): (name: string) => T {
  const made = new Map<string, { readonly value: T }>();
  return (name) => {
    const known = made.get(name) ?? { value: make(name) };
    made.set(name, known);
    return known.value;
  };
}
