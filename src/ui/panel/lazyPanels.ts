import * as vscode from 'vscode';
import { type PanelCommand, titleCommands } from './panelCommands.ts';
import type { ProposalKey } from './proposalModel.ts';
import type { PanelContext, ProposalPanels } from './proposalPanel.ts';

/** The view type of package.json (`onWebviewPanel:`) and of `activeWebviewPanelId` in key bindings. */
export const proposalViewType = 'chainInspector.proposal';

/** The proposal panels; their code is loaded when the first one opens. */
export class LazyPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #context: PanelContext;
  readonly #serializer: vscode.Disposable;
  #panels: ProposalPanels | undefined;
  #disposed = false;

  constructor(context: PanelContext) {
    this.#context = context;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(proposalViewType, this);
  }

  /** Loads the code of the panels. */
  async load(): Promise<ProposalPanels> {
    const part = await import('./proposalPanel.ts');
    if (this.#disposed) throw new vscode.CancellationError();
    this.#panels ??= new part.ProposalPanels(this.#context, proposalViewType);
    return this.#panels;
  }

  /** Shows a proposal: in the panel that is kept on it, else in the preview. */
  async show(key: ProposalKey): Promise<void> {
    (await this.load()).show(key);
  }

  /** The panels, where their code is loaded. */
  get opened(): ProposalPanels | undefined {
    return this.#panels;
  }

  /** Runs a command in the panel that has the focus; shows what fails. */
  async run(command: PanelCommand): Promise<void> {
    await this.#panels?.run(command);
  }

  /**
   * The command of a panel that a button in its title runs; undefined for other commands, and where `resource`, the first
   * argument of the command, is not the editor's URI of a panel.
   */
  titleCommand(id: string, resource: unknown): PanelCommand | undefined {
    const isPanel = resource instanceof vscode.Uri && resource.scheme === 'webview-panel';
    return isPanel ? titleCommands.find((command) => command === id) : undefined;
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await (await this.load()).deserializeWebviewPanel(panel, state);
  }

  dispose(): void {
    this.#disposed = true;
    this.#serializer.dispose();
    this.#panels?.dispose();
  }
}
