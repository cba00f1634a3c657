import { type Disposable, Emitter } from '../chain/emitter.ts';
import { readMember } from '../chain/fields.ts';

/** A store that keeps values between runs, like the editor's `Memento`. */
export interface KeyValueStore {
  keys(): readonly string[];
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/**
 * A store that writes one value after the other. It writes the latest of each key, and gives values before they are
 * written. Needed because the editor's `globalState`, after a write, replaces all kept values by those of the moment of
 * that write, and so loses values written in between (extHostMemento.ts of VS Code 1.105 to 1.139).
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

  /** Writes a value. Rejects like the store; a value that was not written is then no longer given. */
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

/** The limit for the sources whose value is kept, and for the entries of a list of recent ones. */
export const maxRecent = 50;
/** The limit for the JSON of one source, in characters. Texts of a node may be long. */
const longest = 20_000;

/** Keeps a JSON value between runs for each of the latest sources. The owner of the value checks it. */
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

  /** Keeps a value instead of an older one; undefined forgets it. Rejects like the store. */
  async set(sourceId: string, value: unknown): Promise<void> {
    const all = this.#entries();
    const others = all.filter(([id]) => id !== sourceId);
    const isKept = value !== undefined && JSON.stringify(value).length <= longest;
    if (!isKept && others.length === all.length) return;
    const entries = isKept ? [...others, [sourceId, value]] : others;
    await this.#store.update(this.#key, entries.slice(-maxRecent));
  }

  /** The entries, the latest last. */
  #entries(): unknown[][] {
    const kept = this.#store.get(this.#key);
    if (!Array.isArray(kept)) return [];
    return kept.filter((entry) => Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string');
  }
}

/**
 * Gives the chain id in the kept traits of a source (`StoredTraits` of `api/rest/dialect.ts`). Undefined if they have
 * none.
 */
export function keptChainId(dialects: Pick<SourceMemory, 'get'>, sourceId: string): string | undefined {
  const chainId = readMember(readMember(dialects.get(sourceId), 'chainId'), 'value');
  return typeof chainId === 'string' ? chainId : undefined;
}

/**
 * The last answer of a source: when it came, in milliseconds since the epoch, and how many it took; or in words why it
 * failed.
 */
export interface LastAnswer {
  readonly at: number;
  readonly ms?: number | undefined;
  readonly cause?: string | undefined;
}

/** The time in milliseconds in which answers are gathered before they are written. */
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

  /** Gives the last answer. Undefined for a source that was never asked. */
  get(sourceId: string): LastAnswer | undefined {
    const known = this.#unwritten.get(sourceId) ?? this.#memory.get(sourceId);
    const [at, ms, cause] = [readMember(known, 'at'), readMember(known, 'ms'), readMember(known, 'cause')];
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
    // A value that is not stored will be asked for again.
    for (const [id, answer] of this.#unwritten) void this.#memory.set(id, answer).catch(() => undefined);
    this.#unwritten.clear();
    this.#changed.fire();
  }
}

/** Gives the list with `entry` first, once, and no longer than `maxRecent`. Entries with one `keyOf` are the same. */
export function withRecent<T>(list: readonly T[], entry: T, keyOf: (entry: T) => string = String): T[] {
  const key = keyOf(entry);
  return [entry, ...list.filter((other) => keyOf(other) !== key)].slice(0, maxRecent);
}
