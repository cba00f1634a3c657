import * as vscode from 'vscode';
import type { Disposable } from '../../chain/emitter.ts';
import type { SessionHold } from '../../session/sessions.ts';
import type { Source } from '../../session/source.ts';
import { handOff } from './handOff.ts';
import { openLink } from './openLink.ts';
import { readPageMessage } from './pageMessage.ts';
import { pageWords } from './pageWords.ts';
import { toActions } from './panelActions.ts';
import { panelHtml } from './panelHtml.ts';
import { panelTitle, toPanelState } from './panelState.ts';
import type { ProposalDetails, ProposalKey } from './proposalDetails.ts';
import type { Action, HostMessage, PageMessage } from './protocol.ts';
import { stakingDenom } from './stakingDenom.ts';
import { type PanelWatch, StoreDetails } from './storeDetails.ts';

/** What a panel needs of the rest. */
export interface PanelContext {
  /** Opens a source for as long as a panel needs it. */
  readonly hold: (sourceId: string) => SessionHold;
  /** The address of a proposal in the explorer of its chain, where one is known. */
  readonly proposalPage: (source: Source, id: bigint) => Promise<string | undefined>;
  readonly watch: PanelWatch;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  /** Shows what went wrong with an action; never rejects. */
  readonly run: (title: string, work: () => Promise<void> | void) => Promise<void>;
  /** The read-only document with the JSON of a proposal. */
  readonly jsonUri: (key: ProposalKey) => vscode.Uri;
}

function openDetails(context: PanelContext, key: ProposalKey): ProposalDetails {
  const dist = vscode.Uri.joinPath(context.extensionUri, 'dist').fsPath;
  return new StoreDetails(context.hold(key.sourceId), key, {
    proposalPage: context.proposalPage,
    stakingDenom: (chainId) => stakingDenom(dist, chainId),
    watch: context.watch,
  });
}

/** One webview panel with one proposal in it. */
export class ProposalPanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #context: PanelContext;
  readonly #history: ProposalKey[] = [];
  readonly #closed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #painted = new vscode.EventEmitter<void>();
  #key: ProposalKey;
  #details: ProposalDetails;
  #listener: Disposable;
  #pinned: boolean;
  #ready = false;
  #due: NodeJS.Immediate | undefined;

  constructor(panel: vscode.WebviewPanel, key: ProposalKey, pinned: boolean, context: PanelContext) {
    this.#panel = panel;
    this.#context = context;
    this.#key = key;
    this.#pinned = pinned;
    this.#details = openDetails(context, key);
    this.#listener = this.#details.onDidChange(() => this.#sendSoon());
    this.#details.setVisible(panel.visible);
    const dist = vscode.Uri.joinPath(context.extensionUri, 'dist');
    panel.webview.options = { enableScripts: true, localResourceRoots: [dist] };
    this.#subscriptions = [
      panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      panel.onDidChangeViewState(() => this.#details.setVisible(panel.visible)),
      panel.onDidDispose(() => this.#end()),
      this.#closed,
      this.#painted,
    ];
    panel.webview.html = panelHtml(panel.webview, dist);
    this.#setTitle();
  }

  /** Fires once, when the panel was closed. */
  readonly onDidClose = this.#closed.event;
  /** Fires when the page has drawn a proposal that it did not show before. */
  readonly onDidPaint = this.#painted.event;

  get key(): ProposalKey {
    return this.#key;
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

  reveal(preserveFocus: boolean): void {
    this.#panel.reveal(undefined, preserveFocus);
  }

  /** Shows another proposal; the one shown before is where Back leads. */
  navigate(key: ProposalKey): void {
    if (isSame(key, this.#key)) return;
    this.#history.push(this.#key);
    if (this.#history.length > 50) this.#history.shift();
    this.#open(key);
  }

  /** Does what a button of the page does. */
  async act(action: Action): Promise<void> {
    await this.#context.run(vscode.l10n.t('Could not do this for proposal #{0}', this.#key.id.toString()), () =>
      this.#do(action),
    );
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #open(key: ProposalKey): void {
    const before = this.#details;
    this.#listener.dispose();
    this.#key = key;
    this.#details = openDetails(this.#context, key);
    // Only now: a source that nobody else holds would be closed and opened again.
    before.dispose();
    this.#listener = this.#details.onDidChange(() => this.#sendSoon());
    this.#details.setVisible(this.#panel.visible);
    this.#send();
  }

  async #do(action: Action): Promise<void> {
    const details = this.#details;
    switch (action) {
      case 'back': {
        const before = this.#history.pop();
        if (before) this.#open(before);
        break;
      }
      case 'previous':
      case 'next': {
        const id = await details.neighbour(action);
        if (id !== undefined && details === this.#details) this.navigate({ sourceId: this.#key.sourceId, id });
        break;
      }
      case 'pin':
        this.#pinned = !this.#pinned;
        this.#send();
        break;
      case 'watch':
        await details.watch?.toggle();
        break;
      case 'refresh':
        await details.refresh();
        break;
      case 'copyId':
      case 'copyJson':
      case 'copyCurl':
      case 'openJson':
      case 'openExplorer':
        await handOff(action, details, this.#key, this.#context.jsonUri);
        break;
      default:
        action satisfies never;
    }
  }

  #receive(message: unknown): void {
    const known = readPageMessage(message);
    if (known) void this.#answer(known);
    else this.#context.log.warn(`Unknown message of a proposal page: ${JSON.stringify(message)?.slice(0, 200)}`);
  }

  async #answer(message: PageMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        this.#send();
        break;
      case 'painted':
        this.#painted.fire();
        break;
      case 'openLink':
        await this.#context.run(vscode.l10n.t('Could not open the link'), () => openLink(message));
        break;
      case 'action':
        await this.act(message.action);
        break;
      default:
        message satisfies never;
    }
  }

  /** What is learned in one go is told in one go. */
  #sendSoon(): void {
    this.#due ??= setImmediate(() => this.#send());
  }

  /** Tells the page everything; it replaces what differs. A hidden page asks again when it is shown. */
  #send(): void {
    clearImmediate(this.#due);
    this.#due = undefined;
    this.#setTitle();
    if (!this.#ready) return;
    const message: HostMessage = {
      type: 'show',
      restore: { sourceId: this.#key.sourceId, proposalId: this.#key.id.toString(), pinned: this.#pinned },
      actions: toActions({ details: this.#details, pinned: this.#pinned, canGoBack: this.#history.length > 0 }),
      words: pageWords(),
      state: toPanelState(this.#details.state, this.#key),
    };
    void this.#panel.webview.postMessage(message);
  }

  #setTitle(): void {
    const title = panelTitle(this.#details.state, this.#key);
    if (this.#panel.title !== title) this.#panel.title = title;
  }

  #end(): void {
    clearImmediate(this.#due);
    this.#listener.dispose();
    this.#details.dispose();
    this.#closed.fire();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

export function isSame(a: ProposalKey, b: ProposalKey): boolean {
  return a.sourceId === b.sourceId && a.id === b.id;
}
