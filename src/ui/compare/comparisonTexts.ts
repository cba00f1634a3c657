import * as vscode from 'vscode';
import type { Comparison, SideName } from '../../session/compare/comparison.ts';
import { count, paramText, type SectionName, statusText, titleText } from './comparisonWords.ts';
import { listed } from './differencesOf.ts';
import { plainLine } from './plainLine.ts';

/**
 * Rows of one document. The editor takes a second for a diff of 5,000 and gives up, after five, on one of 10,000; all rows
 * are in an export.
 */
export const mostDiffRows = 2000;

/**
 * What stands in both documents of a section: only the rows that differ (decision 34), what a row is called on one line
 * and its value on the next, so that the editor sets a row beside itself, whatever stands around it.
 */
export function comparisonTexts(section: SectionName, comparison: Comparison): Readonly<Record<SideName, string>> {
  switch (section) {
    case 'supply':
      return supplyTexts(comparison);
    case 'proposals':
      return proposalTexts(comparison);
    case 'params':
      return paramTexts(comparison);
    default:
      return section satisfies never;
  }
}

/** Amounts in base units, as they would be pasted. */
function supplyTexts({ supply }: Comparison): Readonly<Record<SideName, string>> {
  const side = (name: SideName) =>
    toText(listed(supply), (row) => (row[name] === 0n ? undefined : [plainLine(row.denom), `${row[name]}`]));
  return { left: side('left'), right: side('right') };
}

function proposalTexts({ proposals }: Comparison): Readonly<Record<SideName, string>> {
  const side = (name: SideName) =>
    toText(listed(proposals), (row) => {
      const facts = row[name];
      return facts && [`#${row.id} ${titleText(facts)}`, statusText(facts)];
    });
  return { left: side('left'), right: side('right') };
}

function paramTexts({ params }: Comparison): Readonly<Record<SideName, string>> {
  const side = (name: SideName) => toText(listed(params), (row) => [plainLine(row.name), paramText(row[name])]);
  return { left: side('left'), right: side('right') };
}

function toText<Row>(rows: readonly Row[], toLines: (row: Row) => readonly [string, string] | undefined): string {
  const lines = rows.slice(0, mostDiffRows).flatMap((row) => {
    const found = toLines(row);
    return found ? [`${found[0]}\n    ${found[1]}\n`] : [];
  });
  const rest = rows.length - mostDiffRows;
  if (rest > 0) lines.push(`… ${vscode.l10n.t('{0} more rows: the Compare view exports all of them', count(rest))}\n`);
  return lines.join('');
}
