import * as vscode from 'vscode';
import { setTabTitle } from '../labels.ts';
import { readPageMessage } from './pageMessage.ts';
import { panelHtml } from './panelHtml.ts';
import type { HostMessage, PageMessage } from './protocol.ts';

/** What a page says beside that it is there. */
export type PageEvent = Exclude<PageMessage, { readonly type: 'ready' }>;

/** What a panel shows at the moment. */
export interface PanelSource {
  /** The text of the tab. */
  title(): string;
  message(): HostMessage;
}

/** The page inside a panel: loaded here, told everything when it asks for it and whenever something changed. */
export class PanelPage implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #source: PanelSource;
  readonly #received = new vscode.EventEmitter<PageEvent>();
  readonly #subscription: vscode.Disposable;
  #ready = false;
  #due: NodeJS.Immediate | undefined;

  /** `dist` holds the page's files. */
  constructor(panel: vscode.WebviewPanel, dist: vscode.Uri, log: vscode.LogOutputChannel, source: PanelSource) {
    this.#panel = panel;
    this.#source = source;
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    this.#subscription = webview.onDidReceiveMessage((message: unknown) => {
      const known = readPageMessage(message);
      if (known) this.#receive(known);
      else log.warn(`Unknown message of a proposal page: ${JSON.stringify(message)?.slice(0, 200)}`);
    });
    webview.html = panelHtml(webview, dist);
  }

  readonly onDidReceive = this.#received.event;

  /** Tells the page everything now; it replaces what differs. A hidden page asks again when it is shown. */
  show(): void {
    clearImmediate(this.#due);
    this.#due = undefined;
    setTabTitle(this.#panel, this.#source.title());
    if (this.#ready) void this.#panel.webview.postMessage(this.#source.message());
  }

  /** The same a moment later: what is learned in one go is told in one go. */
  showSoon(): void {
    this.#due ??= setImmediate(() => this.show());
  }

  dispose(): void {
    clearImmediate(this.#due);
    this.#subscription.dispose();
    this.#received.dispose();
  }

  #receive(message: PageMessage): void {
    if (message.type !== 'ready') {
      this.#received.fire(message);
      return;
    }
    this.#ready = true;
    this.show();
  }
}
