import type { WireCoin } from './contract.ts';
import { supplyOfForm } from './dialect.ts';
import { InputError, isHttpError, ReplyError, shorten } from './errors.ts';
import type { ListRequest } from './node.ts';
import type { Page } from './pages.ts';
import { isNotOffered } from './replyFaults.ts';
import type { Speaker } from './speaker.ts';
import { compareDenoms, denomKey, FittingPages, pageParams, toPage } from './wholeLists.ts';

/** The total supply of one node. */
export class SupplyList {
  readonly #speaker: Speaker;
  readonly #fitting = new FittingPages();

  constructor(speaker: Speaker) {
    this.#speaker = speaker;
  }

  /** One page. Rejects as `Speaker.get` does. */
  read(request: ListRequest, signal?: AbortSignal): Promise<Page<WireCoin>> {
    return this.#fitting.ask(request, async (fitted) => {
      const { reply, info } = await this.#speaker.get('supply', {
        query: pageParams(fitted),
        height: request.height,
        signal,
      });
      const rows = reply.pagination ? reply.supply : unpaged(reply.supply, request.key);
      return toPage(rows, reply.pagination, request, info);
    });
  }
}

/** A node of 0.40 to 0.42 sends its whole list whatever the page: only what stands behind the key is new. */
function unpaged(coins: readonly WireCoin[], key: string | undefined): readonly WireCoin[] {
  if (key === undefined) return coins;
  const from = Buffer.from(key, 'base64');
  return coins.filter(({ denom }) => Buffer.compare(Buffer.from(denom, 'utf8'), from) >= 0);
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
