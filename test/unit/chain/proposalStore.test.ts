import assert from 'node:assert/strict';
import { type Proposal, type ProposalRow, statusGroups } from '../../../src/chain/proposal.ts';
import { ProposalStore } from '../../../src/chain/proposalStore.ts';
import { startSampleNode } from '../../support/nodes.ts';

describe('proposal store over the sample chain', () => {
  let sample: Awaited<ReturnType<typeof startSampleNode>>;
  before(async () => {
    sample = await startSampleNode();
  });
  after(() => sample.dispose());

  const ids = (rows: readonly ProposalRow[]) => rows.map(({ id }) => id);
  const isDescending = (all: readonly bigint[]) => all.every((id, at) => at === 0 || id < (all[at - 1] ?? 0n));
  const open = (pageSize = 10) =>
    new ProposalStore(
      async () => sample.node,
      () => pageSize,
    );
  const everything = { signal: new AbortController().signal, limit: 10_000 };

  it('asks nothing before it is asked', () => {
    const before = sample.requests.length;
    const store = open();
    assert.deepEqual([store.rows('voting'), sample.requests.length], [[], before]);
    store.dispose();
  });

  it('reads each group newest first, page by page, and misses none', async () => {
    const store = open(7);
    for (const group of statusGroups) {
      await store.pager(group).loadAll(everything);
      assert.ok(isDescending(ids(store.rows(group))), group);
      assert.ok(store.rows(group).length > 0, group);
    }
    const all = await sample.node.proposals({}, { limit: 1000 });
    const shown = statusGroups.flatMap((group) => ids(store.rows(group)));
    assert.equal(new Set(shown).size, all.rows.length);
    assert.equal(shown.length, all.rows.length);
    store.dispose();
  });

  it('says how many there are from the first page on', async () => {
    const store = open(5);
    await store.pager('voting').loadMore();
    const { total, rows, hasMore } = store.pager('voting');
    assert.deepEqual([rows.length, hasMore], [5, true]);
    assert.ok(total !== undefined && total > 5n);
    store.dispose();
  });

  it('moves a proposal whose status changed, and never shows it twice', async () => {
    const store = open(50);
    await store.pager('voting').loadMore();
    await store.pager('passed').loadAll(everything);
    const [first] = store.rows('voting');
    assert.ok(first?.kind === 'proposal');
    const passed: Proposal = { ...first, status: 'passed', wireStatus: 'PROPOSAL_STATUS_PASSED' };
    store.update([passed]);
    assert.ok(!ids(store.rows('voting')).includes(first.id));
    assert.equal(ids(store.rows('passed')).filter((id) => id === first.id).length, 1);
    assert.ok(isDescending(ids(store.rows('passed'))));
    store.dispose();
  });

  it('knows the height of what it read, by a list or alone, and of nothing else', async () => {
    const store = open(50);
    await store.pager('voting').loadMore();
    const [listed] = store.rows('voting');
    assert.ok(listed?.kind === 'proposal');
    const height = store.heightOf(listed);
    assert.ok(height !== undefined && height > 0n);
    assert.equal(store.heightOf(await store.load(listed.id)), height);
    assert.equal(store.heightOf({ ...listed }), undefined);
    store.dispose();
  });

  it('reports the ids that no list holds, once all lists were read', async () => {
    const store = open(200);
    assert.equal(store.gaps(), undefined);
    for (const group of statusGroups) await store.pager(group).loadAll(everything);
    const gaps = store.gaps() ?? [];
    const all = await sample.node.proposals({}, { limit: 1000 });
    const known = new Set(all.rows.map((row) => String(row.id)));
    for (const { from, to } of gaps) {
      assert.ok(!known.has(String(from)) && !known.has(String(to)));
      assert.ok(known.has(String(from - 1n)) && known.has(String(to + 1n)));
    }
    assert.ok(gaps.length > 0);
    store.dispose();
  });

  it('narrows the lists by voter, and drops the old rows at once', async () => {
    const store = open(200);
    await store.pager('voting').loadMore();
    store.setFilter({ voter: 'not-an-address' });
    assert.deepEqual(store.rows('voting'), []);
    await assert.rejects(store.pager('voting').loadMore(), /HTTP 400.*voter/);
    store.setFilter({});
    await store.pager('voting').loadMore();
    assert.ok(store.rows('voting').length > 0);
    store.dispose();
  });
});
