import type { WireCoin } from './contract.ts';
import { FittingPages } from './fittingPages.ts';
import type { PageRequest, SupplyPage } from './node.ts';
import type { NodeVersion } from './nodeVersion.ts';
import { compareDenoms, denomKey } from './pageKeys.ts';
import { countedPage, pageParams } from './pageParams.ts';
import type { SdkVersion } from './sdkVersion.ts';
import type { Speaker } from './speaker.ts';
import { readWhole, slicePage, toWhole, type WholeList } from './wholeList.ts';

/** Rows of a page while the list is read whole. */
const wholePage = 1000;

/** The total supply of one node, complete and in the order asked for. */
export class SupplyList {
  readonly #speaker: Speaker;
  readonly #version: NodeVersion;
  readonly #fitting = new FittingPages();
  #kept: WholeList<WireCoin> | undefined;

  constructor(speaker: Speaker, version: NodeVersion) {
    this.#speaker = speaker;
    this.#version = version;
  }

  /** One page. Rejects as `Speaker.get` does. */
  async read(page: PageRequest, signal?: AbortSignal): Promise<SupplyPage> {
    if (!page.reverse) return this.#readPage(page, signal);
    await this.#speaker.contact('supply', signal);
    if (!this.#reverses(await this.#version.get(signal))) return this.#readWhole(page, signal);
    const answer = await this.#readPage(page, signal);
    // Up to 0.47 pages go down, but the rows inside go up (contract-facts section 1).
    return { ...answer, coins: [...answer.coins].sort((a, b) => compareDenoms(b.denom, a.denom)) };
  }

  /** Before 0.43 `reverse` is not known; since 0.50 keys in reverse lose denoms, repeat them, or never end. */
  #reverses(version: SdkVersion | undefined): boolean {
    return version ? version.minor >= 43 && version.minor < 50 : this.#speaker.learned.segment === 'chain';
  }

  #readPage(page: PageRequest, signal: AbortSignal | undefined): Promise<SupplyPage> {
    return this.#fitting.ask(page, async (fitted) => {
      const query = pageParams(fitted);
      const { reply, info } = await this.#speaker.get('supply', { query, height: page.height, signal });
      if (!reply.pagination) return unpaged(reply.supply, page, info);
      return { coins: reply.supply, page: countedPage(reply.pagination, page, reply.supply.length), info };
    });
  }

  async #readWhole(page: PageRequest, signal: AbortSignal | undefined): Promise<SupplyPage> {
    if (page.key === undefined || !this.#kept) {
      const keyOf = (coin: WireCoin) => denomKey(coin.denom);
      const readPage = async (key: string | undefined) => {
        const answer = await this.#readPage({ key, limit: wholePage, height: page.height }, signal);
        return { rows: answer.coins, nextKey: answer.page?.next_key || undefined, info: answer.info };
      };
      this.#kept = await readWhole(this.#speaker.urlOf('supply', {}), keyOf, readPage, page.onProgress);
    }
    const { rows, ...rest } = slicePage(this.#kept, page);
    return { coins: rows, ...rest };
  }
}

/** A node of 0.40 to 0.42 sends its whole list whatever the page: all of it once, and nothing before the place asked for. */
function unpaged(coins: readonly WireCoin[], page: PageRequest, info: SupplyPage['info']): SupplyPage {
  if (page.key === undefined && !page.offset) return { coins, page: undefined, info };
  const all = toWhole(new Map(coins.map((coin) => [denomKey(coin.denom), coin])), info);
  const { rows } = slicePage(all, { key: page.key, offset: page.offset, limit: coins.length });
  return { coins: rows, page: undefined, info };
}
