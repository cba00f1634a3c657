import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { InputError } from '../api/errors.ts';
import { readPages } from '../api/readPages.ts';
import { groupDigits } from '../chain/coin.ts';
import type { VoterRow } from '../chain/gov/tally.ts';
import type { SupplySplit } from '../chain/supplySplit.ts';
import { escapeForUi } from '../chain/text.ts';
import { inPages } from '../lists/listBase.ts';
import {
  type Exported,
  type ExportFormat,
  type ExportJob,
  exportRows,
  splitTable,
  votesTable,
} from '../reads/export.ts';
import { loadVotes } from '../reads/proposalReads.ts';
import type { Session, TablesJob } from '../session/session.ts';
import { plural, sentencesText } from '../words/language.ts';
import { pickOne, withProgress } from './ask.ts';
import { showInfo } from './report.ts';

/** The rows of a list to export, and their format. */
export interface RowsChoice {
  /** `loaded`: the rows in the view. `matching`: all rows of the chain that match the filter. */
  readonly scope: 'loaded' | 'matching' | 'everything';
  readonly format: ExportFormat;
}

/** Rows of a list, or all tables of a state file. */
export type ExportChoice = RowsChoice | { readonly scope: 'tables'; readonly format: TablesJob['format'] };

/** Writes all votes on an open proposal to a file. Asks for format and file. */
export async function exportVotes(session: Session, id: bigint): Promise<void> {
  const names = { csv: vscode.l10n.t('Votes as CSV'), json: vscode.l10n.t('Votes as JSON') };
  const place = await askPlace(session, `votes-${id}`, vscode.l10n.t('Export votes'), names);
  if (!place) return;
  await runExport(vscode.l10n.t('Exporting votes'), place, undefined, async (signal) => {
    const load = loadVotes(await session.node(), id);
    const idOf = ({ voter }: VoterRow): string => voter;
    return { table: votesTable, pages: readPages(load, { idOf, limit: 1000, pinned: true, signal }) };
  });
}

/** Writes the split of a denom to a file. Asks for format and file. */
export async function exportSplit(session: Session, { denom, rows, height }: SupplySplit): Promise<void> {
  const names = { csv: vscode.l10n.t('Supply split as CSV'), json: vscode.l10n.t('Supply split as JSON') };
  const title = vscode.l10n.t('Export supply split');
  const place = await askPlace(session, `split-${denom.replace(/[^\w.-]+/g, '-').slice(0, 40)}`, title, names);
  if (!place) return;
  const doing = vscode.l10n.t('Exporting supply split');
  await runExport(doing, place, undefined, async () => ({ table: splitTable(denom), pages: inPages(rows, height) }));
}

type ExportPlace = Pick<ExportJob<unknown>, 'path' | 'format' | 'source'>;

async function askPlace(
  session: Session,
  what: string,
  title: string,
  names: Readonly<Record<ExportFormat, string>>,
): Promise<ExportPlace | undefined> {
  const items = (['csv', 'json'] as const).map((format) => ({ label: names[format], format }));
  const format = (await pickOne(items, { title }))?.format;
  const file = format && (await askExportFile(session.source.name, what, format));
  return file && { path: file.fsPath, format, source: session.source.id || session.source.name };
}

/** Writes rows with progress and Cancel, and shows the result. Rejects as `exportRows` does. */
export async function runExport<Row>(
  title: string,
  place: ExportPlace,
  total: string | undefined,
  rowsOf: (signal: AbortSignal) => Promise<Pick<ExportJob<Row>, 'table' | 'pages'>>,
): Promise<void> {
  const exported = await withProgress(title, async (signal, show) => {
    const onProgress = (rows: number): void => {
      signal.throwIfAborted();
      show(total ? vscode.l10n.t('{0} of {1}', groupDigits(rows), total) : groupDigits(rows));
    };
    return exportRows({ ...place, onProgress, ...(await rowsOf(signal)) });
  });
  void offerToOpen(resultText(exported, escapeForUi(place.path)), vscode.l10n.t('Open'), place.path);
}

/** Says that a file was written. The button opens `path`. */
export async function offerToOpen(text: string, button: string, path: string): Promise<void> {
  if ((await showInfo(text, button)) === button)
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path));
}

function resultText({ rows, heights, unpinnedReason }: Exported, path: string): string {
  const [first, last] = [heights[0], heights.at(-1)];
  const heightOf = (height: bigint | undefined): string => groupDigits(height ?? 0n);
  const range = first === last ? undefined : vscode.l10n.t(', at heights {0} to {1}', heightOf(first), heightOf(last));
  const at = first === undefined ? '' : (range ?? vscode.l10n.t(', at height {0}', heightOf(first)));
  const text = plural(
    rows,
    vscode.l10n.t('Exported 1 row to {0}{1}.', path, at),
    vscode.l10n.t('Exported {0} rows to {1}{2}.', groupDigits(rows), path, at),
  );
  if (unpinnedReason === undefined) return text;
  const { t } = vscode.l10n;
  return sentencesText([text, t('Rows may be from different heights: {0}.', escapeForUi(unpinnedReason))], t);
}

/**
 * Asks for a file. Its suggested name has the source, `what` and the day. Throws `InputError` for a place that is not
 * on a disk.
 */
export async function askExportFile(
  source: string,
  what: string,
  format: ExportFormat,
): Promise<vscode.Uri | undefined> {
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

/** Throws `InputError` for a URI that is not on a disk of this machine. */
export function onDisk(uri: vscode.Uri): vscode.Uri {
  if (uri.scheme === 'file') return uri;
  throw new InputError(vscode.l10n.t('{0} is not on disk', escapeForUi(uri.toString())));
}
