import * as vscode from 'vscode';
import type { ExtensionApi } from './ui/extensionApi.ts';

/**
 * What the editor loads and calls while its window starts: this file alone. The app follows one turn later, when the other
 * extensions have had theirs; commands and views that are wanted before that wait for the promise.
 */
class Extension {
  #app: ExtensionApi | undefined;

  readonly activate = async (context: vscode.ExtensionContext): Promise<ExtensionApi> => {
    try {
      const { startApp } = await import('./app.ts');
      this.#app = startApp(context);
      return this.#app;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      void vscode.window.showErrorMessage(vscode.l10n.t('Chain Inspector could not start: {0}', reason));
      throw error;
    }
  };

  /** Waits for what other windows wait for: the lead of the watch list. */
  readonly deactivate = async (): Promise<void> => {
    await this.#app?.watchList.close();
  };
}

export const { activate, deactivate } = new Extension();
