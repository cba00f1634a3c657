import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Comparison, SideName } from '../../session/compare/comparison.ts';
import type { Documents } from '../documents.ts';
import { showDiff } from '../labels.ts';
import { comparisonTexts } from './comparisonTexts.ts';
import { type SectionName, sectionNames, sectionTitle, sideNames } from './comparisonWords.ts';

/** The read-only documents of comparisons, two for each section, and the editor's diffs of them. */
export class ComparisonDiffs {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** Opens the diff of a section. */
  async open(section: SectionName, comparison: Comparison, preserveFocus: boolean): Promise<void> {
    const uris = this.#put(section, comparison);
    const names = sideNames(comparison.left.source, comparison.right.source);
    const title = `${sectionTitle(section)}: ${names.left} ↔ ${names.right}`;
    await showDiff(uris.left, uris.right, title, preserveFocus);
  }

  /** Writes what was opened before anew, for the same two sources; diffs that are still open change with it. */
  redraw(comparison: Comparison): void {
    for (const section of sectionNames)
      if (this.#documents.has(documentNames(section, comparison).left)) this.#put(section, comparison);
  }

  /** Drops the documents of a comparison; diffs that are still open say so. */
  drop(comparison: Comparison): void {
    for (const section of sectionNames) {
      const names = documentNames(section, comparison);
      this.#documents.drop(names.left);
      this.#documents.drop(names.right);
    }
  }

  #put(section: SectionName, comparison: Comparison): Readonly<Record<SideName, vscode.Uri>> {
    const names = documentNames(section, comparison);
    const texts = comparisonTexts(section, comparison);
    return { left: this.#documents.put(names.left, texts.left), right: this.#documents.put(names.right, texts.right) };
  }
}

/** Whether both are of the same two sources, in the same order. */
export function isOfSameSources(one: Comparison, other: Comparison): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf({ left, right }: Comparison): string {
  return JSON.stringify([left.source.id, right.source.id]);
}

/** Stable names: the same two sources always give the same documents. */
function documentNames(section: SectionName, comparison: Comparison): Readonly<Record<SideName, string>> {
  const folder = `comparison-${createHash('sha256').update(keyOf(comparison)).digest('hex').slice(0, 12)}`;
  return { left: `${folder}/left/${section}.txt`, right: `${folder}/right/${section}.txt` };
}
