import * as vscode from 'vscode';
import type { ProposalKey } from './proposalFacts.ts';
import type { PanelContext } from './proposalPanel.ts';
import type { ProposalPanels } from './proposalPanels.ts';
import type { Action } from './protocol.ts';

/** The view type of package.json (`onWebviewPanel:`) and of `activeWebviewPanelId` in key bindings. */
export const proposalViewType = 'chainInspector.proposal';

/** The panels as the rest knows them: their code, with all that words and draws, is loaded when the first one opens. */
export class LazyPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #context: PanelContext;
  readonly #serializer: vscode.Disposable;
  #panels: ProposalPanels | undefined;
  #disposed = false;

  constructor(context: PanelContext) {
    this.#context = context;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(proposalViewType, this);
  }

  /** The panels themselves. */
  async load(): Promise<ProposalPanels> {
    const part = await import('./proposalPanels.ts');
    if (this.#disposed) throw new vscode.CancellationError();
    this.#panels ??= new part.ProposalPanels(this.#context);
    return this.#panels;
  }

  /** Shows a proposal: in the panel that is kept on it, else in the preview. */
  async show(key: ProposalKey): Promise<void> {
    (await this.load()).show(key);
  }

  /** The selection moved: a preview that is on screen follows it; nothing is opened or brought to the front. */
  follow(key: ProposalKey): void {
    this.#panels?.follow(key);
  }

  /** Another source is shown now: the preview of the old one goes, what is kept open stays with its source. */
  closePreview(): void {
    this.#panels?.closePreview();
  }

  /** Does what a button does, in the panel that has the focus. */
  async act(action: Action): Promise<void> {
    await this.#panels?.act(action);
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
