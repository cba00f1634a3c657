import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { encodeIbcTable, type IbcTable, ibcTableFile, loadIbcTable } from '../../../src/code/ibcTable.ts';
import { ibcDenomOf, ibcHashOf, readTrace, traceText } from '../../../src/code/trace.ts';
import { chainData } from '../../fixtures/chainData.ts';
import { projectFolder, startFolder } from '../../support/folders.ts';
import { runs } from '../../support/random.ts';

const dist = join(projectFolder, 'dist');
const osmoOnHub = '14F9BC3E44B8A9C1BE1FB08980FAB87034C9905EF17CF2F5008FC085218811CC';
const atomOnOsmosis = '27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2';

describe('a trace', () => {
  it('hashes to the denom that chains show', () => {
    assert.equal(ibcDenomOf('transfer/channel-0/uatom'), `ibc/${atomOnOsmosis}`);
    assert.equal(ibcDenomOf('transfer/channel-141/uosmo'), `ibc/${osmoOnHub}`);
  });

  it('is read as ibc-go reads it, with slashes in the base denom', () => {
    assert.deepEqual(readTrace('transfer/channel-1/wasm.juno1x/channel-22/factory/osmo1x/a'), {
      path: 'transfer/channel-1/wasm.juno1x/channel-22',
      base: 'factory/osmo1x/a',
    });
  });

  it('is none without a path, without a base, or with other characters', () => {
    for (const text of ['uatom', 'transfer/channel-0/', 'transfer/channel-x/uatom', 'transfer/channel-0/uаtom', 'a/b'])
      assert.equal(readTrace(text), undefined, text);
    assert.equal(readTrace(`transfer/channel-0/${'a'.repeat(1_000_000)}`), undefined);
  });
});

describe('the table of ibc denoms', () => {
  const folder = startFolder('ibc');
  let table: IbcTable;
  after(() => folder.dispose());
  before(async () => {
    table = await loadIbcTable(dist);
  });

  it('names what the registry has channels and denoms for, with the chain where it is known', async () => {
    const trace = await table.find(osmoOnHub);
    assert.deepEqual(trace, { path: 'transfer/channel-141', base: 'uosmo' });
    assert.deepEqual(trace && table.chainsOf(trace, 'cosmoshub-4').map(({ origin }) => origin.id), ['osmosis-1']);
  });

  it('says for an unknown chain all chains on which the denom can stand', async () => {
    const trace = await table.find(atomOnOsmosis);
    const chains = trace ? table.chainsOf(trace) : [];
    assert.ok(chains.some(({ on }) => on.id === 'osmosis-1'));
    assert.ok(chains.every(({ origin }) => origin.bases.includes('uatom')));
  });

  it('gives nothing for a hash that differs in its last digit', async () => {
    assert.equal(await table.find(osmoOnHub.replace(/C$/, 'D')), undefined);
    assert.equal(await table.find('x'.repeat(64)), undefined);
  });

  it('names short denoms behind a channel that the registry does not list, and over two that it lists', async () => {
    for (const text of [
      'transfer/channel-499/uosmo',
      'transfer/channel-3/token',
      'transfer/channel-207/transfer/channel-0/uosmo',
    ]) {
      const trace = await table.find(ibcHashOf(ibcDenomOf(text)) ?? '');
      assert.equal(trace && traceText(trace), text);
    }
  });

  it('ends a search that is cancelled, and goes on with it the next time', async () => {
    const ended = new AbortController();
    const digits = ibcHashOf(ibcDenomOf('transfer/channel-498/uosmo')) ?? '';
    const search = table.find(digits, ended.signal);
    ended.abort();
    assert.equal(await search, undefined);
    assert.equal((await table.find(digits))?.path, 'transfer/channel-498');
  });

  it('adds at most 120 kB to the package', () => {
    assert.ok(statSync(join(dist, ibcTableFile)).size > 50_000);
    assert.ok(deflateRawSync(readFileSync(join(dist, ibcTableFile)), { level: 9 }).length <= 120_000);
  });

  it('finds each of its traces again', async () => {
    const chains = [
      { id: 'a-1', name: 'A', channels: [0, 1], bases: ['ua'], paths: [] },
      { id: 'b-1', name: 'B', channels: [7, 0], bases: ['ub'], paths: ['transfer/channel-7/ua'] },
    ];
    writeFileSync(join(folder.path, ibcTableFile), encodeIbcTable({ chains, numbered: 3 }));
    const small = await loadIbcTable(folder.path);
    const traces = ['0/ub', '7/ua', '2/stake', '0/transfer/channel-7/ua'].map((rest) => `transfer/channel-${rest}`);
    const found = await Promise.all(traces.map((text) => small.find(ibcHashOf(ibcDenomOf(text)) ?? '')));
    assert.deepEqual(
      found.map((trace) => trace && traceText(trace)),
      traces,
    );
  });

  it('says that it is damaged, and what helps', async () => {
    writeFileSync(join(folder.path, ibcTableFile), 'no');
    await assert.rejects(loadIbcTable(folder.path), /IBC denoms is corrupted.*Reinstall the extension/);
  });

  it('names more than half of what the recorded supplies of the Cosmos Hub hold', async function () {
    const data = chainData();
    if (!data) return this.skip();
    const texts = data
      .list('responses')
      .filter((name) => /cosmoshub.*supply/.test(name))
      .map((name) => data.text(`responses/${name}`));
    const denoms = [...new Set(texts.join().match(/ibc\/[\dA-F]{64}/g))];
    assert.ok(denoms.length > 200, `${denoms.length} denoms`);
    // A denom without a name takes a second of a busy machine: all of them are looked up in test:full.
    const sample = denoms.filter((_, at) => at % runs(24, 1) === 0);
    let named = 0;
    for (const denom of sample) if (await table.find(denom.slice(4))) named += 1;
    assert.ok(named > 0.5 * sample.length, `${named} of ${sample.length}`);
  });
});
