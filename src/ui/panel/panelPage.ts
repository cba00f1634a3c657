import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { ProposalStatus } from '../../chain/proposal.ts';
import { plain } from '../plain.ts';
import type { ProposalFacts, ProposalKey } from './proposalModel.ts';
import { placeOf } from './proposalView.ts';
import type { PageWords } from './protocol.ts';

const longestTitle = 40;

/** `#42 Title · chain-1`, as the tab shows it. */
export function panelTitle({ id }: ProposalKey, facts: ProposalFacts | undefined): string {
  if (!facts) return `#${id}`;
  const title = plain(facts.row.kind === 'proposal' ? (facts.row.title ?? '') : '', longestTitle);
  return `${`#${id} ${title}`.trim()} · ${plain(placeOf(facts), longestTitle)}`;
}

/** Statuses whose tab has the icon of another one, by the files in media/status. */
const otherIcons: Partial<Record<ProposalStatus, string>> = {
  vetoed: 'rejected',
  unspecified: 'other',
  unknown: 'other',
};

/** The icon of the tab. */
export function statusIcon(facts: ProposalFacts | undefined, extensionUri: vscode.Uri): vscode.Uri {
  const row = facts?.row;
  const status = row?.kind === 'proposal' ? row.status : 'unknown';
  return vscode.Uri.joinPath(extensionUri, 'media', 'status', `${otherIcons[status] ?? status}.svg`);
}

/** The words of the texts that the page puts together itself. */
export function pageWords(): PageWords {
  return {
    language: vscode.env.language,
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
