import * as vscode from 'vscode';
import { plain } from '../plain.ts';
import type { DetailsState, ProposalKey } from './proposalDetails.ts';
import { toProposalView } from './proposalView.ts';
import type { PanelState } from './protocol.ts';

/** What is known → what the page shows, loading and failed told apart. */
export function toPanelState(state: DetailsState, key: ProposalKey): PanelState {
  const id = `#${key.id}`;
  switch (state.kind) {
    case 'loading':
      return { kind: 'loading', id, text: vscode.l10n.t('Loading…') };
    case 'failed': {
      const title = vscode.l10n.t('Could not read this proposal');
      return { kind: 'failed', id, title, text: state.reason, retry: vscode.l10n.t('Retry') };
    }
    case 'loaded':
      return { kind: 'loaded', view: toProposalView(state.facts, vscode.l10n.t) };
    default:
      return state satisfies never;
  }
}

const longest = 40;

/** `#42 Title`, as the tab shows it. */
export function panelTitle(state: DetailsState, key: ProposalKey): string {
  const row = state.kind === 'loaded' ? state.facts.row : undefined;
  return `#${key.id} ${plain(row?.kind === 'proposal' ? (row.title ?? '') : '', longest)}`.trim();
}
