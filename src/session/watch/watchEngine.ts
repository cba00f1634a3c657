import type { Disposable } from '../../chain/emitter.ts';
import { Emitter } from '../../chain/emitter.ts';
import type { Clock } from './clock.ts';
import type { EndpointState } from './endpointHealth.ts';
import type { FolderSignal } from './folderSignal.ts';
import { JumpDetector } from './jumpDetector.ts';
import type { Lease } from './lease.ts';
import { mergeEntries, type WatchedEntry } from './mergeEntries.ts';
import type { Notices } from './notices.ts';
import { RequestMeter } from './requestMeter.ts';
import type { SourceContext } from './sourceWatch.ts';
import { SourceWatches } from './sourceWatches.ts';
import type { WatchEntry } from './watchEntry.ts';
import type { WatchedSource } from './watchedSource.ts';
import type { WatchStore } from './watchStore.ts';

export interface EngineOptions {
  readonly store: WatchStore;
  readonly lease: Lease;
  /** Whether another window may have written. */
  readonly signal: FolderSignal;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly source: (sourceId: string) => WatchedSource;
  readonly shared: () => readonly WatchEntry[];
  /** Milliseconds between slow looks; 0 for none. */
  readonly interval: () => number;
  readonly onError: (error: unknown) => void;
}

/** How often the engine looks at clock, lease and file: soon enough to notice that the machine woke up. */
const beatEvery = 4000;

/**
 * Keeps what is watched current: one timer, which is never set for longer than a beat, asks each source whether
 * something is due. Only the window that holds the lease asks nodes; the others follow the file.
 */
export class WatchEngine {
  readonly #options: EngineOptions;
  readonly #watches: SourceWatches;
  readonly #changed = new Emitter<void>();
  readonly #jumps: JumpDetector;
  readonly #listener: Disposable;
  readonly meter: RequestMeter;
  #entries: readonly WatchedEntry[] | undefined;
  #sources: ReadonlySet<string> | undefined;
  #visible: ReadonlySet<string> = new Set();
  #focused = false;
  #anyFocused = false;
  #leads = false;
  #timer: Disposable | undefined;
  #beating: Promise<void> | undefined;
  #disposed = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.meter = new RequestMeter(options.clock);
    const { source, onError } = options;
    this.#watches = new SourceWatches(source, (sourceId) => this.#contextOf(sourceId), onError);
    this.#jumps = new JumpDetector(options.clock);
    this.#listener = options.store.onDidChange(() => this.#replan());
    options.signal.listen(() => this.poke());
  }

  /** Fires when entries, readings, events or the state of a source changed. */
  readonly onDidChange = this.#changed.on;

  /** All entries in effect, shared ones included. */
  get entries(): readonly WatchedEntry[] {
    this.#entries ??= mergeEntries(this.#options.store.list, this.#options.shared());
    return this.#entries;
  }

  /** Whether this window asks the nodes. */
  get leads(): boolean {
    return this.#leads;
  }

  /** Undefined where this window does not ask the source. */
  stateOf(sourceId: string): EndpointState | undefined {
    return this.#watches.find(sourceId)?.state;
  }

  /** The time at a source, for "3 h left". */
  timeAt(sourceId: string): number {
    return this.#watches.find(sourceId)?.now ?? this.#options.clock.now();
  }

  /** Begins to beat. */
  start(focused: boolean): void {
    this.#focused = focused;
    this.#arm(0);
  }

  /** Whether somebody looks at this window. */
  setFocused(focused: boolean): void {
    this.#focused = focused;
    this.poke();
  }

  /** Keys of the entries that are on the screen. */
  setVisible(keys: ReadonlySet<string>): void {
    this.#visible = keys;
    this.#replan();
    this.poke();
  }

  /** Settings changed: the shared list, the interval, which sources there are. */
  settingsChanged(): void {
    void this.#watches.dropAll();
    this.#replan();
    this.poke();
  }

  /** Everything is asked again, now. */
  refresh(): void {
    this.#options.notices.ask();
    for (const watch of this.#watches.all) watch.catchUp();
    this.poke();
  }

  /** Beats soon instead of at the next beat. */
  poke(): void {
    if (!this.#beating) this.#arm(0);
  }

  /** Resolves when no beat and no refresh is under way. */
  async settled(): Promise<void> {
    for (;;) {
      const flights = this.#watches.all.flatMap(({ flight }) => flight ?? []);
      if (!this.#beating && flights.length === 0) return;
      await Promise.all([this.#beating, ...flights]);
    }
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#timer?.dispose();
    this.#listener.dispose();
    this.#options.signal.dispose();
    await this.#beating;
    await this.#watches.dropAll();
    await this.#options.lease.release();
    this.#changed.dispose();
  }

  #replan(): void {
    this.#entries = undefined;
    this.#sources = undefined;
    for (const watch of this.#watches.all) watch.replan();
    this.#changed.fire();
  }

  #arm(milliseconds: number): void {
    this.#timer?.dispose();
    if (this.#disposed) return;
    this.#timer = this.#options.clock.after(milliseconds, () => {
      this.#beating ??= this.#beat()
        .catch(this.#options.onError)
        .finally(() => {
          this.#beating = undefined;
          this.#arm(this.#untilNext());
        });
    });
  }

  #untilNext(): number {
    const due = this.#leads ? this.#watches.all.map((watch) => watch.dueIn()) : [];
    return Math.max(0, Math.min(beatEvery, this.#options.notices.dueIn(this.#focused, this.#leads), ...due));
  }

  async #beat(): Promise<void> {
    const { lease, store, notices, signal } = this.#options;
    const jumped = this.#jumps.jumped(beatEvery);
    if (jumped) for (const watch of this.#watches.all) watch.doubtClock();
    if (signal.changed()) await store.follow();
    const { leads, focused } = await lease.hold(this.#focused);
    this.#turn(leads, focused);
    if (leads) this.#refreshDue();
    await notices.beat(this.#focused, leads);
  }

  /** Takes or gives up the lead, and notices that somebody came to the keyboard. */
  #turn(leads: boolean, focused: boolean): void {
    const came = focused && !this.#anyFocused;
    const changed = focused !== this.#anyFocused;
    this.#anyFocused = focused;
    if (leads !== this.#leads) {
      this.#leads = leads;
      if (!leads) void this.#watches.dropAll();
      this.#changed.fire();
    }
    for (const watch of this.#watches.all) {
      if (came) watch.focus();
      else if (changed) watch.replan();
    }
  }

  #refreshDue(): void {
    this.#sources ??= new Set([
      ...this.entries.map(({ target }) => target.sourceId),
      ...this.#options.store.list.everything.map(({ sourceId }) => sourceId),
    ]);
    for (const watch of this.#watches.keep(this.#sources))
      if (watch.dueIn() === 0) void watch.refresh().then(() => this.poke());
  }

  #contextOf(sourceId: string): SourceContext {
    const { clock, store, interval } = this.#options;
    return {
      clock,
      store,
      meter: this.meter,
      entries: () => this.entries.filter(({ target }) => target.sourceId === sourceId),
      interval,
      focused: () => this.#anyFocused,
      visible: () => this.#visible,
      onDidChange: () => this.#changed.fire(),
    };
  }
}
