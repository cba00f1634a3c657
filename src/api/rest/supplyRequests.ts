import { fromBase64 } from '../../chain/bytes.ts';
import { isFields } from '../../chain/fields.ts';
import { shorten } from '../../chain/text.ts';
import type { Client } from '../client.ts';
import { readRows } from '../decode/readReply.ts';
import { InputError, isHttpError, isStatedByNode, isUnsupported, ReplyError } from '../errors.ts';
import { denomKey, type ListRequest, type Page, pageQuery, toPage } from '../pages.ts';
import { coinSchema, type WireCoin } from '../replySchemas.ts';

/** Reads one page of the total supply. Rejects like `Client.get`. */
export async function readSupply(client: Client, request: ListRequest, signal?: AbortSignal): Promise<Page<WireCoin>> {
  const answer = await client.get('supply', { query: pageQuery(request), height: request.height, signal });
  const { supply } = answer.reply;
  // A check by hand takes a fifth of the schema's time, which matters for thousands of coins.
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

/** Gives the coins after the key. A node of 0.40 to 0.42 sends its whole list for any page. */
function unpaged(coins: readonly WireCoin[], key: string | undefined): readonly WireCoin[] {
  if (key === undefined) return coins;
  const from = fromBase64(key).bytes;
  return coins.filter(({ denom }) => Buffer.compare(Buffer.from(denom), from) >= 0);
}

/**
 * A denom that no path can hold, because its path is that of the query form. If a node has only the path, the query
 * form gives it, too.
 */
export const nameOfQuery = 'by_denom';

type Form = 'path' | 'byDenom' | 'list';

/**
 * Reads the supply of one denom, in the first form that this node answers: path (the contract, and SDK 0.45 and
 * earlier), `by_denom` (0.46 and later), or the list from its position on (docs/nodes.md#one-denom). Amount "0" means
 * that the chain holds none of it.
 *
 * @throws the errors of `Client.get`; `InputError` for an empty denom.
 */
export async function readSupplyOf(client: Client, denom: string, signal?: AbortSignal): Promise<WireCoin> {
  if (denom === '' || denom === '.' || denom === '..') throw new InputError(`"${denom}" is not a denom`);
  const { memory } = client;
  let refusal: unknown;
  let invalid: unknown;
  const unsupported: unknown[] = [];
  for (const form of formsFor(client, denom)) {
    // The list would answer 0 for a denom that the node refuses.
    if (form === 'list' && invalid !== undefined) throw invalid;
    try {
      const coin = await requestByForm[form](client, denom, signal);
      // A path form that takes `by_denom` for a denom answers with another one.
      if (coin.denom !== denom) continue;
      // The list is remembered only if a plain denom shows that neither of the others exists.
      if (denom === nameOfQuery) return coin;
      if (form !== 'list' || (unsupported.length === 2 && unsupported.every(isStatedByNode)))
        memory.remember({ supplyOf: form });
      else if (unsupported.length === 2) memory.suppose({ supplyOf: form });
      return coin;
    } catch (error) {
      // If no form answered, the node's error about the denom is more specific than the one about the list.
      if (form === 'list')
        throw isUnsupported(error) && refusal !== undefined && !isUnsupported(refusal) ? refusal : error;
      // An old node that takes a form for something else fails with 400 or 500.
      if (isHttpError(error) && error.status === 400) invalid ??= error;
      else if (!isUnsupported(error) && !(isHttpError(error) && error.status === 500)) throw error;
      refusal = error;
      if (isUnsupported(error)) unsupported.push(error);
    }
  }
  throw new ReplyError(client.urlOf('supply', {}), 'shape', `no response for the supply of ${shorten(denom)}`);
}

/**
 * Gives the forms that are worth a try, the likeliest first. The list always comes last. Paths of nodes hold no denom
 * with slashes.
 */
function formsFor(client: Client, denom: string): readonly Form[] {
  const { traits, version } = client.memory;
  const known = traits.supplyOf ?? (version && (version.minor < 46 ? 'path' : 'byDenom'));
  if (denom === nameOfQuery) return known === 'list' ? ['list'] : ['byDenom', 'list'];
  const forms: readonly Form[] = [...new Set<Form>(known ? [known, 'list'] : ['path', 'byDenom', 'list'])];
  return denom.includes('/') && traits.segment === 'cosmos' ? forms.filter((form) => form !== 'path') : forms;
}

const requestByForm: Readonly<
  Record<Form, (client: Client, denom: string, signal?: AbortSignal) => Promise<WireCoin>>
> = {
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
  const reason = `the node ignores the page key, so the supply of ${shorten(denom)} is not known`;
  if (fault === undefined && !isEarlier) return { denom, amount: '0' };
  throw new ReplyError(client.urlOf('supply', {}), 'shape', fault ?? reason);
}
