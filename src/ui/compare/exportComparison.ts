import * as vscode from 'vscode';
import { emptyPage } from '../../api/pages.ts';
import type { ComparedSide, Comparison, Section } from '../../session/compare/comparison.ts';
import { paramDifferences, proposalDifferences, supplyDifferences } from '../../session/compare/differenceTables.ts';
import type { ExportFormat, Table } from '../../session/export.ts';
import { pickOne } from '../ask.ts';
import { askExportFile, runExport } from '../commands/exportView.ts';
import { count, type SectionName, sectionNames, sectionSummary, sectionTitle } from './comparisonWords.ts';
import { differencesOf, listed } from './differencesOf.ts';

/**
 * Writes all that differs in a section to a file, whatever the view and the diff show of it: asks for the section and the
 * format where none is given, and always for the file.
 */
export async function exportComparison(
  comparison: Comparison,
  givenSection: SectionName | undefined,
  givenFormat: ExportFormat | undefined,
): Promise<void> {
  const section = givenSection ?? (await askSection(comparison));
  const format = section && (givenFormat ?? (await askFormat(section, comparison)));
  if (!format) return;
  const names = `${comparison.left.source.name}-${comparison.right.source.name}`;
  const file = await askExportFile(names, `${section}-diff`, format);
  if (file) await exportSection(comparison, section, format, file.fsPath);
}

/** The same for a file that was chosen before. */
export async function exportSection(
  comparison: Comparison,
  section: SectionName,
  format: ExportFormat,
  path: string,
): Promise<void> {
  const { left, right } = comparison;
  const title = vscode.l10n.t('Exporting {0}', sectionTitle(section));
  const place = { path, format, source: `${sideText(left)} → ${sideText(right)}` };
  const write = <Row>(table: Table<Row>, rows: Section<Row>) =>
    runExport(title, place, undefined, async (signal) => ({ table, pages: pagesOf(listed(rows), signal) }));
  switch (section) {
    case 'supply':
      return write(supplyDifferences, comparison.supply);
    case 'proposals':
      return write(proposalDifferences, comparison.proposals);
    case 'params':
      return write(paramDifferences, comparison.params);
    default:
      return section satisfies never;
  }
}

/** A thousand at a time: the host goes on with other things in between. */
async function* pagesOf<Row>(rows: readonly Row[], signal: AbortSignal) {
  for (let at = 0; at < rows.length; at += 1000) {
    signal.throwIfAborted();
    yield { ...emptyPage, rows: rows.slice(at, at + 1000) };
  }
}

function sideText({ source, height }: ComparedSide): string {
  const name = source.id || source.name;
  return height === undefined || height === 0n ? name : `${name} (height ${height})`;
}

async function askSection(comparison: Comparison): Promise<SectionName | undefined> {
  const items = sectionNames
    .filter((section) => differencesOf(section, comparison).length > 0)
    .map((section) => ({
      label: sectionTitle(section),
      description: sectionSummary(section, comparison),
      section,
    }));
  const title = vscode.l10n.t('Export comparison');
  const placeHolder = items.length === 0 ? vscode.l10n.t('Nothing differs') : undefined;
  return (await pickOne(items, { title, placeHolder }))?.section;
}

async function askFormat(section: SectionName, comparison: Comparison): Promise<ExportFormat | undefined> {
  const description = vscode.l10n.t('{0} rows', count(differencesOf(section, comparison).length));
  const items = [
    { label: 'CSV', description, format: 'csv' as const },
    { label: 'JSON', description, format: 'json' as const },
  ];
  const title = vscode.l10n.t('Export {0}', sectionTitle(section));
  return (await pickOne(items, { title }))?.format;
}
