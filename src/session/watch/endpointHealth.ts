import type { Clock } from './clock.ts';
import { retryDelay } from './deadlineChecks.ts';

/** How a source is, for the view. */
export type EndpointState =
  | { readonly kind: 'idle' | 'answering' }
  /** Since when (this machine's time), and why, in the words of the error. */
  | { readonly kind: 'down'; readonly since: number; readonly reason: string };

/** Whether a source answers, and until when to leave it alone where it does not. */
export class EndpointHealth {
  readonly #clock: Clock;
  #state: EndpointState = { kind: 'idle' };
  #downSince: number | undefined;
  #retryAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get state(): EndpointState {
    return this.#state;
  }

  /** When it may be asked again, by the monotonic clock. */
  get retryAt(): number {
    return this.#retryAt;
  }

  get backsOff(): boolean {
    return this.#retryAt > this.#clock.monotonic();
  }

  succeeded(): void {
    this.#downSince = undefined;
    this.#retryAt = 0;
    this.#state = { kind: 'answering' };
  }

  /** `overdue`: the end of a period has passed and its result is awaited. */
  failed(failure: unknown, overdue: boolean): void {
    const now = this.#clock.monotonic();
    this.#downSince ??= now;
    this.#retryAt = now + retryDelay(now - this.#downSince, overdue);
    const since = this.#state.kind === 'down' ? this.#state.since : this.#clock.now();
    this.#state = { kind: 'down', since, reason: failure instanceof Error ? failure.message : String(failure) };
  }

  /** Somebody wants to know now. */
  retryNow(): void {
    this.#retryAt = 0;
  }
}
