import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serveFile } from '../../../src/service/serve.ts';
import { addressOf } from '../../fixtures/nodeSimulator/coinNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { runHere } from '../cli/runHere.ts';
import { startToolHost } from './toolHost.ts';

describe('the community pool beside the parameters of distribution', () => {
  const folder = startFolder('pool');
  after(() => folder.dispose());
  const ofPool = async (app_state: object) => {
    const file = join(folder.path, 'state.json');
    writeFileSync(file, JSON.stringify({ chain_id: 'pool-1', app_state }));
    const { ask, dispose } = startToolHost([pathToFileURL(file).href]);
    const answer = await ask('get_params', { module: 'distribution' });
    await dispose();
    return Object(valueAt(answer, 'modules.0'));
  };
  const params = { community_tax: '0.02' };

  it('is all that it holds, with the account of x/protocolpool', async () => {
    const address = addressOf('protocolpool');
    const account = {
      '@type': '/cosmos.auth.v1beta1.ModuleAccount',
      base_account: { address },
      name: 'protocolpool',
    };
    const community_pool = [
      { denom: 'ua', amount: '5.25' },
      { denom: 'ub', amount: '7' },
    ];
    const coins = ['ub', 'uc'].map((denom) => ({ denom, amount: '2' }));
    const row = await ofPool({
      auth: { accounts: [account] },
      bank: { balances: [{ address, coins }] },
      distribution: { params, fee_pool: { community_pool } },
    });
    const held = row.community_pool.map((coin: Record<string, string>) => `${coin.amount}${coin.untrusted_denom}`);
    assert.deepEqual(held, ['5ua', '9ub', '2uc']);
    const exact = row.community_pool.map((coin: Record<string, string>) => coin.exact_amount);
    assert.deepEqual(exact, ['5.25', undefined, undefined]);
  });

  it('is unknown where the source does not report it, never empty', async () => {
    const row = await ofPool({ distribution: { params } });
    assert.equal(row.community_pool, null);
    assert.deepEqual(row.unknown, { community_pool: 'the source does not report its community pool' });
  });

  it('is said of a node, and listed by the command line', async () => {
    const [coin] = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state.distribution.fee_pool.community_pool;
    const served = await serveFile({ file: sampleFile });
    const from = ['--endpoint', `http://127.0.0.1:${served.port}/chain`];
    const { out } = await runHere(['params', 'distribution', ...from, '--tsv']);
    await served.dispose();
    assert.match(
      out,
      new RegExp(`^distribution\\tcommunity_pool\\.usample\\t${coin.amount.split('.')[0]}\\t9600000`, 'm'),
    );
  });
});
