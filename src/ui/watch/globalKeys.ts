import { type SyncedKeys, syncedPrefix } from '../../session/watch/mirror.ts';
import type { WatchContext } from './watchContext.ts';

const mostTries = 5;

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

  /**
   * The editor echoes each write of its state, and the echo of an earlier one takes back what was changed meanwhile: what
   * is written is looked at, and written again.
   */
  async set(key: string, value: unknown): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) {
      await this.#state.update(key, value);
      if (JSON.stringify(this.#state.get(key)) === JSON.stringify(value)) break;
    }
    this.#declare();
  }

  /** Keys that are not declared are not synced. */
  #declare(): void {
    this.#state.setKeysForSync(this.#state.keys().filter((key) => key.startsWith(syncedPrefix)));
  }
}
