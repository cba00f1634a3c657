import * as vscode from 'vscode';
import type { SessionHold } from '../../session/session.ts';
import type { Source } from '../../session/source.ts';
import { readFiles } from '../commands/args.ts';
import type { Documents } from '../documents.ts';
import type { Settings } from '../settings.ts';
import type { ComparisonView } from './comparisonView.ts';

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

/** Compare With… as the rest knows it; its code is loaded by the first comparison. */
export class LazyComparison implements vscode.Disposable {
  readonly #context: ComparisonContext;
  #view: ComparisonView | undefined;
  #disposed = false;

  constructor(context: ComparisonContext) {
    this.#context = context;
  }

  /** The view with the summary. */
  async load(): Promise<ComparisonView> {
    const part = await import('./comparisonView.ts');
    if (this.#disposed) throw new vscode.CancellationError();
    this.#view ??= new part.ComparisonView(this.#context);
    return this.#view;
  }

  /** The commands by their names; each is given what the menu was opened on. */
  readonly commands: Readonly<Record<string, (target: unknown, all: unknown) => Promise<void>>> = {
    compareWith: async (target, all) => (await this.load()).compare(twoFiles(target, all)),
    refreshComparison: async () => this.#view?.refresh(),
    clearComparison: async () => this.#view?.clear(),
    openComparisonDiff: async (target) => this.#view?.openDiff(target),
    exportComparison: async (target) => this.#view?.export(target),
    openComparedProposal: async (target) => this.#view?.openProposal(target),
    copyDifference: async (target, all) => this.#view?.copy(target, all),
  };

  dispose(): void {
    this.#disposed = true;
    this.#view?.dispose();
  }
}

/** The files that the explorer's menu was opened on: two selected ones, or the one. */
function twoFiles(target: unknown, all: unknown): vscode.Uri[] {
  const files = readFiles(target, all);
  return files.length === 2 ? files : readFiles(target, undefined);
}
