import * as vscode from 'vscode';
import type { OpenPanels } from './openPanels.ts';
import { denomViewType, proposalViewType } from './panelCommands.ts';

/** The panels of proposals and denoms. The rest is loaded when the first one is opened. */
export class ProposalPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #open: () => Promise<OpenPanels>;
  readonly #listeners: readonly vscode.Disposable[];
  #opening: Promise<OpenPanels> | undefined;

  /** `open` makes what is loaded with the first panel. */
  constructor(open: () => Promise<OpenPanels>) {
    this.#open = open;
    this.#listeners = [proposalViewType, denomViewType].map((type) =>
      vscode.window.registerWebviewPanelSerializer(type, this),
    );
  }

  /** The panels that are open. */
  load(): Promise<OpenPanels> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** As `OpenPanels.runInTitle`; false where `resource` is not the URI of a panel. */
  async runInTitle(id: string, resource: unknown): Promise<boolean> {
    const isPanel = resource instanceof vscode.Uri && resource.scheme === 'webview-panel';
    return isPanel && (await this.load()).runInTitle(id);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await (await this.load()).restore(panel, state);
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    void this.#opening?.then((panels) => panels.dispose());
  }
}
