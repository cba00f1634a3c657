import type { SupplyDifference } from '../../session/compare/comparison.ts';
import type { ComparisonNode } from './comparisonTree.ts';
import { statusText, titleText } from './comparisonWords.ts';

/** Rows of the Compare view as lines of cells, tabs between them: what differs, its left and right value, exact. */
export function copyText(nodes: readonly unknown[]): string {
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

function isNode(value: unknown): value is ComparisonNode {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
