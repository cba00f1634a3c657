import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { openNode } from '../../../src/api/open.ts';
import { denomKey, idKey, idOfKey, type PageRequest } from '../../../src/api/pages.ts';
import { readPages } from '../../../src/api/readPages.ts';
import { collectionPaginate } from '../../fixtures/nodeSimulator/pagingEngines.ts';
import { startNode } from '../../fixtures/nodeSimulator/simulatedNode.ts';
import { sampleCoins, textProposal } from '../../fixtures/nodeSimulator/simulatorState.ts';
import { type FixedReply, startReplies } from '../../support/servers.ts';
import { idsOf, readAllCoins } from './allRows.ts';

const segment = 'cosmos';

describe('paging', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function serve(reply: (url: URL) => FixedReply): Promise<{ node: ChainNode; requests: string[] }> {
    const service = await startReplies(reply);
    const node = openNode({ baseUrl: parseBaseUrl(service.url), segment: 'chain' });
    ends.push(
      () => service.stop(),
      () => node.dispose(),
    );
    return { node, requests: service.requests };
  }

  it('makes keys as nodes make them', () => {
    assert.equal(denomKey('uatom'), 'dWF0b20=');
    assert.equal(idKey(101n), 'AAAAAAAAAGU=');
    assert.equal(idKey(992n), 'AAAAAAAAA+A=');
    assert.equal(idKey(1018n), 'AAAAAAAAA/o=');
    assert.equal(idOfKey('AAAAAAAAA/o='), 1018n);
    assert.equal(idOfKey('dWF0b20='), undefined);
  });

  it('sends keys with + and / whole', async () => {
    const proposals = [992n, 1018n, 1019n].map((id) => textProposal(id, 3));
    const simulated = await startNode({ era: '0.53', state: { chainId: 's', height: 9n, coins: [], proposals } });
    const node = openNode({ baseUrl: parseBaseUrl(simulated.url), segment });
    ends.push(
      () => simulated.stop(),
      () => node.dispose(),
    );
    const first = await node.proposals({}, { limit: 1 });
    assert.equal(first.nextKey, 'AAAAAAAAA/o=');
    const second = await node.proposals({}, { limit: 2, key: 'AAAAAAAAA/o=' });
    assert.deepEqual(idsOf(second.rows), ['1018', '1019']);
    assert.deepEqual(idsOf((await node.proposals({}, { limit: 1, key: 'AAAAAAAAA+A=' })).rows), ['992']);
  });

  it('reads what 0.50 leaves out of filtered pages with few requests, and loses nothing', async () => {
    const proposals = Array.from({ length: 1500 }, (_, at) => textProposal(BigInt(at + 1), at % 300 === 0 ? 4 : 3));
    const engine = collectionPaginate({ losesRowAtKey: false, countsMisses: true });
    const quirks = { sdkVersion: 'v0.50.11', engine };
    const state = { chainId: 's', height: 9n, coins: [], proposals };
    const simulated = await startNode({ era: '0.50', state, quirks });
    const node = openNode({ baseUrl: parseBaseUrl(simulated.url), segment });
    ends.push(
      () => simulated.stop(),
      () => node.dispose(),
    );
    const filter = { status: 'rejected' } as const;
    const { signal } = new AbortController();
    const ids: string[] = [];
    const load = (request: PageRequest) => node.proposals(filter, { ...request, reverse: true });
    for await (const { rows } of readPages(load, { idOf: (row) => `${row.id}`, limit: 1, signal })) {
      ids.push(...idsOf(rows));
    }
    assert.deepEqual(ids, ['1201', '901', '601', '301', '1']);
    assert.ok(simulated.requests.length < 12, `${simulated.requests.length} requests`);
  });

  it('leaves a key that repeats to the reader, and stops where it reads a list whole itself', async () => {
    const proposals = [1n, 2n, 3n].map((id) => textProposal(id, 3));
    const state = { chainId: 's', height: 9n, coins: sampleCoins(8), proposals };
    const simulated = await startNode({ era: '0.50', state, quirks: { repeatedKey: idKey(2n) } });
    const node = openNode({ baseUrl: parseBaseUrl(simulated.url), segment });
    ends.push(
      () => simulated.stop(),
      () => node.dispose(),
    );
    assert.equal((await node.supply({ limit: 2 })).nextKey, idKey(2n));
    await assert.rejects(node.proposals({}, { limit: 2, reverse: true }), {
      kind: 'paging',
      code: 'repeatedKey',
    });
    assert.ok(simulated.requests.length < 8);
  });

  it('ends below the last row of a list that it reads whole', async () => {
    const proposals = [2n, 3n, 4n].map((id) => textProposal(id, 3));
    const simulated = await startNode({ era: '0.50', state: { chainId: 's', height: 9n, coins: [], proposals } });
    const node = openNode({ baseUrl: parseBaseUrl(simulated.url), segment });
    ends.push(
      () => simulated.stop(),
      () => node.dispose(),
    );
    const read = async (key?: bigint) => {
      const page = await node.proposals(
        {},
        { limit: 1, reverse: true, key: key === undefined ? undefined : idKey(key) },
      );
      return [...idsOf(page.rows), page.nextKey && `next ${idOfKey(page.nextKey)}`, page.total];
    };
    assert.deepEqual(await read(), ['4', 'next 3', undefined]);
    assert.deepEqual(await read(3n), ['3', 'next 2', undefined]);
    assert.deepEqual(await read(2n), ['2', undefined, undefined]);
    assert.deepEqual(await read(1n), [undefined, undefined]);
  });

  it('leaves out coins whose amount is no text of digits', async () => {
    const amounts = ['5', 5, '-5', '5.0', 'x', '', null, '9'.repeat(100), '9'.repeat(101)];
    const supply = amounts.map((amount, at) => ({ denom: `u${at}`, amount }));
    const { node } = await serve(() => ({ body: JSON.stringify({ supply, pagination: { next_key: null } }) }));
    const { rows, info } = await node.supply({ limit: 20 });
    assert.deepEqual(
      rows.map(({ denom }) => denom),
      ['u0', 'u7'],
    );
    assert.equal(info.faults?.length, 7);
    const number = { supply: [{ denom: 'ua', amount: 5 }], pagination: { next_key: null } };
    const { node: other } = await serve(() => ({ body: JSON.stringify(number) }));
    assert.deepEqual((await other.supply({ limit: 20 })).rows, []);
  });

  it('gives a total only where the node was asked to count, and could', async () => {
    const totals = ['5', '0', '1', undefined];
    for (const total of totals) {
      const supply = ['ua', 'ub'].map((denom) => ({ denom, amount: '1' }));
      const { node } = await serve(() => ({ body: JSON.stringify({ supply, pagination: { next_key: null, total } }) }));
      assert.equal((await node.supply({ limit: 2, countTotal: true })).total, total === '5' ? 5n : undefined);
      assert.equal((await node.supply({ limit: 2 })).total, undefined);
      assert.equal((await node.supply({ limit: 2, countTotal: true, key: 'dWE=' })).total, undefined);
    }
  });

  it('reads a supply of 0.40 to 0.42 once, and from any place', async () => {
    const state = { chainId: 's', height: 9n, coins: sampleCoins(90), proposals: [] };
    const simulated = await startNode({ era: '0.40', state });
    const node = openNode({ baseUrl: parseBaseUrl(simulated.url), segment });
    ends.push(
      () => simulated.stop(),
      () => node.dispose(),
    );
    const coins = await readAllCoins(node, { limit: 10 });
    const last = coins.at(-1)?.denom ?? '';
    assert.equal(coins.length, 90);
    assert.equal(simulated.requests.length, 1);
    assert.equal((await node.supply({ limit: 10, key: denomKey(last) })).rows.length, 1);
  });

  it('makes pages smaller for a supply that is too large, and grows them again', async () => {
    const state = { chainId: 's', height: 9n, coins: sampleCoins(4000), proposals: [] };
    const simulated = await startNode({ era: '0.53', state, quirks: { maxMessage: 20_000 } });
    const node = openNode({ baseUrl: parseBaseUrl(simulated.url), segment });
    ends.push(
      () => simulated.stop(),
      () => node.dispose(),
    );
    const coins = await readAllCoins(node, { limit: 2000 });
    assert.equal(new Set(coins.map((coin) => coin.denom)).size, 4000);
    assert.ok(simulated.requests.length < 60, `${simulated.requests.length} requests`);
  });
});
