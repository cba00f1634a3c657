import type { Comparison, SideName } from '../../session/compare/comparison.ts';
import { count, paramText, type SectionName, statusText, titleText } from './comparisonWords.ts';
import { listed } from './differencesOf.ts';
import { plainLine } from './plainLine.ts';

/** Rows of one document; a diff of more is no help to anybody, and the summary counts them all. */
const mostRows = 100_000;

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
  const lines = rows.slice(0, mostRows).flatMap((row) => {
    const found = toLines(row);
    return found ? [`${found[0]}\n    ${found[1]}\n`] : [];
  });
  if (rows.length > mostRows) lines.push(`… ${count(rows.length - mostRows)}\n`);
  return lines.join('');
}
