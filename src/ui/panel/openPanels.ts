// Entry of a lazily loaded part.

import * as vscode from 'vscode';
import type { DenomKey } from '../../page/denomModel.ts';
import { readDenomState, readProposalState } from '../../page/pageMessages.ts';
import type { ProposalKey } from '../../page/proposalFacts.ts';
import { readRowKey } from '../commands/commandArguments.ts';
import { setContext } from '../contextKeys.ts';
import { createPanel } from '../editorTexts.ts';
import type { OpenTarget } from '../watch/watchScreen.ts';
import type { DenomPanel } from './denomPanel.ts';
import {
  type DenomCommand,
  denomCommands,
  denomViewType,
  type ProposalCommand,
  proposalViewType,
  titleCommands,
} from './panelCommands.ts';
import type { PanelHost } from './panelHost.ts';
import type { ProposalPanel, ShownProposal } from './proposalPanel.ts';

/** The rows of the view of proposals. */
interface ProposalRows {
  readonly view: vscode.TreeView<unknown>;
  /** Undefined for a proposal without a row. */
  nodeOf(id: bigint): unknown;
}

/**
 * All panels of proposals and denoms. Proposals have at most one preview, which follows the selection, and any number
 * of panels that are kept open. Denoms have one panel.
 */
export class OpenPanels implements vscode.Disposable {
  readonly #host: PanelHost;
  readonly #rows: ProposalRows;
  readonly #listeners: readonly vscode.Disposable[];
  #panels: readonly ProposalPanel[] = [];
  #denom: DenomPanel | undefined;
  /** The row that was selected because a panel shows it. Other panels do not follow that selection. */
  #revealed: bigint | undefined;
  /** The proposal that the preview shows because its row was just selected. The same click also opens the row. */
  #followed: bigint | undefined;

  /** The selection of `rows` and the panels follow each other. */
  constructor(host: PanelHost, rows: ProposalRows) {
    this.#host = host;
    this.#rows = rows;
    this.#listeners = [
      rows.view.onDidChangeSelection(({ selection }) => this.#follow(selection)),
      // Panels that are kept open stay with their source.
      host.active.onDidChange(() => this.#preview?.panel.dispose()),
    ];
  }

  /**
   * Shows a proposal in the panel that is kept open for it, otherwise in the preview. `fromRow`: the user activated its
   * row, which keeps the focus unless the panel already showed the proposal.
   */
  async show(key: ProposalKey, fromRow = false): Promise<ProposalPanel> {
    const part = await import('./proposalPanel.ts');
    const panel = this.#panels.find((one) => one.pinned && one.isOf(key)) ?? this.#preview;
    const isFollowed = this.#followed === key.id;
    this.#followed = undefined;
    if (!panel) {
      const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus: fromRow };
      return this.#add(part, createPanel(proposalViewType, `#${key.id}`, place), { key, pinned: false });
    }
    const isShown = panel.panel.visible && panel.isOf(key) && !isFollowed;
    panel.navigate(key);
    panel.panel.reveal(undefined, fromRow && !isShown);
    return panel;
  }

  /** Shows a watched proposal or denom, as `show` and `showDenom`. */
  async open(target: Parameters<OpenTarget>[0], fromRow = false): Promise<void> {
    await (target.kind === 'denom' ? this.showDenom(target, fromRow) : this.show(target, fromRow));
  }

  /** Shows a proposal beside the active editor, in the panel that is kept open for it, otherwise in a new one. */
  async showBeside(key: ProposalKey): Promise<void> {
    const part = await import('./proposalPanel.ts');
    const kept = this.#panels.find((one) => one.pinned && one.isOf(key));
    if (kept) return kept.panel.reveal();
    const made = createPanel(proposalViewType, `#${key.id}`, { viewColumn: vscode.ViewColumn.Beside });
    this.#add(part, made, { key, pinned: true });
  }

  /** Shows a denom in the panel of denoms. `fromRow` as in `show`. */
  async showDenom(key: DenomKey, fromRow = false): Promise<DenomPanel> {
    const { DenomPanel } = await import('./denomPanel.ts');
    if (!this.#denom) {
      const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus: fromRow };
      const made = createPanel(denomViewType, key.denom, place);
      return this.#addDenom(new DenomPanel(made, key, this.#host));
    }
    const isShown = this.#denom.panel.visible && this.#denom.isOf(key);
    this.#denom.navigate(key);
    this.#denom.panel.reveal(undefined, fromRow && !isShown);
    return this.#denom;
  }

  /** Runs a command in the focused panel, and shows its failure. */
  async run(command: ProposalCommand | DenomCommand): Promise<void> {
    const isDenom = this.#denom?.panel.active === true;
    const [ofDenom, ofProposal] = [
      denomCommands.find((known) => known === command),
      titleCommands.find((known) => known === command),
    ];
    if (isDenom && ofDenom) await this.#denom?.run(ofDenom);
    else if (ofProposal) await this.#panels.find(({ panel }) => panel.active)?.run(ofProposal);
  }

  /** Runs the command of a button in a panel's title. Returns whether there is such a command. */
  async runInTitle(id: string): Promise<boolean> {
    const command = [...titleCommands, ...denomCommands].find((known) => known === id);
    if (command) await this.run(command);
    return command !== undefined;
  }

  /** Restores a panel after a restart of the editor. Closes it if its stored state is damaged. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    if (panel.viewType === denomViewType) return this.#restoreDenom(panel, readDenomState(state));
    const part = await import('./proposalPanel.ts');
    const stored = readProposalState(state);
    if (!stored || !this.#canRestore(stored)) return panel.dispose();
    const key = { sourceId: stored.sourceId, id: BigInt(stored.proposalId) };
    this.#add(part, panel, { key, pinned: stored.pinned || this.#preview !== undefined });
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    for (const { panel } of this.#panels) panel.dispose();
    this.#denom?.panel.dispose();
  }

  async #restoreDenom(panel: vscode.WebviewPanel, key: DenomKey | undefined): Promise<void> {
    const { DenomPanel } = await import('./denomPanel.ts');
    if (!key || this.#denom || !this.#canRestore(key)) return panel.dispose();
    this.#addDenom(new DenomPanel(panel, key, this.#host));
  }

  #addDenom(denom: DenomPanel): DenomPanel {
    this.#denom = denom;
    denom.panel.onDidDispose(() => {
      this.#denom = undefined;
    });
    return denom;
  }

  /**
   * Whether the source of a stored page is configured or open, and at its present state. A stored page must not cause
   * requests to any other source.
   */
  #canRestore({ sourceId }: { readonly sourceId: string }): boolean {
    const { sessions, settings } = this.#host.active;
    if (sourceId.includes('#')) return false;
    return settings.sources.some(({ id }) => id === sourceId) || sessions.find(settings.source(sourceId)) !== undefined;
  }

  /** Follows a new selection with a visible preview. Nothing is opened or brought to the front. */
  #follow([node, ...others]: readonly unknown[]): void {
    const id = proposalIn(node);
    const isOurs = id === this.#revealed;
    this.#revealed = undefined;
    if (id === undefined || others.length > 0 || isOurs) return;
    const { id: sourceId } = this.#host.active.session.source;
    const preview = this.#preview;
    if (!preview?.panel.visible || preview.isOf({ sourceId, id })) return;
    this.#followed = id;
    preview.navigate({ sourceId, id });
  }

  /** Selects the row of the proposal that the focused panel shows. */
  #reveal({ sourceId, id }: ProposalKey): void {
    const { active } = this.#host;
    const { view } = this.#rows;
    const row = sourceId === active.session.source.id ? this.#rows.nodeOf(id) : undefined;
    const isSelected = view.selection.some((node) => proposalIn(node) === id);
    if (!row || isSelected || !view.visible) return;
    this.#revealed = id;
    void view.reveal(row, { select: true, focus: false });
  }

  get #preview(): ProposalPanel | undefined {
    return this.#panels.find(({ pinned }) => !pinned);
  }

  #add(part: typeof import('./proposalPanel.ts'), made: vscode.WebviewPanel, shown: ShownProposal): ProposalPanel {
    const panel = new part.ProposalPanel(made, shown, this.#host, (key) => this.#reveal(key));
    this.#panels = [...this.#panels, panel];
    // This completes a step of the walkthrough.
    void setContext('hasPanel', true);
    panel.panel.onDidDispose(() => {
      this.#panels = this.#panels.filter((other) => other !== panel);
    });
    return panel;
  }
}

/** The id of the proposal in a row of Proposals. */
function proposalIn(node: unknown): bigint | undefined {
  const row = readRowKey(node);
  return row?.kind === 'proposal' ? BigInt(row.key) : undefined;
}
