import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './fileLock.ts';
import { emptyList, isFault, type ListFault, readList, type WatchListData, writeList } from './listFormat.ts';
import { emptyLog, readLog, type WatchLog, writeLog } from './watchLog.ts';

/** All that is stored: the list and the log. */
export interface WatchData {
  /** `emptyList` itself where nothing is stored. */
  readonly list: WatchListData;
  readonly log: WatchLog;
}

/** What the files hold, and how to tell whether somebody has changed them since. */
export interface StoredData {
  readonly data: WatchData;
  readonly revision: string;
}

/** A stored list that could not be used was renamed to `path`. */
export interface KeptAside {
  readonly fault: ListFault;
  readonly path: string;
}

/** The two files of the watch list in one folder, which all windows share. Writes are whole or not at all. */
export class WatchFiles {
  readonly #folder: string;
  readonly #onKeptAside: (kept: KeptAside) => void;
  #known: StoredData | undefined;

  constructor(folder: string, onKeptAside: (kept: KeptAside) => void) {
    this.#folder = folder;
    this.#onKeptAside = onKeptAside;
  }

  /** Runs `work` while no other window reads or writes. Rejects with `LockError`, or as the file system does. */
  async locked<T>(work: () => Promise<T>): Promise<T> {
    await mkdir(this.#folder, { recursive: true });
    return withLock(join(this.#folder, 'lock'), work);
  }

  /** Reads both files and writes what `change` made of them; under the lock. */
  async update(change: (data: WatchData) => WatchData): Promise<StoredData> {
    await mkdir(this.#folder, { recursive: true });
    return withLock(join(this.#folder, 'lock'), async (stillHeld) => {
      // Nobody else has written since: what this window knows is what the files hold.
      const known = this.#known && (await this.revision()) === this.#known.revision ? this.#known : undefined;
      const before = known?.data ?? (await this.#read());
      const after = change(before);
      const list = after.list === before.list ? undefined : writeList(after.list);
      const log = after.log === before.log ? undefined : writeLog(after.log);
      if (list !== undefined || log !== undefined) {
        if (!(await stillHeld())) throw new Error('The watch list was not saved: another window took over meanwhile');
        if (log !== undefined) await this.#write('log.json', log, false);
        if (list !== undefined) await this.#write('list.json', list, true);
      }
      this.#known = { data: after, revision: await this.revision() };
      return this.#known;
    });
  }

  /** Changes whenever a file changes. */
  async revision(): Promise<string> {
    const one = async (name: string) => {
      const found = await stat(join(this.#folder, name)).catch(() => undefined);
      return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : '-';
    };
    return `${await one('list.json')} ${await one('log.json')}`;
  }

  async #read(): Promise<WatchData> {
    const list = await this.#readList();
    const text = await this.#text('log.json');
    return { list, log: (text === undefined ? undefined : readLog(text)) ?? emptyLog };
  }

  async #readList(): Promise<WatchListData> {
    const text = await this.#text('list.json');
    if (text === undefined) return emptyList;
    const list = readList(text);
    if (!isFault(list)) return list;
    const why = list.kind === 'future' ? `version-${list.version}` : 'damaged';
    const path = join(this.#folder, `list.${why}-${randomUUID().slice(0, 8)}.json`);
    await rename(join(this.#folder, 'list.json'), path);
    this.#onKeptAside({ fault: list, path });
    return emptyList;
  }

  async #text(name: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.#folder, name), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** By rename, so that nobody ever sees half a file; `flush`: it is on the disk before it gets its name. */
  async #write(name: string, text: string, flush: boolean): Promise<void> {
    const path = join(this.#folder, name);
    const half = `${path}.${randomUUID()}`;
    try {
      await writeFile(half, text, { flush });
      await rename(half, path);
    } catch (error) {
      await unlink(half).catch(() => undefined);
      throw error;
    }
  }
}
