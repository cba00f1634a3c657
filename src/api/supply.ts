import type { Client } from './client.ts';
import { coinSchema, type WireCoin } from './contract.ts';
import { InputError, isHttpError, isStatedByNode, isUnsupported, ReplyError, shorten } from './errors.ts';
import { denomKey, type ListRequest, type Page, pageQuery, toPage } from './pages.ts';
import { readRows } from './readReply.ts';
import { fromBase64, isFields } from './wireValues.ts';

/** One page of the total supply. Rejects as `Client.get` does. */
export async function readSupply(client: Client, request: ListRequest, signal?: AbortSignal): Promise<Page<WireCoin>> {
  const answer = await client.get('supply', { query: pageQuery(request), height: request.height, signal });
  const { supply } = answer.reply;
  // A check by hand takes a fifth of the schema's time, which a crawl of thousands of coins would feel.
  const { rows, faults } = supply.every(isCoin)
    ? { rows: supply, faults: [] }
    : readRows(supply, coinSchema, 'denom', answer);
  return toPage(answer, { rows: answer.reply.pagination ? rows : unpaged(rows, request.key), faults }, request);
}

function isCoin(value: unknown): value is WireCoin {
  return (
    isFields(value) &&
    typeof value.denom === 'string' &&
    typeof value.amount === 'string' &&
    /^\d{1,100}$/.test(value.amount)
  );
}

/** A node of 0.40 to 0.42 sends its whole list whatever the page: only what stands behind the key is new. */
function unpaged(coins: readonly WireCoin[], key: string | undefined): readonly WireCoin[] {
  if (key === undefined) return coins;
  const from = fromBase64(key).bytes;
  return coins.filter(({ denom }) => Buffer.compare(Buffer.from(denom), from) >= 0);
}

/** A denom that is no denom in a path: its path is that of the query form. That one gives it where there is only the path, too. */
export const nameOfQuery = 'by_denom';

type Form = 'path' | 'byDenom' | 'list';

/**
 * The supply of one denom, in the first form that this node answers: path (the contract, and SDK up to 0.45), `by_denom` (since
 * 0.46), or the list from its place on (docs/nodes.md#one-denom). Amount "0" means that the chain holds none of it.
 *
 * @throws what `Client.get` throws; `InputError` for an empty denom.
 */
export async function readSupplyOf(client: Client, denom: string, signal?: AbortSignal): Promise<WireCoin> {
  if (denom === '' || denom === '.' || denom === '..') throw new InputError(`"${denom}" is not a denom`);
  const { memory } = client;
  let refusal: unknown;
  const unsupported: unknown[] = [];
  for (const form of formsFor(client, denom)) {
    try {
      const coin = await ask[form](client, denom, signal);
      // A path form that takes `by_denom` for a denom answers with another one.
      if (coin.denom !== denom) continue;
      // The list is kept only where neither of the others is there for a plain denom.
      if (denom === nameOfQuery) return coin;
      if (form !== 'list' || (unsupported.length === 2 && unsupported.every(isStatedByNode)))
        memory.remember({ supplyOf: form });
      else if (unsupported.length === 2) memory.suppose({ supplyOf: form });
      return coin;
    } catch (error) {
      // Where no form answered, the node's error about the denom is more specific than the one about the list.
      if (form === 'list')
        throw isUnsupported(error) && refusal !== undefined && !isUnsupported(refusal) ? refusal : error;
      // A form that an old node takes for something else fails with 500.
      if (!isUnsupported(error) && !(isHttpError(error) && error.status === 500)) throw error;
      refusal = error;
      if (isUnsupported(error)) unsupported.push(error);
    }
  }
  throw new ReplyError(client.urlOf('supply', {}), 'shape', `no answer for the supply of ${shorten(denom)}`);
}

/** The forms worth trying, the likeliest first; the list always comes last. Paths of nodes hold no denom with slashes. */
function formsFor(client: Client, denom: string): readonly Form[] {
  const { facts, version } = client.memory;
  const known = facts.supplyOf ?? (version && (version.minor < 46 ? 'path' : 'byDenom'));
  if (denom === nameOfQuery) return known === 'list' ? ['list'] : ['byDenom', 'list'];
  const forms: readonly Form[] = [...new Set<Form>(known ? [known, 'list'] : ['path', 'byDenom', 'list'])];
  return denom.includes('/') && facts.segment === 'cosmos' ? forms.filter((form) => form !== 'path') : forms;
}

const ask: Readonly<Record<Form, (client: Client, denom: string, signal?: AbortSignal) => Promise<WireCoin>>> = {
  path: async (client, denom, signal) => (await client.get('supplyOf', { params: { denom }, signal })).reply.amount,
  byDenom: async (client, denom, signal) =>
    (await client.get('supplyByDenom', { query: { denom }, signal })).reply.amount,
  list: fromList,
};

async function fromList(client: Client, denom: string, signal?: AbortSignal): Promise<WireCoin> {
  const { rows, info } = await readSupply(client, { key: denomKey(denom), limit: 1 }, signal);
  const [first] = rows;
  if (first?.denom === denom) return first;
  const fault = info.faults?.find(({ row }) => row === denom)?.reason;
  const isEarlier = first && Buffer.compare(Buffer.from(first.denom), Buffer.from(denom)) < 0;
  const reason = `the node does not list from the key it is given, so the supply of ${shorten(denom)} cannot be asked`;
  if (fault === undefined && !isEarlier) return { denom, amount: '0' };
  throw new ReplyError(client.urlOf('supply', {}), 'shape', fault ?? reason);
}
