import type { Disposable } from '../../chain/emitter.ts';
import { type Clock, systemClock } from './clock.ts';
import { addWatched, changeRules } from './dataChanges.ts';
import type { EndpointState } from './endpointHealth.ts';
import { WatchedFolder } from './folderSignal.ts';
import { followMirror } from './followMirror.ts';
import { FileLease } from './lease.ts';
import * as changes from './listChanges.ts';
import { isFault, type ListFault, readList, writeList } from './listFormat.ts';
import { isMuted, type WatchedEntry } from './mergeEntries.ts';
import type { SyncedKeys } from './mirror.ts';
import { type NoticeLevel, Notices } from './notices.ts';
import type { Reading } from './reading.ts';
import { WatchEngine } from './watchEngine.ts';
import { entryKey, type Mute, type WatchEntry, type WatchTarget } from './watchEntry.ts';
import type { WatchEvent } from './watchEvent.ts';
import type { WatchedSource } from './watchedSource.ts';
import type { KeptAside, WatchFiles } from './watchFiles.ts';
import type { WatchRules } from './watchRules.ts';
import type { WatchStore } from './watchStore.ts';

export interface WatchOptions {
  /** Where the list is kept; all windows of the user share it. */
  readonly folder: string;
  readonly synced: SyncedKeys;
  readonly source: (sourceId: string) => WatchedSource;
  /** Entries that the workspace shares. */
  readonly shared: () => readonly WatchEntry[];
  /** Milliseconds between slow looks; 0 for none. */
  readonly interval: () => number;
  readonly level: () => NoticeLevel;
  readonly focused: boolean;
  /** Shows events as one notification; resolves when the user has done with it. */
  readonly show: (events: readonly WatchEvent[]) => Promise<void>;
  readonly onKeptAside: (kept: KeptAside) => void;
  readonly onError: (error: unknown) => void;
  readonly clock?: Clock;
}

/** The watch list of one window. Changes reject as the file system does. */
export class Watch {
  readonly #store: WatchStore;
  readonly #synced: SyncedKeys;
  readonly #clock: Clock;
  readonly #notices: Notices;
  readonly #engine: WatchEngine;
  readonly #listener: Disposable;
  readonly #onError: (error: unknown) => void;
  #mirroring: Promise<void> = Promise.resolve();

  constructor(files: WatchFiles, store: WatchStore, options: WatchOptions) {
    const { clock = systemClock, level, show, source, shared, interval, onError } = options;
    this.#store = store;
    this.#synced = options.synced;
    this.#clock = clock;
    this.#onError = onError;
    this.#notices = new Notices({ store, clock, level, show });
    const lease = new FileLease(options.folder, (work) => files.locked(work));
    const signal = new WatchedFolder(options.folder);
    const notices = this.#notices;
    this.#engine = new WatchEngine({ store, lease, signal, notices, clock, source, shared, interval, onError });
    this.#listener = this.#engine.onDidChange(() => this.#mirror());
    this.#engine.start(options.focused);
  }

  /** Fires when entries, readings, events or the state of a source changed. */
  get onDidChange() {
    return this.#engine.onDidChange;
  }

  /** All entries in effect, in the order of the list, shared ones included. */
  get entries(): readonly WatchedEntry[] {
    return this.#engine.entries;
  }

  /** Sources whose proposals in voting are all watched. */
  get everything(): readonly string[] {
    return this.#store.list.everything.map(({ sourceId }) => sourceId);
  }

  /** Whether there is anything to keep current. */
  get isEmpty(): boolean {
    return this.entries.length === 0 && this.everything.length === 0;
  }

  /** Events that wait to be told. */
  get pending(): readonly WatchEvent[] {
    return this.#notices.pending;
  }

  get requestsLastHour(): number {
    return this.#engine.meter.lastHour;
  }

  /** Whether this window asks the nodes. */
  get leads(): boolean {
    return this.#engine.leads;
  }

  reading(key: string): Reading | undefined {
    return this.#store.log.readings.get(key);
  }

  /** The latest event of an entry. */
  lastEvent(key: string): WatchEvent | undefined {
    return this.#store.log.events.findLast((event) => event.key === key);
  }

  stateOf(sourceId: string): EndpointState | undefined {
    return this.#engine.stateOf(sourceId);
  }

  /** The time at a source, milliseconds since 1970. */
  timeAt(sourceId: string): number {
    return this.#engine.timeAt(sourceId);
  }

  isMuted(entry: WatchedEntry): boolean {
    return isMuted(entry.muted, this.#clock.now());
  }

  isWatched(target: WatchTarget): boolean {
    const key = entryKey(target);
    return this.entries.some((entry) => entry.key === key);
  }

  async watch(targets: readonly WatchTarget[]): Promise<void> {
    await this.#store.update((data) => addWatched(data, targets));
    this.#engine.poke();
  }

  /** Takes entries off the list; the result puts them back where they stood. */
  async unwatch(keys: ReadonlySet<string>): Promise<() => Promise<void>> {
    const removed = changes.findRemoved(this.#store.list, keys);
    await this.#store.updateList((list) => changes.removeKeys(list, keys));
    return async () => this.#store.updateList((list) => changes.putBack(list, removed));
  }

  async move(keys: ReadonlySet<string>, before: string | undefined): Promise<void> {
    await this.#store.updateList((list) => changes.moveKeys(list, keys, before));
  }

  /** For so many milliseconds, for good, or (undefined) not any more. */
  async mute(keys: ReadonlySet<string>, time: number | 'forGood' | undefined): Promise<void> {
    const until: Mute | undefined = typeof time === 'number' ? this.#clock.now() + time : time;
    await this.#store.updateList((list) => changes.muteKeys(list, keys, until));
  }

  /** What new rules would say of the past is not said. */
  async setRules(entries: readonly WatchedEntry[], rules: WatchRules): Promise<void> {
    const now = this.#clock.now();
    await this.#store.update((data) => changeRules(data, entries, rules, now, (sourceId) => this.timeAt(sourceId)));
  }

  async setEverything(sourceId: string, on: boolean): Promise<void> {
    await this.#store.updateList((list) => changes.setEverything(list, sourceId, on));
    this.#engine.refresh();
  }

  /** The list as JSON. */
  exportText(): string {
    const entries = this.#store.list.entries.filter(({ origin }) => origin === 'user');
    return writeList({ ...this.#store.list, entries, mutes: new Map() });
  }

  /** Adds the entries of an exported list; a fault where the text is none, else how many entries it has. */
  async importText(text: string): Promise<ListFault | number> {
    const read = readList(text);
    if (isFault(read)) return read;
    await this.#store.updateList((list) => changes.mergeLists(list, read));
    this.#engine.poke();
    return read.entries.length;
  }

  /** Everything is asked again, now, and what waits is told. */
  refresh(): void {
    this.#engine.refresh();
  }

  /** The user has seen what waits. */
  async markTold(): Promise<void> {
    await this.#notices.markTold();
  }

  setFocused(focused: boolean): void {
    this.#engine.setFocused(focused);
  }

  setVisible(keys: ReadonlySet<string>): void {
    this.#engine.setVisible(keys);
  }

  settingsChanged(): void {
    this.#engine.settingsChanged();
  }

  async dispose(): Promise<void> {
    this.#listener.dispose();
    await this.#engine.dispose();
    await this.#mirroring;
    this.#store.dispose();
  }

  /** The window that asks the nodes also keeps the synced keys as the list is. */
  #mirror(): void {
    if (!this.#engine.leads) return;
    this.#mirroring = this.#mirroring.then(() => followMirror(this.#store, this.#synced)).catch(this.#onError);
  }
}
