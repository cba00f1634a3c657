import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { InputError } from '../../../api/errors.ts';
import { groupDigits } from '../../../chain/coin.ts';
import { escapeForUi } from '../../../chain/text.ts';
import type { Linked } from '../../../code/outsideLink.ts';
import { type AnyList, type ListName, type Lists, listOfOwner, listOfRow } from '../../../lists/lists.ts';
import type { AnyPager } from '../../../lists/pager.ts';
import { type ExportJob, tableText } from '../../../reads/export.ts';
import { maxAges } from '../../../session/kept.ts';
import type { Session, TablesJob } from '../../../session/session.ts';
import { plural, sentencesText } from '../../../words/language.ts';
import { type PickItem, pickOne, withProgress } from '../../ask.ts';
import { copyLinks } from '../../codeLinks/outsideLinks.ts';
import { loadedRows, ownerOf, type RowKey, readRowKeys, type Selection } from '../../commands/commandArguments.ts';
import { askExportFile, type ExportChoice, offerToOpen, onDisk, type RowsChoice, runExport } from '../../exportFile.ts';
import { confirm, flash } from '../../report.ts';
import type { Credentials } from '../../storage.ts';
import { listScreens } from '../listScreens.ts';
import { curlCommands } from './curlCommands.ts';

// Copying rows to the clipboard, and exporting them to files.

type Rows = readonly RowKey[];

/**
 * Cells, JSON, links and cURL commands are of whole rows. The other forms copy one exact value of each row, by its name
 * in the list.
 */
export type CopyForm = 'tsv' | 'json' | 'curl' | 'link' | { readonly list: ListName; readonly value: string };

/** `given` are the rows that a menu was opened on. `view` is the list whose selection counts otherwise. */
interface WantedRows {
  readonly given: Rows | undefined;
  readonly view: ListName | undefined;
  readonly selection: Selection;
}

/**
 * Copies rows of one view. Takes the given rows, otherwise the selection (of `view`, if named), otherwise rows that the
 * user is asked for.
 */
export async function copyRows(
  session: Session,
  form: CopyForm,
  { given, view, selection }: WantedRows,
  credentials: Credentials,
): Promise<void> {
  const { lists } = session;
  const rows = loadedRows(session, given ?? selectedRows(lists, selection, view) ?? (await askRows(lists, selection)));
  if (rows.length === 0) return;
  if (form === 'curl') return copyCurl(session, rows, credentials);
  if (form === 'link')
    return copyLinks(
      session,
      rows.flatMap((row) => linkedIn(lists, row)),
    );
  if (typeof form !== 'string') {
    const list: AnyList = lists[form.list];
    return copyLines(rowsByKeys(list, rows).flatMap((row) => list.values(row)[form.value] ?? []));
  }
  for (const list of Object.values<AnyList>(lists)) {
    const found = rowsByKeys(list, rows);
    if (found.length > 0) return copyText(tableText(list.table, found, form), found.length);
  }
  flash(vscode.l10n.t('No rows to copy'));
}

/** The target of a link to a row. Empty if the row has no link. */
function linkedIn(lists: Lists, { kind, key }: RowKey): readonly Linked[] {
  const list = listOfRow(lists, kind);
  const linked = list && listScreens[list.name].link?.(key);
  return linked ? [linked] : [];
}

async function copyLines(lines: readonly string[]): Promise<void> {
  const [first] = lines;
  if (first === undefined) return flash(vscode.l10n.t('No rows to copy'));
  await vscode.env.clipboard.writeText(lines.join('\n'));
  flash(
    vscode.l10n.t(
      'Copied {0}',
      lines.length === 1 ? escapeForUi(first) : vscode.l10n.t('{0} lines', groupDigits(lines.length)),
    ),
  );
}

/** The rows for some keys. A group stands for its loaded rows. A row that is selected with its group counts once. */
function rowsByKeys(list: AnyList, keys: Rows): readonly unknown[] {
  const find = list.finder();
  const rows = keys.flatMap(({ kind, key }): readonly unknown[] => {
    if (kind === list.rowKind) return [find(key)];
    return kind === 'group' && list.owners.includes(key) ? list.shownUnder(key) : [];
  });
  return [...new Set(rows)].filter((row) => row !== undefined);
}

async function copyText(text: string, rows: number): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  flash(plural(rows, vscode.l10n.t('Copied 1 row'), vscode.l10n.t('Copied {0} rows', groupDigits(rows))));
}

/** The selection of a view. If none is named, that of the only view with a selection. */
function selectedRows(lists: Lists, selection: Selection, view: ListName | undefined): Rows | undefined {
  if (view) return readRowKeys(undefined, selection(view));
  const [only, ...others] = Object.values<AnyList>(lists).flatMap(({ name }) => {
    const rows = readRowKeys(undefined, selection(name));
    return rows ? [rows] : [];
  });
  return others.length > 0 ? undefined : only;
}

async function askRows(lists: Lists, selection: Selection): Promise<Rows> {
  const choices = Object.values<AnyList>(lists).map((list) => {
    const selected = readRowKeys(undefined, selection(list.name));
    const texts = listScreens[list.name].texts();
    return selected ? { label: texts.selected, rows: selected } : { label: texts.loaded, rows: shownRows(list) };
  });
  const items = choices.filter(({ rows }) => rows.length > 0);
  if (items.length === 0) flash(vscode.l10n.t('No rows loaded yet'));
  const chosen = items.length > 0 ? await pickOne(items, { title: vscode.l10n.t('Copy rows') }) : undefined;
  return chosen?.rows ?? [];
}

/** The rows of a list. If they are in groups, the groups that have rows. */
function shownRows(list: AnyList): Rows {
  if (list.owners.length === 1) return list.shown.map((row) => ({ kind: list.rowKind, key: list.keyOf(row) }));
  const owners = list.owners.filter((owner) => list.pagerOf(owner) && list.shownUnder(owner).length > 0);
  return owners.map((key) => ({ kind: 'group', key }));
}

async function copyCurl(session: Session, rows: Rows, credentials: Credentials): Promise<void> {
  const resources = rows.flatMap((row) => {
    const list = listOfRow(session.lists, row.kind);
    if (list) return [list.readableRow(row.key)];
    const owner = ownerOf(session.lists, row);
    const owning = listOfOwner(session.lists, owner);
    return owning ? [owning.readableList(owner)] : [];
  });
  const commands = await curlCommands(session, resources, credentials);
  if (commands.length > 0) await copyText(`${[...new Set(commands)].join('\n')}\n`, commands.length);
}

/** Exports a list to a file. Asks for rows and format unless a key binding gives them, and always asks for the file. */
export async function exportView(session: Session, list: AnyList, given: ExportChoice | undefined): Promise<void> {
  const choice = given ?? (await askExport(session, list));
  if (!choice) return;
  const isTables = choice.scope === 'tables';
  const place = isTables ? await askFolder() : await askExportFile(session.source.name, list.name, choice.format);
  if (place) await exportTo(session, list, choice, place.fsPath);
}

/** Exports a list to a given file, or tables to a given folder. */
export async function exportTo(session: Session, list: AnyList, choice: ExportChoice, path: string): Promise<void> {
  if (choice.scope === 'tables') return exportTablesTo(session, path, choice.format);
  const { scope, format } = choice;
  const place = { path, format, source: session.source.id || session.source.name };
  const total = scope === 'everything' ? totalOf(list.pagers) : undefined;
  const title = vscode.l10n.t('Exporting {0}', listScreens[list.name].texts().name);
  await runExport(title, place, total, (signal) => exportedRows(session, list, scope, signal));
}

async function exportTablesTo(session: Session, folder: string, format: TablesJob['format']): Promise<void> {
  const { exportTables: start } = await session.chain();
  if (!start)
    throw new InputError(
      vscode.l10n.t('The sample chain has no tables to export. Switch to an endpoint or a state file.'),
    );
  const force = (await readdir(folder).catch(() => [])).length > 0;
  const question = vscode.l10n.t('{0} is not empty', escapeForUi(folder));
  const details = [vscode.l10n.t('Tables from an earlier export are replaced. Other files are kept.')];
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
    vscode.l10n.t('Exported tables with 1 row to {0}.', escapeForUi(folder)),
    vscode.l10n.t('Exported tables with {0} rows to {1}.', groupDigits(rows), escapeForUi(folder)),
  );
  const unread = plural(
    faults,
    vscode.l10n.t('1 value could not be read. See {0}.', name),
    vscode.l10n.t('{0} values could not be read. {1} shows the first unreadable value of each table.', faults, name),
  );
  void offerToOpen(
    faults === 0 ? done : sentencesText([done, unread], vscode.l10n.t),
    vscode.l10n.t('Open {0}', name),
    join(folder, name),
  );
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
  if (scope === 'loaded') return { table: list.table, pages: list.readShown() };
  await list.loadBeside({ maxAge: maxAges.screen, signal });
  const node = await session.node();
  return {
    table: list.table,
    pages: scope === 'matching' ? list.readMatching(node, signal) : list.readAll(node, signal),
  };
}

function totalOf(pagers: readonly AnyPager[]): string | undefined {
  const counts = pagers.map(({ total, hasMore, rows }) => (hasMore ? total : BigInt(rows.length)));
  return counts.every((count) => count !== undefined)
    ? groupDigits(counts.reduce((sum, count) => sum + count, 0n))
    : undefined;
}

type ExportItem = PickItem & { readonly choice: ExportChoice };

/** Asks for rows and format of an export; undefined when the user leaves. */
export async function askExport({ lists, source }: Session, list: AnyList): Promise<ExportChoice | undefined> {
  const { name } = listScreens[list.name].texts();
  const shown = list.shown.length;
  const filter = listScreens[list.name].filterWords(lists);
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
    ...(list.isFiltered ? rowsItems('matching', vscode.l10n.t('All rows that match the filter'), filter) : []),
    ...rowsItems('everything', vscode.l10n.t('Everything'), vscode.l10n.t('loads the remaining rows')),
    ...(source.kind === 'file' ? tablesItems(vscode.l10n.t('All tables in the file'), ofFile) : []),
    ...(source.kind === 'http' ? tablesItems(vscode.l10n.t('All tables from the endpoint'), ofEndpoint) : []),
  ];
  const title = vscode.l10n.t('Export {0}', name);
  return (await pickOne(items, { title }))?.choice;
}
