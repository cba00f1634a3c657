import { type FSWatcher, mkdirSync, watch } from 'node:fs';

/** Tells whether another window may have written since the last question. */
export interface FolderSignal {
  changed(): boolean;
  /** Is called as soon as one has written; one listener. */
  listen(listener: () => void): void;
  dispose(): void;
}

/** Even where the system tells of changes, it may lose one. */
const lookAnyway = 60_000;

/** The system's word on changes in a folder; where it has none, every question is answered with yes. */
export class WatchedFolder implements FolderSignal {
  #watcher: FSWatcher | undefined;
  #changed = true;
  #lookedAt = 0;
  #listener: () => void = () => {};

  constructor(folder: string) {
    try {
      mkdirSync(folder, { recursive: true });
      this.#watcher = watch(folder, { persistent: false }, (_kind, name) => {
        // Locks come and go beside the files that count.
        if (name !== null && !/^(list|log)\.json$/.test(name)) return;
        this.#changed = true;
        this.#listener();
      });
      this.#watcher.on('error', () => this.dispose());
    } catch {
      this.#watcher = undefined;
    }
  }

  changed(): boolean {
    const now = performance.now();
    if (this.#watcher && !this.#changed && now - this.#lookedAt < lookAnyway) return false;
    this.#changed = false;
    this.#lookedAt = now;
    return true;
  }

  listen(listener: () => void): void {
    this.#listener = listener;
  }

  dispose(): void {
    this.#listener = () => {};
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
