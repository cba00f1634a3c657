import * as vscode from 'vscode';
import type { ProposalDetails } from './proposalDetails.ts';
import type { Action, ActionView } from './protocol.ts';

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
    view('copyCurl', t('Copy as cURL'), t('Copy a command that reads this proposal'), details.address !== undefined),
    view('openJson', t('Open JSON'), t('Open the JSON as a read-only document'), loaded),
    ...(details.explorerUrl === undefined
      ? []
      : [view('openExplorer', t('Explorer'), t('Open in the explorer of this chain'), true)]),
  ];
}
