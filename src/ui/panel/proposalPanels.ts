import type * as vscode from 'vscode';
import { createPanel } from '../labels.ts';
import { proposalViewType } from './lazyPanels.ts';
import { readRestoreState } from './panelPage.ts';
import type { ProposalKey } from './proposalFacts.ts';
import { isSame, type PanelContext, ProposalPanel } from './proposalPanel.ts';
import type { Action } from './protocol.ts';

/** All proposal panels: at most one preview, which follows the selection, and any number that are kept open. */
export class ProposalPanels implements vscode.Disposable {
  readonly #context: PanelContext;
  readonly #panels = new Set<ProposalPanel>();

  constructor(context: PanelContext) {
    this.#context = context;
  }

  /** The panels there are; for tests and measurements. */
  get all(): readonly ProposalPanel[] {
    return [...this.#panels];
  }

  /** Shows a proposal: in the panel that is kept on it, else in the preview. */
  show(key: ProposalKey, options: { readonly preserveFocus?: boolean } = {}): ProposalPanel {
    const preserveFocus = options.preserveFocus === true;
    const pinned = this.all.find((panel) => panel.pinned && isSame(panel.key, key));
    const panel = pinned ?? this.#preview;
    if (!panel) return this.#create(key, preserveFocus);
    panel.navigate(key);
    panel.reveal(preserveFocus);
    return panel;
  }

  /** The selection moved: a preview that is on screen follows it; nothing is opened or brought to the front. */
  follow(key: ProposalKey): void {
    const preview = this.#preview;
    if (preview?.visible) preview.navigate(key);
  }

  /** Another source is shown now: the preview of the old one goes, what is kept open stays with its source. */
  closePreview(): void {
    this.#preview?.dispose();
  }

  /** Does what a button does, in the panel that has the focus. */
  async act(action: Action): Promise<void> {
    await this.all.find((panel) => panel.active)?.act(action);
  }

  /** Restores a panel after a restart of the editor; closes it where its state is not ours. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const restore = readRestoreState(state);
    if (!restore) {
      panel.dispose();
      return;
    }
    const key = { sourceId: restore.sourceId, id: BigInt(restore.proposalId) };
    this.#adopt(panel, key, restore.pinned || this.#preview !== undefined);
  }

  dispose(): void {
    for (const panel of this.all) panel.dispose();
  }

  get #preview(): ProposalPanel | undefined {
    return this.all.find((panel) => !panel.pinned);
  }

  #create(key: ProposalKey, preserveFocus: boolean): ProposalPanel {
    return this.#adopt(createPanel(proposalViewType, `#${key.id}`, preserveFocus), key, false);
  }

  #adopt(webview: vscode.WebviewPanel, key: ProposalKey, pinned: boolean): ProposalPanel {
    const panel = new ProposalPanel(webview, key, pinned, this.#context);
    this.#panels.add(panel);
    panel.onDidClose(() => this.#panels.delete(panel));
    return panel;
  }
}
