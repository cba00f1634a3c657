import type { WirePage } from './contract.ts';
import { InputError } from './errors.ts';
import type { PageRequest } from './node.ts';

/** The page size of nodes when none is asked for (contract-facts section 1). */
export const defaultLimit = 100;

/**
 * The paging parameters of a request, by our names. The limit is always sent: without one, nodes count the whole list,
 * and old ones lose rows while they count. `count_total` never goes with a key, where it has no effect.
 */
export function pageParams(page: PageRequest) {
  if (page.key !== undefined && page.offset) {
    throw new InputError('A page is asked for by its key or by its offset, not by both');
  }
  return {
    ...(page.key !== undefined ? { key: page.key } : {}),
    ...(page.offset ? { offset: String(page.offset) } : {}),
    limit: String(page.limit ?? defaultLimit),
    ...(page.countTotal && page.key === undefined ? { countTotal: 'true' } : {}),
    ...(page.reverse ? { reverse: 'true' } : {}),
  };
}

/** `wire` without its total where the node was not asked to count, or where `rows` belie the count. */
export function countedPage(wire: WirePage | null | undefined, asked: PageRequest, rows: number): WirePage | undefined {
  if (!wire) return undefined;
  const { total, ...rest } = wire;
  const counted = asked.countTotal && asked.key === undefined && total && BigInt(total) >= BigInt(rows);
  return counted ? { ...rest, total } : rest;
}
