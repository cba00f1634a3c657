import * as vscode from 'vscode';
import { isFiltering } from '../../session/find/savedFilter.ts';
import type { Session } from '../../session/session.ts';
import { pickOne } from '../ask.ts';
import { plain } from '../plain.ts';
import type { ExportChoice } from './args.ts';
import { filterText } from './filterWords.ts';

/** Asks which rows and in which form. */
export async function askExport(session: Session, view: 'proposals' | 'supply'): Promise<ExportChoice | undefined> {
  const choices = scopesOf(session, view).flatMap(({ scope, label, description }) => [
    { label: vscode.l10n.t('{0} as CSV', label), description, choice: { scope, format: 'csv' as const } },
    { label: vscode.l10n.t('{0} as JSON', label), description, choice: { scope, format: 'json' as const } },
  ]);
  const title = view === 'proposals' ? vscode.l10n.t('Export proposals') : vscode.l10n.t('Export supply');
  return (await pickOne(choices, { title }))?.choice;
}

interface ScopeChoice {
  readonly scope: ExportChoice['scope'];
  readonly label: string;
  readonly description: string;
}

/** What can be exported: what is loaded only where something is, what matches only where a filter is set. */
function scopesOf({ proposals, supply }: Session, view: 'proposals' | 'supply'): readonly ScopeChoice[] {
  const shown =
    view === 'supply'
      ? supply.shown.length
      : proposals.shownGroups.reduce((sum, group) => sum + proposals.rows(group).length, 0);
  const filtered = view === 'supply' ? supply.view.text !== '' : isFiltering(proposals.filter);
  const loaded = { scope: 'loaded' as const, label: vscode.l10n.t('Loaded rows'), description: `${shown}` };
  const filter = view === 'supply' ? `“${plain(supply.view.text)}”` : filterText(proposals.filter);
  const matching = {
    scope: 'matching' as const,
    label: vscode.l10n.t('All that match the filter'),
    description: filter,
  };
  const all = vscode.l10n.t('reads what is not loaded');
  const everything = { scope: 'everything' as const, label: vscode.l10n.t('Everything'), description: all };
  return [...(shown > 0 ? [loaded] : []), ...(filtered ? [matching] : []), everything];
}
