// Entry of a lazily loaded part.

import * as vscode from 'vscode';
import type { DenomKey } from '../../page/denomModel.ts';
import { readDenomState } from '../../page/pageMessages.ts';
import type { ProposalKey } from '../../page/proposalFacts.ts';
import { setContext } from '../contextKeys.ts';
import { createPanel } from '../labels.ts';
import type { ProposalsNode, ProposalsTree } from '../trees/proposalsTree.ts';
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

/** All proposal panels: at most one preview, which follows the selection, and any number that are kept open; and one of a denom. */
export class OpenPanels implements vscode.Disposable {
  readonly #host: PanelHost;
  readonly #tree: ProposalsTree;
  readonly #listeners: readonly vscode.Disposable[];
  #panels: readonly ProposalPanel[] = [];
  #denom: DenomPanel | undefined;
  /** The row that was selected because a panel shows it: another panel does not follow that. */
  #revealed: bigint | undefined;

  /** The selection of `tree` and the panels follow each other. */
  constructor(host: PanelHost, tree: ProposalsTree) {
    this.#host = host;
    this.#tree = tree;
    this.#listeners = [
      tree.view.onDidChangeSelection(({ selection }) => this.#follow(selection)),
      // Panels that are kept open stay with their source.
      host.active.onDidChange(() => this.#preview?.panel.dispose()),
    ];
  }

  /** Shows a proposal: in the panel that is kept on it, else in the preview. */
  async show(key: ProposalKey): Promise<ProposalPanel> {
    const part = await import('./proposalPanel.ts');
    const panel = this.#panels.find((one) => one.pinned && one.isOf(key)) ?? this.#preview;
    if (!panel) {
      const made = createPanel(proposalViewType, `#${key.id}`, { viewColumn: vscode.ViewColumn.Active });
      return this.#add(part, made, { key, pinned: false });
    }
    panel.navigate(key);
    panel.panel.reveal(undefined, false);
    return panel;
  }

  /** Shows what is watched, as `show` and `showDenom`. */
  async open(target: Parameters<OpenTarget>[0]): Promise<void> {
    await (target.kind === 'denom' ? this.showDenom(target) : this.show(target));
  }

  /** Shows a proposal beside the active editor, in the panel that is kept on it, else in a new one. */
  async showBeside(key: ProposalKey): Promise<void> {
    const part = await import('./proposalPanel.ts');
    const kept = this.#panels.find((one) => one.pinned && one.isOf(key));
    if (kept) return kept.panel.reveal();
    const made = createPanel(proposalViewType, `#${key.id}`, { viewColumn: vscode.ViewColumn.Beside });
    this.#add(part, made, { key, pinned: true });
  }

  /** Shows a denom, in the panel that shows one where there is one. */
  async showDenom(key: DenomKey): Promise<DenomPanel> {
    const { DenomPanel } = await import('./denomPanel.ts');
    if (!this.#denom) {
      const made = createPanel(denomViewType, key.denom, { viewColumn: vscode.ViewColumn.Active });
      return this.#addDenom(new DenomPanel(made, key, this.#host));
    }
    this.#denom.navigate(key);
    this.#denom.panel.reveal(undefined, false);
    return this.#denom;
  }

  /** Runs a command in the panel that has the focus; shows what fails. */
  async run(command: ProposalCommand | DenomCommand): Promise<void> {
    const isDenom = this.#denom?.panel.active === true;
    const [ofDenom, ofProposal] = [
      denomCommands.find((known) => known === command),
      titleCommands.find((known) => known === command),
    ];
    if (isDenom && ofDenom) await this.#denom?.run(ofDenom);
    else if (ofProposal) await this.#panels.find(({ panel }) => panel.active)?.run(ofProposal);
  }

  /** Runs the command of a button in a panel's title. Returns whether it is one. */
  async runInTitle(id: string): Promise<boolean> {
    const command = [...titleCommands, ...denomCommands].find((known) => known === id);
    if (command) await this.run(command);
    return command !== undefined;
  }

  /** Restores a panel after a restart of the editor; closes it where its stored state cannot be read. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    if (panel.viewType === denomViewType) return this.#restoreDenom(panel, readDenomState(state));
    const part = await import('./proposalPanel.ts');
    const restored = part.readRestored(state);
    if (!restored || !this.#isKnown(restored.key.sourceId)) return panel.dispose();
    const pinned = restored.pinned || this.#preview !== undefined;
    this.#add(part, panel, { ...restored, pinned });
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    for (const { panel } of this.#panels) panel.dispose();
    this.#denom?.panel.dispose();
  }

  async #restoreDenom(panel: vscode.WebviewPanel, key: DenomKey | undefined): Promise<void> {
    const { DenomPanel } = await import('./denomPanel.ts');
    if (!key || key.sourceId.includes('#') || this.#denom || !this.#isKnown(key.sourceId)) return panel.dispose();
    this.#addDenom(new DenomPanel(panel, key, this.#host));
  }

  #addDenom(denom: DenomPanel): DenomPanel {
    this.#denom = denom;
    denom.panel.onDidDispose(() => {
      this.#denom = undefined;
    });
    return denom;
  }

  /** Whether a source is configured or open: no other one is asked because of what a page had stored. */
  #isKnown(sourceId: string): boolean {
    const { sessions, settings } = this.#host.active;
    return settings.sources.some(({ id }) => id === sourceId) || sessions.find(settings.source(sourceId)) !== undefined;
  }

  /** The selection moved: a preview that is on screen follows it; nothing is opened or brought to the front. */
  #follow([node, ...others]: readonly ProposalsNode[]): void {
    const isOurs = node?.kind === 'proposal' && node.id === this.#revealed;
    this.#revealed = undefined;
    if (node?.kind !== 'proposal' || others.length > 0 || isOurs) return;
    const { id: sourceId } = this.#host.active.session.source;
    if (this.#preview?.panel.visible) this.#preview.navigate({ sourceId, id: node.id });
  }

  /** The panel that has the focus shows a proposal: its row, if there is one, is selected. */
  #reveal({ sourceId, id }: ProposalKey): void {
    const { active } = this.#host;
    const tree = this.#tree;
    const { view } = tree;
    const row = sourceId === active.session.source.id ? tree.nodeOf(id) : undefined;
    const isSelected = view.selection.some((node) => node.kind === 'proposal' && node.id === id);
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
    // A step of the walkthrough is done, whoever opened the panel.
    void setContext('hasPanel', true);
    panel.panel.onDidDispose(() => {
      this.#panels = this.#panels.filter((other) => other !== panel);
    });
    return panel;
  }
}
