import { Session, type SessionOptions } from './session.ts';
import type { Source } from './source.ts';

/** A hold on a session: the session lives until every hold on it is released. */
export interface SessionHold {
  readonly session: Session;
  release(): Promise<void>;
}

/** The sessions in use, one per source, counted: trees, pinned panels, compare and the watch list hold them. */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #held = new Map<string, { session: Session; holds: number }>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** How many sessions live; for the tests that count what is left behind. */
  get size(): number {
    return this.#held.size;
  }

  /** The session of a source that somebody holds. */
  find(source: Source): Session | undefined {
    return this.#held.get(JSON.stringify(source))?.session;
  }

  /** The session of a source, made if nobody holds it yet. */
  hold(source: Source): SessionHold {
    // The options of an endpoint are part of the key: a changed segment or certificate file needs a new client.
    const key = JSON.stringify(source);
    const entry = this.#held.get(key) ?? { session: new Session(source, this.#options), holds: 0 };
    entry.holds += 1;
    this.#held.set(key, entry);
    let released = false;
    return {
      session: entry.session,
      release: async () => {
        if (released) return;
        released = true;
        entry.holds -= 1;
        if (entry.holds > 0) return;
        this.#held.delete(key);
        await entry.session.dispose();
      },
    };
  }

  async dispose(): Promise<void> {
    const all = [...this.#held.values()];
    this.#held.clear();
    await Promise.all(all.map(({ session }) => session.dispose()));
  }
}
