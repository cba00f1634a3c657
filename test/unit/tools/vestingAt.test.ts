import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addressOf } from '../../fixtures/nodeSimulator/coinNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { startFolder } from '../../support/folders.ts';
import { startToolHost } from './toolHost.ts';

describe('what get_supply says at another time than that of the state', () => {
  const [ann, bob, cat] = [addressOf('ann'), addressOf('bob'), addressOf('cat')];
  const coins = (amount: string) => [{ denom: 'ua', amount }];
  const seconds = (date: string) => `${Date.parse(date) / 1000}`;
  const vesting = (kind: string, address: string, original: string, delegated: string, day: string) => ({
    '@type': `/cosmos.vesting.v1beta1.${kind}VestingAccount`,
    base_vesting_account: {
      base_account: { address },
      original_vesting: coins(original),
      delegated_vesting: coins(delegated),
      end_time: seconds(day),
    },
    ...(kind === 'Continuous' ? { start_time: seconds('2027-01-01') } : {}),
  });
  const accounts = [
    vesting('Continuous', ann, '400', '100', '2027-01-05'),
    vesting('Continuous', bob, '40', '40', '2027-01-09'),
    vesting('Delayed', cat, '7', '0', '2027-01-03'),
  ];
  const balances = [ann, bob, cat].map((address) => ({ address, coins: coins('350') }));
  const staking = { params: { bond_denom: 'ua' }, validators: [], delegations: [] };
  const folder = startFolder('vestingAt');
  const write = (header: object) => {
    const file = join(folder.path, 'state.json');
    writeFileSync(file, JSON.stringify({ ...header, app_state: { auth: { accounts }, bank: { balances }, staking } }));
    return pathToFileURL(file).href;
  };
  const past = { genesis_time: '2027-03-01T00:00:00Z', initial_height: '5' };
  const ask = async (input: object, header: object = past) => {
    const host = startToolHost([write(header)]);
    const answer = await host.ask('get_supply', { denom: 'ua', ...input });
    await host.dispose();
    return answer;
  };
  const named = ['not_vested', 'delegated_vesting', 'locked', 'spendable'] as const;
  const amountsOf = ({ holder }: { readonly holder?: unknown }) =>
    named.map((name) => valueAt(holder, `vesting.${name}`));
  after(() => folder.dispose());

  it('is what of a holder was not vested, locked and spendable then', async () => {
    // LockedCoinsFromVesting of the SDK: what is delegated out of vesting coins is not locked once more.
    assert.deepEqual(amountsOf(await ask({ holder: ann, at: '2027-01-03' })), ['200', '100', '100', '250']);
    assert.deepEqual(amountsOf(await ask({ holder: ann, at: '2026-12-31' })), ['400', '100', '300', '50']);
    assert.deepEqual(amountsOf(await ask({ holder: bob, at: '2027-01-03' })), ['30', '40', '0', '350']);
    assert.deepEqual(amountsOf(await ask({ holder: ann, at: '2027-01-05' })), ['0', '100', '0', '350']);
    // All of it is free now, and nobody asked for another time.
    assert.deepEqual(amountsOf(await ask({ holder: ann })), ['0', undefined, '0', undefined]);
  });

  it('is of the time that was asked for, and known without one in the file', async () => {
    const { holder } = await ask({ holder: ann, at: '2027-01-03' }, {});
    assert.equal(valueAt(holder, 'vesting.at'), '2027-01-03T00:00:00.000Z');
    assert.equal(valueAt(holder, 'vesting.not_vested'), '200');
    const bare = await ask({ holder: ann }, {});
    assert.deepEqual(amountsOf(bare), [null, '100', null, null]);
    assert.equal(valueAt(bare.holder, 'vesting.unknown.spendable'), 'the file does not specify a time');
  });

  it('is how many accounts had coins to vest then, and how all of them vest, by kind', async () => {
    const { schedule } = await ask({ at: '2027-01-06' });
    assert.deepEqual([valueAt(schedule, 'not_vested.amount'), valueAt(schedule, 'vesting_accounts')], ['15', 1]);
    const start = '2027-01-01T00:00:00.000Z';
    assert.deepEqual(valueAt(schedule, 'kinds'), [
      {
        kind: 'continuous',
        accounts: 2,
        original: { amount: '440' },
        first_start: start,
        last_end: '2027-01-09T00:00:00.000Z',
      },
      { kind: 'delayed', accounts: 1, original: { amount: '7' }, last_end: '2027-01-03T00:00:00.000Z' },
    ]);
  });
});
