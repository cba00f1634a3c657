import { Emitter } from '../../chain/emitter.ts';
import { emptyList, type WatchListData } from './listFormat.ts';
import type { WatchData, WatchFiles } from './watchFiles.ts';
import { emptyLog, type WatchLog } from './watchLog.ts';

/** The stored list and log as this window knows them; every change goes through the file that all windows share. */
export class WatchStore {
  readonly #files: WatchFiles;
  readonly #changed = new Emitter<void>();
  #data: WatchData = { list: emptyList, log: emptyLog };
  #revision = '';
  #writing: Promise<unknown> = Promise.resolve();

  constructor(files: WatchFiles) {
    this.#files = files;
  }

  readonly onDidChange = this.#changed.on;

  get list(): WatchListData {
    return this.#data.list;
  }

  get log(): WatchLog {
    return this.#data.log;
  }

  /** Applies `change` to what the file holds now, whoever wrote it, and keeps the result. Rejects as `WatchFiles.update`. */
  update(change: (data: WatchData) => WatchData): Promise<void> {
    const done = this.#writing.then(async () => {
      const { data, revision } = await this.#files.update(change);
      this.#revision = revision;
      const changed = data.list !== this.#data.list || data.log !== this.#data.log;
      this.#data = data;
      if (changed) this.#changed.fire();
    });
    this.#writing = done.catch(() => undefined);
    return done;
  }

  updateList(change: (list: WatchListData) => WatchListData): Promise<void> {
    return this.update((data) => ({ ...data, list: change(data.list) }));
  }

  /** Takes in what another window wrote, if one did. */
  async follow(): Promise<void> {
    if ((await this.#files.revision()) !== this.#revision) await this.update((data) => data);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
