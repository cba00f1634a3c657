import * as vscode from 'vscode';
import type { OpenPanels } from './openPanels.ts';
import { denomViewType, draftViewType, proposalViewType } from './panelCommands.ts';

/** The panels of proposals and denoms. Most of the code is loaded when the first panel opens. */
export class LazyPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #open: () => Promise<OpenPanels>;
  readonly #listeners: readonly vscode.Disposable[];
  #opening: Promise<OpenPanels> | undefined;

  /** `open` creates the part that is loaded with the first panel. */
  constructor(open: () => Promise<OpenPanels>) {
    this.#open = open;
    this.#listeners = [proposalViewType, denomViewType, draftViewType].map((type) =>
      vscode.window.registerWebviewPanelSerializer(type, this),
    );
  }

  /** Loads the panels. */
  load(): Promise<OpenPanels> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** See `OpenPanels.runInTitle`. False if `resource` is not the URI of a panel. */
  async runInTitle(id: string, resource: unknown): Promise<boolean> {
    const isPanel = resource instanceof vscode.Uri && resource.scheme === 'webview-panel';
    return isPanel && (await this.load()).runInTitle(id);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    // Without a serializer, VS Code would drop the preview of a draft but keep its empty editor group.
    if (panel.viewType === draftViewType) panel.dispose();
    else await (await this.load()).restore(panel, state);
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    void this.#opening?.then((panels) => panels.dispose());
  }
}
