import * as vscode from 'vscode';
import { createPanel } from '../labels.ts';
import type { ProposalKey } from './proposalModel.ts';
import type { PanelContext, ProposalPanel } from './proposalPanel.ts';
import { type PanelCommand, readRestoreState, titleCommands } from './protocol.ts';

/** The view type of package.json (`onWebviewPanel:`) and of `activeWebviewPanelId` in key bindings. */
const viewType = 'chainInspector.proposal';

/** All proposal panels: at most one preview, which follows the selection, and any number that are kept open. */
export class ProposalPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #context: PanelContext;
  readonly #serializer: vscode.Disposable;
  #panels: readonly ProposalPanel[] = [];

  constructor(context: PanelContext) {
    this.#context = context;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(viewType, this);
  }

  /** Shows a proposal: in the panel that is kept on it, else in the preview. */
  async show(key: ProposalKey): Promise<ProposalPanel> {
    const part = await import('./proposalPanel.ts');
    const panel = this.#panels.find((one) => one.pinned && one.isOf(key)) ?? this.#preview;
    if (!panel)
      return this.#add(new part.ProposalPanel(createPanel(viewType, `#${key.id}`), key, false, this.#context));
    panel.navigate(key);
    panel.panel.reveal(undefined, false);
    return panel;
  }

  /** The selection moved: a preview that is on screen follows it; nothing is opened or brought to the front. */
  follow(key: ProposalKey): void {
    if (this.#preview?.panel.visible) this.#preview.navigate(key);
  }

  /** The active source changed: the preview closes, panels that are kept open stay with their source. */
  closePreview(): void {
    this.#preview?.panel.dispose();
  }

  /** Runs a command in the panel that has the focus; shows what fails. */
  async run(command: PanelCommand): Promise<void> {
    await this.#panels.find(({ panel }) => panel.active)?.run(command);
  }

  /** The command of a button in a panel's title; undefined for others, and where `resource` is no panel's URI. */
  titleCommand(id: string, resource: unknown): PanelCommand | undefined {
    const isPanel = resource instanceof vscode.Uri && resource.scheme === 'webview-panel';
    return isPanel ? titleCommands.find((command) => command === id) : undefined;
  }

  /** Restores a panel after a restart of the editor; closes it where its stored state cannot be read. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const part = await import('./proposalPanel.ts');
    const restore = readRestoreState(state);
    // A height is not kept from one run of the editor to the next.
    if (!restore || restore.sourceId.includes('#') || !this.#context.isKnown(restore.sourceId)) return panel.dispose();
    const key = { sourceId: restore.sourceId, id: BigInt(restore.proposalId) };
    const pinned = restore.pinned || this.#preview !== undefined;
    this.#add(new part.ProposalPanel(panel, key, pinned, this.#context));
  }

  dispose(): void {
    this.#serializer.dispose();
    for (const { panel } of this.#panels) panel.dispose();
  }

  get #preview(): ProposalPanel | undefined {
    return this.#panels.find(({ pinned }) => !pinned);
  }

  #add(panel: ProposalPanel): ProposalPanel {
    this.#panels = [...this.#panels, panel];
    panel.panel.onDidDispose(() => {
      this.#panels = this.#panels.filter((other) => other !== panel);
    });
    return panel;
  }
}
