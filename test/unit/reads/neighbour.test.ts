import { strict as assert } from 'node:assert';
import { groupOf } from '../../../src/chain/gov/proposalGroups.ts';
import { maxOpen, Proposals } from '../../../src/lists/proposals.ts';
import { findById, findNeighbour } from '../../../src/reads/search.ts';
import { startSampleNode } from '../../support/nodes.ts';

const { signal } = new AbortController();

describe('the neighbour of a proposal', () => {
  let sample: Awaited<ReturnType<typeof startSampleNode>>;
  let ids: bigint[];
  let proposals: Proposals;
  const find = (id: bigint, side: 'previous' | 'next') =>
    findNeighbour({ lists: { proposals }, node: async () => sample.node }, id, side, signal);

  before(async () => {
    sample = await startSampleNode();
    const { rows } = await sample.node.proposals({}, { limit: 1000 });
    ids = rows.map(({ id }) => id);
  });
  beforeEach(() => {
    const node = async () => sample.node;
    proposals = new Proposals({ node, pageSize: () => 5 });
  });
  afterEach(() => proposals.dispose());
  after(() => sample.dispose());

  it('is the next row of the lists, group by group, and reads on where a list goes on', async () => {
    await proposals.pager('voting').loadAll({ signal, limit: maxOpen });
    const seen: bigint[] = [];
    for (let id = proposals.rows('voting')[0]?.id; id !== undefined; id = await find(id, 'next')) seen.push(id);
    assert.deepEqual(seen.toSorted(), ids.toSorted(), 'every proposal of the chain, once');
    const listed = proposals.shownGroups.flatMap((group) => proposals.rows(group).map(({ id }) => id));
    assert.deepEqual(seen, listed);
    const back: bigint[] = [];
    for (let id = seen.at(-1); id !== undefined; id = await find(id, 'previous')) back.push(id);
    assert.deepEqual(back, seen.toReversed());
  });

  it('stays in the group of a proposal that was opened by its id', async () => {
    const listed = new Proposals({ node: async () => sample.node, pageSize: () => 5 });
    await listed.pager('voting').loadAll({ signal, limit: maxOpen });
    const row = await proposals.load(listed.rows('voting')[0]?.id ?? 0n);
    const next = await find(row.id, 'next');
    const other = next === undefined ? undefined : proposals.find(next);
    assert.equal(other && groupOf(other), groupOf(row));
  });

  it('is the next id where the lists do not hold it', async () => {
    const row = await proposals.load(ids[0] ?? 0n);
    assert.equal(await find(row.id, 'previous'), ids[1]);
    assert.equal(await find(row.id, 'next'), undefined);
  });

  it('is found by id across gaps, by one request', async () => {
    for (const [at, id] of ids.entries()) {
      const before = sample.requests.length;
      assert.equal(await findById(sample.node, id, 'next', signal), ids[at - 1]);
      assert.equal(await findById(sample.node, id, 'previous', signal), ids[at + 1]);
      assert.ok(sample.requests.length - before <= 2);
    }
    const before = sample.requests.length;
    assert.equal(await findById(sample.node, 1n, 'next', signal), undefined);
    assert.equal(await findById(sample.node, 2n ** 64n - 1n, 'previous', signal), undefined);
    assert.equal(sample.requests.length, before);
  });
});
