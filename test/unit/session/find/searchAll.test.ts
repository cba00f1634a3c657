import { strict as assert } from 'node:assert';
import { type SearchStep, searchAll, toMatcher } from '../../../../src/session/search.ts';
import { Session } from '../../../../src/session/session.ts';
import { startSampleNode } from '../../../support/nodes.ts';

describe('a search of all pages', () => {
  let sample: Awaited<ReturnType<typeof startSampleNode>>;
  before(async () => {
    sample = await startSampleNode();
  });
  after(() => sample.dispose());

  const open = () =>
    new Session(
      { kind: 'sample', id: '', name: 'Sample chain' },
      {
        open: async () => ({ node: sample.node, notices: [], dispose: async () => undefined }),
        pageSize: () => 10,
        knownUnits: async () => new Map(),
      },
    );
  const { signal } = new AbortController();

  it('finds what a reading of everything finds, says how much was searched, and loads no list', async () => {
    const session = open();
    const steps: SearchStep[] = [];
    const end = await searchAll(session, 'UPGRADE', signal, (step) => steps.push(step));
    const { toProposalRow } = await import('../../../../src/chain/toProposal.ts');
    const { rows } = await sample.node.proposals({}, { limit: 1000 });
    const { rows: coins } = await sample.node.supply({ limit: 1000 });
    const wanted = rows.map(toProposalRow).filter((row) =>
      JSON.stringify(
        row.kind === 'proposal' && [row.title, row.description, row.contents.map(({ typeUrl }) => typeUrl)],
      )
        .toLowerCase()
        .includes('upgrade'),
    );
    const ids = (found: readonly { id: bigint }[]) => found.map(({ id }) => id).sort((a, b) => Number(a - b));
    assert.ok(wanted.length > 0);
    assert.deepEqual(ids(steps.flatMap(({ foundProposals }) => foundProposals)), ids(wanted));
    assert.deepEqual(end, { proposals: rows.length, denoms: coins.length, failures: [] });
    assert.ok(steps.length > 5);
    assert.equal(session.proposals.pager('voting').started, false);
    assert.equal(session.supply.pager.started, false);
    await session.dispose();
  });

  it('searches all proposals also while the view is filtered', async () => {
    const session = open();
    session.proposals.setFilter({ voter: 'nobody', statuses: ['failed'] });
    const end = await searchAll(session, 'upgrade', signal, () => undefined);
    assert.equal(end.proposals, (await sample.node.proposals({}, { limit: 1000 })).rows.length);
    await session.dispose();
  });

  it('ends when it is told to, with what it searched so far', async () => {
    const session = open();
    const abort = new AbortController();
    const end = await searchAll(session, 'a', abort.signal, () => abort.abort());
    assert.deepEqual(end.failures, []);
    assert.ok(end.proposals + end.denoms > 0);
    assert.ok(end.proposals < (await sample.node.proposals({}, { limit: 1000 })).rows.length);
    await session.dispose();
  });

  it('takes a text as it is, whatever it means in a pattern', async () => {
    const unit = () => undefined;
    for (const text of ['(', '[a', 'a\\', 'a-b', '.*', '$^', '{1}', '😀', '\ud800']) {
      assert.equal(toMatcher(text).coin({ denom: `x${text}y`, amount: 1n }, unit), true, text);
      assert.equal(toMatcher(text).proposal({ kind: 'unreadable', id: 1n, reason: text }), false);
    }
    assert.equal(toMatcher('.').coin({ denom: 'uatom', amount: 1n }, unit), false);
  });
});
