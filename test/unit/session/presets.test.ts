import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writePresets } from '../../../src/registry/buildPresets.ts';
import { findChains, proposalUrl } from '../../../src/session/registry.ts';
import { type ChainPreset, loadDenomUnits, loadPresets } from '../../../src/session/stored.ts';

describe('what the build writes', () => {
  let dir = '';
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'presets-'));
    writePresets(dir);
  });
  after(() => rmSync(dir, { recursive: true }));

  describe('the list of public chains', () => {
    it('is small', () => {
      const files = readdirSync(dir).map((name) => join(dir, name));
      const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
      assert.equal(files.length, 2);
      assert.ok(sum(files.map((file) => statSync(file).size)) < 330_000);
      assert.ok(sum(files.map((file) => gzipSync(readFileSync(file)).length)) < 110_000);
    });

    it('has hundreds of chains, each with addresses that can be used as they are', async () => {
      const { chains } = await loadPresets(dir);
      assert.ok(chains.length > 300 && chains.filter((chain) => chain.network === 'mainnet').length > 180);
      for (const { url } of chains.flatMap((chain) => chain.rest)) {
        assert.match(url, /^https?:\/\/[^/\s]+(\/\S*[^/\s])?$/);
        assert.ok(URL.canParse(url), url);
      }
    });

    it('finds a chain by name, chain id, denom and symbol, the mainnet first', async () => {
      const presets = await loadPresets(dir);
      const first = (text: string) => findChains(presets, text)[0]?.chainId;
      for (const text of ['Cosmos Hub', 'cosmoshub-4', ' COSMOSHUB-4 ', 'uatom', 'ATOM'])
        assert.equal(first(text), 'cosmoshub-4', text);
      assert.equal(first('osmo-test-5'), 'osmo-test-5');
      assert.deepEqual(findChains(presets, 'no such chain anywhere'), []);
      assert.equal(findChains(presets, '').length, presets.chains.length);
      for (const text of ['', 'osmo', 'test', 'a']) {
        const found = findChains(presets, text).map(({ network }) => network);
        assert.ok(
          !found.slice(found.findIndex((one) => one !== 'mainnet')).includes('mainnet') ||
            !found.some((one) => one !== 'mainnet'),
        );
      }
      assert.equal(findChains(presets, '')[0]?.network, 'mainnet');
    });

    it('knows the page of a proposal', async () => {
      const [hub] = findChains(await loadPresets(dir), 'cosmoshub-4');
      assert.ok(hub);
      assert.match(proposalUrl(hub, 848n) ?? '', /^https:\/\/.*\/848$/);
    });

    it('says when it is damaged or missing', async () => {
      const broken = mkdtempSync(join(tmpdir(), 'presets-'));
      await assert.rejects(loadPresets(broken), /ENOENT.*presets\.json/);
      for (const text of ['null', '{"attribution":"","chains":[{}]}', '{"chains":[]}']) {
        writeFileSync(join(broken, 'presets.json'), text);
        await assert.rejects(loadPresets(broken), /list of public chains is corrupted/);
      }
      rmSync(broken, { recursive: true });
    });
  });

  describe('the denoms of public chains', () => {
    it('have symbol and exponent, marked as from the registry', async () => {
      const units = await loadDenomUnits(dir, 'cosmoshub-4');
      assert.deepEqual(units.get('uatom'), { symbol: 'ATOM', exponent: 6, source: 'registry' });
      assert.ok([...units.keys()].some((denom) => denom.startsWith('ibc/')));
    });

    it('are none for a chain that the registry does not know, whatever it is called', async () => {
      for (const chainId of ['sample-1', '', 'constructor', '__proto__'])
        assert.equal((await loadDenomUnits(dir, chainId)).size, 0);
    });
  });
});

describe('findChains', () => {
  const chain = (name: string, chainId: string, network: ChainPreset['network'], denom: string): ChainPreset => ({
    name,
    chainId,
    network,
    rest: [{ url: 'https://rest.example.org' }],
    stakingTokens: [{ denom, symbol: denom.slice(1).toUpperCase() }],
  });
  const chains = [
    chain('Old Fjord', 'oldfjord-1', 'mainnet', 'uof'),
    chain('Fjordland', 'land-1', 'mainnet', 'uland'),
    { ...chain('Fjord', 'fjordold-1', 'mainnet', 'ufj'), isDeprecated: true },
    chain('Fjord', 'fjordtest-1', 'testnet', 'ufj'),
    chain('Cliff', 'cliff-1', 'mainnet', 'ufjord'),
    chain('Brook', 'brook-1', 'mainnet', 'ubrook'),
  ];

  it('puts the same before what begins with it, and that before what holds it; mainnets first, deprecated chains last', () => {
    const ids = findChains({ attribution: '', chains }, 'FJORD').map((one) => one.chainId);
    assert.deepEqual(ids, ['cliff-1', 'land-1', 'oldfjord-1', 'fjordtest-1', 'fjordold-1']);
  });
});
