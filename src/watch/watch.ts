import { Emitter } from '../chain/emitter.ts';
import type { KeyValueStore } from '../session/memory.ts';
import type { AcquiredSession } from '../session/session.ts';
import { applyPoll } from './apply.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Outage, PolledEndpoint } from './endpoint.ts';
import { type PollPlan, planPoll, type WatchedSource } from './plan.ts';
import { Poll, type PollFindings } from './poll.ts';
import { currentFacts, type Snapshot } from './snapshot.ts';
import { emptyState, readStateFile, type WatchEvent, type WatchState, writeStateFile } from './storedState.ts';
import type { Voter } from './voters.ts';
import {
  isEntry,
  isMuted,
  keyOf,
  toEntries,
  type WatchItem,
  type WatchList,
  type WatchTarget,
  withVoted,
} from './watchList.ts';

/** The way in which events are reported: not at all, as a number in the status bar, or as notifications. */
export type NotificationLevel = 'none' | 'statusBar' | 'all';

interface WatchOptions {
  readonly list: WatchList;
  /** The file of snapshots, which all windows of the user share. */
  readonly statePath: string;
  /** The ids of reported events. The editor hands each window's writes to the others. */
  readonly reported: KeyValueStore;
  /** Opens a source; undefined for a source that is not polled: a state file, or no endpoint of this machine. */
  readonly acquire: (sourceId: string) => AcquiredSession | undefined;
  /** Milliseconds between polls; 0 for polls at deadlines only. */
  readonly interval: () => number;
  /** True if the rows are on the screen, with the votes so far. */
  readonly isVisible: () => boolean;
  readonly level: () => NotificationLevel;
  /** Shows events as one notification. Resolves when it is on the screen. */
  readonly show: (events: readonly WatchEvent[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly clock?: Clock;
}

/** Milliseconds between two looks at clock and deadlines while the window has the focus. */
const tickEvery = 4000;
/** The wait for the window that had the focus before, which may still be storing the events that it reported. */
const reportAfter = 1000;
/** Milliseconds by which a corrected clock or a busy machine may move it. */
const clockTolerance = 2000;
const reportedKey = 'toldEvents';
/** The limit for ids. The list of events is much shorter. */
const maxIds = 1000;

/** Polls the watched items and reports their events while the window has the focus. Without it, polls are aborted. */
export class Watch {
  readonly #options: WatchOptions;
  readonly #clock: Clock;
  readonly #reportedIds = new Set<string>();
  readonly #endpoints = new Map<string, PolledEndpoint>();
  readonly #changed = new Emitter<void>();
  readonly #work = new Set<Promise<unknown>>();
  #state: WatchState = emptyState;
  #voters: ReadonlyMap<string, readonly Voter[]> = new Map();
  /** Entries by key. */
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

  /** The items that have a row: all entries in effect, then the sources of which everything is watched. */
  get rows(): readonly WatchItem[] {
    return [...this.entries, ...this.items.filter((item) => !isEntry(item))];
  }

  get #byKey(): ReadonlyMap<string, WatchItem> {
    if (this.#entries) return this.#entries;
    const entries = toEntries(this.items, (id) => (this.#state.sources.get(id)?.found ?? []).map(BigInt));
    this.#entries = new Map(entries.map((entry) => [entry.key, entry]));
    return this.#entries;
  }

  /** Events that are still true, not reported yet, and of entries that are not muted. */
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

  /** Gives the outage of a source; undefined if it answers or was not asked yet. */
  outage(sourceId: string): Outage | undefined {
    return this.#endpoints.get(sourceId)?.outage;
  }

  /** Gives the time at a source in milliseconds since 1970. */
  timeAt(sourceId: string): number {
    return this.#endpoints.get(sourceId)?.now() ?? this.#clock.now();
  }

  isMuted({ muted }: WatchItem): boolean {
    return isMuted(muted, this.#clock.now());
  }

  /** True if a setting names the target, or everything of its source. The user's votes alone do not count. */
  isWatched(target: WatchTarget): boolean {
    const entry = this.#byKey.get(keyOf(target));
    return entry !== undefined && (entry.own || entry.shared);
  }

  voters(sourceId: string): readonly Voter[] {
    return this.#voters.get(sourceId) ?? [];
  }

  /** Sets the user's accounts by source, without sources that have no account. Changed accounts are polled at once. */
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

  /** Call it when endpoints, intervals or levels may have changed. */
  settingsChanged(): void {
    for (const [sourceId, endpoint] of this.#endpoints) {
      const acquired = this.#options.acquire(sourceId);
      // A session that stays is kept. A new one would be another chain where the chain begins with it, as the sample
      // chain does.
      if (acquired && endpoint.isOf(acquired.session)) endpoint.retry();
      else this.#closeEndpoints((id) => id === sourceId);
      if (acquired) this.#run(acquired.release());
    }
    this.#changed.fire();
    this.#tickSoon();
  }

  /** Call it when the user has seen the events. */
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

  /** Forgets entries that left the list. If they come back, their old data would be reported as a change of today. */
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

  /** Forgets a source whose chain began anew, and reads it at once. */
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

  /** True if the machine slept or its clock was set since the last call. Timers do not notice this. */
  #hasClockJumped(): boolean {
    const before = this.#clockOffset;
    this.#clockOffset = this.#clock.now() - this.#clock.monotonic();
    return Math.abs(this.#clockOffset - before) > clockTolerance;
  }

  /** Groups the watched items by source, and closes sources that are no longer watched. */
  #sources(): readonly WatchedSource[] {
    const items = Map.groupBy(this.rows, ({ target }) => target.sourceId);
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

  /** Keeps and writes the changes of a poll or of time. Writes wait for each other. */
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

  /** Shows pending events as one notification once no poll is under way that may bring more. */
  #reportPending(): void {
    if (!this.#focus || this.#clock.monotonic() - this.#focus.since < reportAfter) return;
    if (this.#options.level() !== 'all' || [...this.#endpoints.values()].some(({ isPolling }) => isPolling)) return;
    const events = this.pending;
    if (events.length > 0) this.#run(this.#report(events, this.#options.show));
  }

  /** Unites ids with those that other windows stored. An event that two windows find has one id. */
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
