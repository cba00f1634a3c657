import * as vscode from 'vscode';
import type { Watch } from '../../session/watch/watch.ts';
import { showInfo } from '../report.ts';
import { faultWords } from './faultWords.ts';

const filters = { JSON: ['json'] };

/** Adds the entries of a file that is asked for. Throws a sentence where it is no watch list. */
export async function importWatchList(watch: Watch): Promise<void> {
  const [uri] = (await vscode.window.showOpenDialog({ filters })) ?? [];
  if (!uri) return;
  const result = await watch.importText(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  if (typeof result !== 'number') throw new Error(faultWords(result));
  await showInfo(vscode.l10n.t('{0} entries imported', result));
}

/** Writes the user's own entries to a file that is asked for. */
export async function exportWatchList(watch: Watch): Promise<void> {
  const uri = await vscode.window.showSaveDialog({ filters });
  if (uri) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(watch.exportText()));
}
