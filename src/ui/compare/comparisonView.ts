import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { groupDigits } from '../../chain/coin.ts';
import { readMember } from '../../chain/fields.ts';
import { escapeForUi, shorten, showControls } from '../../chain/text.ts';
import { inPages } from '../../lists/listBase.ts';
import {
  type Comparison,
  compareSources,
  type Difference,
  differenceTable,
  type SectionName,
  type Side,
  sectionNames,
  sides,
} from '../../reads/compare/compare.ts';
import { compareMore } from '../../reads/compare/compareMore.ts';
import type { ExportFormat } from '../../reads/export.ts';
import { chainIdOf } from '../../session/registry.ts';
import type { Session } from '../../session/session.ts';
import { pastId, type Source } from '../../session/source.ts';
import { plural } from '../../words/language.ts';
import type { ActiveSession } from '../activeSession.ts';
import { askInSteps, type PickItem, pickOne, withProgress } from '../ask.ts';
import { readFormat } from '../commands/commandArguments.ts';
import { setContext } from '../contextKeys.ts';
import { type Documents, documentUri } from '../documents.ts';
import { setViewTexts, showDiff, treeItem } from '../editorTexts.ts';
import { pickHeight } from '../endpoints/pickHeight.ts';
import { sourceItem, sourcesByUse } from '../endpoints/sourceItems.ts';
import { askStateFiles, confirmFiles, uriId } from '../endpoints/stateFiles.ts';
import { askExportFile, runExport } from '../exportFile.ts';
import type { LazyPanels } from '../panel/lazyPanels.ts';
import {
  type ComparisonNode,
  comparisonNodes,
  differencesOf,
  maxShown,
  nameOf,
  type ShownComparison,
  sectionSummary,
  sectionTitle,
  shownValue,
  sideNames,
} from './comparisonRows.ts';

/** The Compare view. It lists the differences of two sources, and opens diffs. */
export class ComparisonView implements vscode.TreeDataProvider<ComparisonNode>, vscode.Disposable {
  readonly #active: ActiveSession;
  readonly #documents: Documents;
  readonly #panels: LazyPanels;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<ComparisonNode>;
  #comparison: ShownComparison | undefined;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(active: ActiveSession, documents: Documents, panels: LazyPanels) {
    this.#active = active;
    this.#documents = documents;
    this.#panels = panels;
    const options = { treeDataProvider: this, showCollapseAll: true };
    this.#view = vscode.window.createTreeView('chainInspector.compare', options);
  }

  getChildren(node?: ComparisonNode): ComparisonNode[] {
    if (node) return [...(node.children ?? [])];
    return this.#comparison ? [...comparisonNodes(this.#comparison)] : [];
  }

  getTreeItem({ row }: ComparisonNode): vscode.TreeItem {
    return treeItem(row);
  }

  /** Compares two sources, and opens the diff of the first section with differences. */
  async show(left: Source, right: Source): Promise<void> {
    const comparison = await this.#read(left, right);
    await this.#take(comparison);
    await vscode.commands.executeCommand('chainInspector.compare.focus');
    const first = sectionNames.find((section) => differencesOf(comparison, section).length > 0);
    if (first) await this.openDiff({ section: first }, true);
  }

  /** Reads both sides again. The old rows stay until that succeeded. Open diffs change as well. */
  async refresh(): Promise<void> {
    if (!this.#comparison) return;
    const { left, right } = this.#comparison;
    await this.#take(await this.#read(left.source, right.source, 'again'));
  }

  /** Ends the comparison. Open diffs say so. */
  async clear(): Promise<void> {
    await this.#take(undefined);
  }

  async openDiff(row: unknown, preserveFocus = false): Promise<void> {
    const section = sectionOf(row);
    const comparison = this.#comparison;
    if (!section || !comparison) return;
    const uri = (side: Side): vscode.Uri => documentUri(documentName(comparison, section, side));
    const names = sideNames(comparison);
    const title = `${sectionTitle(section)}: ${names.left} ↔ ${names.right}`;
    await showDiff(uri('left'), uri('right'), title, preserveFocus);
  }

  /** Writes all rows of a section that differ to a given file. */
  async exportTo(section: SectionName, format: ExportFormat, path: string): Promise<void> {
    if (!this.#comparison) return;
    const { left, right } = this.#comparison;
    const differences = differencesOf(this.#comparison, section);
    const title = vscode.l10n.t('Exporting {0}', sectionTitle(section));
    const source = [left, right].map((side) => sideText(side.source.id || side.source.name, side)).join(' → ');
    const rows = { table: differenceTable(section), pages: inPages(differences) };
    await runExport(title, { path, format, source }, groupDigits(differences.length), async () => rows);
  }

  /** Compares the shown source with a file, or two files with each other. Without a file, asks for the other side. */
  async ask(files: readonly vscode.Uri[]): Promise<void> {
    const { settings, session } = this.#active;
    const shown = session.source;
    if (!(await confirmFiles(settings, files))) return;
    const [first, second] = files.map((uri) => settings.source(uriId(uri)));
    const left = first && second ? first : shown;
    const right = second ?? first ?? (await pickRight(this.#active, shown));
    if (right) await this.show(left, right);
  }

  /** Compares a source of the Endpoints view with another one, which it asks for. */
  async askFor(sourceId: string): Promise<void> {
    const left = this.#active.settings.sources.find(({ id }) => id === sourceId);
    const right = left && (await pickRight(this.#active, left));
    if (left && right) await this.show(left, right);
  }

  /** Writes the section of a row to a file. Asks for the file, and for section and format if they are not given. */
  async export(row: unknown): Promise<void> {
    if (!this.#comparison) return;
    const [section, format] = [sectionOf(row), readFormat(row)];
    const choice = section && format ? { section, format } : await askDifferences(this.#comparison, section);
    if (!choice) return;
    const { left, right } = this.#comparison;
    const names = `${left.source.name}-${right.source.name}`;
    const file = await askExportFile(names, `${choice.section}-diff`, choice.format);
    if (file) await this.exportTo(choice.section, choice.format, file.fsPath);
  }

  async openProposal(row: unknown): Promise<void> {
    if (!this.#comparison) return;
    const side = sides.find((name) => name === readMember(row, 'side'));
    const found = differencesOf(this.#comparison, 'proposals').find(({ key }) => key === readMember(row, 'key'));
    if (side && found?.[side])
      await (await this.#panels.load()).show({
        sourceId: this.#comparison[side].source.id,
        id: BigInt(found.key),
      });
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }

  #read(left: Source, right: Source, again?: 'again'): Promise<ShownComparison> {
    const { sessions } = this.#active;
    const names = sideNames({ left: { source: left }, right: { source: right } });
    const title = vscode.l10n.t('Comparing {0} with {1}', names.left, names.right);
    const read = (both: Readonly<Record<Side, Session>>): Promise<ShownComparison> =>
      withProgress(title, async (signal, show) => {
        const files = Object.values(both).filter(({ source }) => source.kind === 'file');
        if (again) await Promise.all(files.map((session) => session.reopen()));
        const rows = { left: 0, right: 0 };
        const onRows = (side: Side, count: number): void => {
          rows[side] = count;
          show(sides.map((name) => `${names[name]}: ${rowsText(rows[name])}`).join(' · '));
        };
        return readComparison(both, signal, onRows);
      });
    return sessions.use(left, (first) => sessions.use(right, (second) => read({ left: first, right: second })));
  }

  async #take(comparison: ShownComparison | undefined): Promise<void> {
    this.#comparison = comparison;
    this.#changed.fire(undefined);
    this.#documents.replace('comparison-', comparison ? documentsOf(comparison) : new Map());
    await setContext('hasComparison', comparison !== undefined);
    if (!comparison) return;
    const names = sideNames(comparison);
    const description = sides.map((side) => names[side]).join(' → ');
    const heights = sides.map((side) => sideText(names[side], comparison[side])).join(' → ');
    setViewTexts(this.#view, { description, message: heights === description ? [] : [heights] });
  }
}

/** Compares the lists, then the parameters of all modules at the heights of the lists. Rejects as `compareSources` does. */
async function readComparison(
  both: Readonly<Record<Side, Session>>,
  signal: AbortSignal,
  onRows: (side: Side, rows: number) => void,
): Promise<ShownComparison> {
  const lists = await compareSources(both, signal, onRows);
  const heights = { left: lists.left.height, right: lists.right.height };
  const { params, notCompared } = await compareMore(both, heights, { names: ['params'] }, signal);
  const chainOf = async (side: Side): Promise<string | undefined> => chainIdOf(await both[side].node(), signal);
  const chainIds = { left: await chainOf('left'), right: await chainOf('right') };
  return { ...lists, params, notCompared, chainIds };
}

function rowsText(rows: number): string {
  return plural(rows, vscode.l10n.t('1 row'), vscode.l10n.t('{0} rows', groupDigits(rows)));
}

/** The name of a document. Equal sources always have equal names. */
function documentName({ left, right }: Comparison, section: SectionName, side: Side): string {
  const sources = JSON.stringify([left.source.id, right.source.id]);
  return `comparison-${createHash('sha256').update(sources).digest('hex').slice(0, 12)}/${side}/${section}.txt`;
}

function documentsOf(comparison: Comparison): ReadonlyMap<string, string> {
  const ofSection = (section: SectionName): (readonly [string, string])[] => {
    const differences = differencesOf(comparison, section);
    return sides.map((side) => [documentName(comparison, section, side), documentText(differences, side)] as const);
  };
  return new Map(sectionNames.flatMap(ofSection));
}

/** The differing rows of one side as text. Each name and value has a line, so that the diff aligns them. */
function documentText(differences: readonly Difference[], side: Side): string {
  const oneLine = (text: string): string => showControls(shorten(text, 500)).replace(/[\t\n\r]/g, ' ');
  const lines = differences.slice(0, maxShown).flatMap((difference) => {
    const row = difference[side];
    return row ? [`${oneLine(nameOf(difference, row))}\n    ${oneLine(shownValue(difference, row))}\n`] : [];
  });
  const rest = differences.length - maxShown;
  if (rest > 0)
    lines.push(`… ${vscode.l10n.t('{0} more rows. Export the comparison to see all.', groupDigits(rest))}\n`);
  return lines.join('');
}

function sectionOf(row: unknown): SectionName | undefined {
  return sectionNames.find((name) => readMember(row, 'section') === name);
}

function sideText(name: string, { height, source }: Comparison[Side]): string {
  const isNamed = source.kind === 'http' && source.at !== undefined;
  return height === undefined || isNamed ? name : vscode.l10n.t('{0} at height {1}', name, groupDigits(height));
}

async function askDifferences(
  comparison: Comparison,
  given: SectionName | undefined,
): Promise<{ readonly section: SectionName; readonly format: ExportFormat } | undefined> {
  const sections = given ? [given] : sectionNames.filter((name) => differencesOf(comparison, name).length > 0);
  const items = sections.flatMap((section) =>
    (['csv', 'json'] as const).map((format) => {
      const label = vscode.l10n.t('{0} as {1}', sectionTitle(section), format.toUpperCase());
      return { label, description: sectionSummary(comparison, section), section, format };
    }),
  );
  const placeHolder = items.length === 0 ? vscode.l10n.t('No differences') : undefined;
  return pickOne(items, { title: vscode.l10n.t('Export comparison'), placeHolder });
}

type RightItem = PickItem & { readonly ask: () => Promise<Source | undefined> };

async function pickRight(active: ActiveSession, left: Source): Promise<Source | undefined> {
  const { settings } = active;
  const sources = sourcesByUse(active).filter(({ kind, id }) => kind !== 'invalid' && id !== left.id);
  const items: RightItem[] = sources.map((source) => ({ ...sourceItem(source, settings), ask: async () => source }));
  if (left.kind === 'http') {
    const label = vscode.l10n.t('{0} at a block height…', left.setting.name);
    const ask = async (): Promise<Source | undefined> => {
      const at = await pickHeight(active, left);
      return at && settings.source(pastId(left, at));
    };
    items.push({ icon: 'history', label, ask });
  }
  const askFile = async (): Promise<Source | undefined> => {
    const title = vscode.l10n.t('Compare with a state file');
    const [uri] = await askStateFiles({ title, openLabel: vscode.l10n.t('Compare') });
    return uri && settings.source(uriId(uri));
  };
  items.push({ icon: 'file-code', label: vscode.l10n.t('State file…'), ask: askFile });
  const title = vscode.l10n.t('Compare {0} with', escapeForUi(left.name));
  return askInSteps(
    () => pickOne(items, { title }),
    (item) => item.ask(),
  );
}
