import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import { readPages } from '../../api/pages.ts';
import type { Coin } from '../../chain/coin.ts';
import { isFiltering, statusGroups } from '../../chain/proposal.ts';
import { hasText } from '../../chain/supplyStore.ts';
import {
  type Exported,
  type ExportFormat,
  type ExportJob,
  exportRows,
  inPages,
  proposalsTable,
  supplyTable,
  votesTable,
} from '../../session/export.ts';
import { readProposals, readSupply } from '../../session/readAll.ts';
import type { Session, TablesJob } from '../../session/session.ts';
import { loadVotes, type VoterRow } from '../../session/whoVoted.ts';
import { plural } from '../../words/language.ts';
import { plain } from '../../words/plain.ts';
import { filterText } from '../../words/proposalWords.ts';
import { type PickItem, pickOne, withProgress } from '../ask.ts';
import { confirm, showInfo } from '../report.ts';

export type ViewName = 'proposals' | 'supply';

interface RowsChoice {
  /** `loaded`: the rows that the view shows. `matching`: all rows of the chain that match the filter of the view. */
  readonly scope: 'loaded' | 'matching' | 'everything';
  readonly format: ExportFormat;
}

/** The same, or all tables of a state file. */
export type ExportChoice = RowsChoice | { readonly scope: 'tables'; readonly format: TablesJob['format'] };

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

/** Writes every vote on an open proposal to a file. Asks for the format and the file. */
export async function exportVotes(session: Session, id: bigint): Promise<void> {
  const items = [
    { label: vscode.l10n.t('Votes as CSV'), format: 'csv' as const },
    { label: vscode.l10n.t('Votes as JSON'), format: 'json' as const },
  ];
  const format = (await pickOne(items, { title: vscode.l10n.t('Export votes') }))?.format;
  const file = format && (await askExportFile(session.source.name, `votes-${id}`, format));
  if (!file) return;
  const place = { path: file.fsPath, format, source: session.source.id || session.source.name };
  await runExport(vscode.l10n.t('Exporting votes'), place, undefined, async (signal) => {
    const load = loadVotes(await session.node(), id);
    const idOf = ({ voter }: VoterRow) => voter;
    return { table: votesTable, pages: readPages(load, { idOf, limit: 1000, pinned: true, signal }) };
  });
}

/** Writes rows with progress and Cancel, and reports the result. Rejects as `exportRows` does. */
export async function runExport<Row>(
  title: string,
  place: Pick<ExportJob<Row>, 'path' | 'format' | 'source'>,
  total: string | undefined,
  rowsOf: (signal: AbortSignal) => Promise<Pick<ExportJob<Row>, 'table' | 'pages' | 'keep'>>,
): Promise<void> {
  const exported = await withProgress(title, async (signal, show) => {
    const onProgress = (rows: number) => {
      signal.throwIfAborted();
      show(total ? vscode.l10n.t('{0} of {1}', rows, total) : `${rows}`);
    };
    return exportRows({ ...place, onProgress, ...(await rowsOf(signal)) });
  });
  void offerToOpen(resultText(exported, plain(place.path)), vscode.l10n.t('Open'), place.path);
}

async function offerToOpen(text: string, button: string, path: string): Promise<void> {
  if ((await showInfo(text, button)) === button)
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path));
}

function resultText({ rows, heights, heightDropped }: Exported, path: string): string {
  const [first, last] = [heights[0], heights.at(-1)];
  const range = first === last ? undefined : vscode.l10n.t(', at heights {0} to {1}', `${first}`, `${last}`);
  const at = first === undefined ? '' : (range ?? vscode.l10n.t(', at height {0}', `${first}`));
  const text = plural(
    rows,
    vscode.l10n.t('Exported 1 row to {0}{1}.', path, at),
    vscode.l10n.t('Exported {0} rows to {1}{2}.', rows, path, at),
  );
  if (heightDropped === undefined) return text;
  return `${text} ${vscode.l10n.t('The rows may be of several heights: {0}.', plain(heightDropped))}`;
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

function onDisk(uri: vscode.Uri): vscode.Uri {
  if (uri.scheme === 'file') return uri;
  throw new InputError(vscode.l10n.t('{0} is not on a disk', plain(uri.toString())));
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

/** Asks for a file named after the source, `what` and the day. Throws `InputError` for a place that is not on a disk. */
export async function askExportFile(source: string, what: string, format: ExportFormat) {
  const prefix = source.replace(/[^\w.-]+/g, '-').slice(0, 60);
  const chain = /\w.*/.exec(prefix)?.[0] ?? 'chain';
  const name = `${chain}-${what}-${new Date().toISOString().slice(0, 10)}.${format}`;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const place = folder?.uri.scheme === 'file' ? folder.uri.fsPath : homedir();
  const filters: Record<string, string[]> = format === 'csv' ? { CSV: ['csv'] } : { JSON: ['json'] };
  const title = vscode.l10n.t('Export to');
  const chosen = await vscode.window.showSaveDialog({ title, defaultUri: vscode.Uri.file(join(place, name)), filters });
  return chosen && onDisk(chosen);
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
