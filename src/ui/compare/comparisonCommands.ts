import * as vscode from 'vscode';
import { type Command, commandsOf } from '../commands/command.ts';
import { readFiles, readRowKey } from '../commands/commandArguments.ts';
import type { ComparisonView } from './comparisonView.ts';

/** The commands of the comparison of two sources. */
export function comparisonCommands(comparison: ComparisonView): readonly Command[] {
  return [
    ...commandsOf(vscode.l10n.t('Could not compare'), {
      // Called on a row of Endpoints, or from the explorer's menu on one file or two selected files.
      compareWith: (file, files) => {
        const row = readRowKey(file);
        if (row?.kind === 'endpoint') return comparison.askFor(row.key);
        const selected = readFiles(file, files);
        return comparison.ask(selected.length === 2 ? selected : readFiles(file, undefined));
      },
      refreshComparison: () => comparison.refresh(),
      clearComparison: () => comparison.clear(),
      openComparisonDiff: (row) => comparison.openDiff(row),
    }),
    ...commandsOf(vscode.l10n.t('Could not export'), { exportComparison: (row) => comparison.export(row) }),
    ...commandsOf(vscode.l10n.t('Could not open'), {
      _openComparedProposal: (row) => comparison.openProposal(row),
    }),
  ];
}
