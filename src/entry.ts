import type { activate as start } from './extension.ts';

/** What loads while the window starts: the extension follows one turn later; commands wait for the promise. */
class Entry {
  #started: ReturnType<typeof start> | undefined;

  readonly activate = async (...[context]: Parameters<typeof start>): Promise<ReturnType<typeof start>> => {
    const extension = await import('./extension.ts');
    this.#started = extension.activate(context);
    return this.#started;
  };

  /** Waits for what other windows wait for: the lead of the watch list. */
  readonly deactivate = async (): Promise<void> => {
    await this.#started?.watchList.close();
  };
}

export const { activate, deactivate } = new Entry();
