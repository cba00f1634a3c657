import { randomUUID } from 'node:crypto';
import { readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isGone } from './fileLock.ts';

/** Decides which of several windows asks the nodes. */
export interface Lease {
  /** Whether this window leads now; asked at every beat, which also keeps the lease. Never rejects. */
  hold(): Promise<boolean>;
  /** Gives the lead away, so that another window takes it at its next beat. */
  release(): Promise<void>;
}

const keepEvery = 12_000;
const staleAge = 45_000;

/** A lease in a file that all windows share; that of a window which died passes on at the next beat of another. */
export class FileLease implements Lease {
  readonly #path: string;
  readonly #locked: <T>(work: () => Promise<T>) => Promise<T>;
  readonly #token = `${process.pid} ${randomUUID()} ${hostname()}`;
  #leads = false;
  #keptAt = 0;

  /** `locked` runs work while no other window does (`WatchFiles.locked`). */
  constructor(folder: string, locked: <T>(work: () => Promise<T>) => Promise<T>) {
    this.#path = join(folder, 'lease');
    this.#locked = locked;
  }

  async hold(): Promise<boolean> {
    try {
      if (!this.#leads) this.#leads = (await this.#isFree()) && (await this.#locked(() => this.#take()));
      else if (performance.now() - this.#keptAt > keepEvery) this.#leads = await this.#keep();
    } catch {
      this.#leads = false;
    }
    return this.#leads;
  }

  async release(): Promise<void> {
    if (!this.#leads) return;
    this.#leads = false;
    if ((await this.#holder()) === this.#token) await unlink(this.#path).catch(() => undefined);
  }

  async #take(): Promise<boolean> {
    if (!(await this.#isFree())) return false;
    await writeFile(this.#path, this.#token);
    this.#keptAt = performance.now();
    return true;
  }

  /** After a long sleep another window may have it. */
  async #keep(): Promise<boolean> {
    if ((await this.#holder()) !== this.#token) return false;
    await utimes(this.#path, new Date(), new Date());
    this.#keptAt = performance.now();
    return true;
  }

  async #isFree(): Promise<boolean> {
    const holder = await this.#holder();
    if (holder === undefined || isGone(holder)) return true;
    const found = await stat(this.#path).catch(() => undefined);
    return found === undefined || Date.now() - found.mtimeMs > staleAge;
  }

  async #holder(): Promise<string | undefined> {
    return readFile(this.#path, 'utf8').catch(() => undefined);
  }
}
