import { randomUUID } from 'node:crypto';
import { readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isGone } from './fileLock.ts';

/** What a window learns of the others. */
export interface LeaseState {
  /** Whether this window asks the nodes. */
  readonly leads: boolean;
  /** Whether somebody looks at any window. */
  readonly focused: boolean;
}

/** Decides which of several windows asks the nodes. */
export interface Lease {
  /** Asked at every beat, which also keeps the lease; `focused`: somebody looks at this window. Never rejects. */
  hold(focused: boolean): Promise<LeaseState>;
  /** Gives the lead away, so that another window takes it at its next beat. */
  release(): Promise<void>;
}

const keepEvery = 12_000;
const staleAge = 45_000;

/** A lease in a file that all windows share; that of a window which died passes on at the next beat of another. */
export class FileLease implements Lease {
  readonly #path: string;
  readonly #focusPath: string;
  readonly #locked: <T>(work: () => Promise<T>) => Promise<T>;
  readonly #token = `${process.pid} ${randomUUID()} ${hostname()}`;
  #leads = false;
  #keptAt = 0;
  #focusToldAt = 0;

  /** `locked` runs work while no other window does (`WatchFiles.locked`). */
  constructor(folder: string, locked: <T>(work: () => Promise<T>) => Promise<T>) {
    this.#path = join(folder, 'lease');
    this.#focusPath = join(folder, 'focus');
    this.#locked = locked;
  }

  async hold(focused: boolean): Promise<LeaseState> {
    await this.#lead();
    if (focused) await this.#tellFocus();
    return { leads: this.#leads, focused: focused || (this.#leads && (await this.#othersFocused())) };
  }

  async #lead(): Promise<void> {
    try {
      if (!this.#leads) this.#leads = (await this.#isFree()) && (await this.#locked(() => this.#take()));
      else if (performance.now() - this.#keptAt > keepEvery) this.#leads = await this.#keep();
    } catch {
      this.#leads = false;
    }
  }

  async release(): Promise<void> {
    if (!this.#leads) return;
    this.#leads = false;
    if ((await this.#holder()) === this.#token) await unlink(this.#path).catch(() => undefined);
  }

  /** The age of a file tells the leader that somebody is at the keyboard of another window. */
  async #tellFocus(): Promise<void> {
    if (performance.now() - this.#focusToldAt < keepEvery && this.#focusToldAt > 0) return;
    this.#focusToldAt = performance.now();
    await writeFile(this.#focusPath, '').catch(() => undefined);
  }

  async #othersFocused(): Promise<boolean> {
    const found = await stat(this.#focusPath).catch(() => undefined);
    return found !== undefined && Math.abs(Date.now() - found.mtimeMs) < 2 * keepEvery;
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
