import { isUnreachable } from '../../api/errors.ts';
import type { Session } from '../../session/session.ts';

/** The time in milliseconds between two checks of the nodes of a question. */
const betweenLooks = 5000;
/** The number of the check at which a question ends, if a node has not answered since the check before. */
const patience = 8;

/** Ends a question 40 s after it began, or later, when a node of it no longer answers. */
export class Silence {
  readonly #abort = new AbortController();
  readonly #sessions = new Set<Session>();
  readonly #reason: (session: Session) => Error;
  readonly #timer: NodeJS.Timeout;
  /** The sessions whose last request had no answer at the check before. */
  #silent = new Set<Session>();
  #looks = 0;

  constructor(reason: (session: Session) => Error) {
    this.#reason = reason;
    this.#timer = setInterval(() => this.#look(), betweenLooks);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Adds a session that the question asks. */
  watch(session: Session): void {
    if (session.source.kind === 'http') this.#sessions.add(session);
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.#looks++;
    const silent = [...this.#sessions].filter(({ state }) => state.kind === 'failed' && isUnreachable(state.error));
    const lasting = silent.find((session) => this.#silent.has(session));
    if (lasting && this.#looks >= patience) this.#abort.abort(this.#reason(lasting));
    this.#silent = new Set(silent);
  }
}
