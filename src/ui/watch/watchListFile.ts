import * as vscode from 'vscode';
import type { Watch } from '../../session/watch/watch.ts';
import type { Report } from '../report.ts';
import { faultWords } from './faultWords.ts';

const filters = { JSON: ['json'] };

/** Adds the entries of a file that is asked for, or given. Throws a sentence where it is no watch list. */
export async function importWatchList(watch: Watch, report: Report, from: unknown): Promise<void> {
  const picked = from instanceof vscode.Uri ? [from] : await vscode.window.showOpenDialog({ filters });
  const [uri] = picked ?? [];
  if (!uri) return;
  const result = await watch.importText(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  if (typeof result !== 'number') throw new Error(faultWords(result));
  report.info(vscode.l10n.t('{0} entries imported', result));
}

/** Writes the user's own entries to a file that is asked for, or given. */
export async function exportWatchList(watch: Watch, to: unknown): Promise<void> {
  const uri = to instanceof vscode.Uri ? to : await vscode.window.showSaveDialog({ filters });
  if (uri) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(watch.exportText()));
}
