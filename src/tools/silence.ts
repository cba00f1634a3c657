import { isUnreachable } from '../api/errors.ts';
import type { Session } from '../session/session.ts';

/** Milliseconds between two looks at the nodes of a question. */
const betweenLooks = 5000;
/** A question ends at this look where a node has not answered since the look before. */
const patience = 8;

/** Ends a question 40 s after its begin, or later, once a node of it does not answer any more. */
export class Silence {
  readonly #abort = new AbortController();
  readonly #sessions = new Set<Session>();
  readonly #reason: (session: Session) => Error;
  readonly #timer: NodeJS.Timeout;
  /** Sessions whose last request had no answer at the look before. */
  #silent = new Set<Session>();
  #looks = 0;

  constructor(reason: (session: Session) => Error) {
    this.#reason = reason;
    this.#timer = setInterval(() => this.#look(), betweenLooks);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The question asks this session, too. */
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
