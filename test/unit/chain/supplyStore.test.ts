import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { SupplyStore, toDenomUnit } from '../../../src/chain/supplyStore.ts';
import { sampleFile } from '../../support/folders.ts';
import { startSampleNode } from '../../support/nodes.ts';

const stateSchema = z.object({
  app_state: z.object({ bank: z.object({ supply: z.array(z.object({ denom: z.string(), amount: z.string() })) }) }),
});

describe('supply store over the sample chain', () => {
  let sample: Awaited<ReturnType<typeof startSampleNode>>;
  before(async () => {
    sample = await startSampleNode();
  });
  after(() => sample.dispose());
  const open = (pageSize: number) =>
    new SupplyStore(
      async () => sample.node,
      () => pageSize,
      async () => new Map(),
    );

  it('reads the whole supply, digit by digit what the state holds', async () => {
    const store = open(37);
    await store.pager.loadAll({ signal: new AbortController().signal, limit: 10_000 });
    const state = stateSchema.parse(JSON.parse(readFileSync(sampleFile, 'utf8')));
    const read = store.pager.rows.map(({ denom, amount }) => ({ denom, amount: amount.toString() }));
    assert.deepEqual(read, state.app_state.bank.supply);
    store.dispose();
  });

  it('learns display units from the metadata of the chain, and tells when', async () => {
    const store = open(200);
    await store.pager.loadMore();
    let told = 0;
    store.onDidChange(() => {
      told += 1;
    });
    await store.loadUnits();
    const known = store.pager.rows.filter(({ denom }) => store.unit(denom));
    assert.ok(told > 0 && known.length > 0 && known.length < store.pager.rows.length);
    store.dispose();
  });

  it('asks for one denom with slashes in it', async () => {
    const store = open(200);
    await store.pager.loadMore();
    const coin = store.pager.rows.find(({ denom }) => denom.startsWith('factory/'));
    assert.ok(coin);
    assert.deepEqual(await store.load(coin.denom), coin);
    assert.deepEqual(await store.load('factory/nobody/nothing'), { denom: 'factory/nobody/nothing', amount: 0n });
    store.dispose();
  });
});

describe('display unit', () => {
  const units = [
    { denom: 'uatom', exponent: 0 },
    { denom: 'atom', exponent: 6 },
  ];
  it('is what the metadata states', () => {
    const unit = toDenomUnit({ base: 'uatom', display: 'atom', symbol: 'ATOM', denom_units: units });
    assert.deepEqual(unit, { symbol: 'ATOM', exponent: 6, source: 'chain' });
  });
  for (const [what, metadata] of [
    ['without units', { base: 'uatom', display: 'atom' }],
    ['with a display that is no unit', { base: 'uatom', display: 'photon', denom_units: units }],
    ['whose base has an exponent', { base: 'atom', display: 'uatom', denom_units: units }],
    ['with an exponent that cannot be', { base: 'u', display: 'x', denom_units: [{ denom: 'x', exponent: -3 }] }],
  ] as const) {
    it(`is not guessed from metadata ${what}`, () => {
      assert.equal(toDenomUnit({ ...metadata, denom_units: metadata.denom_units?.slice() }), undefined);
    });
  }
});
