import * as vscode from 'vscode';
import { namesAnotherHost, toLinkTarget } from '../../../media/proposal/linkTarget.ts';
import type { Disposable } from '../../chain/emitter.ts';
import type { SessionHold } from '../../session/session.ts';
import { plain } from '../plain.ts';
import { confirm, showInfo } from '../report.ts';
import { servedInProcess } from '../words.ts';
import { type PageEvent, PanelPage } from './panelPage.ts';
import type { DetailsState, ProposalDetails, ProposalKey } from './proposalFacts.ts';
import { pageWords, toProposalView } from './proposalView.ts';
import type { Action, ActionView, HostMessage, OpenLinkMessage, PanelState } from './protocol.ts';
import { type PanelWatch, registryChain, StoreDetails } from './storeDetails.ts';

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

/** What of a panel decides which buttons it has. */
export interface ActionState {
  readonly details: ProposalDetails;
  readonly pinned: boolean;
  readonly canGoBack: boolean;
}

const keys: Readonly<Partial<Record<Action, string>>> = {
  back: 'Alt+ArrowLeft',
  previous: 'Alt+ArrowUp',
  next: 'Alt+ArrowDown',
  refresh: 'Control+R',
};

/** The buttons of a panel, in the order shown; those that make no sense here are left out, those not now are off. */
export function toActions({ details, pinned, canGoBack }: ActionState): readonly ActionView[] {
  const t = vscode.l10n.t;
  const loaded = details.state.kind === 'loaded';
  const view = (action: Action, label: string, hint: string, enabled: boolean): ActionView => {
    const key = keys[action];
    return { action, label, hint, enabled, ...(key === undefined ? {} : { key }) };
  };
  return [
    view('back', t('Back'), t('Back to the proposal shown before'), canGoBack),
    view('previous', t('Previous'), t('Previous proposal'), details.mayHave('previous')),
    view('next', t('Next'), t('Next proposal'), details.mayHave('next')),
    view('refresh', t('Refresh'), t('Read this proposal again'), true),
    { ...view('pin', t('Keep Open'), t('Keep this panel on this proposal'), true), pressed: pinned },
    ...(details.watch
      ? [{ ...view('watch', t('Watch'), t('Tell me when something happens'), loaded), pressed: details.watch.on }]
      : []),
    view('copyId', t('Copy ID'), t('Copy the id'), true),
    view('copyJson', t('Copy JSON'), t('Copy the JSON as it came'), loaded),
    view('copyCurl', t('Copy as cURL'), t('Copy a command that reads this proposal'), loaded),
    view('openJson', t('Open JSON'), t('Open the JSON as a read-only document'), loaded),
    ...(details.explorerUrl === undefined
      ? []
      : [view('openExplorer', t('Explorer'), t('Open in the explorer of this chain'), true)]),
  ];
}

/** What a panel needs of the rest. */
export interface PanelContext {
  /** Opens a source for as long as a panel needs it. */
  readonly hold: (sourceId: string) => SessionHold;
  readonly watch: PanelWatch;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  /** Shows what went wrong with an action; never rejects. */
  readonly run: (title: string, work: () => Promise<void> | void) => Promise<void>;
  /** The read-only document with the JSON of a proposal. */
  readonly jsonUri: (key: ProposalKey) => vscode.Uri;
}

/** Opens a proposal of a source for as long as the details live. */
export function openDetails(context: PanelContext, key: ProposalKey): ProposalDetails {
  const dist = vscode.Uri.joinPath(context.extensionUri, 'dist').fsPath;
  return new StoreDetails(context.hold(key.sourceId), key, {
    registryChain: (chainId) => registryChain(dist, chainId, key.id),
    watch: context.watch,
  });
}

/** What is known → what the page shows, loading and failed told apart. */
export function toPanelState(state: DetailsState, key: ProposalKey): PanelState {
  const id = `#${key.id}`;
  switch (state.kind) {
    case 'loading':
      return { kind: 'loading', id, text: vscode.l10n.t('Loading…') };
    case 'failed': {
      const title = vscode.l10n.t('Could not read this proposal');
      return { kind: 'failed', id, title, text: state.reason, retry: vscode.l10n.t('Retry') };
    }
    case 'loaded':
      return { kind: 'loaded', view: toProposalView(state.facts, vscode.l10n.t) };
    default:
      return state satisfies never;
  }
}

const longest = 40;

/** `#42 Title`, as the tab shows it. */
export function panelTitle(state: DetailsState, key: ProposalKey): string {
  const row = state.kind === 'loaded' ? state.facts.row : undefined;
  return `#${key.id} ${plain(row?.kind === 'proposal' ? (row.title ?? '') : '', longest)}`.trim();
}

/**
 * Opens a link of a description outside the editor. Asks first, with the whole address and its true host, where the
 * text names another host or the scheme is not the web's; anything but http, https, ipfs and mailto is not opened.
 */
export async function openLink(link: OpenLinkMessage): Promise<void> {
  const target = toLinkTarget(link.url);
  if (!target) return;
  const mismatch = namesAnotherHost(link.text, target);
  const address = target.scheme === 'ipfs' ? `https://ipfs.io/ipfs/${target.url.slice('ipfs://'.length)}` : target.url;
  const web = target.scheme === 'http' || target.scheme === 'https';
  if (mismatch || !web) {
    const host = plain(target.host, 300);
    const open = vscode.l10n.t('Open');
    const question = mismatch
      ? vscode.l10n.t('The text of this link names another host. It leads to {0}.', host)
      : target.scheme === 'ipfs'
        ? vscode.l10n.t('This link is an IPFS address. Open it through the public gateway ipfs.io?')
        : vscode.l10n.t('This link writes a mail to an address at {0}.', host);
    const details = mismatch
      ? [vscode.l10n.t('Text: {0}', plain(link.text)), vscode.l10n.t('Address: {0}', address)]
      : [address];
    if (!(await confirm(question, details, open))) return;
  }
  await vscode.env.openExternal(vscode.Uri.parse(address, true));
}

/** The actions that take a proposal somewhere else: the clipboard, a document, a browser. */
export type HandOff = Extract<Action, `copy${string}` | `open${string}`>;

/** Does one of them; one that makes no sense yet does nothing. */
export async function handOff(
  action: HandOff,
  details: ProposalDetails,
  key: ProposalKey,
  jsonUri: (key: ProposalKey) => vscode.Uri,
): Promise<void> {
  const row = details.state.kind === 'loaded' ? details.state.facts.row : undefined;
  switch (action) {
    case 'copyId':
      await vscode.env.clipboard.writeText(key.id.toString());
      break;
    case 'copyJson':
      if (row?.kind === 'proposal') await vscode.env.clipboard.writeText(JSON.stringify(row.raw, null, 2));
      break;
    case 'copyCurl':
      if (details.address === undefined) void showInfo(servedInProcess());
      else await vscode.env.clipboard.writeText(toCurl(details.address));
      break;
    case 'openJson':
      await vscode.commands.executeCommand('vscode.open', jsonUri(key));
      break;
    case 'openExplorer':
      if (details.explorerUrl !== undefined) await vscode.env.openExternal(vscode.Uri.parse(details.explorerUrl, true));
      break;
    default:
      action satisfies never;
  }
}

/** A shell command that asks what we asked; no secrets in it. */
function toCurl(address: string): string {
  return `curl -sS -H 'Accept: application/json' '${address.replaceAll("'", '%27')}'`;
}
