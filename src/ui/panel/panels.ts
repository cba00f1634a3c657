import * as vscode from 'vscode';
import type { DenomKey, DenomPanel } from './denomPanel.ts';
import type { OpenPanels, PanelParts } from './openPanels.ts';
import type { ProposalKey } from './proposalModel.ts';
import type { ProposalPanel } from './proposalPanel.ts';
import { type DenomCommand, denomViewType, type PanelCommand, proposalViewType } from './protocol.ts';

/** The panels of proposals and denoms. The rest is loaded when the first one is opened. */
export class ProposalPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #parts: PanelParts;
  readonly #listeners: readonly vscode.Disposable[];
  #opening: Promise<OpenPanels> | undefined;

  constructor(parts: PanelParts) {
    this.#parts = parts;
    this.#listeners = [proposalViewType, denomViewType].map((type) =>
      vscode.window.registerWebviewPanelSerializer(type, this),
    );
  }

  /** As `OpenPanels.show`. */
  async show(key: ProposalKey): Promise<ProposalPanel> {
    return (await this.#load()).show(key);
  }

  /** As `OpenPanels.showBeside`. */
  async showBeside(key: ProposalKey): Promise<void> {
    await (await this.#load()).showBeside(key);
  }

  /** As `OpenPanels.showDenom`. */
  async showDenom(key: DenomKey): Promise<DenomPanel> {
    return (await this.#load()).showDenom(key);
  }

  /** As `OpenPanels.run`. */
  async run(command: PanelCommand | DenomCommand): Promise<void> {
    await (await this.#load()).run(command);
  }

  /** Runs the command of a button in a panel's title. Returns whether it is one: `resource` is a panel's URI then. */
  async runInTitle(id: string, resource: unknown): Promise<boolean> {
    const isPanel = resource instanceof vscode.Uri && resource.scheme === 'webview-panel';
    return isPanel && (await this.#load()).runInTitle(id);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await (await this.#load()).restore(panel, state);
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    void this.#opening?.then((panels) => panels.dispose());
  }

  #load(): Promise<OpenPanels> {
    this.#opening ??= import('./openPanels.ts').then(({ OpenPanels }) => new OpenPanels(this.#parts));
    return this.#opening;
  }
}
