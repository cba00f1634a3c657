import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { toDenomUnit } from '../../../src/api/decode/coinRows.ts';
import { openNode } from '../../../src/api/open.ts';
import { Supply, type SupplyOrder } from '../../../src/lists/supply.ts';
import { Kept, maxAges } from '../../../src/session/kept.ts';
import { chainReplies, json } from '../../support/chainReplies.ts';
import { sampleFile } from '../../support/folders.ts';
import { startSampleNode } from '../../support/nodes.ts';
import { startReplies } from '../../support/servers.ts';

const young = { maxAge: maxAges.screen };

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
    new Supply({
      node: async () => sample.node,
      pageSize: () => pageSize,
      knownUnits: async () => new Map(),
      kept: new Kept(),
    });

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
    await store.loadUnits(young);
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

describe('supply store over a chain with units', () => {
  // SHA-256 of transfer/channel-0/uatom.
  const ibc = 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2';
  const amounts = { ATOM2: '7', [ibc]: '40', uatom: '100', ufoo: '7', zero: '9' };
  const supply = Object.entries(amounts).map(([denom, amount]) => ({ denom, amount }));
  const metadata = (base: string, symbol: string, display: string) => ({
    base,
    symbol,
    display,
    denom_units: [
      { denom: base, exponent: 0 },
      { denom: display, exponent: 6 },
    ],
  });
  let chain: Awaited<ReturnType<typeof startReplies>>;
  let node: ReturnType<typeof openNode>;
  before(async () => {
    const reply = chainReplies({
      supply,
      metadatas: [metadata('uatom', 'ATOM', 'atom'), metadata('ufoo', 'Aardvark', 'foo')],
      paths: { '/cosmos/bank/v1beta1/supply/uatom': { amount: { denom: 'uatom', amount: '120' } } },
    });
    const denom_trace = { path: 'transfer/channel-0', base_denom: 'uatom' };
    chain = await startReplies((url) => (url.pathname.includes('/denom_traces/') ? json({ denom_trace }) : reply(url)));
    node = openNode({ baseUrl: parseBaseUrl(`${chain.url}/cosmos`) });
  });
  after(async () => {
    await node.dispose();
    await chain.stop();
  });
  const open = () => {
    const known = new Map([
      ['zero', { symbol: 'ZERO', exponent: 3, source: 'registry' } as const],
      ['uatom', { symbol: 'other', exponent: 3, source: 'registry' } as const],
    ]);
    const store = new Supply({
      node: async () => node,
      pageSize: () => 50,
      knownUnits: async () => known,
      kept: new Kept(),
    });
    let told = 0;
    store.onDidChange(() => {
      told += 1;
    });
    return { store, told: () => told };
  };

  it('is narrowed by denom or symbol, and ordered by denom, amount or symbol', async () => {
    const { store, told } = open();
    await store.pager.loadMore();
    await store.loadUnits(young);
    assert.equal(store.unit('uatom')?.symbol, 'ATOM', 'what the chain states wins');
    assert.deepEqual(store.denomsOf('atom'), ['uatom']);
    assert.deepEqual(store.denomsOf('none'), []);
    const shown = (text: string, order: SupplyOrder = 'denom') => {
      store.arrange({ text, order });
      return store.shown.map(({ denom }) => (denom === ibc ? 'ibc' : denom));
    };
    assert.deepEqual(shown(''), ['ATOM2', 'ibc', 'uatom', 'ufoo', 'zero']);
    assert.deepEqual(shown('', 'amount'), ['uatom', 'ibc', 'zero', 'ATOM2', 'ufoo']);
    assert.deepEqual(shown('', 'symbol'), ['ufoo', 'uatom', 'zero', 'ATOM2', 'ibc']);
    assert.deepEqual(shown('atom'), ['ATOM2', 'uatom']);
    assert.deepEqual(shown('ARDV'), ['ufoo']);
    assert.deepEqual(shown('nothing'), []);
    const before = told();
    store.arrange({ text: 'nothing', order: 'denom' });
    assert.equal(told(), before, 'the same arrangement again is no change');
    store.arrange({ text: 'nothing', order: 'amount' });
    assert.deepEqual([told(), store.arrangement.order], [before + 1, 'amount']);
    store.dispose();
    store.clearArrangement();
    assert.equal(told(), before + 1);
  });

  it('shows base units where a source cannot be opened, and rejects for that nowhere', async () => {
    const store = new Supply({
      node: () => Promise.reject(new Error('refused')),
      pageSize: () => 10,
      knownUnits: () => Promise.reject(new Error('no table')),
      kept: new Kept(),
    });
    await store.loadUnits(young);
    assert.equal(await store.loadOrigin(ibc, young), undefined);
    assert.equal(store.unit('uatom'), undefined);
    store.dispose();
  });

  it('takes up a coin that is read alone', async () => {
    const { store } = open();
    await store.pager.loadMore();
    assert.equal(store.pager.total, 5n);
    assert.deepEqual(await store.load('uatom'), { denom: 'uatom', amount: 120n });
    assert.equal(store.pager.rows.find(({ denom }) => denom === 'uatom')?.amount, 120n);
    store.dispose();
  });

  it('asks once where an IBC denom comes from, and for no other denom', async () => {
    const { store, told } = open();
    const asked = () => chain.requests.filter((path) => path.startsWith('/ibc/')).length;
    assert.equal(store.origin(ibc), undefined);
    const [origin] = await Promise.all([store.loadOrigin(ibc, young), store.loadOrigin(ibc, young)]);
    assert.deepEqual(origin, { path: 'transfer/channel-0', base: 'uatom' });
    assert.deepEqual(store.origin(ibc), origin);
    assert.equal(told(), 1);
    const before = asked();
    assert.deepEqual(await store.loadOrigin(ibc, young), origin);
    for (const other of ['uatom', `x${ibc}`, `${ibc}0`, ibc.toLowerCase(), 'ibc/']) {
      assert.equal(await store.loadOrigin(other, young), undefined);
    }
    assert.equal(asked(), before);
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
    [
      'with an exponent that is no whole number',
      { base: 'u', display: 'x', denom_units: [{ denom: 'x', exponent: 1.5 }] },
    ],
    ['with an exponent beyond all amounts', { base: 'u', display: 'x', denom_units: [{ denom: 'x', exponent: 78 }] }],
    ['with an exponent that cannot be', { base: 'u', display: 'x', denom_units: [{ denom: 'x', exponent: -3 }] }],
  ] as const) {
    it(`is not guessed from metadata ${what}`, () => {
      assert.equal(toDenomUnit({ ...metadata, denom_units: metadata.denom_units?.slice() }), undefined);
    });
  }
});
