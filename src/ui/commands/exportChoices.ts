import * as vscode from 'vscode';
import type { ExportFormat } from '../../session/export/exportRows.ts';
import { isFiltering } from '../../session/find/savedFilter.ts';
import type { Session } from '../../session/session.ts';
import { filterText } from './filterWords.ts';

/** `loaded`: the rows that the view shows. `matching`: every row behind the view that its filter lets through. */
export type Scope = 'loaded' | 'matching' | 'everything';

/** Which rows, in which form. */
export interface Wish {
  readonly scope: Scope;
  readonly format: ExportFormat;
}

/** Asks which rows and in which form. */
export async function askWish(session: Session, view: 'proposals' | 'supply'): Promise<Wish | undefined> {
  const choices = scopesOf(session, view).flatMap(({ scope, label, description }) => [
    { label: vscode.l10n.t('{0} as CSV', label), description, wish: { scope, format: 'csv' as const } },
    { label: vscode.l10n.t('{0} as JSON', label), description, wish: { scope, format: 'json' as const } },
  ]);
  const title = view === 'proposals' ? vscode.l10n.t('Export proposals') : vscode.l10n.t('Export supply');
  return (await vscode.window.showQuickPick(choices, { title }))?.wish;
}

interface ScopeChoice {
  readonly scope: Scope;
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
  const filter = view === 'supply' ? `“${supply.view.text}”` : filterText(proposals.filter);
  const matching = {
    scope: 'matching' as const,
    label: vscode.l10n.t('All that match the filter'),
    description: filter,
  };
  const all = vscode.l10n.t('reads what is not loaded');
  const everything = { scope: 'everything' as const, label: vscode.l10n.t('Everything'), description: all };
  return [...(shown > 0 ? [loaded] : []), ...(filtered ? [matching] : []), everything];
}

/** The rows and the form that a caller of the command gave. */
export function readWish(given: unknown): Wish | undefined {
  if (typeof given !== 'object' || given === null || !('scope' in given) || !('format' in given)) return undefined;
  const scope = (['loaded', 'matching', 'everything'] as const).find((known) => known === given.scope);
  const format = (['csv', 'json'] as const).find((known) => known === given.format);
  return scope && format && { scope, format };
}

/** The file that a caller of the command gave. */
export function readFile(given: unknown): vscode.Uri | undefined {
  if (typeof given !== 'object' || given === null || !('file' in given)) return undefined;
  return given.file instanceof vscode.Uri ? given.file : undefined;
}
