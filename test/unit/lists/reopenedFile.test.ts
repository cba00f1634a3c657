import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Supply } from '../../../src/lists/supply.ts';
import { maxAges } from '../../../src/session/kept.ts';
import { startFolder } from '../../support/folders.ts';
import { startToolHost } from '../tools/toolHost.ts';

/** A state whose chain stakes `bond`; the display unit of `ucoin` has this symbol and exponent. */
function writeState(file: string, bond: string, symbol: string, exponent: number): void {
  const denom_units = [
    { denom: 'ucoin', exponent: 0 },
    { denom: symbol, exponent },
  ];
  const supply = ['ucoin', 'ustake'].map((denom) => ({ denom, amount: '7' }));
  const denom_metadata = [{ base: 'ucoin', display: symbol, symbol, name: symbol, denom_units }];
  const bank = { params: {}, balances: [], supply, denom_metadata };
  const staking = { params: { bond_denom: bond }, validators: [], delegations: [] };
  writeFileSync(file, JSON.stringify({ chain_id: 'x-1', app_state: { bank, gov: { proposals: [] }, staking } }));
}

function shownOf(supply: Supply): readonly unknown[] {
  const { symbol, exponent } = supply.unit('ucoin') ?? {};
  return [supply.staking?.denom, symbol, exponent, supply.metadata('ucoin')?.unit?.symbol];
}

describe('the supply of a state file that changed', () => {
  it('has staking coin, units and metadata of the new file, and none until they are read', async () => {
    const folder = startFolder('reopened');
    const file = join(folder.path, 'state.json');
    writeState(file, 'ucoin', 'COIN', 6);
    const { host, dispose } = startToolHost([pathToFileURL(file).href]);
    const [source] = host.sources;
    assert(source);
    await host.sessions.use(source, async (session) => {
      const { supply } = session.lists;
      const read = async () => {
        await supply.pager.loadMore();
        await supply.loadUnits({ maxAge: maxAges.still });
        return shownOf(supply);
      };
      assert.deepEqual(await read(), ['ucoin', 'COIN', 6, 'COIN']);
      writeState(file, 'ustake', 'BAR', 18);
      await session.reopen();
      assert.deepEqual(shownOf(supply), Array(4).fill(undefined));
      assert.deepEqual(await read(), ['ustake', 'BAR', 18, 'BAR']);
    });
    await dispose();
    folder.dispose();
  });
});
