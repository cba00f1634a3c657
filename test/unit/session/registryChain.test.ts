import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { registryChain } from '../../../src/session/registry.ts';
import { startFolder } from '../../support/folders.ts';

describe('what the registry adds to a proposal', () => {
  const folder = startFolder('presets');
  const chain = (chainId: string, denoms: readonly string[], more: object = {}) => ({
    name: chainId,
    chainId,
    network: 'mainnet',
    rest: [{ url: 'https://rest.example.org' }],
    stakingTokens: denoms.map((denom) => ({ denom })),
    ...more,
  });

  before(() => {
    const page = { proposalPage: 'https://explorer.example.org/one/proposals/{id}' };
    const chains = [chain('one-1', ['uone'], page), chain('two-1', ['ua', 'ub']), chain('none-1', [])];
    writeFileSync(join(folder.path, 'presets.json'), JSON.stringify({ attribution: 'of nobody', chains }));
  });
  after(() => folder.dispose());

  it('is the staking token where there is exactly one, and the page where there is one', async () => {
    assert.deepEqual(await registryChain(folder.path, 'one-1', 7n), {
      stakingDenom: 'uone',
      proposalPage: 'https://explorer.example.org/one/proposals/7',
    });
    for (const chainId of ['two-1', 'none-1']) {
      const nothing = { stakingDenom: undefined, proposalPage: undefined };
      assert.deepEqual(await registryChain(folder.path, chainId, 7n), nothing, chainId);
    }
    assert.equal(await registryChain(folder.path, 'unknown-1', 7n), undefined);
  });
});
