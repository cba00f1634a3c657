import type { Clock } from '../../../../src/session/watch/clock.ts';
import type { Lease } from '../../../../src/session/watch/lease.ts';
import { Notices } from '../../../../src/session/watch/notices.ts';
import { WatchEngine } from '../../../../src/session/watch/watchEngine.ts';
import type { WatchEvent } from '../../../../src/session/watch/watchEvent.ts';
import { WatchFiles } from '../../../../src/session/watch/watchFiles.ts';
import { WatchStore } from '../../../../src/session/watch/watchStore.ts';
import type { World } from './fakeClock.ts';
import type { SimulatedChain } from './simulatedChain.ts';

/** One lead among windows of one process. */
export class SharedLease {
  #leader: object | undefined;
  readonly #focused = new Set<object>();

  forWindow(): Lease {
    const me = {};
    return {
      hold: async (focused) => {
        this.#leader ??= me;
        if (focused) this.#focused.add(me);
        else this.#focused.delete(me);
        return { leads: this.#leader === me, focused: this.#focused.size > 0 };
      },
      release: async () => {
        this.#focused.delete(me);
        if (this.#leader === me) this.#leader = undefined;
      },
    };
  }
}

/** What was told, and when in true time. */
export interface Told {
  readonly event: WatchEvent;
  readonly time: number;
}

export interface WindowOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly folder: string;
  readonly lease: SharedLease;
  readonly chains: ReadonlyMap<string, SimulatedChain>;
  readonly told: Told[];
  readonly interval: number;
  /** How long the user lets a notification stand. */
  readonly show?: (events: readonly WatchEvent[]) => Promise<void>;
}

/** A window of the editor without the editor: everything that is behind the view. */
export function startWindow(options: WindowOptions) {
  const { world, clock, told } = options;
  const errors: unknown[] = [];
  // What the system tells a window of changes in the folder, without the system's delays.
  let changed = true;
  const signal = {
    changed: () => {
      const said = changed;
      changed = false;
      return said;
    },
    listen() {},
    dispose() {},
  };
  const noteChange = () => {
    changed = true;
  };
  const store = new WatchStore(new WatchFiles(options.folder, (kept) => errors.push(kept)));
  const notices = new Notices({
    store,
    clock,
    level: () => 'all',
    show: async (events) => {
      told.push(...events.map((event) => ({ event, time: world.time })));
      await options.show?.(events);
    },
  });
  const engine = new WatchEngine({
    store,
    clock,
    notices,
    lease: options.lease.forWindow(),
    signal,
    source: (sourceId) => {
      const chain = options.chains.get(sourceId);
      if (!chain) return { kind: 'gone', name: sourceId, reason: 'not among the endpoints' };
      const open = () => ({ node: async () => chain, learn() {}, learnSupply() {}, release: async () => {} });
      return { kind: 'live', name: sourceId, open };
    },
    shared: () => [],
    interval: () => options.interval,
    onError: (error) => errors.push(error),
  });
  return { store, notices, engine, errors, noteChange };
}

export type SimulatedWindow = ReturnType<typeof startWindow>;
