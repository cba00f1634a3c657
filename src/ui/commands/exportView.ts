import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import type { Coin } from '../../chain/coin.ts';
import { isFiltering, statusGroups } from '../../chain/proposal.ts';
import { hasText } from '../../chain/supplyStore.ts';
import { inPages, proposalsTable, supplyTable } from '../../session/export.ts';
import { readProposals, readSupply } from '../../session/readAll.ts';
import type { Session, TablesJob } from '../../session/session.ts';
import { plural } from '../../words/language.ts';
import { plain } from '../../words/plain.ts';
import { filterText } from '../../words/proposalWords.ts';
import { type PickItem, pickOne, withProgress } from '../ask.ts';
import type { ViewName } from '../commandArguments.ts';
import { askExportFile, type ExportChoice, offerToOpen, onDisk, type RowsChoice, runExport } from '../exportFile.ts';
import { confirm } from '../report.ts';

/** Exports a view to a file. Asks for rows and format, unless a key binding gives them, and always for the file. */
export async function exportView(session: Session, view: ViewName, given: ExportChoice | undefined): Promise<void> {
  const choice = given ?? (await askExport(session, view));
  if (!choice) return;
  const isTables = choice.scope === 'tables';
  const place = isTables ? await askFolder() : await askExportFile(session.source.name, view, choice.format);
  if (place) await exportTo(session, view, choice, place.fsPath);
}

/** The same for a file, of tables a folder, that was chosen before. */
export async function exportTo(session: Session, view: ViewName, choice: ExportChoice, path: string): Promise<void> {
  if (choice.scope === 'tables') return exportTables(session, path, choice.format);
  const { scope, format } = choice;
  const place = { path, format, source: session.source.id || session.source.name };
  const total = scope === 'everything' ? totalOf(session, view) : undefined;
  if (view === 'supply') {
    const title = vscode.l10n.t('Exporting supply');
    return runExport(title, place, total, (signal) => supplyRows(session, scope, signal));
  }
  const title = vscode.l10n.t('Exporting proposals');
  return runExport(title, place, total, (signal) => proposalRows(session, scope, signal));
}

async function exportTables(session: Session, folder: string, format: TablesJob['format']): Promise<void> {
  const { exportTables: start } = await session.chain();
  if (!start)
    throw new InputError(vscode.l10n.t('The sample chain has no tables to export: show an endpoint or a state file'));
  const force = (await readdir(folder).catch(() => [])).length > 0;
  const question = vscode.l10n.t('{0} holds files', plain(folder));
  const details = [vscode.l10n.t('Tables of an earlier export are replaced, other files stay.')];
  if (force && !(await confirm(question, details, vscode.l10n.t('Replace Tables')))) return;
  const tables = await withProgress(vscode.l10n.t('Exporting tables'), async (signal, show) => {
    const onProgress = (done: number, of?: number) => {
      if (of === undefined) return show(vscode.l10n.t('{0} rows', done));
      const percent = of > 0 ? Math.floor((done / of) * 100) : 0;
      show(vscode.l10n.t('{0} %', percent), percent);
    };
    return start({ folder, format, force, signal, onProgress });
  });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const faults = tables.reduce((sum, table) => sum + table.faults, 0);
  const name = 'manifest.json';
  const done = plural(
    rows,
    vscode.l10n.t('Exported 1 row as tables to {0}.', plain(folder)),
    vscode.l10n.t('Exported {0} rows as tables to {1}.', rows, plain(folder)),
  );
  const unread = plural(
    faults,
    vscode.l10n.t('1 value could not be read; {0} names it.', name),
    vscode.l10n.t('{0} values could not be read; {1} names the first of each table.', faults, name),
  );
  void offerToOpen(faults === 0 ? done : `${done} ${unread}`, vscode.l10n.t('Open {0}', name), join(folder, name));
}

async function askFolder(): Promise<vscode.Uri | undefined> {
  const openLabel = vscode.l10n.t('Export Here');
  const options = { canSelectFiles: false, canSelectFolders: true, title: vscode.l10n.t('Export to'), openLabel };
  const [chosen] = (await vscode.window.showOpenDialog(options)) ?? [];
  return chosen && onDisk(chosen);
}

async function proposalRows(session: Session, scope: RowsChoice['scope'], signal: AbortSignal) {
  const { proposals } = session;
  const pages =
    scope === 'loaded'
      ? loadedProposals(session)
      : readProposals(proposals, await session.node(), scope === 'matching' ? proposals.filter : {}, signal);
  return { table: proposalsTable, pages };
}

async function* loadedProposals({ proposals }: Session) {
  for (const group of proposals.shownGroups) yield* inPages(proposals.rows(group), proposals.pager(group).height);
  if (!proposals.filter.statuses) yield* inPages(proposals.rows('other'));
  yield* inPages(proposals.rows('unreadable'));
}

async function supplyRows(session: Session, scope: RowsChoice['scope'], signal: AbortSignal) {
  const { supply } = session;
  const unitOf = (denom: string) => supply.unit(denom);
  const table = supplyTable(unitOf);
  if (scope === 'loaded') return { table, pages: inPages(supply.shown, supply.pager.height) };
  await supply.loadUnits().catch(() => undefined);
  const { text } = supply.view;
  const isFound = ({ denom }: Coin) => scope === 'everything' || hasText(denom, text, unitOf);
  return { table, pages: readSupply(supply, await session.node(), signal), keep: isFound };
}

function totalOf({ proposals, supply }: Session, view: ViewName): string | undefined {
  const pagers = view === 'supply' ? [supply.pager] : statusGroups.map((group) => proposals.pager(group));
  const counts = pagers.map(({ total, hasMore, rows }) => (hasMore ? total : BigInt(rows.length)));
  return counts.every((count) => count !== undefined) ? `${counts.reduce((sum, count) => sum + count, 0n)}` : undefined;
}

type ExportItem = PickItem & { readonly choice: ExportChoice };

async function askExport({ proposals, supply, source }: Session, view: ViewName): Promise<ExportChoice | undefined> {
  const isSupply = view === 'supply';
  const shown = isSupply
    ? supply.shown.length
    : proposals.shownGroups.reduce((sum, group) => sum + proposals.rows(group).length, 0);
  const isFiltered = isSupply ? supply.view.text !== '' : isFiltering(proposals.filter);
  const filter = isSupply ? `“${plain(supply.view.text)}”` : filterText(proposals.filter, vscode.l10n.t);
  const rowsItems = (scope: RowsChoice['scope'], label: string, description: string): ExportItem[] => [
    { label: vscode.l10n.t('{0} as CSV', label), description, choice: { scope, format: 'csv' } },
    { label: vscode.l10n.t('{0} as JSON', label), description, choice: { scope, format: 'json' } },
  ];
  const tablesItems = (label: string, description: string): ExportItem[] => [
    { label: vscode.l10n.t('{0} as Parquet', label), description, choice: { scope: 'tables', format: 'parquet' } },
    { label: vscode.l10n.t('{0} as NDJSON', label), description, choice: { scope: 'tables', format: 'ndjson' } },
  ];
  const ofFile = vscode.l10n.t('balances, delegations, votes and more');
  const ofEndpoint = vscode.l10n.t('supply, metadata, proposals, messages, votes');
  const items = [
    ...(shown > 0 ? rowsItems('loaded', vscode.l10n.t('Loaded rows'), `${shown}`) : []),
    ...(isFiltered ? rowsItems('matching', vscode.l10n.t('All that match the filter'), filter) : []),
    ...rowsItems('everything', vscode.l10n.t('Everything'), vscode.l10n.t('reads what is not loaded')),
    ...(source.kind === 'file' ? tablesItems(vscode.l10n.t('All tables of the file'), ofFile) : []),
    ...(source.kind === 'http' ? tablesItems(vscode.l10n.t('All tables of the endpoint'), ofEndpoint) : []),
  ];
  const title = isSupply ? vscode.l10n.t('Export supply') : vscode.l10n.t('Export proposals');
  return (await pickOne(items, { title }))?.choice;
}
