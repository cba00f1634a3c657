import type { PageRequest, SupplyPage } from './node.ts';
import { countedPage, pageParams } from './pageParams.ts';
import type { Speaker } from './speaker.ts';

/** One page of the total supply. Rejects as `Speaker.get` does. */
export async function readSupply(speaker: Speaker, page: PageRequest, signal?: AbortSignal): Promise<SupplyPage> {
  const { reply, info } = await speaker.get('supply', { query: pageParams(page), height: page.height, signal });
  return { coins: reply.supply, page: countedPage(reply.pagination, page, reply.supply.length), info };
}
