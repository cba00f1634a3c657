import type { Comparison, SupplyDifference } from '../../session/compare/comparison.ts';
import { member } from '../commands/command.ts';
import type { ComparisonNode } from './comparisonTree.ts';
import { sectionNames, statusText, titleText } from './comparisonWords.ts';
import { differencesOf } from './differencesOf.ts';

/**
 * Rows of the Compare view as lines of cells, tabs between them: what differs, its left and right value, exact. Only rows
 * of what is shown count.
 */
export function copyText(nodes: readonly unknown[], comparison: Comparison): string {
  const known = new Set<unknown>(sectionNames.flatMap((section) => differencesOf(section, comparison)));
  const isNode = (node: unknown): node is ComparisonNode => known.has(member(node, 'difference'));
  const lines = new Set(nodes.filter(isNode).flatMap(toLine));
  return [...lines].join('\n');
}

function toLine(node: ComparisonNode): string[] {
  switch (node.kind) {
    case 'coin':
      return [coinLine(node.difference)];
    case 'proposal': {
      const { id, left, right } = node.difference;
      const shown = right ?? left;
      return [[`${id}`, titleText(shown), left ? statusText(left) : '', right ? statusText(right) : ''].join('\t')];
    }
    case 'param': {
      const { name, left = '', right = '' } = node.difference;
      return [[name, left, right].join('\t')];
    }
    case 'section':
    case 'change':
    case 'side':
    case 'rest':
    case 'note':
      return [];
    default:
      return node satisfies never;
  }
}

function coinLine({ denom, left, right }: SupplyDifference): string {
  return [denom, left, right, right - left].join('\t');
}
