import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addressOf } from '../../fixtures/nodeSimulator/coinNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { startFolder } from '../../support/folders.ts';
import { runHere } from '../cli/runHere.ts';
import { startToolHost } from './toolHost.ts';

describe('the largest holders whose coins vest', () => {
  const end = 2_000_000_000;
  const kinds = ['DelayedVestingAccount', 'ContinuousVestingAccount', 'PermanentLockedAccount', 'BaseAccount'] as const;
  const holders = kinds.map((kind, at) => ({ kind, address: addressOf(kind), amount: `${100 - at}` }));
  const accounts = holders.map(({ kind, address, amount }) => {
    const base_account = { address };
    if (kind === 'BaseAccount') return { '@type': '/cosmos.auth.v1beta1.BaseAccount', ...base_account };
    const original_vesting = [{ denom: 'ua', amount }];
    const vesting = { base_account, original_vesting, delegated_vesting: [], end_time: `${end}` };
    return { '@type': `/cosmos.vesting.v1beta1.${kind}`, base_vesting_account: vesting, start_time: '1' };
  });
  const balances = holders.map(({ address, amount }) => ({ address, coins: [{ denom: 'ua', amount }] }));
  const folder = startFolder('ends');
  const file = join(folder.path, 'state.json');
  const staking = { params: { bond_denom: 'us' }, validators: [], delegations: [] };
  writeFileSync(file, JSON.stringify({ app_state: { auth: { accounts }, bank: { balances }, staking } }));
  after(() => folder.dispose());

  it('say until when', async () => {
    const { ask, dispose } = startToolHost([pathToFileURL(file).href]);
    const { largest_holders: largest } = await ask('get_supply', { denom: 'ua' });
    await dispose();
    const time = new Date(end * 1000).toISOString();
    assert.deepEqual(
      Object(largest).map((row: Record<string, string>) => [row.class, row.vesting_end]),
      [
        ['vesting', time],
        ['vesting', time],
        ['vesting', undefined],
        ['other', undefined],
      ],
    );
  });

  it('are not known to vest where the state has no staking module, and never look as if they did not', async () => {
    const bare = join(folder.path, 'bare.json');
    writeFileSync(bare, JSON.stringify({ app_state: { auth: { accounts }, bank: { balances } } }));
    const { ask, dispose } = startToolHost([pathToFileURL(bare).href]);
    const { holder } = await ask('get_supply', { denom: 'ua', holder: holders[0]?.address });
    await dispose();
    assert.equal(valueAt(holder, 'vesting'), null);
    assert.match(String(valueAt(holder, 'unknown.vesting')), /only a state with a staking module/);
    const { out } = await runHere(['supply', 'ua', '--of', holders[0]?.address ?? '', '--state', bare]);
    assert.match(out, /^Vesting +unknown: only a state with a staking module/m);
  });

  it('are one account on the command line, with its stake and its vesting', async () => {
    const { out } = await runHere(['supply', 'ua', '--of', holders[0]?.address ?? '', '--state', file]);
    assert.match(out, /^Held by cosmos1\w+ +100$/m);
    assert.match(
      out,
      /^Vesting\n {2}Kind +delayed\n {2}End +2033-05-18 03:33:20 UTC\n {2}Original +100\n {2}Not vested +\w/m,
    );
  });

  it('say so on the command line', async () => {
    const { out } = await runHere(['holders', 'ua', '--tsv', '--state', file]);
    const [header = '', first = ''] = out.split('\n').map((line) => line.split('\t'));
    assert.equal(first[header.indexOf('vesting_end')], '2033-05-18T03:33:20.000Z');
  });
});
