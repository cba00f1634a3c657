import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Served, serveText } from './serveText.ts';
import { smallState } from './smallState.ts';

/** Where the client is looked for: the project's own dependencies, or a folder that `CLIENT_DIR` names. */
const load = createRequire(join(process.env.CLIENT_DIR ?? import.meta.dirname, 'package.json'));

const getSchema = z.object({
  get: z.custom<(path: string, query?: object) => Promise<unknown>>((value) => typeof value === 'function'),
});

/** The LCD client of CosmJS, as an application uses it. */
function lcdClient(apiUrl: string): { get(path: string, query?: object): Promise<unknown> } | undefined {
  try {
    const client: unknown = Reflect.construct(load('@cosmjs/launchpad').LcdClient, [apiUrl]);
    const { get } = getSchema.parse(client);
    return { get: (path, query) => Reflect.apply(get, client, [path, query]) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

describe('a published REST client (@cosmjs/launchpad)', () => {
  const state = smallState();
  const supply = state.app_state.bank.balances[0]?.coins;
  let served: Served;
  let client: NonNullable<ReturnType<typeof lcdClient>>;
  before(async function () {
    served = await serveText(state);
    const found = lcdClient(served.service.baseUrl);
    if (found) client = found;
    else {
      console.log('skipped: @cosmjs/launchpad is not installed');
      this.skip();
    }
  });
  after(() => served.stop());

  /** All rows of a list, page by page, key after key. */
  async function crawl(path: string, name: string, limit: number): Promise<unknown[]> {
    const rows: unknown[] = [];
    let key: string | null | undefined;
    do {
      const page = Object(
        await client.get(path, { 'pagination.limit': String(limit), ...(key ? { 'pagination.key': key } : {}) }),
      );
      rows.push(...page[name]);
      key = page.pagination.next_key;
    } while (key);
    return rows;
  }

  it('pages through the supply and gets what the state holds', async () => {
    for (const limit of [1, 3, 100])
      assert.deepEqual(await crawl('/cosmos/bank/v1beta1/supply', 'supply', limit), supply);
  });

  it('pages through the proposals, whose keys need escaping', async () => {
    const byId = state.app_state.gov.proposals.toSorted((a, b) => Number(a.proposal_id) - Number(b.proposal_id));
    for (const limit of [1, 2, 100])
      assert.deepEqual(await crawl('/cosmos/gov/v1beta1/proposals', 'proposals', limit), byId);
  });

  it('reads one proposal and one coin, and sees the error of a missing one', async () => {
    const { proposal } = Object(await client.get('/cosmos/gov/v1beta1/proposals/992'));
    assert.equal(proposal.proposal_id, '992');
    const { amount } = Object(await client.get('/cosmos/bank/v1beta1/supply/by_denom', { denom: 'ibc/27394FB0' }));
    assert.deepEqual(amount, supply?.[5]);
    await assert.rejects(client.get('/cosmos/gov/v1beta1/proposals/99'), /404/);
  });
});
