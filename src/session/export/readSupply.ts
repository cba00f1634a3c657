import type { ChainNode } from '../../api/node.ts';
import { type Coin, toCoin } from '../../chain/coin.ts';
import { toLoadedPage } from '../../chain/loadedPage.ts';
import type { SupplyStore } from '../../chain/supplyStore.ts';
import { type ReadPage, readOn } from './readOn.ts';

/** Rows of one page; a node that finds them too many is asked for fewer. */
const pageRows = 1000;

/** The whole supply in the chain's order, going on where the store's list stops. Rejects as `readOn` does. */
export function readSupply(store: SupplyStore, node: ChainNode, signal: AbortSignal): AsyncGenerator<ReadPage<Coin>> {
  const read = async (key: string | undefined, height: bigint | undefined) => {
    const page = { key, limit: pageRows, height, countTotal: key === undefined };
    const answer = await node.supply(page, signal);
    return toLoadedPage(answer.coins.map(toCoin), answer.page, answer.info);
  };
  return readOn(store.pager, read, ({ denom }) => denom, signal);
}
