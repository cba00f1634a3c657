import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import type { Proposal, ProposalRow } from '../../../src/chain/gov/proposal.ts';
import { statusGroups } from '../../../src/chain/gov/proposalGroups.ts';
import { Proposals } from '../../../src/lists/proposals.ts';
import { startNode } from '../../fixtures/nodeSimulator/simulatedNode.ts';
import { textProposal } from '../../fixtures/nodeSimulator/simulatorState.ts';
import { versions } from '../../node/build.ts';
import { readRecording } from '../../node/recording.ts';
import { startReplay } from '../../node/replay.ts';
import { startSampleNode } from '../../support/nodes.ts';

describe('proposal store over the sample chain', () => {
  let sample: Awaited<ReturnType<typeof startSampleNode>>;
  before(async () => {
    sample = await startSampleNode();
  });
  after(() => sample.dispose());

  const ids = (rows: readonly ProposalRow[]) => rows.map(({ id }) => id);
  const isDescending = (all: readonly bigint[]) => all.every((id, at) => at === 0 || id < (all[at - 1] ?? 0n));
  const open = (pageSize = 10) => new Proposals({ node: async () => sample.node, pageSize: () => pageSize });
  const everything = { signal: new AbortController().signal, limit: 10_000 };

  it('asks nothing before it is asked', () => {
    const before = sample.requests.length;
    const store = open();
    assert.deepEqual([store.rows('voting'), sample.requests.length], [[], before]);
    store.dispose();
  });

  it('reads each group newest first and open votes by their end, page by page, and misses none', async () => {
    const store = open(7);
    for (const group of statusGroups) {
      await store.pager(group).loadAll(everything);
      assert.ok(isDescending(ids(store.pager(group).rows)), group);
      assert.ok(store.rows(group).length > 0, group);
    }
    const ends = store.rows('voting').map((row) => row.kind === 'proposal' && row.votingEndTime);
    assert.deepEqual(
      ends,
      ends.toSorted((a, b) => Number(a) - Number(b)),
    );
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

  it('knows the height of what it read, by a list or alone', async () => {
    const store = open(50);
    await store.pager('voting').loadMore();
    const [listed] = store.rows('voting');
    assert.ok(listed?.kind === 'proposal');
    const { height } = listed;
    assert.ok(height !== undefined && height > 0n);
    assert.equal((await store.load(listed.id)).height, height);
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

it('keeps nothing of a proposal whose id another chain at the same address gives to its own', async () => {
  const chain = (title: string, submitTime: string) => ({
    chainId: 'local-1',
    height: 1000n,
    coins: [],
    proposals: [textProposal(1n, 2, { title, submitTime })],
  });
  const simulated = await startNode({ era: '0.45', state: chain('Old', '2026-01-01T00:00:00Z') });
  const node = openNode({ baseUrl: parseBaseUrl(simulated.url) });
  const store = new Proposals({ node: async () => node, pageSize: () => 50 });
  const title = () => store.rows('voting').map((row) => row.kind === 'proposal' && row.title);
  try {
    await store.pager('voting').loadMore();
    assert.deepEqual(title(), ['Old']);
    simulated.state = chain('New', '2026-02-01T00:00:00Z');
    await store.pager('voting').refresh();
    assert.deepEqual(title(), ['New']);
  } finally {
    store.dispose();
    await node.dispose();
    await simulated.stop();
  }
});

for (const version of versions) {
  it(`counts of the groups that are not read, on a node of SDK ${version}`, async () => {
    const recording = readRecording(version);
    const server = await startReplay(recording);
    const node = openNode({ baseUrl: parseBaseUrl(server.url) });
    const store = new Proposals({ node: async () => node, pageSize: () => 50 });
    try {
      await store.pager('voting').loadMore();
      const from = server.requests.length;
      await store.loadCounts();
      const asked = server.requests.slice(from);
      // SDK 0.45 counts what a filter lets through wrongly.
      const counts = version.startsWith('0.45') ? 0 : statusGroups.length - 1;
      assert.equal(asked.length, counts, asked.join('\n'));
      assert.ok(asked.every((path) => /limit=1&/.test(path) && path.includes('count_total=true')));
      const counted = statusGroups.map((group) => store.count(group));
      for (const group of statusGroups)
        await store.pager(group).loadAll({ signal: new AbortController().signal, limit: 1000 });
      if (counts > 0)
        assert.deepEqual(
          counted,
          statusGroups.map((group) => BigInt(store.rows(group).length)),
        );
    } finally {
      store.dispose();
      await node.dispose();
      await server.stop();
    }
  });
}
