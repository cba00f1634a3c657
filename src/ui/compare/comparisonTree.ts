import * as vscode from 'vscode';
import type {
  Comparison,
  ParamDifference,
  ProposalDifference,
  SideName,
  SupplyDifference,
} from '../../session/compare/comparison.ts';
import { mostRows } from '../commands/lists.ts';
import { treeItem } from '../labels.ts';
import { comparisonItem } from './comparisonItems.ts';
import { mostDiffRows } from './comparisonTexts.ts';
import {
  type Change,
  comparisonNotices,
  countChanges,
  type Difference,
  type SectionName,
  sectionNames,
} from './comparisonWords.ts';
import { differencesOf, listed } from './differencesOf.ts';

/** A row of the Compare view. */
export type ComparisonNode =
  | { readonly kind: 'section'; readonly section: SectionName }
  | { readonly kind: 'change'; readonly section: SectionName; readonly change: Change; readonly rows: number }
  | { readonly kind: 'coin'; readonly difference: SupplyDifference }
  | { readonly kind: 'proposal'; readonly difference: ProposalDifference }
  /** A proposal that is on both sides, as one of them has it. */
  | { readonly kind: 'side'; readonly difference: ProposalDifference; readonly side: SideName }
  | { readonly kind: 'param'; readonly difference: ParamDifference }
  /** Rows that a tree or a diff would show badly, of a kind of change or (undefined) all: an export has them. */
  | { readonly kind: 'rest'; readonly section: SectionName; readonly change: Change | undefined; readonly rows: number }
  | { readonly kind: 'note'; readonly at: number; readonly text: string; readonly isFailure: boolean };

/** What differs, by section and kind of change. */
export class ComparisonTree implements vscode.TreeDataProvider<ComparisonNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<ComparisonNode | undefined>();
  #comparison: Comparison | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  /** Shows another comparison, or none. */
  show(comparison: Comparison | undefined): void {
    this.#comparison = comparison;
    this.#changed.fire(undefined);
  }

  getChildren(node?: ComparisonNode): ComparisonNode[] {
    const comparison = this.#comparison;
    if (!comparison) return [];
    if (!node) {
      const notes = comparisonNotices(comparison).map((note, at) => ({ kind: 'note' as const, at, ...note }));
      return [...notes, ...sectionNames.map((section) => ({ kind: 'section' as const, section }))];
    }
    switch (node.kind) {
      case 'section':
        return childrenOfSection(node.section, comparison);
      case 'change':
        return rowsOf(node.section, comparison, node.change);
      case 'proposal':
        return sidesOf(node.difference);
      case 'coin':
      case 'param':
      case 'side':
      case 'rest':
      case 'note':
        return [];
      default:
        return node satisfies never;
    }
  }

  getTreeItem(node: ComparisonNode): vscode.TreeItem {
    return this.#comparison ? comparisonItem(node, this.#comparison) : treeItem({ id: '', label: '' });
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function childrenOfSection(section: SectionName, comparison: Comparison): ComparisonNode[] {
  if (section === 'params') return rowsOf(section, comparison, undefined);
  const counts = countChanges(differencesOf(section, comparison));
  const groups: ComparisonNode[] = [...counts].map(([change, rows]) => ({ kind: 'change', section, change, rows }));
  const rows = differencesOf(section, comparison).length;
  if (rows > mostDiffRows) groups.push({ kind: 'rest', section, change: undefined, rows });
  return groups;
}

/** The rows of a group, as many as a tree shows well (decision 26). */
function rowsOf(section: SectionName, comparison: Comparison, change: Change | undefined): ComparisonNode[] {
  const isOfGroup = (difference: Difference) =>
    change === undefined || ('change' in difference && difference.change === change);
  const all = nodesOf(section, comparison).filter(({ difference }) => isOfGroup(difference));
  const shown: ComparisonNode[] = all.slice(0, mostRows);
  if (all.length > mostRows) shown.push({ kind: 'rest', section, change, rows: all.length - mostRows });
  return shown;
}

type DifferenceNode = Extract<ComparisonNode, { kind: 'coin' | 'proposal' | 'param' }>;

function nodesOf(section: SectionName, { supply, proposals, params }: Comparison): DifferenceNode[] {
  switch (section) {
    case 'supply':
      return listed(supply).map((difference) => ({ kind: 'coin', difference }));
    case 'proposals':
      return listed(proposals).map((difference) => ({ kind: 'proposal', difference }));
    case 'params':
      return listed(params).map((difference) => ({ kind: 'param', difference }));
    default:
      return section satisfies never;
  }
}

function sidesOf(difference: ProposalDifference): ComparisonNode[] {
  if (difference.change === 'added' || difference.change === 'gone') return [];
  return (['left', 'right'] as const).map((side) => ({ kind: 'side', difference, side }));
}
