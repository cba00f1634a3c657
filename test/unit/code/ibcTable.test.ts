import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { encodeIbcTable, type IbcTable, ibcTableFile, loadIbcTable } from '../../../src/code/ibcTable.ts';
import { hashOf, ibcDenomOf, readTrace, traceText } from '../../../src/code/trace.ts';
import { chainData } from '../../fixtures/chainData.ts';
import { projectFolder, startFolder } from '../../support/folders.ts';

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

  it('names what the registry has channels and denoms for, with the chain where it is known', () => {
    const trace = table.find(osmoOnHub);
    assert.deepEqual(trace, { path: 'transfer/channel-141', base: 'uosmo' });
    assert.deepEqual(trace && table.standings(trace, 'cosmoshub-4').map(({ origin }) => origin.id), ['osmosis-1']);
  });

  it('says for an unknown chain all chains on which the denom can stand', () => {
    const trace = table.find(atomOnOsmosis);
    const standings = trace ? table.standings(trace) : [];
    assert.ok(standings.some(({ on }) => on.id === 'osmosis-1'));
    assert.ok(standings.every(({ origin }) => origin.bases.includes('uatom')));
  });

  it('gives nothing for a hash that differs in its last digit', () => {
    assert.equal(table.find(osmoOnHub.replace(/C$/, 'D')), undefined);
    assert.equal(table.find('x'.repeat(64)), undefined);
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
    writeFileSync(join(folder.path, ibcTableFile), encodeIbcTable({ chains, tokens: ['stake'], numbered: 3 }));
    const small = await loadIbcTable(folder.path);
    const traces = ['0/ub', '7/ua', '2/stake', '0/transfer/channel-7/ua'].map((rest) => `transfer/channel-${rest}`);
    const found = traces.map((text) => small.find(hashOf(ibcDenomOf(text)) ?? ''));
    assert.deepEqual(
      found.map((trace) => trace && traceText(trace)),
      traces,
    );
  });

  it('says that it is damaged, and what helps', async () => {
    writeFileSync(join(folder.path, ibcTableFile), 'no');
    await assert.rejects(loadIbcTable(folder.path), /IBC denoms is damaged.*Install the extension again/);
  });

  it('names three tenths of what a recorded supply of the Cosmos Hub holds', function () {
    const data = chainData();
    if (!data) return this.skip();
    const texts = data
      .list('responses')
      .filter((name) => /cosmoshub.*supply/.test(name))
      .map((name) => data.text(`responses/${name}`));
    const denoms = new Set(texts.join().match(/ibc\/[\dA-F]{64}/g));
    const named = [...denoms].filter((denom) => table.find(denom.slice(4)));
    assert.ok(denoms.size > 200 && named.length >= 0.3 * denoms.size, `${named.length} of ${denoms.size}`);
  });
});
