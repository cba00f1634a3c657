import { strict as assert } from 'node:assert';
import { Proposals } from '../../../../src/lists/proposals.ts';
import { isNamed, Supply } from '../../../../src/lists/supply.ts';
import { Kept, maxAges } from '../../../../src/session/kept.ts';
import { sampleVoter as voter } from '../../../fixtures/addresses.ts';
import { startSampleNode } from '../../../support/nodes.ts';

const young = { maxAge: maxAges.screen };

describe('filters over the sample chain', () => {
  let sample: Awaited<ReturnType<typeof startSampleNode>>;
  before(async () => {
    sample = await startSampleNode();
  });
  after(() => sample.dispose());

  const openProposals = () => new Proposals({ node: async () => sample.node, pageSize: () => 50 });
  const openSupply = (units: ReadonlyMap<string, { symbol: string; exponent: number; source: 'chain' }> = new Map()) =>
    new Supply({
      node: async () => sample.node,
      pageSize: () => 1000,
      knownUnits: async () => units,
      kept: new Kept(),
    });

  it('asks for the voter and the status together, and takes it all back', async () => {
    const store = openProposals();
    await store.pager('voting').loadMore();
    const all = store.rows('voting').length;
    store.setFilter({ voter });
    assert.deepEqual(store.rows('voting'), []);
    await store.pager('voting').loadMore();
    const mine = store.rows('voting').length;
    assert.ok(mine > 0 && mine < all, `${mine} of ${all}`);
    assert.match(
      sample.asked().at(-1) ?? '',
      new RegExp(`proposal_status=\\w+.*voter=${voter}|voter=${voter}.*proposal_status=\\w+`),
    );
    await store.pager('passed').loadMore();
    assert.deepEqual(store.rows('passed'), []);
    store.setFilter({});
    await store.pager('voting').loadMore();
    assert.equal(store.rows('voting').length, all);
    store.dispose();
  });

  it('shows some groups without asking for the others, and without forgetting what was read', async () => {
    const store = openProposals();
    await store.pager('voting').loadMore();
    const { length } = store.rows('voting');
    let changes = 0;
    store.onDidChange(() => changes++);
    const before = sample.asked().length;
    store.setFilter({ statuses: ['failed', 'voting'] });
    assert.deepEqual([...store.shownGroups], ['voting', 'failed']);
    assert.equal(store.rows('voting').length, length);
    assert.equal(changes, 1);
    assert.equal(sample.asked().length, before);
    store.dispose();
  });

  it('never lists a proposal that was learned elsewhere under an address that has nothing to do with it', async () => {
    const store = openProposals();
    store.setFilter({ voter });
    await store.pager('voting').loadMore();
    const shown = store.rows('voting').map(({ id }) => id);
    const { rows } = await sample.node.proposals({ status: 'voting' }, { limit: 100 });
    const other = rows.flatMap(({ id }) => id ?? []);
    assert.ok(other.length > shown.length);
    for (const id of other) {
      await store.load(id);
      await store.load(id);
    }
    assert.deepEqual(
      store.rows('voting').map(({ id }) => id),
      shown,
    );
    store.dispose();
  });

  it('finds loaded denoms by name and symbol, and orders them, exactly and without a request', async () => {
    const supply = openSupply();
    await supply.pager.loadMore();
    await supply.loadUnits(young);
    const before = sample.asked().length;
    const named = supply.shown.findLastIndex(({ denom }) => isNamed(denom, supply.unit(denom)));
    assert.ok(named > 1 && supply.shown.slice(0, named).every(({ denom }) => isNamed(denom, supply.unit(denom))));
    const values = supply.shown
      .slice(0, named)
      .map(({ denom, amount }) => Number(amount) / 10 ** (supply.unit(denom)?.exponent ?? 0));
    assert.deepEqual(
      values,
      values.toSorted((a, b) => b - a),
      'known denoms first, by their amounts in display units',
    );
    supply.arrange({ text: '', order: 'denom' });
    assert.equal(supply.shown, supply.pager.rows);
    supply.arrange({ text: 'IBC/', order: 'amount' });
    assert.ok(supply.shown.length > 1 && supply.shown.every(({ denom }) => denom.startsWith('ibc/')));
    const amounts = supply.shown.map(({ amount }) => amount);
    assert.ok(amounts.every((amount, at) => at === 0 || amount <= (amounts[at - 1] ?? 0n)));
    supply.arrange({ text: '', order: 'symbol' });
    const symbols = supply.shown.map(({ denom }) => supply.unit(denom)?.symbol);
    const known = symbols.filter((symbol) => symbol !== undefined);
    assert.ok(known.length > 1 && known.length < symbols.length);
    assert.deepEqual(
      symbols.slice(0, known.length),
      known.toSorted((a, b) => a.localeCompare(b, 'en')),
    );
    const [symbol = ''] = known;
    supply.arrange({ text: symbol.toLowerCase(), order: 'denom' });
    assert.ok(supply.shown.some(({ denom }) => supply.unit(denom)?.symbol === symbol));
    supply.clearArrangement();
    assert.equal(supply.shown.length, supply.pager.rows.length);
    assert.equal(sample.asked().length, before);
    supply.dispose();
  });
});
