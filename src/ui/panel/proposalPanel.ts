import * as vscode from 'vscode';
import type { Disposable } from '../../chain/emitter.ts';
import type { ProposalStatus } from '../../chain/proposal.ts';
import { registryChain } from '../../session/registry.ts';
import type { SessionHold } from '../../session/session.ts';
import { systemClock } from '../../watch/clock.ts';
import { createPanel } from '../labels.ts';
import { plain } from '../plain.ts';
import { flash } from '../report.ts';
import type { PanelCommand } from './lazyPanels.ts';
import { handOff, keyBeforeEnd, openLink, readVotes } from './panelActions.ts';
import { PanelPage } from './panelPage.ts';
import { isSameKey, type ProposalKey, ProposalModel } from './proposalModel.ts';
import { placeOf, toProposalView } from './proposalView.ts';
import {
  type PageAction,
  type PageEvent,
  type PageWords,
  type PanelState,
  readRestoreState,
  type ShowMessage,
} from './protocol.ts';

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
  /** The read-only document with the JSON of a proposal. */
  readonly jsonUri: (key: ProposalKey) => vscode.Uri;
}

/** All proposal panels: at most one preview, which follows the selection, and any number that are kept open. */
export class ProposalPanels implements vscode.Disposable {
  readonly #context: PanelContext;
  readonly #viewType: string;
  readonly #panels = new Set<ProposalPanel>();
  readonly #menuState = new Map<string, boolean>();

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
    for (const [name, value] of Object.entries(panel.menuState)) {
      if (this.#menuState.get(name) === value) continue;
      this.#menuState.set(name, value);
      void vscode.commands.executeCommand('setContext', `chainInspector.panel.${name}`, value);
    }
  }

  #adopt(webview: vscode.WebviewPanel, key: ProposalKey, pinned: boolean): ProposalPanel {
    const panel = new ProposalPanel(webview, key, pinned, this.#context);
    this.#panels.add(panel);
    panel.onDidClose(() => this.#panels.delete(panel));
    panel.onDidChange(() => this.#setContext());
    return panel;
  }
}

const maxHistory = 50;

/** One webview panel with one proposal in it. */
class ProposalPanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #page: PanelPage;
  readonly #context: PanelContext;
  readonly #history: ProposalKey[] = [];
  readonly #closed = new vscode.EventEmitter<void>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #painted = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #shown: ShownProposal;
  #pinned: boolean;

  constructor(panel: vscode.WebviewPanel, key: ProposalKey, pinned: boolean, context: PanelContext) {
    this.#panel = panel;
    this.#context = context;
    this.#pinned = pinned;
    this.#shown = this.#load(key);
    const dist = vscode.Uri.joinPath(context.extensionUri, 'dist');
    this.#page = new PanelPage(panel, dist, context.log, {
      title: () => panelTitle(this.#shown),
      icon: () => statusIcon(this.#shown, context.extensionUri),
      message: () => this.#toMessage(),
    });
    this.#subscriptions = [
      this.#page,
      this.#page.onDidReceive((event) => void this.#answer(event)),
      context.watch.onDidChange(() => {
        this.#page.showSoon();
        this.#changed.fire();
      }),
      panel.onDidChangeViewState(() => {
        this.#shown.model.setVisible(panel.visible);
        this.#changed.fire();
      }),
      panel.onDidDispose(() => this.#end()),
      this.#closed,
      this.#changed,
      this.#painted,
    ];
    this.#page.show();
  }

  /** Fires once, when the panel was closed. */
  readonly onDidClose = this.#closed.event;
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
    if (this.#history.length > maxHistory) this.#history.shift();
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
    this.#page.show();
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
      this.#page.showSoon();
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
        if (before) this.#open(before);
        break;
      }
      case 'previousProposal':
      case 'nextProposal': {
        const id = await model.neighbour(command === 'nextProposal' ? 'next' : 'previous');
        if (model !== this.#shown.model) break;
        if (id !== undefined) this.navigate({ sourceId: key.sourceId, id });
        else if (command === 'nextProposal') flash(vscode.l10n.t('This is the last proposal'));
        else flash(vscode.l10n.t('This is the first proposal'));
        break;
      }
      case 'pinProposal':
      case 'unpinProposal':
        this.#pinned = command === 'pinProposal';
        this.#page.show();
        this.#changed.fire();
        break;
      case 'watch':
      case 'unwatch':
        if ((this.#context.watch.isWatched(key) === true) !== (command === 'watch'))
          await this.#context.watch.toggle(key);
        break;
      case 'refreshProposal':
        await model.refresh();
        break;
      case 'copyProposalId':
      case 'copyJson':
      case 'copyCurl':
      case 'openProposalJson':
      case 'openInExplorer':
        await handOff(command, model, key, this.#context.jsonUri);
        break;
      default:
        command satisfies never;
    }
  }

  async #answer(event: PageEvent): Promise<void> {
    switch (event.type) {
      case 'painted':
        this.#painted.fire();
        break;
      case 'openLink':
        await this.#context.run(vscode.l10n.t('Could not open the link'), () => openLink(event));
        break;
      case 'retry':
        await this.run('refreshProposal');
        break;
      case 'act':
        await this.#context.run(vscode.l10n.t('Could not read the votes'), () => this.#act(event.action));
        break;
      default:
        event satisfies never;
    }
  }

  async #act(action: PageAction): Promise<void> {
    const { model, key } = this.#shown;
    if (action !== 'votesBeforeEnd') return readVotes(action, model, key);
    const before = await keyBeforeEnd(model, key);
    if (before && model === this.#shown.model) this.navigate(before);
  }

  #toMessage(): ShowMessage {
    const { key } = this.#shown;
    return {
      type: 'show',
      restore: { sourceId: key.sourceId, proposalId: key.id.toString(), pinned: this.#pinned },
      words: pageWords(),
      state: toPanelState(this.#shown, this.#context.watch.votesOn(key)),
    };
  }

  #end(): void {
    unload(this.#shown);
    this.#closed.fire();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** What a panel shows at the moment, and what is released when it shows something else. */
interface ShownProposal {
  readonly key: ProposalKey;
  readonly hold: SessionHold;
  readonly model: ProposalModel;
  readonly listener: Disposable;
}

function unload({ hold, model, listener }: ShownProposal): void {
  listener.dispose();
  model.dispose();
  void hold.release();
}

function toPanelState({ key, model }: ShownProposal, myVotes: readonly string[]): PanelState {
  const { facts, failure } = model;
  const id = `#${key.id}`;
  if (facts) return { kind: 'loaded', view: toProposalView({ ...facts, myVotes }, vscode.l10n.t) };
  if (failure === undefined) return { kind: 'loading', id, text: vscode.l10n.t('Loading…') };
  const title = vscode.l10n.t('Could not read this proposal');
  return { kind: 'failed', id, title, text: failure, retry: vscode.l10n.t('Retry') };
}

const longestTitle = 40;

/** `#42 Title · chain-1`, as the tab shows it. */
function panelTitle({ key, model }: ShownProposal): string {
  const { facts } = model;
  if (!facts) return `#${key.id}`;
  const title = plain(facts.row.kind === 'proposal' ? (facts.row.title ?? '') : '', longestTitle);
  return `${`#${key.id} ${title}`.trim()} · ${plain(placeOf(facts), longestTitle)}`;
}

/** The icons of tabs, by the names of their files in media/status. */
const statusIcons: Readonly<Record<ProposalStatus, string>> = {
  voting: 'voting',
  deposit: 'deposit',
  passed: 'passed',
  rejected: 'rejected',
  failed: 'failed',
  vetoed: 'rejected',
  unspecified: 'other',
  unknown: 'other',
};

function statusIcon({ model }: ShownProposal, extensionUri: vscode.Uri): vscode.Uri {
  const row = model.facts?.row;
  const name = row?.kind === 'proposal' ? statusIcons[row.status] : statusIcons.unknown;
  return vscode.Uri.joinPath(extensionUri, 'media', 'status', `${name}.svg`);
}

/** The words of the texts that the page puts together itself. */
function pageWords(): PageWords {
  return {
    language: vscode.env.language,
    utc: vscode.l10n.t('UTC'),
    future: vscode.l10n.t('in {0}', '{0}'),
    past: vscode.l10n.t('{0} ago', '{0}'),
    now: vscode.l10n.t('just now'),
    day: vscode.l10n.t('1 day'),
    days: vscode.l10n.t('{0} days', '{0}'),
    hours: vscode.l10n.t('{0} h', '{0}'),
    minutes: vscode.l10n.t('{0} min', '{0}'),
    seconds: vscode.l10n.t('{0} s', '{0}'),
    linkMismatch: vscode.l10n.t('(the text names another host)'),
    image: vscode.l10n.t('Image: {0}', '{0}'),
    showAll: vscode.l10n.t('Show all ({0} characters)', '{0}'),
    showMore: vscode.l10n.t('Show {0} more', '{0}'),
  };
}
