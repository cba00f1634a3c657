import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { escapeForUi } from '../../chain/text.ts';
import {
  type PageAction,
  type PageWords,
  readPageMessage,
  type ShowDenom,
  type ShowProposal,
} from '../../page/pageMessages.ts';
import { namesAnotherHost, toLinkTarget } from '../../words/linkTarget.ts';
import { setContext } from '../contextKeys.ts';
import { confirm, type Report } from '../report.ts';

/** A webview panel with a page of the extension. */
export abstract class PagePanel<Action extends PageAction> {
  readonly panel: vscode.WebviewPanel;
  readonly #report: Report;
  readonly #actions: readonly Action[];
  #isReady = false;
  #due: NodeJS.Immediate | undefined;

  /** `actions` are those of the page's buttons. Nothing is shown before `show` is called. */
  constructor(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, report: Report, actions: readonly Action[]) {
    this.panel = panel;
    this.#report = report;
    this.#actions = actions;
    const { webview } = panel;
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    webview.onDidReceiveMessage((value: unknown) => void this.#answer(value));
    panel.onDidDispose(() => clearImmediate(this.#due));
    webview.html = panelHtml(webview, dist);
  }

  /** Runs an action of the page, and shows its failure. */
  abstract run(action: Action): Promise<void>;

  /** Sets the title of the tab, and the context keys of its buttons. */
  protected abstract name(): void;

  /** The content of the page. Undefined if there is none yet. */
  protected abstract message(): ShowProposal | ShowDenom | undefined;

  /** Sends the content at the end of this turn of the event loop. Several changes become one message. */
  protected showSoon(): void {
    this.#due ??= setImmediate(() => this.show());
  }

  /**
   * Sends the content now. The page replaces only the parts that differ. A hidden page sends `ready` again when it is
   * shown.
   */
  protected show(): void {
    clearImmediate(this.#due);
    this.#due = undefined;
    this.name();
    const message = this.#isReady && this.panel.visible ? this.message() : undefined;
    if (message) void this.panel.webview.postMessage(message);
  }

  /** Sets the context keys of the title's buttons, while this panel has the focus. */
  protected setContexts(states: Readonly<Record<string, boolean>>): void {
    if (!this.panel.active) return;
    for (const [name, value] of Object.entries(states)) void setContext(`panel.${name}`, value);
  }

  async #answer(value: unknown): Promise<void> {
    const message = readPageMessage(value, this.#actions);
    if (message?.type === 'openLink')
      await this.#report.run(vscode.l10n.t('Could not open the link'), () => openLink(message.url, message.text));
    if (message?.type === 'act') await this.run(message.action);
    if (message?.type !== 'ready') return;
    this.#isReady = true;
    this.show();
  }
}

/**
 * Opens only http, https, ipfs and mailto links. Asks first if the text names another host, or if the scheme is not
 * http(s).
 */
async function openLink(link: string, text: string): Promise<void> {
  const target = toLinkTarget(link);
  if (!target) return;
  const { scheme, url } = target;
  const isWeb = scheme === 'http' || scheme === 'https';
  const isMismatch = namesAnotherHost(text, target);
  const address = scheme === 'ipfs' ? `https://ipfs.io/ipfs/${url.slice('ipfs://'.length)}` : url;
  if (isMismatch || !isWeb) {
    const host = escapeForUi(target.host, 300);
    const ipfs = vscode.l10n.t('Open this IPFS address through the public gateway ipfs.io?');
    const mail = vscode.l10n.t('This link starts an email to an address at {0}.', host);
    const mismatch = vscode.l10n.t('This link opens {0}, which is not the host shown in its text.', host);
    const question = scheme === 'ipfs' ? ipfs : mail;
    const details = [vscode.l10n.t('Text: {0}', escapeForUi(text)), vscode.l10n.t('Address: {0}', address)];
    if (!(await confirm(isMismatch ? mismatch : question, details, vscode.l10n.t('Open')))) return;
  }
  await vscode.env.openExternal(vscode.Uri.parse(address, true));
}

/** Words for texts that the page computes. */
export function pageWords(): PageWords {
  return {
    language: vscode.env.language,
    future: vscode.l10n.t('in {0}', '{0}'),
    past: vscode.l10n.t('{0} ago', '{0}'),
    now: vscode.l10n.t('just now'),
    units: {
      '1 day': vscode.l10n.t('1 day'),
      '{0} days': vscode.l10n.t('{0} days', '{0}'),
      '1 hour': vscode.l10n.t('1 hour'),
      '{0} hours': vscode.l10n.t('{0} hours', '{0}'),
      '1 minute': vscode.l10n.t('1 minute'),
      '{0} minutes': vscode.l10n.t('{0} minutes', '{0}'),
      '1 second': vscode.l10n.t('1 second'),
      '{0} seconds': vscode.l10n.t('{0} seconds', '{0}'),
    },
    linkMismatch: vscode.l10n.t('(text shows a different host)'),
    image: vscode.l10n.t('Image: {0}', '{0}'),
    showAll: vscode.l10n.t('Show all ({0} characters)', '{0}'),
    showMore: vscode.l10n.t('Show {0} more', '{0}'),
  };
}

/**
 * The frame of a page. Its policy allows only its own script (by nonce) and style sheet. The content arrives in
 * messages.
 */
function panelHtml(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const script = webview.asWebviewUri(vscode.Uri.joinPath(dist, 'proposal.js'));
  const style = webview.asWebviewUri(vscode.Uri.joinPath(dist, 'proposal.css'));
  const own = `style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  const policy = `default-src 'none'; ${own}; base-uri 'none'; form-action 'none'`;
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
