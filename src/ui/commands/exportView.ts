import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import type { AnyPager } from '../../chain/pager.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { ExportJob } from '../../session/export.ts';
import { type AnyList, readShown } from '../../session/lists.ts';
import type { Session, TablesJob } from '../../session/session.ts';
import { plural } from '../../words/language.ts';
import { type PickItem, pickOne, withProgress } from '../ask.ts';
import { askExportFile, type ExportChoice, offerToOpen, onDisk, type RowsChoice, runExport } from '../exportFile.ts';
import { listViews } from '../listViews.ts';
import { confirm } from '../report.ts';
import { viewTexts } from '../sourceStatus.ts';

/** Exports a list to a file. Asks for rows and format, unless a key binding gives them, and always for the file. */
export async function exportView(session: Session, list: AnyList, given: ExportChoice | undefined): Promise<void> {
  const choice = given ?? (await askExport(session, list));
  if (!choice) return;
  const isTables = choice.scope === 'tables';
  const place = isTables ? await askFolder() : await askExportFile(session.source.name, list.name, choice.format);
  if (place) await exportTo(session, list, choice, place.fsPath);
}

/** The same for a file, of tables a folder, that was chosen before. */
export async function exportTo(session: Session, list: AnyList, choice: ExportChoice, path: string): Promise<void> {
  if (choice.scope === 'tables') return exportTablesTo(session, path, choice.format);
  const { scope, format } = choice;
  const place = { path, format, source: session.source.id || session.source.name };
  const total = scope === 'everything' ? totalOf(session.stores[list.name].pagers) : undefined;
  const title = vscode.l10n.t('Exporting {0}', listViews[list.name].texts().name);
  await runExport(title, place, total, (signal) => exportedRows(session, list, scope, signal));
}

async function exportTablesTo(session: Session, folder: string, format: TablesJob['format']): Promise<void> {
  const { exportTables: start } = await session.chain();
  if (!start)
    throw new InputError(vscode.l10n.t('The sample chain has no tables to export: show an endpoint or a state file'));
  const force = (await readdir(folder).catch(() => [])).length > 0;
  const question = vscode.l10n.t('{0} holds files', escapeForUi(folder));
  const details = [vscode.l10n.t('Tables of an earlier export are replaced, other files stay.')];
  if (force && !(await confirm(question, details, vscode.l10n.t('Replace Tables')))) return;
  const tables = await withProgress(vscode.l10n.t('Exporting tables'), async (signal, show) => {
    const onProgress = (done: number, of?: number): void => {
      const percent = of !== undefined && of > 0 ? Math.floor((done / of) * 100) : 0;
      if (of === undefined) show(vscode.l10n.t('{0} rows', done));
      else show(vscode.l10n.t('{0} %', percent), percent);
    };
    return start({ folder, format, force, signal, onProgress });
  });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const faults = tables.reduce((sum, table) => sum + table.faults, 0);
  const name = 'manifest.json';
  const done = plural(
    rows,
    vscode.l10n.t('Exported 1 row as tables to {0}.', escapeForUi(folder)),
    vscode.l10n.t('Exported {0} rows as tables to {1}.', rows, escapeForUi(folder)),
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

async function exportedRows(
  session: Session,
  list: AnyList,
  scope: RowsChoice['scope'],
  signal: AbortSignal,
): Promise<Pick<ExportJob<unknown>, 'table' | 'pages'>> {
  const { stores } = session;
  if (scope === 'loaded') return { table: list.table(stores), pages: readShown(list, stores) };
  await list.loadWriting(stores);
  const node = await session.node();
  const read = scope === 'matching' ? list.readMatching : list.readAll;
  return { table: list.table(stores), pages: read.call(list, stores, node, signal) };
}

function totalOf(pagers: readonly AnyPager[]): string | undefined {
  const counts = pagers.map(({ total, hasMore, rows }) => (hasMore ? total : BigInt(rows.length)));
  return counts.every((count) => count !== undefined) ? `${counts.reduce((sum, count) => sum + count, 0n)}` : undefined;
}

type ExportItem = PickItem & { readonly choice: ExportChoice };

async function askExport({ stores, source }: Session, list: AnyList): Promise<ExportChoice | undefined> {
  const { name } = listViews[list.name].texts();
  const shown = list.shown(stores).length;
  const isFiltered = list.isFiltered(stores);
  const filter = viewTexts[list.name](stores);
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
  const title = vscode.l10n.t('Export {0}', name);
  return (await pickOne(items, { title }))?.choice;
}
