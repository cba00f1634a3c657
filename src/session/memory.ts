import { member } from '../api/errors.ts';
import { type Disposable, Emitter } from '../chain/emitter.ts';

/** Where values are kept between runs, as the editor's `Memento` does it. */
export interface KeyValueStore {
  keys(): readonly string[];
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/**
 * A store that writes one value after the other, of each key the latest, and gives what is not written yet. The editor's
 * `globalState` answers a write with all that is kept as of that write: what was written in between is lost there
 * (extHostMemento.ts of VS Code 1.105 to 1.139).
 */
export class SerialStore implements KeyValueStore {
  readonly #store: KeyValueStore;
  readonly #unwritten = new Map<string, unknown>();
  /** The writes that have not begun, by key. */
  readonly #waiting = new Map<string, Promise<void>>();
  #written: Promise<void> = Promise.resolve();

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  keys(): readonly string[] {
    return this.#store.keys();
  }

  get(key: string): unknown {
    return this.#unwritten.has(key) ? this.#unwritten.get(key) : this.#store.get(key);
  }

  /** Rejects as the store does; what was not written is not given any more then. */
  update(key: string, value: unknown): Promise<void> {
    this.#unwritten.set(key, value);
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting;
    const written = this.#written.then(() => this.#write(key));
    this.#waiting.set(key, written);
    this.#written = written.catch(() => undefined);
    return written;
  }

  async #write(key: string): Promise<void> {
    this.#waiting.delete(key);
    const value = this.#unwritten.get(key);
    try {
      await this.#store.update(key, value);
    } finally {
      if (this.#unwritten.get(key) === value) this.#unwritten.delete(key);
    }
  }
}

/** Sources whose value is kept, and entries that a list of recent ones keeps. */
export const maxRecent = 50;
/** Characters of JSON for one source: what a node says may be long. */
const longest = 20_000;

/** A JSON value for each of the sources that had one last, kept between runs; it is read by its owner. */
export class SourceMemory {
  readonly #store: KeyValueStore;
  readonly #key: string;

  constructor(store: KeyValueStore, key: string) {
    this.#store = store;
    this.#key = key;
  }

  get(sourceId: string): unknown {
    return this.#entries().find(([id]) => id === sourceId)?.[1];
  }

  /** Keeps a value in the place of an older one; undefined forgets it. Rejects as the store does. */
  async set(sourceId: string, value: unknown): Promise<void> {
    const all = this.#entries();
    const others = all.filter(([id]) => id !== sourceId);
    const isKept = value !== undefined && JSON.stringify(value).length <= longest;
    if (!isKept && others.length === all.length) return;
    const entries = isKept ? [...others, [sourceId, value]] : others;
    await this.#store.update(this.#key, entries.slice(-maxRecent));
  }

  /** The latest last. */
  #entries(): unknown[][] {
    const kept = this.#store.get(this.#key);
    if (!Array.isArray(kept)) return [];
    return kept.filter((entry) => Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string');
  }
}

/** The chain id in the facts of a source that are kept (`StoredFacts` of `api/dialect.ts`); undefined where they have none. */
export function keptChainId(dialects: Pick<SourceMemory, 'get'>, sourceId: string): string | undefined {
  const chainId = member(member(dialects.get(sourceId), 'chainId'), 'value');
  return typeof chainId === 'string' ? chainId : undefined;
}

/** When a source answered last, in milliseconds since the epoch, and in how many; or in words why it did not. */
export interface LastAnswer {
  readonly at: number;
  readonly ms?: number | undefined;
  readonly cause?: string | undefined;
}

/** Milliseconds in which answers are gathered before they are written. */
const gathering = 1_000;

/** The last answer of each source, kept between runs. */
export class LastAnswers implements Disposable {
  readonly #memory: SourceMemory;
  readonly #unwritten = new Map<string, LastAnswer>();
  readonly #changed = new Emitter<void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: KeyValueStore) {
    this.#memory = new SourceMemory(store, 'lastAnswers');
  }

  readonly onDidChange = this.#changed.on;

  /** Undefined for a source that was never asked. */
  get(sourceId: string): LastAnswer | undefined {
    const known = this.#unwritten.get(sourceId) ?? this.#memory.get(sourceId);
    const [at, ms, cause] = [member(known, 'at'), member(known, 'ms'), member(known, 'cause')];
    if (typeof at !== 'number') return undefined;
    return { at, ms: typeof ms === 'number' ? ms : undefined, cause: typeof cause === 'string' ? cause : undefined };
  }

  set(sourceId: string, answer: Omit<LastAnswer, 'at'>): void {
    this.#unwritten.set(sourceId, { at: Date.now(), ...answer });
    this.#timer ??= setTimeout(() => this.#write(), gathering);
  }

  async forget(sourceId: string): Promise<void> {
    this.#unwritten.delete(sourceId);
    await this.#memory.set(sourceId, undefined);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#changed.dispose();
  }

  #write(): void {
    this.#timer = undefined;
    // What is not stored is asked again.
    for (const [id, answer] of this.#unwritten) void this.#memory.set(id, answer).catch(() => undefined);
    this.#unwritten.clear();
    this.#changed.fire();
  }
}

/** The list with `entry` first, once, and no longer than `maxRecent`. Entries of one `keyOf` are the same. */
export function withRecent<T>(list: readonly T[], entry: T, keyOf: (entry: T) => string = String): T[] {
  const key = keyOf(entry);
  return [entry, ...list.filter((other) => keyOf(other) !== key)].slice(0, maxRecent);
}
