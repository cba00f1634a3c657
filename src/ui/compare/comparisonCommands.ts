import * as vscode from 'vscode';
import { type Command, commandsOf } from '../commands/command.ts';
import { readFiles } from '../commands/commandArguments.ts';
import type { ComparisonView } from './comparisonView.ts';

/** The commands of the comparison of two sources. */
export function comparisonCommands(comparison: ComparisonView): readonly Command[] {
  return [
    ...commandsOf(vscode.l10n.t('Could not compare'), {
      // The explorer's menu gives two files that are selected, or the one that it was opened on.
      compareWith: (file, files) => {
        const selected = readFiles(file, files);
        return comparison.ask(selected.length === 2 ? selected : readFiles(file, undefined));
      },
      refreshComparison: () => comparison.refresh(),
      clearComparison: () => comparison.clear(),
      openComparisonDiff: (row) => comparison.openDiff(row),
    }),
    ...commandsOf(vscode.l10n.t('Could not export'), { exportComparison: (row) => comparison.export(row) }),
    ...commandsOf(vscode.l10n.t('Could not open that'), {
      _openComparedProposal: (row) => comparison.openProposal(row),
    }),
  ];
}
