import * as vscode from 'vscode';
import { namesAnotherHost, toLinkTarget } from '../../../media/proposal/linkTarget.ts';
import { plain } from '../plain.ts';
import { confirm } from '../report.ts';
import type { OpenLinkMessage } from './protocol.ts';

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
