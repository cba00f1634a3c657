import type { ChainNode } from '../api/node.ts';
import { idKey } from '../api/pages.ts';
import type { ProposalRow } from '../chain/proposal.ts';

type Side = 'previous' | 'next';

/**
 * The proposal before or after `id` by one request: a page of one row that starts at the next possible id. Keys of
 * proposals are ids of 8 bytes, big-endian, and inclusive (docs/nodes.md#page-keys). Undefined where there is none, or
 * where the node does not page by such keys.
 */
export async function findNeighbour(
  node: ChainNode,
  id: bigint,
  side: Side,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const from = side === 'previous' ? id - 1n : id + 1n;
  if (from < 1n || from >= 2n ** 64n) return undefined;
  const page = { key: idKey(from), limit: 1, reverse: side === 'previous' };
  const answer = await node.proposals({}, page, signal).catch(() => undefined);
  signal.throwIfAborted();
  const [row] = answer?.rows ?? [];
  const found = row?.id;
  return found !== undefined && isOnSide(found, id, side) ? found : undefined;
}

/** The nearest among those that were read. */
export function knownNeighbour(rows: Iterable<ProposalRow>, id: bigint, side: Side): bigint | undefined {
  let nearest: bigint | undefined;
  for (const row of rows) {
    const nearer = nearest === undefined || isOnSide(nearest, row.id, side);
    if (isOnSide(row.id, id, side) && nearer) nearest = row.id;
  }
  return nearest;
}

function isOnSide(id: bigint, of: bigint, side: Side): boolean {
  return side === 'previous' ? id < of : id > of;
}
