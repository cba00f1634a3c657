import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stakingDenom } from '../../../src/ui/panel/stakingDenom.ts';
import { startFolder } from '../../support/startFolder.ts';

describe('the staking token of a public chain', () => {
  const folder = startFolder('presets');
  const chain = (chainId: string, ...denoms: string[]) => ({
    name: chainId,
    chainId,
    network: 'mainnet',
    rest: [{ url: 'https://rest.example.org' }],
    stakingTokens: denoms.map((denom) => ({ denom })),
  });

  before(() => {
    const chains = [chain('one-1', 'uone'), chain('two-1', 'ua', 'ub'), chain('none-1')];
    writeFileSync(join(folder.path, 'presets.json'), JSON.stringify({ attribution: 'of nobody', chains }));
  });
  after(() => folder.dispose());

  it('is told where there is exactly one', async () => {
    assert.equal(await stakingDenom(folder.path, 'one-1'), 'uone');
    for (const chainId of ['two-1', 'none-1', 'unknown-1']) {
      assert.equal(await stakingDenom(folder.path, chainId), undefined, chainId);
    }
  });
});
