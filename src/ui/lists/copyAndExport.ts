import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import { groupDigits } from '../../chain/coin.ts';
import { escapeForUi } from '../../chain/text.ts';
import type { AnyPager } from '../../lists/pager.ts';
import { type ExportJob, tableText } from '../../session/export.ts';
import { type AnyList, listOfOwner, listOfRow, lists, readShown } from '../../session/lists.ts';
import { type ListName, listNames, type Session, type Stores, type TablesJob } from '../../session/session.ts';
import { plural } from '../../words/language.ts';
import { type PickItem, pickOne, withProgress } from '../ask.ts';
import { ownerOf, type RowKey, readRows, rowsInStores, type Selection } from '../commands/commandArguments.ts';
import { curlCommands } from '../curlCommands.ts';
import { askExportFile, type ExportChoice, offerToOpen, onDisk, type RowsChoice, runExport } from '../exportFile.ts';
import { listViews } from '../listViews.ts';
import { confirm, flash } from '../report.ts';
import { viewTexts } from '../sourceStatus.ts';
import type { Credentials } from '../storage.ts';

// The ways of rows out of their views: to the clipboard, and to files.

type Rows = readonly RowKey[];

/** Cells, JSON and cURL commands are of whole rows; the others are one exact value of each, by its name in the list. */
export type CopyForm = 'tsv' | 'json' | 'curl' | { readonly list: ListName; readonly value: string };

/** `given`: the rows that a menu was opened on. `view`: the list whose selection is meant. */
interface WantedRows {
  readonly given: Rows | undefined;
  readonly view: ListName | undefined;
  readonly selection: Selection;
}

/** Copies rows of one view: those given, else the selection (of `view`, where it is named), else those that are asked for. */
export async function copyRows(
  session: Session,
  form: CopyForm,
  { given, view, selection }: WantedRows,
  credentials: Credentials,
): Promise<void> {
  const { stores } = session;
  const rows = rowsInStores(session, given ?? selectedRows(selection, view) ?? (await askRows(stores, selection)));
  if (rows.length === 0) return;
  if (form === 'curl') return copyCurl(session, rows, credentials);
  if (typeof form !== 'string') {
    const list = lists[form.list];
    return copyLines(rowsOf(list, stores, rows).flatMap((row) => list.values(row)[form.value] ?? []));
  }
  for (const list of Object.values(lists)) {
    const found = rowsOf(list, stores, rows);
    if (found.length > 0) return copyText(tableText(list.table(stores), found, form), found.length);
  }
  flash(vscode.l10n.t('There are no rows to copy'));
}

async function copyLines(lines: readonly string[]): Promise<void> {
  const [first] = lines;
  if (first === undefined) return flash(vscode.l10n.t('There are no rows to copy'));
  await vscode.env.clipboard.writeText(lines.join('\n'));
  flash(
    vscode.l10n.t(
      'Copied {0}',
      lines.length === 1 ? escapeForUi(first) : vscode.l10n.t('{0} lines', groupDigits(lines.length)),
    ),
  );
}

/** A group means its loaded rows; a row that is selected together with its group counts once. */
function rowsOf(list: AnyList, stores: Stores, keys: Rows): readonly unknown[] {
  const find = list.finder(stores);
  const rows = keys.flatMap(({ kind, key }): readonly unknown[] => {
    if (kind === list.row.kind) return [find(key)];
    return kind === 'group' && list.owners.includes(key) ? list.shown(stores, key) : [];
  });
  return [...new Set(rows)].filter((row) => row !== undefined);
}

async function copyText(text: string, rows: number): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  flash(plural(rows, vscode.l10n.t('Copied 1 row'), vscode.l10n.t('Copied {0} rows', groupDigits(rows))));
}

/** The selection of a view or, where none is named, of the only view that has one. */
function selectedRows(selection: Selection, view: ListName | undefined): Rows | undefined {
  if (view) return readRows(undefined, selection(view));
  const [only, ...others] = listNames.flatMap((name) => {
    const rows = readRows(undefined, selection(name));
    return rows ? [rows] : [];
  });
  return others.length > 0 ? undefined : only;
}

async function askRows(stores: Stores, selection: Selection): Promise<Rows> {
  const choices = Object.values(lists).map((list) => {
    const selected = readRows(undefined, selection(list.name));
    const texts = listViews[list.name].texts();
    return selected
      ? { label: texts.selected, rows: selected }
      : { label: texts.loaded, rows: loadedRows(list, stores) };
  });
  const items = choices.filter(({ rows }) => rows.length > 0);
  if (items.length === 0) flash(vscode.l10n.t('No row is loaded yet'));
  const chosen = items.length > 0 ? await pickOne(items, { title: vscode.l10n.t('Copy which rows?') }) : undefined;
  return chosen?.rows ?? [];
}

/** The rows of a list or, where they are in groups, those that hold any. */
function loadedRows(list: AnyList, stores: Stores): Rows {
  if (list.owners.length === 1) return list.shown(stores).map((row) => ({ kind: list.row.kind, key: list.keyOf(row) }));
  const owners = list.owners.filter((owner) => list.pager(stores, owner) && list.shown(stores, owner).length > 0);
  return owners.map((key) => ({ kind: 'group', key }));
}

async function copyCurl(session: Session, rows: Rows, credentials: Credentials): Promise<void> {
  const resources = rows.flatMap((row) => {
    const list = listOfRow(row.kind);
    if (list) return [list.readableRow(row.key)];
    const owner = ownerOf(row);
    const owning = listOfOwner(owner);
    return owning ? [owning.readableList(session.stores, owner)] : [];
  });
  const commands = await curlCommands(session, resources, credentials);
  if (commands.length > 0) await copyText(`${[...new Set(commands)].join('\n')}\n`, commands.length);
}

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
      if (of === undefined) show(vscode.l10n.t('{0} rows', groupDigits(done)));
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
    vscode.l10n.t('Exported {0} rows as tables to {1}.', groupDigits(rows), escapeForUi(folder)),
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
  return counts.every((count) => count !== undefined)
    ? groupDigits(counts.reduce((sum, count) => sum + count, 0n))
    : undefined;
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
    ...(shown > 0 ? rowsItems('loaded', vscode.l10n.t('Loaded rows'), groupDigits(shown)) : []),
    ...(isFiltered ? rowsItems('matching', vscode.l10n.t('All that match the filter'), filter) : []),
    ...rowsItems('everything', vscode.l10n.t('Everything'), vscode.l10n.t('reads what is not loaded')),
    ...(source.kind === 'file' ? tablesItems(vscode.l10n.t('All tables of the file'), ofFile) : []),
    ...(source.kind === 'http' ? tablesItems(vscode.l10n.t('All tables of the endpoint'), ofEndpoint) : []),
  ];
  const title = vscode.l10n.t('Export {0}', name);
  return (await pickOne(items, { title }))?.choice;
}
