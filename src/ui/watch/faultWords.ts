import * as vscode from 'vscode';
import type { ListFault } from '../../session/watch/listFormat.ts';

/** Why a stored or imported list cannot be used. */
export function faultWords(fault: ListFault): string {
  return fault.kind === 'future'
    ? vscode.l10n.t(
        'The list was written by a newer version (format {0}). Update the extension to use it.',
        fault.version,
      )
    : vscode.l10n.t('This is not a watch list, or it is damaged');
}
