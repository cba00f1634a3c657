import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import { statusGroups } from '../../../src/chain/gov/proposalGroups.ts';
import { Proposals } from '../../../src/lists/proposals.ts';
import { type Era, eras } from '../../fixtures/nodeSimulator/eras.ts';
import { startNode } from '../../fixtures/nodeSimulator/simulatedNode.ts';
import { sampleCoins, textProposal } from '../../fixtures/nodeSimulator/simulatorState.ts';

/** No version of the SDK has it, but a fork may (docs/nodes.md). */
const unheardOf = 7;

describe('proposals that no list by status holds', () => {
  /** A chain with these ids; every tenth id was deleted. */
  async function open(era: Era, statusOf: (id: number) => number) {
    const ids = Array.from({ length: 60 }, (_, n) => n + 1).filter((id) => id % 10 !== 0);
    const proposals = ids.map((id) => textProposal(BigInt(id), statusOf(id)));
    const state = { chainId: 'fork-1', height: 1000n, coins: sampleCoins(3), proposals };
    const node = await startNode({ era, state });
    const client = openNode({ baseUrl: parseBaseUrl(node.url) });
    const store = new Proposals({ node: async () => client, pageSize: () => 25 });
    const readAll = async () => {
      for (const group of statusGroups)
        await store.pager(group).loadAll({ signal: new AbortController().signal, limit: 10_000 });
    };
    const dispose = async () => {
      store.dispose();
      await client.dispose();
      await node.stop();
    };
    return { node, store, readAll, dispose };
  }

  for (const era of eras)
    it(`are found by one count and shown in a group of their own: SDK ${era}`, async () => {
      const { node, store, readAll, dispose } = await open(era, (id) =>
        id === 17 || id === 59 ? unheardOf : (id % 5) + 1,
      );
      await store.loadUnlisted();
      assert.equal(node.requests.length, 0);
      await readAll();
      assert.deepEqual(store.rows('other'), []);
      await store.loadUnlisted();
      assert.deepEqual(
        store.rows('other').map(({ id }) => id),
        [59n, 17n],
      );
      assert.deepEqual(
        store.gaps()?.map(({ from, to }) => [from, to]),
        [10n, 20n, 30n, 40n, 50n].map((id) => [id, id]),
      );
      assert.ok(store.isWhole);
      const asked = node.requests.length;
      await store.loadUnlisted();
      assert.equal(node.requests.length, asked);
      await dispose();
    });

  it('cost one request where there are none', async () => {
    const { node, store, readAll, dispose } = await open('0.50', (id) => (id % 5) + 1);
    await readAll();
    const asked = node.requests.length;
    await store.loadUnlisted();
    assert.equal(node.requests.length, asked + 1);
    await dispose();
  });

  it('are forgotten with the rest', async () => {
    const { store, readAll, dispose } = await open('0.47', (id) => (id === 17 ? unheardOf : 3));
    await readAll();
    const looking = store.loadUnlisted();
    store.forget();
    await looking.catch(() => undefined);
    assert.deepEqual([...store.loaded], []);
    await dispose();
  });
});
