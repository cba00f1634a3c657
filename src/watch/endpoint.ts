import { isAbort, isApiError, isHttpError, messageOf } from '../api/errors.ts';
import type { AcquiredSession, Session } from '../session/session.ts';
import type { Clock } from './clock.ts';

/** A source that does not answer: since when, until when it is not asked, by this machine's clock, and the error. */
export interface Outage {
  readonly since: number;
  readonly retryAt: number;
  readonly reason: string;
}

const second = 1000;
const minute = 60 * second;
/** The pause after an answer that cannot be used. */
const faultPause = 10 * minute;

/** A source that is polled: its session, its time, its outage, and its pauses. */
export class PolledEndpoint {
  readonly clock: Clock;
  readonly #acquired: AcquiredSession;
  readonly #abort = new AbortController();
  /** The ends of pauses by the node's time. */
  readonly #pausedUntil = new Map<string, number>();
  /** The node's time less the monotonic clock; undefined if it is not known. */
  #timeOffset: number | undefined;
  #outage: Outage | undefined;
  #polling: Promise<void> | undefined;
  #refreshes = 0;
  #answered = 0;

  constructor(clock: Clock, acquired: AcquiredSession) {
    this.clock = clock;
    this.#acquired = acquired;
  }

  isOf(session: Session): boolean {
    return session === this.#acquired.session;
  }

  get outage(): Outage | undefined {
    return this.#outage;
  }

  /** True if a person has asked for everything to be read. */
  get isForced(): boolean {
    return this.#refreshes > this.#answered;
  }

  /** The number of times that a person has asked for that. */
  get refreshes(): number {
    return this.#refreshes;
  }

  /**
   * Call it when everything was read, with the `refreshes` from when the read began. Later requests for a refresh stay
   * open.
   */
  answerRefreshes(refreshes: number): void {
    this.#answered = Math.max(this.#answered, refreshes);
  }

  get isPolling(): boolean {
    return this.#polling !== undefined;
  }

  /** True while a source that did not answer must not be asked. */
  get isBackingOff(): boolean {
    return this.clock.now() < (this.#outage?.retryAt ?? 0);
  }

  /**
   * Gives the node's time in milliseconds since 1970, by a clock that cannot be set; this machine's time if it is not
   * known.
   */
  now(): number {
    return this.#timeOffset === undefined ? this.clock.now() : this.clock.monotonic() + this.#timeOffset;
  }

  get isTimeKnown(): boolean {
    return this.#timeOffset !== undefined;
  }

  /** Takes the `Date` header of a reply, which has whole seconds. Without one, the machine's time is taken. */
  setTime(date: Date | undefined): void {
    if (date) this.#timeOffset = date.getTime() + second / 2 - this.clock.monotonic();
    else this.#timeOffset ??= this.clock.now() - this.clock.monotonic();
  }

  /** Forgets the node's time until the next reply, after the machine slept or its clock was set. */
  forgetTime(): void {
    this.#timeOffset = undefined;
    this.force();
  }

  /** Ends the wait after a failure. */
  retry(): void {
    if (this.#outage) this.#outage = { ...this.#outage, retryAt: 0 };
  }

  /** Makes the next poll come at once and read everything. */
  force(): void {
    this.#refreshes += 1;
    this.#pausedUntil.clear();
    this.retry();
  }

  /** True during a pause: `proposal 5`, `tally 5`, `denom uatom`, `votes cosmos1…`. */
  isPaused(what: string): boolean {
    return this.now() < (this.#pausedUntil.get(what) ?? 0);
  }

  pause(what: string): void {
    this.#pausedUntil.set(what, this.now() + faultPause);
  }

  /** Pauses a question whose answer cannot be used, which is no fault of the endpoint. */
  async tolerate(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isEntryFault(error)) throw error;
      this.pause(what);
    }
  }

  /** Runs one poll at a time. Never rejects. Resolves with true unless `signal` fired. */
  async run(
    read: (session: Session, signal: AbortSignal) => Promise<void>,
    isOverdue: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const either = AbortSignal.any([signal, this.#abort.signal]);
    const onRead = (): void => {
      this.setTime(undefined);
      this.#outage = undefined;
    };
    this.#polling = read(this.#acquired.session, either).then(onRead, (error: unknown) => {
      if (!either.aborted) this.#fail(error, isOverdue);
    });
    await this.#polling;
    this.#polling = undefined;
    return !either.aborted;
  }

  async dispose(): Promise<void> {
    this.#abort.abort();
    await this.#polling;
    await this.#acquired.release();
  }

  /**
   * Waits longer the longer the outage is. While the result of an ended period is due, it waits 8 s for a quarter of an
   * hour.
   */
  #fail(error: unknown, isOverdue: boolean): void {
    const now = this.clock.now();
    const since = this.#outage?.since ?? now;
    const down = now - since;
    const delay = isOverdue
      ? Math.min(5 * minute, Math.max(8 * second, down / 120))
      : Math.min(10 * minute, Math.max(15 * second, down / 2));
    const reason = messageOf(error);
    this.#outage = { since, retryAt: now + delay, reason };
  }
}

function isEntryFault(error: unknown): boolean {
  if (isAbort(error) || !isApiError(error)) return false;
  if (isHttpError(error)) return error.status !== 429 && (error.status < 502 || error.status > 504);
  return error.kind === 'reply' || error.kind === 'input';
}
