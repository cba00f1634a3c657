import * as vscode from 'vscode';
import { namesAnotherHost, toLinkTarget } from '../../../media/proposal/linkTarget.ts';
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
    const open = vscode.l10n.t('Open');
    const question = mismatch
      ? vscode.l10n.t('The text of this link names another host. It leads to {0}.', target.host)
      : target.scheme === 'ipfs'
        ? vscode.l10n.t('This link is an IPFS address. Open it through the public gateway ipfs.io?')
        : vscode.l10n.t('This link writes a mail to an address at {0}.', target.host);
    const detail = mismatch ? vscode.l10n.t('Text: {0}\nAddress: {1}', link.text.slice(0, 300), address) : address;
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, open)) !== open) return;
  }
  await vscode.env.openExternal(vscode.Uri.parse(address, true));
}
