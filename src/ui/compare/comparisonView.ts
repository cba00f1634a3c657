import * as vscode from 'vscode';
import { type CompareOptions, compareSources } from '../../session/compare/compareSources.ts';
import type { ComparedSide, Comparison, SideName } from '../../session/compare/comparison.ts';
import { fileStamp } from '../../session/compare/fileStamp.ts';
import type { SideProgress } from '../../session/compare/readSide.ts';
import type { ExportFormat } from '../../session/export.ts';
import type { Session, SessionHold } from '../../session/session.ts';
import type { Source } from '../../session/source.ts';
import { type ShowProgress, withProgress } from '../ask.ts';
import { type Command, isAbsent, member, readFiles, readFormat } from '../commands/command.ts';
import { confirmFiles } from '../commands/stateFiles.ts';
import type { Documents } from '../documents.ts';
import { setViewTexts } from '../labels.ts';
import type { Settings } from '../settings.ts';
import { ComparisonDiffs, isOfSameSources } from './comparisonDiffs.ts';
import { type ComparisonNode, ComparisonTree } from './comparisonTree.ts';
import { count, type SectionName, sectionNames, sideNames } from './comparisonWords.ts';
import { copyText } from './copyText.ts';
import { differencesOf, listed } from './differencesOf.ts';
import { exportComparison, exportSection } from './exportComparison.ts';
import { pickSources, type SourcePair } from './pickSources.ts';

const contextKey = 'chainInspector.hasComparison';

/** What a comparison works with. */
export interface ComparisonContext {
  readonly settings: Settings;
  readonly documents: Documents;
  /** The source of the views. */
  readonly shown: () => Source;
  readonly hold: (source: Source) => SessionHold;
  /** Shows a proposal of any source in its panel. */
  readonly showProposal: (sourceId: string, id: bigint) => Promise<void>;
}

/** The comparison of two sources: the summary in a view of its own, and the editor's diffs. */
export class ComparisonView implements vscode.Disposable {
  readonly tree = new ComparisonTree();
  readonly #context: ComparisonContext;
  readonly #diffs: ComparisonDiffs;
  readonly #view: vscode.TreeView<ComparisonNode>;
  #comparison: Comparison | undefined;
  #running: AbortController | undefined;

  constructor(context: ComparisonContext) {
    this.#context = context;
    this.#diffs = new ComparisonDiffs(context.documents);
    this.#view = vscode.window.createTreeView('chainInspector.compare', {
      treeDataProvider: this.tree,
      showCollapseAll: true,
      canSelectMany: true,
    });
  }

  /** Entries of the table of commands. */
  get commands(): readonly Command[] {
    const compare = vscode.l10n.t('Could not compare');
    const copy = vscode.l10n.t('Could not copy');
    const open = vscode.l10n.t('Could not open the proposal');
    return [
      { id: 'compareWith', failure: compare, run: (file, files) => this.compare(twoFiles(file, files)) },
      { id: 'refreshComparison', failure: compare, run: () => this.refresh() },
      { id: 'clearComparison', failure: compare, run: () => this.clear() },
      { id: 'openComparisonDiff', failure: compare, run: (row) => this.openDiff(row) },
      { id: 'exportComparison', failure: vscode.l10n.t('Could not export'), run: (row) => this.export(row) },
      { id: 'copyDifference', failure: copy, run: (row, rows) => this.copy(row, rows) },
      { id: '_openComparedProposal', failure: open, run: (row) => this.openProposal(row) },
    ];
  }

  /** What is shown. */
  get comparison(): Comparison | undefined {
    return this.#comparison;
  }

  /** Asks for two sources, of which `files` may be one or both, and shows what tells them apart. */
  async compare(files: readonly vscode.Uri[]): Promise<void> {
    const { settings, shown } = this.#context;
    if (!(await confirmFiles(settings, files))) return;
    const pair = await pickSources(settings, shown(), files);
    if (pair) await this.show(pair);
  }

  /** Compares two sources, shows the summary, and opens the diff of the first section that differs. */
  async show(pair: SourcePair): Promise<void> {
    const comparison = await this.#read(pair);
    this.#take(comparison);
    await vscode.commands.executeCommand('setContext', contextKey, true);
    await vscode.commands.executeCommand('chainInspector.compare.focus');
    const first = sectionNames.find((section) => differencesOf(section, comparison).length > 0);
    if (first) await this.#diffs.open(first, comparison, true);
  }

  /** Reads both sides again; what is shown stays until that has worked. Diffs that are open change with it. */
  async refresh(): Promise<void> {
    if (!this.#comparison) return;
    const { left, right } = this.#comparison;
    const comparison = await this.#read({ left: left.source, right: right.source }, [left, right]);
    this.#take(comparison);
    this.#diffs.redraw(comparison);
  }

  /** Ends the comparison; diffs that are still open say so. */
  async clear(): Promise<void> {
    this.#running?.abort();
    if (this.#comparison) this.#diffs.drop(this.#comparison);
    this.#comparison = undefined;
    this.tree.show(undefined);
    await vscode.commands.executeCommand('setContext', contextKey, false);
  }

  /** Opens the diff of the section that a row belongs to. */
  async openDiff(target: unknown): Promise<void> {
    const section = sectionOf(target);
    if (section && this.#comparison) await this.#diffs.open(section, this.#comparison, false);
  }

  /** Writes all rows of the section that a row belongs to, or that is asked for, to a file. */
  async export(target: unknown): Promise<void> {
    if (this.#comparison) await exportComparison(this.#comparison, sectionOf(target), readFormat(target));
  }

  /** Writes them to a file that was chosen already. */
  async exportTo(section: SectionName, format: ExportFormat, path: string): Promise<void> {
    if (this.#comparison) await exportSection(this.#comparison, section, format, path);
  }

  /** Opens a proposal as one side has it. */
  async openProposal(target: unknown): Promise<void> {
    const side = (['left', 'right'] as const).find((name) => name === member(target, 'side'));
    const { proposals } = this.#comparison ?? {};
    const found = proposals && listed(proposals).find(({ id }) => id === member(target, 'id'));
    if (side && found?.[side] && this.#comparison)
      await this.#context.showProposal(this.#comparison[side].source.id, found.id);
  }

  /** Copies the rows that are selected. */
  async copy(target: unknown, all: unknown): Promise<void> {
    if (!this.#comparison) return;
    const given = Array.isArray(all) && all.length > 0 ? all : isAbsent(target) ? this.#view.selection : [target];
    const rows = copyText(given, this.#comparison);
    if (rows !== '') await vscode.env.clipboard.writeText(rows);
  }

  dispose(): void {
    this.#running?.abort();
    this.#view.dispose();
    this.tree.dispose();
  }

  /** Both sessions are held while they are read; a comparison that is still under way gives up. */
  async #read({ left, right }: SourcePair, before: readonly ComparedSide[] = []): Promise<Comparison> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const names = sideNames(left, right);
    const holds = [this.#context.hold(left), this.#context.hold(right)] as const;
    try {
      const title = vscode.l10n.t('Comparing {0} with {1}', names.left, names.right);
      return await withProgress(title, async (signal, show) => {
        await Promise.all(before.map((side, at) => reopenChanged(holds[at]?.session, side)));
        return compareSources(holds[0].session, holds[1].session, {
          signal: AbortSignal.any([signal, running.signal]),
          onProgress: progressOf(names, show),
        });
      });
    } finally {
      if (this.#running === running) this.#running = undefined;
      await Promise.all(holds.map((hold) => hold.release()));
    }
  }

  #take(comparison: Comparison): void {
    const before = this.#comparison;
    if (before && !isOfSameSources(before, comparison)) this.#diffs.drop(before);
    this.#comparison = comparison;
    const names = sideNames(comparison.left.source, comparison.right.source);
    setViewTexts(this.#view, {
      description: `${names.left} → ${names.right}`,
      message: sidesText(comparison, names),
    });
    this.tree.show(comparison);
  }
}

/** A state file that somebody else keeps open may be another one on disk by now. */
async function reopenChanged(session: Session | undefined, before: ComparedSide): Promise<void> {
  if (session && (await fileStamp(session.source)) !== before.stamp) await session.reopen();
}

function progressOf(names: Readonly<Record<SideName, string>>, show: ShowProgress): CompareOptions['onProgress'] {
  const done = new Map<SideName, string>();
  return (side, { coins, total, proposals }: SideProgress) => {
    const supply =
      total === undefined ? count(coins) : vscode.l10n.t('{0} of {1}', count(coins), total.toLocaleString('en-US'));
    done.set(side, vscode.l10n.t('{0}: {1} denoms, {2} proposals', names[side], supply, count(proposals)));
    show([...done.values()].join(' · '));
  };
}

/** The heights, where they are known. */
function sidesText(comparison: Comparison, names: Readonly<Record<SideName, string>>): string[] {
  const side = (name: SideName) => {
    const { height } = comparison[name];
    return height === undefined
      ? names[name]
      : vscode.l10n.t('{0} at height {1}', names[name], height.toLocaleString('en-US'));
  };
  const known = [comparison.left, comparison.right].some(({ height }) => height !== undefined);
  return known ? [`${side('left')} → ${side('right')}`] : [];
}

function sectionOf(target: unknown): SectionName | undefined {
  return sectionNames.find((name) => member(target, 'section') === name);
}

/** The files that the explorer's menu was opened on: two selected ones, or the one. */
function twoFiles(file: unknown, files: unknown): vscode.Uri[] {
  const selected = readFiles(file, files);
  return selected.length === 2 ? selected : readFiles(file, undefined);
}
