import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import type { Exported, ExportFormat } from '../../session/export/exportRows.ts';
import { plain } from '../plain.ts';
import { showInfo } from '../report.ts';

/**
 * Asks where to write; the proposed name says of which source, what, and the day. Throws `InputError` for what is not on a
 * disk.
 */
export async function askExportFile(
  source: string,
  what: string,
  format: ExportFormat,
): Promise<vscode.Uri | undefined> {
  const chain =
    source
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
      .slice(0, 60) || 'chain';
  const name = `${chain}-${what}-${new Date().toISOString().slice(0, 10)}.${format}`;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const place = folder?.uri.scheme === 'file' ? folder.uri.fsPath : homedir();
  const filters: Record<string, string[]> = format === 'csv' ? { CSV: ['csv'] } : { JSON: ['json'] };
  const title = vscode.l10n.t('Export to');
  const chosen = await vscode.window.showSaveDialog({ title, defaultUri: vscode.Uri.file(join(place, name)), filters });
  if (chosen && chosen.scheme !== 'file')
    throw new InputError(vscode.l10n.t('{0} is not on a disk', plain(chosen.toString())));
  return chosen;
}

/** Says what an export came to, and opens the file where that is wanted; undefined is one that was cancelled. */
export async function tellExport(exported: Exported | undefined, path: string): Promise<void> {
  if (!exported) {
    await showInfo(vscode.l10n.t('The export was cancelled; {0} was not written.', plain(path)));
    return;
  }
  const { rows, heights, heightDropped } = exported;
  const [first] = heights;
  const last = heights.at(-1);
  const at =
    first === undefined
      ? ''
      : first === last
        ? vscode.l10n.t(', at height {0}', `${first}`)
        : vscode.l10n.t(', at heights {0} to {1}', `${first}`, `${last}`);
  const moved =
    heightDropped === undefined
      ? ''
      : ` ${vscode.l10n.t('The rows may be of several heights: {0}.', plain(heightDropped))}`;
  const open = vscode.l10n.t('Open');
  const text = vscode.l10n.t('Exported {0} rows to {1}{2}.', rows, plain(path), at);
  const choice = await showInfo(`${text}${moved}`, open);
  if (choice === open) await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path));
}
