import { strict as assert } from 'node:assert';
import { ProposalStore } from '../../../src/chain/proposalStore.ts';
import { findNeighbour, knownNeighbour } from '../../../src/session/neighbour.ts';
import { startSampleNode } from '../../support/nodes.ts';

const { signal } = new AbortController();

describe('the neighbour of a proposal', () => {
  let sample: Awaited<ReturnType<typeof startSampleNode>>;
  let ids: bigint[];
  before(async () => {
    sample = await startSampleNode();
    const { rows } = await sample.node.proposals({}, { limit: 1000 });
    ids = rows.map(({ id }) => id);
  });
  after(() => sample.dispose());

  it('is found across gaps, by one request', async () => {
    for (const [at, id] of ids.entries()) {
      const before = sample.requests.length;
      assert.equal(await findNeighbour(sample.node, id, 'previous', signal), ids[at - 1]);
      assert.equal(await findNeighbour(sample.node, id, 'next', signal), ids[at + 1]);
      assert.ok(sample.requests.length - before <= 2);
    }
  });

  it('is none below the first and above the last id that can be', async () => {
    const before = sample.requests.length;
    assert.equal(await findNeighbour(sample.node, 1n, 'previous', signal), undefined);
    assert.equal(await findNeighbour(sample.node, 2n ** 64n - 1n, 'next', signal), undefined);
    assert.equal(sample.requests.length, before);
  });

  it('is the nearest of those that were read, where nothing is asked', async () => {
    const store = new ProposalStore(
      async () => sample.node,
      () => 100,
    );
    await store.pager('voting').loadMore();
    const read = store.rows('voting').map(({ id }) => id);
    const [newest = 0n, second] = read;
    assert.equal(knownNeighbour(store.all(), newest, 'previous'), second);
    assert.equal(knownNeighbour(store.all(), newest, 'next'), undefined);
    store.dispose();
  });
});
