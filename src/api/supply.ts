import type { WireCoin } from './contract.ts';
import { type SdkVersion, supplyOfForm } from './dialect.ts';
import { InputError, isHttpError, ReplyError, shorten } from './errors.ts';
import type { PageRequest, SupplyPage } from './node.ts';
import type { NodeVersion } from './optionalReads.ts';
import {
  compareDenoms,
  countedPage,
  denomKey,
  FittingPages,
  pageParams,
  readWhole,
  slicePage,
  toWhole,
  type WholeList,
} from './pages.ts';
import { isNotOffered } from './replyFaults.ts';
import type { Speaker } from './speaker.ts';

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

type Form = 'path' | 'byDenom' | 'list';

/**
 * The supply of one denom, in the first form that this node answers: path (service.md 4.2, SDK up to 0.45), `by_denom`
 * (since 0.46), or the list from its place on (contract-facts section 2). Amount "0" means that the chain holds none of it.
 *
 * @throws what `Speaker.get` throws; `InputError` for an empty denom.
 */
export async function readSupplyOf(speaker: Speaker, denom: string, signal?: AbortSignal): Promise<WireCoin> {
  if (denom === '' || denom === '.' || denom === '..') throw new InputError(`"${denom}" is not a denom`);
  let refusal: unknown;
  let notOffered = 0;
  for (const form of formsFor(speaker, denom)) {
    try {
      const coin = await ask(speaker, form, denom, signal);
      if (coin.denom === denom) {
        if (form !== 'list' || (notOffered === 2 && !denom.includes('/'))) learn(speaker, form, denom);
        return coin;
      }
    } catch (error) {
      if (form === 'list') throw listFault(error, refusal);
      if (!mayBeAnotherForm(error)) throw error;
      refusal = error;
      if (isNotOffered(error)) notOffered += 1;
      if (form === 'path' && denom.includes('/') && isNotOffered(error)) speaker.learned.learn({ slashes: false });
    }
  }
  throw new ReplyError(speaker.urlOf('supply', {}), `the node gave no answer for the supply of ${shorten(denom)}`);
}

/** The forms worth trying, the likeliest first; the list always comes last. */
function formsFor({ learned }: Speaker, denom: string): readonly Form[] {
  const path = denom.includes('/') && learned.slashes === false ? [] : (['path'] as const);
  const known = learned.supplyOf ?? (learned.version && supplyOfForm(learned.version));
  switch (known) {
    case undefined:
      return [...path, 'byDenom', 'list'];
    case 'path':
      return [...path, 'list'];
    case 'byDenom':
      return ['byDenom', 'list'];
    case 'list':
      return ['list'];
    default:
      return known satisfies never;
  }
}

async function ask(speaker: Speaker, form: Form, denom: string, signal: AbortSignal | undefined): Promise<WireCoin> {
  switch (form) {
    case 'path':
      return (await speaker.get('supplyOf', { params: { denom }, signal })).reply.amount;
    case 'byDenom':
      return (await speaker.get('supplyByDenom', { query: { denom }, signal })).reply.amount;
    case 'list':
      return fromList(speaker, denom, signal);
    default:
      return form satisfies never;
  }
}

/** The list from the denom's place on, one row; nodes of 0.40 to 0.42 send the whole list instead, without `pagination`. */
async function fromList(speaker: Speaker, denom: string, signal: AbortSignal | undefined): Promise<WireCoin> {
  const query = { key: denomKey(denom), limit: '1' };
  const { reply } = await speaker.get('supply', { query, signal });
  const found = reply.supply.find((coin) => coin.denom === denom);
  if (found) return found;
  const [first] = reply.supply;
  if (reply.pagination && first && compareDenoms(first.denom, denom) < 0) {
    const url = speaker.urlOf('supply', { query });
    throw new ReplyError(
      url,
      `the node does not list from the key it is given, so the supply of ${shorten(denom)} cannot be asked`,
    );
  }
  return { denom, amount: '0' };
}

/** What answered is asked first from now on; the list only where neither of the others is there for a plain denom. */
function learn({ learned }: Speaker, form: Form, denom: string): void {
  if (form === 'path' && denom.includes('/')) learned.learn({ slashes: true });
  learned.learn({ supplyOf: form });
}

/** Not offered in this form, or a form that an old node reads as something else and fails on (500). */
function mayBeAnotherForm(error: unknown): boolean {
  return isNotOffered(error) || (isHttpError(error) && error.status === 500);
}

/** When no form answered, the node's own words on the denom say more than those on the list. */
function listFault(error: unknown, refusal: unknown): unknown {
  return isNotOffered(error) && refusal !== undefined && !isNotOffered(refusal) ? refusal : error;
}
