import type { Disposable } from '../../chain/emitter.ts';
import { createFactsReader, type DraftNeeds, type KnownFacts } from '../../draft/knownFacts.ts';
import type { AcquiredSession, Session } from '../../session/session.ts';

/** Milliseconds for which facts are kept. */
const keptFor = 600_000;

/** What is known of one source for the checks of drafts: asked for once, and again when it is older than ten minutes. */
export class SourceFacts {
  readonly #acquired: AcquiredSession;
  readonly #abort = new AbortController();
  #reader: { readonly read: Promise<ReturnType<typeof createFactsReader>>; readonly at: number } | undefined;

  readonly #listener: Disposable;

  /** Releases `acquired` when it is disposed. `onForget` is called when what was read is of another state: its file changed. */
  constructor(acquired: AcquiredSession, onForget: () => void) {
    this.#acquired = acquired;
    this.#listener = acquired.session.onDidForget(() => {
      this.refresh();
      onForget();
    });
  }

  get session(): Session {
    return this.#acquired.session;
  }

  /** Rejects with an `ApiError` where the source does not answer, or with an `AbortError` after `dispose`. */
  async read(needs: DraftNeeds): Promise<KnownFacts> {
    const now = performance.now();
    if (!this.#reader || now - this.#reader.at > keptFor) {
      const { signal } = this.#abort;
      this.#reader = { read: this.#acquired.session.node().then((node) => createFactsReader(node, signal)), at: now };
    }
    const { read } = this.#reader;
    const { forgettings } = this.session;
    try {
      const facts = await (await read)(needs);
      return forgettings === this.session.forgettings ? facts : await this.read(needs);
    } catch (error) {
      // What failed is asked for again when the draft is checked next.
      if (this.#reader?.read === read) this.#reader = undefined;
      throw error;
    }
  }

  /** Forgets what is known. */
  refresh(): void {
    this.#reader = undefined;
  }

  dispose(): void {
    this.#listener.dispose();
    this.#abort.abort();
    void this.#acquired.release();
  }
}
