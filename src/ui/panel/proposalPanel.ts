import * as vscode from 'vscode';
import type { Disposable } from '../../chain/emitter.ts';
import { registryChain } from '../../session/registry.ts';
import type { SessionHold } from '../../session/session.ts';
import { systemClock } from '../../watch/clock.ts';
import { createPanel, setTabTitle } from '../labels.ts';
import { flash, showInfo } from '../report.ts';
import { toCurl } from '../values.ts';
import { servedInProcess } from '../words.ts';
import { openLink, pastKey, readVotes } from './panelActions.ts';
import type { PanelCommand } from './panelCommands.ts';
import { pageWords, panelHtml, panelTitle, type Shown, statusIcon, toPanelState } from './panelPage.ts';
import { isSameKey, type ProposalKey, ProposalModel } from './proposalModel.ts';
import { type PageAction, readPageMessage, readRestoreState, type ShowMessage } from './protocol.ts';

/** The watch list as a panel needs it. `isWatched` is undefined until the list is loaded. */
export interface PanelWatch {
  readonly isWatched: (key: ProposalKey) => boolean | undefined;
  readonly toggle: (key: ProposalKey) => Promise<void>;
  /** How the user's accounts voted, in words; empty where that is not known. */
  readonly votesOn: (key: ProposalKey) => readonly string[];
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** What panels need of the rest of the extension. */
export interface PanelContext {
  /** Holds the session of a source. */
  readonly hold: (sourceId: string) => SessionHold;
  readonly watch: PanelWatch;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  /** Runs an action and shows its failure; never rejects. */
  readonly run: (title: string, work: () => Promise<void> | void) => Promise<void>;
  /** The panel that has the focus shows another proposal, or another panel has it. */
  readonly onShow: (key: ProposalKey) => void;
  /** The read-only document with the JSON of a proposal. */
  readonly jsonUri: (key: ProposalKey) => vscode.Uri;
}

/** All proposal panels: at most one preview, which follows the selection, and any number that are kept open. */
export class ProposalPanels implements vscode.Disposable {
  readonly #context: PanelContext;
  readonly #viewType: string;
  readonly #panels = new Set<ProposalPanel>();
  readonly #menuState = new Map<string, boolean>();
  #shown: ProposalKey | undefined;

  constructor(context: PanelContext, viewType: string) {
    this.#context = context;
    this.#viewType = viewType;
  }

  /** The open panels; for tests and measurements. */
  get all(): readonly ProposalPanel[] {
    return [...this.#panels];
  }

  /** Shows a proposal: in the panel that is kept on it, else in the preview. */
  show(key: ProposalKey): ProposalPanel {
    const pinned = this.all.find((panel) => panel.pinned && isSameKey(panel.key, key));
    const panel = pinned ?? this.#preview;
    if (!panel) return this.#adopt(createPanel(this.#viewType, `#${key.id}`, false), key, false);
    panel.navigate(key);
    panel.reveal();
    return panel;
  }

  /** The selection moved: a preview that is on screen follows it; nothing is opened or brought to the front. */
  follow(key: ProposalKey): void {
    const preview = this.#preview;
    if (preview?.visible) preview.navigate(key);
  }

  /** The active source changed: the preview closes, panels that are kept open stay with their source. */
  closePreview(): void {
    this.#preview?.dispose();
  }

  /** Runs a command in the panel that has the focus. */
  async run(command: PanelCommand): Promise<void> {
    await this.all.find((panel) => panel.active)?.run(command);
  }

  /** Restores a panel after a restart of the editor; closes it where its stored state cannot be read. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const restore = readRestoreState(state);
    // A height is not kept from one run of the editor to the next.
    if (!restore || restore.sourceId.includes('#')) {
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

  /** What menus know of the panel that has the focus. */
  #setContext(): void {
    const panel = this.all.find(({ active }) => active);
    if (!panel) return;
    if (panel.key !== this.#shown) this.#context.onShow(panel.key);
    this.#shown = panel.key;
    for (const [name, value] of Object.entries(panel.menuState)) {
      if (this.#menuState.get(name) === value) continue;
      this.#menuState.set(name, value);
      void vscode.commands.executeCommand('setContext', `chainInspector.panel.${name}`, value);
    }
  }

  #adopt(webview: vscode.WebviewPanel, key: ProposalKey, pinned: boolean): ProposalPanel {
    const panel = new ProposalPanel(webview, key, pinned, this.#context);
    this.#panels.add(panel);
    webview.onDidDispose(() => this.#panels.delete(panel));
    panel.onDidChange(() => this.#setContext());
    return panel;
  }
}

/** One webview panel with one proposal in it. */
class ProposalPanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #context: PanelContext;
  readonly #history: ProposalKey[] = [];
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #painted = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #shown: ShownProposal;
  #pinned: boolean;
  #isReady = false;
  #due: NodeJS.Immediate | undefined;

  constructor(panel: vscode.WebviewPanel, key: ProposalKey, pinned: boolean, context: PanelContext) {
    this.#panel = panel;
    this.#context = context;
    this.#pinned = pinned;
    this.#shown = this.#load(key);
    const { webview } = panel;
    const dist = vscode.Uri.joinPath(context.extensionUri, 'dist');
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    this.#subscriptions = [
      webview.onDidReceiveMessage((value: unknown) => void this.#answer(value)),
      context.watch.onDidChange(() => {
        this.#showSoon();
        this.#changed.fire();
      }),
      panel.onDidChangeViewState(() => {
        this.#shown.model.setVisible(panel.visible);
        this.#changed.fire();
      }),
      panel.onDidDispose(() => this.#end()),
      this.#changed,
      this.#painted,
    ];
    webview.html = panelHtml(webview, dist);
    this.#show();
  }

  /** Fires when `menuState` may be another. */
  readonly onDidChange = this.#changed.event;
  /** Fires when the page has drawn a proposal that it did not show before. */
  readonly onDidPaint = this.#painted.event;

  get key(): ProposalKey {
    return this.#shown.key;
  }

  get pinned(): boolean {
    return this.#pinned;
  }

  get visible(): boolean {
    return this.#panel.visible;
  }

  get active(): boolean {
    return this.#panel.active;
  }

  /** What decides which buttons stand in the title, by the name of the context key. */
  get menuState(): Readonly<Record<'pinned' | 'watched' | 'canGoBack' | 'hasExplorer', boolean>> {
    return {
      pinned: this.#pinned,
      watched: this.#context.watch.isWatched(this.key) === true,
      canGoBack: this.#history.length > 0,
      hasExplorer: this.#shown.model.explorerUrl !== undefined,
    };
  }

  reveal(): void {
    this.#panel.reveal(undefined, false);
  }

  /** Shows another proposal; Back leads to the one shown before. */
  navigate(key: ProposalKey): void {
    if (isSameKey(key, this.key)) return;
    this.#history.push(this.key);
    this.#open(key);
  }

  /** Runs a command; shows its failure. */
  async run(command: PanelCommand): Promise<void> {
    await this.#context.run(vscode.l10n.t('Could not do this for proposal #{0}', this.key.id.toString()), () =>
      this.#do(command),
    );
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #open(key: ProposalKey): void {
    const before = this.#shown;
    this.#shown = this.#load(key);
    // Only now: a source without another hold would be closed and opened again.
    unload(before);
    this.#show();
    this.#changed.fire();
  }

  #load(key: ProposalKey): ShownProposal {
    const hold = this.#context.hold(key.sourceId);
    const dist = vscode.Uri.joinPath(this.#context.extensionUri, 'dist').fsPath;
    const model = new ProposalModel(hold.session, key.id, {
      clock: systemClock,
      registryChain: (chainId) => registryChain(dist, chainId, key.id),
    });
    const listener = model.onDidChange(() => {
      this.#showSoon();
      this.#changed.fire();
    });
    model.setVisible(this.#panel.visible);
    void model.start();
    return { key, hold, model, listener };
  }

  async #do(command: PanelCommand): Promise<void> {
    const { key, model } = this.#shown;
    switch (command) {
      case 'backToProposal': {
        const before = this.#history.pop();
        return before && this.#open(before);
      }
      case 'previousProposal':
      case 'nextProposal': {
        const id = await model.neighbour(command === 'nextProposal' ? 'next' : 'previous');
        if (model !== this.#shown.model) return;
        if (id !== undefined) this.navigate({ sourceId: key.sourceId, id });
        else if (command === 'nextProposal') flash(vscode.l10n.t('This is the last proposal'));
        else flash(vscode.l10n.t('This is the first proposal'));
        return;
      }
      case 'pinProposal':
      case 'unpinProposal':
        this.#pinned = command === 'pinProposal';
        this.#show();
        return this.#changed.fire();
      case 'watch':
      case 'unwatch': {
        const { watch } = this.#context;
        return (watch.isWatched(key) === true) === (command === 'watch') ? undefined : watch.toggle(key);
      }
      case 'refreshProposal':
        return model.refresh();
      case 'copyProposalId':
        return vscode.env.clipboard.writeText(key.id.toString());
      case 'copyJson': {
        const row = model.facts?.row;
        return row?.kind === 'proposal' ? vscode.env.clipboard.writeText(JSON.stringify(row.raw, null, 2)) : undefined;
      }
      case 'copyCurl':
        if (model.address !== undefined) return vscode.env.clipboard.writeText(toCurl(model.address));
        void showInfo(servedInProcess());
        return;
      case 'openProposalJson':
        return vscode.commands.executeCommand('vscode.open', this.#context.jsonUri(key));
      case 'openInExplorer':
        if (model.explorerUrl !== undefined) await vscode.env.openExternal(vscode.Uri.parse(model.explorerUrl, true));
        return;
      default:
        command satisfies never;
    }
  }

  async #answer(value: unknown): Promise<void> {
    const message = readPageMessage(value);
    switch (message?.type) {
      case undefined:
        this.#context.log.warn(`Unknown message of a proposal page: ${JSON.stringify(value)?.slice(0, 200)}`);
        break;
      case 'ready':
        this.#isReady = true;
        this.#show();
        break;
      case 'painted':
        this.#painted.fire();
        break;
      case 'openLink':
        await this.#context.run(vscode.l10n.t('Could not open the link'), () => openLink(message));
        break;
      case 'retry':
        await this.run('refreshProposal');
        break;
      case 'act':
        await this.#context.run(vscode.l10n.t('Could not read the votes'), () => this.#act(message.action));
        break;
      default:
        message satisfies never;
    }
  }

  async #act(action: PageAction): Promise<void> {
    const { model, key } = this.#shown;
    if (action !== 'votesBeforeEnd') return readVotes(action, model, key);
    const before = await pastKey(model, key);
    if (before && model === this.#shown.model) this.navigate(before);
  }

  /** Sends everything at the end of this turn of the event loop: several changes at once are one message. */
  #showSoon(): void {
    this.#due ??= setImmediate(() => this.#show());
  }

  /** Sends everything now; the page replaces what differs. A hidden page sends `ready` again when it is shown. */
  #show(): void {
    clearImmediate(this.#due);
    this.#due = undefined;
    const { key } = this.#shown;
    setTabTitle(this.#panel, panelTitle(this.#shown));
    this.#panel.iconPath = statusIcon(this.#shown, this.#context.extensionUri);
    if (!this.#isReady || !this.#panel.visible) return;
    const message: ShowMessage = {
      type: 'show',
      restore: { sourceId: key.sourceId, proposalId: key.id.toString(), pinned: this.#pinned },
      words: pageWords(),
      state: toPanelState(this.#shown, this.#context.watch.votesOn(key)),
    };
    void this.#panel.webview.postMessage(message);
  }

  #end(): void {
    clearImmediate(this.#due);
    unload(this.#shown);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** What a panel shows at the moment, and what is released when it shows something else. */
interface ShownProposal extends Shown {
  readonly hold: SessionHold;
  readonly listener: Disposable;
}

function unload({ hold, model, listener }: ShownProposal): void {
  listener.dispose();
  model.dispose();
  void hold.release();
}
