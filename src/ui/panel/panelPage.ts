import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { setTabTitle } from '../labels.ts';
import type { Action, HostMessage, PageMessage, RestoreState } from './protocol.ts';

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

const actions: Readonly<Record<Action, true>> = {
  back: true,
  previous: true,
  next: true,
  pin: true,
  watch: true,
  refresh: true,
  copyId: true,
  copyJson: true,
  copyCurl: true,
  openJson: true,
  openExplorer: true,
};

/** Checks what a page sent; undefined where it is not a message of the protocol. */
export function readPageMessage(value: unknown): PageMessage | undefined {
  if (!isRecord(value)) return undefined;
  switch (value.type) {
    case 'ready':
    case 'painted':
      return { type: value.type };
    case 'openLink':
      return typeof value.url === 'string' && typeof value.text === 'string'
        ? { type: 'openLink', url: value.url, text: value.text }
        : undefined;
    case 'action':
      return isAction(value.action) ? { type: 'action', action: value.action } : undefined;
    default:
      return undefined;
  }
}

/** Checks what the editor kept of a panel; undefined where it is not ours or is damaged. */
export function readRestoreState(value: unknown): RestoreState | undefined {
  if (!isRecord(value) || !isRecord(value.restore)) return undefined;
  const { sourceId, proposalId, pinned } = value.restore;
  if (typeof sourceId !== 'string' || typeof proposalId !== 'string' || !/^\d{1,20}$/.test(proposalId))
    return undefined;
  return { sourceId, proposalId, pinned: pinned === true };
}

function isAction(value: unknown): value is Action {
  return typeof value === 'string' && Object.hasOwn(actions, value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
