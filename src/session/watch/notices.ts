import type { Clock } from './clock.ts';
import { isMuted } from './mergeEntries.ts';
import type { WatchEvent } from './watchEvent.ts';
import type { WatchStore } from './watchStore.ts';

/** How much the watch list speaks up: not at all, in the status bar, or with notifications. */
export type NoticeLevel = 'none' | 'statusBar' | 'all';

export interface NoticeOptions {
  readonly store: WatchStore;
  readonly clock: Clock;
  readonly level: () => NoticeLevel;
  /** Shows events as one notification; resolves when the user has done with it. */
  readonly show: (events: readonly WatchEvent[]) => Promise<void>;
}

/** No notification disturbs the start of the editor. */
const quietStart = 60_000;
/** A window that somebody looks at speaks first; another waits so long for it. */
const courtesy = 2500;

/**
 * Tells each event once, whatever number of windows: a window first takes pending events upon itself, under the lock,
 * and only then shows them. At most one notification stands at a time; what comes meanwhile waits in view and status bar.
 */
export class Notices {
  readonly #options: NoticeOptions;
  readonly #startedAt: number;
  #asked = false;
  #showing = false;
  #waitingSince: number | undefined;

  constructor(options: NoticeOptions) {
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
  }

  /** Events that nobody was told yet. */
  get pending(): readonly WatchEvent[] {
    return this.#options.store.log.events.filter(({ state }) => state === 'pending');
  }

  /** The user asked for news: the quiet start is over. */
  ask(): void {
    this.#asked = true;
  }

  /** Says what is to be said. `focused`: somebody looks at this window; `leads`: this window asks the nodes. */
  async beat(focused: boolean, leads: boolean): Promise<void> {
    const { clock, level } = this.#options;
    if (this.pending.length === 0) {
      this.#waitingSince = undefined;
      return;
    }
    const now = clock.monotonic();
    this.#waitingSince ??= now;
    if (level() === 'none') return this.markTold();
    if (level() === 'statusBar' || this.#showing || (!this.#asked && now - this.#startedAt < quietStart)) return;
    if (!focused && !(leads && now - this.#waitingSince >= courtesy)) return;
    const events = await this.#claim();
    this.#waitingSince = undefined;
    if (events.length === 0) return;
    this.#showing = true;
    const shown = this.#options.show(events).finally(() => {
      this.#showing = false;
    });
    void shown.catch(() => undefined);
  }

  /** Milliseconds until `beat` may have something to say; infinite when nothing waits for time alone. */
  dueIn(focused: boolean, leads: boolean): number {
    if (this.pending.length === 0 || this.#showing || this.#options.level() === 'statusBar')
      return Number.POSITIVE_INFINITY;
    const now = this.#options.clock.monotonic();
    const quiet = this.#asked ? 0 : this.#startedAt + quietStart - now;
    const polite = focused ? 0 : leads ? (this.#waitingSince ?? now) + courtesy - now : Number.POSITIVE_INFINITY;
    return Math.max(0, quiet, polite);
  }

  /** The user has seen what waits: it is not said again. */
  async markTold(): Promise<void> {
    await this.#claim();
  }

  async #claim(): Promise<readonly WatchEvent[]> {
    let claimed: readonly WatchEvent[] = [];
    const { store, clock } = this.#options;
    await store.update((data) => {
      const waiting = data.log.events.filter(({ state }) => state === 'pending');
      claimed = waiting.filter(({ key }) => !isMuted(data.list.mutes.get(key), clock.now()));
      if (waiting.length === 0) return data;
      const events = data.log.events.map((event) => ({ ...event, state: 'told' as const }));
      return { ...data, log: { ...data.log, events } };
    });
    return claimed;
  }
}
