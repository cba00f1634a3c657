import { type SyncedKeys, syncedPrefix } from '../../session/watch/mirror.ts';
import type { WatchContext } from './watchContext.ts';

/** The synced keys of the watch list in the editor's own state, which settings sync carries to other machines. */
export class GlobalKeys implements SyncedKeys {
  readonly #state: WatchContext['globalState'];

  constructor(state: WatchContext['globalState']) {
    this.#state = state;
    this.#declare();
  }

  keys(): readonly string[] {
    return this.#state.keys();
  }

  get(key: string): unknown {
    return this.#state.get(key);
  }

  async set(key: string, value: unknown): Promise<void> {
    await this.#state.update(key, value);
    this.#declare();
  }

  /** Keys that are not declared are not synced. */
  #declare(): void {
    this.#state.setKeysForSync(this.#state.keys().filter((key) => key.startsWith(syncedPrefix)));
  }
}
