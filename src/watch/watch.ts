import { Emitter } from '../chain/emitter.ts';
import type { KeyValueStore } from '../session/memory.ts';
import type { AcquiredSession } from '../session/session.ts';
import { applyPoll } from './apply.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Outage, PolledEndpoint } from './endpoint.ts';
import {
  isEntry,
  isMuted,
  keyOf,
  toEntries,
  type Voter,
  type WatchItem,
  type WatchList,
  type WatchTarget,
  withVoted,
} from './list.ts';
import { type PollPlan, planPoll, type WatchedSource } from './plan.ts';
import { Poll, type PollFindings } from './poll.ts';
import { currentFacts, type Snapshot } from './snapshot.ts';
import { emptyState, readStateFile, type WatchEvent, type WatchState, writeStateFile } from './storedState.ts';

/** How events are reported: not at all, as a count in the status bar, or as notifications. */
export type NotificationLevel = 'none' | 'statusBar' | 'all';

export interface WatchOptions {
  readonly list: WatchList;
  /** The file of snapshots; all windows of the user share it. */
  readonly statePath: string;
  /** Where the ids of reported events are kept: the editor hands what one window writes to the others. */
  readonly reported: KeyValueStore;
  /** Opens a source; undefined where it is not to be polled: a state file, or no endpoint of this machine. */
  readonly acquire: (sourceId: string) => AcquiredSession | undefined;
  /** Milliseconds between polls; 0 for none but those at deadlines. */
  readonly interval: () => number;
  /** Whether the rows are on the screen, and with them the votes so far. */
  readonly isVisible: () => boolean;
  readonly level: () => NotificationLevel;
  /** Shows events as one notification; resolves when it is on the screen. */
  readonly show: (events: readonly WatchEvent[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly clock?: Clock;
}

/** Milliseconds between two looks at clock and deadlines, while the window has the focus. */
const tickEvery = 4000;
/** The window that had the focus before may still be storing what it reported. */
const reportAfter = 1000;
/** Milliseconds by which keeping a clock right, and a busy machine, move it. */
const clockTolerance = 2000;
const reportedKey = 'toldEvents';
/** The list of events is much shorter. */
const maxIds = 1000;

/** Polls what is watched and reports its events while the window has the focus; without it polls are aborted. */
export class Watch {
  readonly #options: WatchOptions;
  readonly #clock: Clock;
  readonly #reportedIds = new Set<string>();
  readonly #endpoints = new Map<string, PolledEndpoint>();
  readonly #changed = new Emitter<void>();
  readonly #work = new Set<Promise<unknown>>();
  #state: WatchState = emptyState;
  #voters: ReadonlyMap<string, readonly Voter[]> = new Map();
  /** By key. */
  #entries: ReadonlyMap<string, WatchItem> | undefined;
  #focus: { readonly abort: AbortController; readonly since: number } | undefined;
  #timer: { dispose(): void } | undefined;
  #writing: Promise<void> = Promise.resolve();
  #clockOffset: number;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#clockOffset = this.#clock.now() - this.#clock.monotonic();
    options.list.onDidChange(() => this.#listChanged());
  }

  /** Fires when entries, snapshots, events or the state of an endpoint changed. */
  readonly onDidChange = this.#changed.on;

  get items(): readonly WatchItem[] {
    return withVoted(this.#options.list.items, this.#voters.keys());
  }

  /** All entries in effect, in the order of the list. */
  get entries(): readonly WatchItem[] {
    return [...this.#byKey.values()];
  }

  get #byKey(): ReadonlyMap<string, WatchItem> {
    if (this.#entries) return this.#entries;
    const entries = toEntries(this.items, (id) => (this.#state.sources.get(id)?.found ?? []).map(BigInt));
    this.#entries = new Map(entries.map((entry) => [entry.key, entry]));
    return this.#entries;
  }

  /** Events that were not reported yet and are still true, of entries that are not muted. */
  get pending(): readonly WatchEvent[] {
    const waiting = this.#state.events.filter(({ id }) => !this.#reportedIds.has(id));
    if (waiting.length > 0) this.#readReported();
    return waiting.flatMap((event) => {
      const entry = this.#byKey.get(event.key);
      if (!entry || this.#reportedIds.has(event.id) || this.isMuted(entry)) return [];
      const facts = currentFacts(event.facts, this.snapshot(event.key), entry.rules);
      return facts ? [{ ...event, facts }] : [];
    });
  }

  snapshot(key: string): Snapshot | undefined {
    return this.#state.snapshots.get(key);
  }

  lastEvent(key: string): WatchEvent | undefined {
    return this.#state.events.findLast((event) => event.key === key);
  }

  /** Undefined for a source that answers, or was not asked yet. */
  outage(sourceId: string): Outage | undefined {
    return this.#endpoints.get(sourceId)?.outage;
  }

  /** The time at a source, milliseconds since 1970. */
  timeAt(sourceId: string): number {
    return this.#endpoints.get(sourceId)?.now() ?? this.#clock.now();
  }

  isMuted({ muted }: WatchItem): boolean {
    return isMuted(muted, this.#clock.now());
  }

  /** Whether a setting names it, or everything of its source: not for the user's votes alone. */
  isWatched(target: WatchTarget): boolean {
    const entry = this.#byKey.get(keyOf(target));
    return entry !== undefined && (entry.own || entry.shared);
  }

  voters(sourceId: string): readonly Voter[] {
    return this.#voters.get(sourceId) ?? [];
  }

  /** The user's accounts by the sources of their chains; no source without an account. Where they changed, they are polled at once. */
  setVoters(voters: ReadonlyMap<string, readonly Voter[]>): void {
    if (JSON.stringify([...voters]) === JSON.stringify([...this.#voters])) return;
    this.#voters = voters;
    this.#entries = undefined;
    for (const sourceId of voters.keys()) this.#endpoint(sourceId)?.force();
    this.#changed.fire();
    this.#tickSoon();
  }

  setFocused(focused: boolean): void {
    if (focused === (this.#focus !== undefined)) return;
    this.#timer?.dispose();
    this.#focus?.abort.abort();
    this.#focus = focused ? { abort: new AbortController(), since: this.#clock.monotonic() } : undefined;
    if (!this.#focus) return;
    for (const endpoint of this.#endpoints.values()) endpoint.retry();
    const { signal } = this.#focus.abort;
    this.#run(this.start().then(() => (signal.aborted ? undefined : this.#tick())));
  }

  refresh(): void {
    for (const { sourceId } of this.#sources()) this.#endpoint(sourceId)?.force();
    this.#tickSoon();
  }

  /** To be called when endpoints, intervals or levels may have changed. */
  settingsChanged(): void {
    for (const [sourceId, endpoint] of this.#endpoints) {
      const acquired = this.#options.acquire(sourceId);
      // A session that stays is kept: what began anew with it, as the sample chain does, would be another chain.
      if (acquired && endpoint.isOf(acquired.session)) endpoint.retry();
      else this.#closeEndpoints((id) => id === sourceId);
      if (acquired) this.#run(acquired.release());
    }
    this.#changed.fire();
    this.#tickSoon();
  }

  /** To be called when the user has seen the events. */
  async markReported(): Promise<void> {
    await this.#report(this.pending, async () => undefined);
  }

  /** Resolves when no poll, notification or write is under way. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  async dispose(): Promise<void> {
    this.setFocused(false);
    this.#closeEndpoints(() => true);
    this.#changed.dispose();
    await this.settled();
  }

  /** Reads the file, so that rows show something before the window has the focus. */
  async start(): Promise<void> {
    await this.#writing;
    const read = await readStateFile(this.#options.statePath, this.#clock.now());
    if (read) this.#setState(read);
  }

  #run(work: Promise<unknown>): void {
    const done = work.catch(this.#options.onError).finally(() => this.#work.delete(done));
    this.#work.add(done);
  }

  #setState(state: WatchState): void {
    this.#state = state;
    this.#entries = undefined;
    this.#changed.fire();
  }

  /** What is known of entries that left the list is forgotten: once they come back, it would be reported as a change of today. */
  #listChanged(): void {
    const before = this.entries;
    this.#entries = undefined;
    const now = this.#byKey;
    this.#setState(
      withoutEntries(
        this.#state,
        before.filter(({ key }) => !now.has(key)),
      ),
    );
    this.#tickSoon();
  }

  /** Forgets all that is known of a source whose chain began anew, and reads it at once. */
  #forgetChain({ sourceId, entries }: WatchedSource, endpoint: PolledEndpoint): void {
    const state = withoutEntries(this.#state, entries);
    this.#setState({ ...state, sources: new Map([...state.sources].filter(([id]) => id !== sourceId)) });
    endpoint.force();
    this.#tickSoon();
  }

  #tickSoon(): void {
    if (this.#focus) this.#arm(0);
  }

  #arm(milliseconds: number): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.after(milliseconds, () => this.#tick());
  }

  #tick(): void {
    if (!this.#focus) return;
    const { abort, since } = this.#focus;
    if (this.#hasClockJumped()) for (const endpoint of this.#endpoints.values()) endpoint.forgetTime();
    for (const source of this.#sources()) this.#lookAfter(source, abort.signal);
    this.#reportPending();
    this.#arm(this.#clock.monotonic() - since < reportAfter ? reportAfter : tickEvery);
  }

  /** Whether the machine slept or its clock was set since the last call, which timers do not notice. */
  #hasClockJumped(): boolean {
    const before = this.#clockOffset;
    this.#clockOffset = this.#clock.now() - this.#clock.monotonic();
    return Math.abs(this.#clockOffset - before) > clockTolerance;
  }

  /** What is watched, by source. Sources that are watched no more are closed. */
  #sources(): readonly WatchedSource[] {
    const all = [...this.entries, ...this.items.filter((item) => !isEntry(item))];
    const items = Map.groupBy(all, ({ target }) => target.sourceId);
    this.#closeEndpoints((sourceId) => !items.has(sourceId));
    return [...items].map(([sourceId, own]) => ({
      sourceId,
      entries: own.filter(isEntry),
      everything: own.find((item) => !isEntry(item)),
      voters: this.voters(sourceId),
      isVisible: this.#options.isVisible(),
    }));
  }

  #closeEndpoints(isClosed: (sourceId: string) => boolean): void {
    for (const [sourceId, endpoint] of this.#endpoints)
      if (isClosed(sourceId)) {
        this.#endpoints.delete(sourceId);
        this.#run(endpoint.dispose());
      }
  }

  #endpoint(sourceId: string): PolledEndpoint | undefined {
    const known = this.#endpoints.get(sourceId);
    const acquire = known ? undefined : this.#options.acquire(sourceId);
    if (!acquire) return known;
    const made = new PolledEndpoint(this.#clock, acquire);
    this.#endpoints.set(sourceId, made);
    return made;
  }

  #lookAfter(source: WatchedSource, signal: AbortSignal): void {
    const endpoint = this.#endpoint(source.sourceId);
    if (!endpoint || endpoint.isPolling) return;
    const plan = endpoint.isBackingOff ? undefined : planPoll(source, endpoint, this.#state, this.#options.interval());
    if (plan) this.#run(this.#poll(source, endpoint, plan, signal));
    else this.#apply(source, endpoint, undefined);
  }

  async #poll(source: WatchedSource, endpoint: PolledEndpoint, plan: PollPlan, signal: AbortSignal): Promise<void> {
    const poll = new Poll(plan, endpoint);
    const isValid = await endpoint.run((session, abort) => poll.read(session, abort), plan.isOverdue, signal);
    if (!isValid) return;
    if (poll.showsNewChain) return this.#forgetChain(source, endpoint);
    this.#apply(source, endpoint, poll.findings);
    this.#changed.fire();
    this.#reportPending();
  }

  /** Keeps and writes what a poll, or the time, has changed; writes wait for each other. */
  #apply(source: WatchedSource, endpoint: PolledEndpoint, findings: PollFindings | undefined): void {
    // Deadlines are of the node's time.
    if (!endpoint.isTimeKnown) return;
    const time = { node: endpoint.now(), machine: this.#clock.now() };
    const state = applyPoll(this.#state, source, findings, time);
    if (state === this.#state) return;
    this.#setState(state);
    const write = (): Promise<void> => writeStateFile(this.#options.statePath, this.#state);
    this.#writing = this.#writing.then(write).catch(this.#options.onError);
    this.#run(this.#writing);
  }

  /** Shows what is pending as one notification, once no poll that may bring more is under way. */
  #reportPending(): void {
    if (!this.#focus || this.#clock.monotonic() - this.#focus.since < reportAfter) return;
    if (this.#options.level() !== 'all' || [...this.#endpoints.values()].some(({ isPolling }) => isPolling)) return;
    const events = this.pending;
    if (events.length > 0) this.#run(this.#report(events, this.#options.show));
  }

  /** Ids are united with what the other windows stored; an event that two windows find has one id. */
  async #report(events: readonly WatchEvent[], show: WatchOptions['show']): Promise<void> {
    for (const { id } of events) this.#reportedIds.add(id);
    await show(events);
    this.#readReported();
    await this.#options.reported.update(reportedKey, [...this.#reportedIds].slice(-maxIds));
    this.#changed.fire();
  }

  #readReported(): void {
    const stored = this.#options.reported.get(reportedKey);
    for (const id of Array.isArray(stored) ? stored : []) if (typeof id === 'string') this.#reportedIds.add(id);
  }
}

function withoutEntries({ snapshots, events, sources }: WatchState, entries: readonly WatchItem[]): WatchState {
  const keys = new Set(entries.map(({ key }) => key));
  return {
    sources,
    snapshots: new Map([...snapshots].filter(([key]) => !keys.has(key))),
    events: events.filter(({ key }) => !keys.has(key)),
  };
}
