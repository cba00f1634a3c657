import type { ExtensionApi, activate as start } from './extension.ts';

/** The part that loads while the window starts. The extension itself loads one turn later, and commands wait for it. */
class Entry {
  #started: ExtensionApi | undefined;

  readonly activate = async (...[context]: Parameters<typeof start>): Promise<ExtensionApi> => {
    const extension = await import('./extension.ts');
    this.#started = extension.activate(context);
    return this.#started;
  };

  /** Ends polling, so that another window can take over the watch list. */
  readonly deactivate = async (): Promise<void> => {
    await this.#started?.watchList.close();
  };
}

export const { activate, deactivate } = new Entry();
