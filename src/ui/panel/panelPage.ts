import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { setTabTitle } from '../labels.ts';
import { type PageEvent, type PageMessage, readPageMessage, type ShowMessage } from './protocol.ts';

/** What a panel shows at the moment. */
export interface PanelSource {
  /** The text of the tab. */
  title(): string;
  /** The icon of the tab. */
  icon(): vscode.Uri;
  message(): ShowMessage;
}

/** The page inside a panel: gets one message with everything when it is ready and whenever something changed. */
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

  /** Sends everything now; the page replaces what differs. A hidden page sends `ready` again when it is shown. */
  show(): void {
    clearImmediate(this.#due);
    this.#due = undefined;
    setTabTitle(this.#panel, this.#source.title());
    this.#panel.iconPath = this.#source.icon();
    if (this.#ready && this.#panel.visible) void this.#panel.webview.postMessage(this.#source.message());
  }

  /** The same at the end of this turn of the event loop: several changes at once are one message. */
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

/**
 * The frame of the page: its script (by nonce) and style sheet, and a policy that forbids everything else. All content
 * comes later, as messages.
 */
export function panelHtml(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const script = webview.asWebviewUri(vscode.Uri.joinPath(dist, 'proposal.js'));
  const style = webview.asWebviewUri(vscode.Uri.joinPath(dist, 'proposal.css'));
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    "img-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="${vscode.env.language.replace(/[^\w-]/g, '')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${vscode.l10n.t('Proposal')}</title>
<link rel="stylesheet" href="${style.toString()}">
</head>
<body><script nonce="${nonce}" src="${script.toString()}"></script></body>
</html>`;
}
