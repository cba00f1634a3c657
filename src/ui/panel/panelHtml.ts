import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

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
