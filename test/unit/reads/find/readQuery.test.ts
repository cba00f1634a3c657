import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readQuery } from '../../../../src/reads/search.ts';
import { writePresets } from '../../../../src/registry/buildPresets.ts';
import { chainOfPage, proposalUrl } from '../../../../src/session/registry.ts';
import { type ChainPreset, loadPresets } from '../../../../src/session/stored.ts';

const hash = '27394fb092d2eccd56123c74f36e4c1f926001ceada9ca97ea622b25f41e5eb2';

describe('what a typed text means', () => {
  let dir = '';
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'presets-'));
    writePresets(dir);
  });
  after(() => rmSync(dir, { recursive: true }));
  it('knows ids', () => {
    for (const text of ['42', '#42', ' 42 ', '# 42'.replace(' ', '')]) assert.equal(readQuery(text).id, 42n, text);
    assert.equal(readQuery('18446744073709551615').id, 2n ** 64n - 1n);
    for (const text of ['0', '#0', '-1', '4.2', '42a', '0x2A', '18446744073709551616', '', '##42']) {
      assert.equal(readQuery(text).id, undefined, text);
    }
  });

  it('knows denoms, and writes the hash of ibc/ as every chain does', () => {
    assert.equal(readQuery(`ibc/${hash}`).denom, `ibc/${hash.toUpperCase()}`);
    assert.equal(readQuery(`IBC/${hash.toUpperCase()}`).denom, `ibc/${hash.toUpperCase()}`);
    for (const denom of ['uatom', 'factory/osmo1abc/ufoo', 'gamm/pool/1', 'cw20:terra1abc', 'a.b-c_d']) {
      assert.equal(readQuery(` ${denom} `).denom, denom);
    }
    for (const text of ['two words', '42', '#42', '']) assert.equal(readQuery(text).denom, undefined, text);
  });

  it('knows the pages of proposals', () => {
    const pages = [
      'https://www.mintscan.io/cosmos/proposals/848',
      'https://www.mintscan.io/cosmos/proposals/848/',
      'https://www.mintscan.io/cosmos/proposals/848?tab=votes',
      'https://ping.pub/cosmos/gov/848',
      'https://atomscan.com/votes/848',
      'https://explorer.example/#/proposal/848',
      'https://explorer.example/#/proposal?proposal_id=848',
      'https://explorer.example/gov?proposalId=848',
      'https://forum.example/osmosis/proposal/848-raise-the-limit',
      'http://localhost:1317/cosmos/gov/v1beta1/proposals/848',
      'http://localhost:1317/cosmos/gov/v1beta1/proposals/848/tally',
    ];
    for (const page of pages) assert.equal(readQuery(page).id, 848n, page);
    for (const page of [
      'https://www.mintscan.io/cosmos/blocks/848',
      'https://www.mintscan.io/cosmos/proposals',
      'https://',
      'https://[',
    ]) {
      assert.deepEqual(readQuery(page), { id: undefined, denom: undefined, text: '', isAddress: true }, page);
    }
  });

  it('reads the pages that the registry has for its chains, and knows whose they are', async () => {
    const { chains } = await loadPresets(dir);
    const withPage = chains.filter(({ proposalPage }) => proposalPage);
    assert.ok(withPage.length > 0);
    for (const chain of withPage) {
      const page = proposalUrl(chain, 848n) ?? '';
      assert.equal(readQuery(page).id, 848n, page);
      const found = chainOfPage(chains, page);
      assert.equal(found?.proposalPage, chain.proposalPage);
    }
    const [first] = withPage;
    assert.equal(
      chainOfPage(
        [first].filter((one): one is ChainPreset => one !== undefined),
        'https://x.example/1',
      ),
      undefined,
    );
  });
});
