import type { Disposable } from '../../chain/emitter.ts';
import type { ChainFacts } from '../../draft/chainFacts.ts';
import type { DraftNeeds } from '../../draft/draftNeeds.ts';
import { createFactsReader } from '../../draft/factsReader.ts';
import { KeptKind, screenAge } from '../../session/kept.ts';
import type { AcquiredSession, Session } from '../../session/session.ts';

/** The facts of one source for checks of drafts. Each is read once, and again after ten minutes. */
export class SourceFacts {
  readonly #acquired: AcquiredSession;
  readonly #abort = new AbortController();
  readonly #readers = new KeptKind<ReturnType<typeof createFactsReader>>();
  readonly #listener: Disposable;

  /** Releases `acquired` when disposed. Calls `onForget` when the state file changed and the facts are forgotten. */
  constructor(acquired: AcquiredSession, onForget: () => void) {
    this.#acquired = acquired;
    this.#listener = acquired.session.onDidForget(onForget);
  }

  get session(): Session {
    return this.#acquired.session;
  }

  /**
   * Reads facts. Rejects with an `ApiError` if the source does not answer, and with an `AbortError` after `dispose`.
   */
  async read(needs: DraftNeeds): Promise<ChainFacts> {
    const { session } = this;
    const { forgettings } = session;
    const { signal } = this.#abort;
    const readers = this.#readers.of(session.kept);
    const question = { maxAge: screenAge(session), signal };
    const load = async (): Promise<{ value: ReturnType<typeof createFactsReader> }> => ({
      value: createFactsReader(await session.node(), signal),
    });
    const { value: readFacts } = await readers.read('', question, load);
    try {
      const facts = await readFacts(needs);
      return forgettings === session.forgettings ? facts : await this.read(needs);
    } catch (error) {
      // The next check asks again.
      if (readers.get()?.value === readFacts) readers.forget();
      throw error;
    }
  }

  /** Forgets the facts. */
  refresh(): void {
    this.#readers.of(this.session.kept).forget();
  }

  dispose(): void {
    this.#listener.dispose();
    this.#abort.abort();
    void this.#acquired.release();
  }
}
