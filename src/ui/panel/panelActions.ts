import * as vscode from 'vscode';
import { namesAnotherHost, toLinkTarget } from '../../../media/proposal/linkTarget.ts';
import { plain } from '../plain.ts';
import { confirm, showInfo } from '../report.ts';
import { toCurl } from '../values.ts';
import { servedInProcess } from '../words.ts';
import type { ProposalKey, ProposalModel } from './proposalModel.ts';
import type { Action, ActionView, OpenLinkMessage } from './protocol.ts';

/** What of a panel decides which buttons it has. */
export interface ActionState {
  readonly model: ProposalModel;
  readonly pinned: boolean;
  readonly watched: boolean;
  readonly canGoBack: boolean;
}

const keys: Readonly<Partial<Record<Action, string>>> = {
  back: 'Alt+ArrowLeft',
  previous: 'Alt+ArrowUp',
  next: 'Alt+ArrowDown',
  refresh: 'Control+R',
};

/** The buttons of a panel, in the order shown; those that never apply are left out, those that do not apply now are off. */
export function toActions({ model, pinned, watched, canGoBack }: ActionState): readonly ActionView[] {
  const t = vscode.l10n.t;
  const isLoaded = model.facts !== undefined;
  const view = (action: Action, label: string, hint: string, enabled: boolean): ActionView => {
    const key = keys[action];
    return { action, label, hint, enabled, ...(key === undefined ? {} : { key }) };
  };
  return [
    view('back', t('Back'), t('Back to the proposal shown before'), canGoBack),
    view('previous', t('Previous'), t('Previous proposal'), model.mayHave('previous')),
    view('next', t('Next'), t('Next proposal'), model.mayHave('next')),
    view('refresh', t('Refresh'), t('Read this proposal again'), true),
    { ...view('pin', t('Keep Open'), t('Keep this panel on this proposal'), true), pressed: pinned },
    { ...view('watch', t('Watch'), t('Notify me when something changes'), isLoaded), pressed: watched },
    view('copyId', t('Copy ID'), t('Copy the id'), true),
    view('copyJson', t('Copy JSON'), t('Copy the JSON as it came'), isLoaded),
    view('copyCurl', t('Copy as cURL'), t('Copy a command that reads this proposal'), isLoaded),
    view('openJson', t('Open JSON'), t('Open the JSON as a read-only document'), isLoaded),
    ...(model.explorerUrl === undefined
      ? []
      : [view('openExplorer', t('Explorer'), t('Open in the explorer of this chain'), true)]),
  ];
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

/** The actions that copy a proposal or open it elsewhere. */
export type HandOff = Extract<Action, `copy${string}` | `open${string}`>;

/** Does one of them; one that does not apply yet does nothing. */
export async function handOff(
  action: HandOff,
  model: ProposalModel,
  key: ProposalKey,
  jsonUri: (key: ProposalKey) => vscode.Uri,
): Promise<void> {
  const row = model.facts?.row;
  switch (action) {
    case 'copyId':
      await vscode.env.clipboard.writeText(key.id.toString());
      break;
    case 'copyJson':
      if (row?.kind === 'proposal') await vscode.env.clipboard.writeText(JSON.stringify(row.raw, null, 2));
      break;
    case 'copyCurl':
      if (model.address === undefined) void showInfo(servedInProcess());
      else await vscode.env.clipboard.writeText(toCurl(model.address));
      break;
    case 'openJson':
      await vscode.commands.executeCommand('vscode.open', jsonUri(key));
      break;
    case 'openExplorer':
      if (model.explorerUrl !== undefined) await vscode.env.openExternal(vscode.Uri.parse(model.explorerUrl, true));
      break;
    default:
      action satisfies never;
  }
}
