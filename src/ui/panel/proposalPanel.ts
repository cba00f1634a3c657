import * as vscode from 'vscode';
import type { Disposable } from '../../chain/emitter.ts';
import { handOff } from './handOff.ts';
import { openLink } from './openLink.ts';
import { pageWords } from './pageWords.ts';
import { toActions } from './panelActions.ts';
import { openDetails, type PanelContext } from './panelContext.ts';
import { type PageEvent, PanelPage } from './panelPage.ts';
import { panelTitle, toPanelState } from './panelState.ts';
import type { ProposalDetails, ProposalKey } from './proposalDetails.ts';
import type { Action, HostMessage } from './protocol.ts';

/** One webview panel with one proposal in it. */
export class ProposalPanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #page: PanelPage;
  readonly #context: PanelContext;
  readonly #history: ProposalKey[] = [];
  readonly #closed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #painted = new vscode.EventEmitter<void>();
  #key: ProposalKey;
  #details: ProposalDetails;
  #listener: Disposable;
  #pinned: boolean;

  constructor(panel: vscode.WebviewPanel, key: ProposalKey, pinned: boolean, context: PanelContext) {
    this.#panel = panel;
    this.#context = context;
    this.#key = key;
    this.#pinned = pinned;
    this.#details = openDetails(context, key);
    this.#listener = this.#follow();
    const dist = vscode.Uri.joinPath(context.extensionUri, 'dist');
    this.#page = new PanelPage(panel, dist, context.log, {
      title: () => panelTitle(this.#details.state, this.#key),
      message: () => this.#toMessage(),
    });
    this.#subscriptions = [
      this.#page,
      this.#page.onDidReceive((event) => void this.#answer(event)),
      panel.onDidChangeViewState(() => this.#details.setVisible(panel.visible)),
      panel.onDidDispose(() => this.#end()),
      this.#closed,
      this.#painted,
    ];
    this.#page.show();
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
    this.#listener = this.#follow();
    this.#page.show();
  }

  #follow(): Disposable {
    this.#details.setVisible(this.#panel.visible);
    return this.#details.onDidChange(() => this.#page.showSoon());
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
        this.#page.show();
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

  async #answer(event: PageEvent): Promise<void> {
    switch (event.type) {
      case 'painted':
        this.#painted.fire();
        break;
      case 'openLink':
        await this.#context.run(vscode.l10n.t('Could not open the link'), () => openLink(event));
        break;
      case 'action':
        await this.act(event.action);
        break;
      default:
        event satisfies never;
    }
  }

  #toMessage(): HostMessage {
    return {
      type: 'show',
      restore: { sourceId: this.#key.sourceId, proposalId: this.#key.id.toString(), pinned: this.#pinned },
      actions: toActions({ details: this.#details, pinned: this.#pinned, canGoBack: this.#history.length > 0 }),
      words: pageWords(),
      state: toPanelState(this.#details.state, this.#key),
    };
  }

  #end(): void {
    this.#listener.dispose();
    this.#details.dispose();
    this.#closed.fire();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

export function isSame(a: ProposalKey, b: ProposalKey): boolean {
  return a.sourceId === b.sourceId && a.id === b.id;
}
