import type { ProposalsNode } from '../trees/proposalsTree.ts';
import type { MoreNode, NoticeNode } from '../trees/rows.ts';
import type { SupplyNode } from '../trees/supplyTree.ts';

type AnyNode = ProposalsNode | SupplyNode | MoreNode | NoticeNode;

/** Whether what a menu or a key handed over is a row of this kind. */
export function isNode<K extends AnyNode['kind']>(node: unknown, kind: K): node is Extract<AnyNode, { kind: K }> {
  return typeof node === 'object' && node !== null && 'kind' in node && node.kind === kind;
}

/** The rows that a menu of a view was opened on: all that are selected, or the one. */
export function anyNodes(node: unknown, nodes: unknown): readonly (ProposalsNode | SupplyNode)[] {
  const all: readonly unknown[] = Array.isArray(nodes) ? nodes : [node];
  const kinds = ['group', 'proposal', 'coin', 'more', 'notice'] as const;
  return all.filter((one): one is ProposalsNode | SupplyNode => kinds.some((kind) => isNode(one, kind)));
}
