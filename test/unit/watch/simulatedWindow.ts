import { join } from 'node:path';
import { Sessions } from '../../../src/session/session.ts';
import { toSource } from '../../../src/session/source.ts';
import type { Clock } from '../../../src/watch/clock.ts';
import type { WatchEvent } from '../../../src/watch/storedState.ts';
import { type NotificationLevel, Watch } from '../../../src/watch/watch.ts';
import { WatchList } from '../../../src/watch/watchList.ts';
import type { World } from './fakeClock.ts';
import type { SimulatedChain } from './simulatedChain.ts';

/** A notification, and its true time. */
export interface Told {
  readonly event: WatchEvent;
  readonly time: number;
}

/** The parts that all windows of a user share: settings, the editor's state, a folder. */
export class SimulatedUser {
  readonly folder: string;
  readonly told: Told[] = [];
  readonly errors: unknown[] = [];
  readonly windows = new Set<SimulatedWindow>();
  /** Why the editor refuses to write the setting, while it does. */
  refusal: Error | undefined;
  writes = 0;
  level: NotificationLevel = 'all';
  readonly #world: World;
  readonly #chains: ReadonlyMap<string, SimulatedChain>;
  readonly #state = new Map<string, unknown>();
  #list: unknown;

  constructor(world: World, folder: string, chains: readonly SimulatedChain[]) {
    this.#world = world;
    this.folder = folder;
    this.#chains = new Map(chains.map((chain) => [chain.baseUrl, chain]));
  }

  /** The user's setting, as it is in settings.json. */
  get list(): unknown {
    return structuredClone(this.#list);
  }

  /** As a person writes settings.json, or settings sync does. */
  set list(value: unknown) {
    this.#list = structuredClone(value);
    for (const { list } of this.windows) list.reload();
  }

  readonly state = {
    keys: () => [...this.#state.keys()],
    get: (key: string) => structuredClone(this.#state.get(key)),
    update: async (key: string, value: unknown) => {
      if (value === undefined) this.#state.delete(key);
      else this.#state.set(key, structuredClone(value));
    },
  };

  /** A window of the editor without the editor: everything behind the view. */
  open(clock: Clock, options: { readonly interval?: number; readonly workspace?: unknown } = {}) {
    const list = new WatchList(
      () => ({ user: this.list, workspace: options.workspace }),
      async (value) => {
        if (this.refusal) throw this.refusal;
        this.writes += 1;
        this.list = value;
      },
    );
    const sessions = new Sessions({
      open: async (source) => {
        const node = this.#chains.get(source.id);
        if (!node) throw new Error(`${source.id} was asked`);
        node.opened += 1;
        return { node, notices: [], dispose: () => node.dispose() };
      },
      pageSize: () => 50,
      knownUnits: async () => new Map(),
    });
    const watch = new Watch({
      list,
      clock,
      statePath: join(this.folder, 'state.json'),
      reported: this.state,
      acquire: (id) => (this.#chains.has(id) ? sessions.acquire(toSource(id, new Map(), 'Sample chain')) : undefined),
      interval: () => options.interval ?? 300_000,
      isVisible: () => false,
      level: () => this.level,
      show: async (events) => {
        this.told.push(...events.map((event) => ({ event, time: this.#world.time })));
      },
      onError: (error) => this.errors.push(error),
    });
    const made = { list, watch, sessions, clock };
    this.windows.add(made);
    return made;
  }

  /** Gives one window the focus, as the system does: the others have lost it before. */
  focus(window: SimulatedWindow | undefined): void {
    for (const other of this.windows) if (other !== window) other.watch.setFocused(false);
    window?.watch.setFocused(true);
  }

  async close(window: SimulatedWindow): Promise<void> {
    this.windows.delete(window);
    await window.watch.dispose();
    window.list.dispose();
    if (window.sessions.size > 0) this.errors.push(new Error(`${window.sessions.size} sessions are left`));
  }

  readonly settle = async (): Promise<void> => {
    for (const { watch } of this.windows) await watch.settled();
  };
}

export type SimulatedWindow = ReturnType<SimulatedUser['open']>;
