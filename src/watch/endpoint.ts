import { isAbort, isApiError, isHttpError, messageOf } from '../api/errors.ts';
import type { AcquiredSession, Session } from '../session/session.ts';
import type { Clock } from './clock.ts';

/** A source that does not answer: since when, until when it is left alone, by this machine's clock, and what the error says. */
export interface Outage {
  readonly since: number;
  readonly retryAt: number;
  readonly reason: string;
}

const second = 1000;
const minute = 60 * second;
/** What has no usable reply is left alone for so long. */
const faultPause = 10 * minute;

/** A source that is polled: its session, its time, whether it answers, and what is left alone for a while. */
export class PolledEndpoint {
  readonly clock: Clock;
  readonly #acquired: AcquiredSession;
  readonly #abort = new AbortController();
  /** By the node's time. */
  readonly #pausedUntil = new Map<string, number>();
  /** The node's time from the monotonic clock; undefined while it is not known. */
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

  /** Whether a person has asked for everything to be read. */
  get isForced(): boolean {
    return this.#refreshes > this.#answered;
  }

  /** How often that was asked for. */
  get refresh(): number {
    return this.#refreshes;
  }

  /** To be called when everything was read; `refresh` as it was when that began: what was asked for since is still to be read. */
  endRefresh(refresh: number): void {
    this.#answered = Math.max(this.#answered, refresh);
  }

  get isPolling(): boolean {
    return this.#polling !== undefined;
  }

  /** Whether a source that did not answer is still to be left alone. */
  get isBackingOff(): boolean {
    return this.clock.now() < (this.#outage?.retryAt ?? 0);
  }

  /** The node's time, milliseconds since 1970, carried on by a clock that cannot be set; this machine's while it is not known. */
  now(): number {
    return this.#timeOffset === undefined ? this.clock.now() : this.clock.monotonic() + this.#timeOffset;
  }

  get isTimeKnown(): boolean {
    return this.#timeOffset !== undefined;
  }

  /** To be called with the `Date` header of each reply, which is cut to seconds. Without one the machine's time is taken. */
  setTime(date: Date | undefined): void {
    if (date) this.#timeOffset = date.getTime() + second / 2 - this.clock.monotonic();
    else this.#timeOffset ??= this.clock.now() - this.clock.monotonic();
  }

  /** The machine slept, or its clock was set: the time is not known until the next reply. */
  forgetTime(): void {
    this.#timeOffset = undefined;
    this.force();
  }

  /** Ends the wait after a failure. */
  retry(): void {
    if (this.#outage) this.#outage = { ...this.#outage, retryAt: 0 };
  }

  /** Lets everything be read at the next poll, and that come at once. */
  force(): void {
    this.#refreshes += 1;
    this.#pausedUntil.clear();
    this.retry();
  }

  /** Whether something is left alone for a while: `proposal 5`, `tally 5`, `denom uatom`, `votes cosmos1…`. */
  isPaused(what: string): boolean {
    return this.now() < (this.#pausedUntil.get(what) ?? 0);
  }

  pause(what: string): void {
    this.#pausedUntil.set(what, this.now() + faultPause);
  }

  /** Pauses what the node answers without a usable reply: that is no fault of the endpoint. */
  async tolerate(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isEntryFault(error)) throw error;
      this.pause(what);
    }
  }

  /** Runs a poll, one at a time. Never rejects; resolves with whether `signal` has not fired meanwhile. */
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

  /** The wait grows with the outage; while the result of an ended period is due, it is 8 s for a quarter of an hour. */
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
