import assert from 'node:assert/strict';
import type { ChainNode } from '../../../src/api/node.ts';
import { openNode } from '../../../src/api/open.ts';
import { denomKey, idKey, idOfKey } from '../../../src/api/pages.ts';
import { collectionPaginate } from '../../support/nodeSimulator/pagingEngines.ts';
import { startNode } from '../../support/nodeSimulator/simulatedNode.ts';
import { sampleCoins, textProposal } from '../../support/nodeSimulator/simulatorState.ts';
import { idsOf, readAllCoins } from '../../support/nodes.ts';
import { type FixedReply, startReplies } from '../../support/servers.ts';

const segment = 'cosmos';

describe('paging', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function serve(reply: (url: URL) => FixedReply): Promise<{ node: ChainNode; requests: string[] }> {
    const service = await startReplies(reply);
    const node = openNode({ baseUrl: service.url, segment: 'chain' });
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
    const node = openNode({ baseUrl: simulated.url, segment });
    ends.push(
      () => simulated.stop(),
      () => node.dispose(),
    );
    const first = await node.proposals({}, { limit: 1 });
    assert.equal(first.page?.next_key, 'AAAAAAAAA/o=');
    const second = await node.proposals({}, { limit: 2, key: 'AAAAAAAAA/o=' });
    assert.deepEqual(idsOf(second.rows), ['1018', '1019']);
    assert.deepEqual(idsOf((await node.proposals({}, { limit: 1, key: 'AAAAAAAAA+A=' })).rows), ['992']);
  });

  it('refuses a key together with an offset before anything is sent', async () => {
    const { node, requests } = await serve(() => ({ body: '{"supply":[]}' }));
    await assert.rejects(node.supply({ key: 'AA==', offset: 1n }), { kind: 'input' });
    await assert.rejects(node.proposals({}, { key: 'AA==', offset: 1n }), { kind: 'input' });
    assert.equal(requests.length, 0);
  });

  it('passes over empty pages that have a next key, a bounded number of them', async () => {
    let page = 0;
    const { node, requests } = await serve(() => {
      page += 1;
      return { body: JSON.stringify({ proposals: [], pagination: { next_key: idKey(BigInt(page)), total: '0' } }) };
    });
    const answer = await node.proposals({ status: 'PROPOSAL_STATUS_VOTING_PERIOD' }, { limit: 5 });
    assert.equal(answer.rows.length, 0);
    assert.ok(answer.page?.next_key);
    assert.equal(requests.length, 21);
  });

  it('fills pages that 0.50 leaves short, and loses nothing', async () => {
    const proposals = Array.from({ length: 300 }, (_, at) => textProposal(BigInt(at + 1), at % 10 === 0 ? 4 : 3));
    const engine = collectionPaginate({ losesRowAtKey: false, countsMisses: true });
    const quirks = { sdkVersion: 'v0.50.11', engine };
    const state = { chainId: 's', height: 9n, coins: [], proposals };
    const simulated = await startNode({ era: '0.50', state, quirks });
    const node = openNode({ baseUrl: simulated.url, segment });
    ends.push(
      () => simulated.stop(),
      () => node.dispose(),
    );
    const filter = { status: 'PROPOSAL_STATUS_REJECTED' };
    const sizes: number[] = [];
    const ids: string[] = [];
    let key: string | undefined;
    do {
      const { rows, page } = await node.proposals(filter, { key, limit: 8, reverse: true });
      sizes.push(rows.length);
      ids.push(...idsOf(rows));
      key = page?.next_key || undefined;
    } while (key !== undefined);
    assert.deepEqual(
      ids,
      proposals
        .filter((one) => one.status === 4)
        .map((one) => String(one.id))
        .toReversed(),
    );
    assert.ok(
      sizes.slice(0, -1).every((size) => size >= 4),
      sizes.join(),
    );
  });

  it('leaves a key that repeats to the reader, and stops where it reads a list whole itself', async () => {
    const proposals = [1n, 2n, 3n].map((id) => textProposal(id, 3));
    const state = { chainId: 's', height: 9n, coins: sampleCoins(8), proposals };
    const simulated = await startNode({ era: '0.50', state, quirks: { repeatedKey: idKey(2n) } });
    const node = openNode({ baseUrl: simulated.url, segment });
    ends.push(
      () => simulated.stop(),
      () => node.dispose(),
    );
    assert.equal((await node.supply({ limit: 2 })).page?.next_key, idKey(2n));
    await assert.rejects(node.proposals({}, { limit: 2, reverse: true }), {
      kind: 'reply',
      message: /repeated the next key/,
    });
    assert.ok(simulated.requests.length < 8);
  });

  it('gives a total only where the node was asked to count, and could', async () => {
    const totals = ['5', '0', '1', undefined];
    for (const total of totals) {
      const supply = ['ua', 'ub'].map((denom) => ({ denom, amount: '1' }));
      const { node } = await serve(() => ({ body: JSON.stringify({ supply, pagination: { next_key: null, total } }) }));
      assert.equal((await node.supply({ limit: 2, countTotal: true })).page?.total, total === '5' ? '5' : undefined);
      assert.equal((await node.supply({ limit: 2 })).page?.total, undefined);
      assert.equal((await node.supply({ limit: 2, countTotal: true, key: 'dWE=' })).page?.total, undefined);
    }
  });

  it('reads a supply of 0.40 to 0.42 once, and from any place', async () => {
    const state = { chainId: 's', height: 9n, coins: sampleCoins(90), proposals: [] };
    const simulated = await startNode({ era: '0.40', state });
    const node = openNode({ baseUrl: simulated.url, segment });
    ends.push(
      () => simulated.stop(),
      () => node.dispose(),
    );
    assert.equal((await readAllCoins(node, { limit: 10 })).length, 90);
    assert.equal(simulated.requests.length, 1);
    assert.equal((await node.supply({ limit: 10, offset: 80n })).coins.length, 10);
  });

  it('makes pages smaller for a supply that is too large, and grows them again', async () => {
    const state = { chainId: 's', height: 9n, coins: sampleCoins(4000), proposals: [] };
    const simulated = await startNode({ era: '0.53', state, quirks: { maxMessage: 20_000 } });
    const node = openNode({ baseUrl: simulated.url, segment });
    ends.push(
      () => simulated.stop(),
      () => node.dispose(),
    );
    const coins = await readAllCoins(node, { limit: 2000 });
    assert.equal(new Set(coins.map((coin) => coin.denom)).size, 4000);
    assert.ok(simulated.requests.length < 60, `${simulated.requests.length} requests`);
  });
});
