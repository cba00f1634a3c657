import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { bech32 } from '@scure/base';
import { serveText } from './serveText.ts';

const addressOf = (name: string) =>
  bech32.encode('cosmos', bech32.toWords(createHash('sha256').update(name).digest().subarray(0, 20)));
const coins = (amount: string) => [{ denom: 'uatom', amount }];

/** An account of SDK 0.34 to 0.37 (`GenesisAccount` of *x/auth* and *x/genaccounts*), which has no type. */
const typeless = (name: string, amount: string, fields: object = {}) => ({
  ...{ address: addressOf(name), coins: coins(amount), sequence_number: '0', account_number: '0' },
  ...{ original_vesting: null, delegated_free: null, delegated_vesting: null, start_time: '0', end_time: '0' },
  ...fields,
});

const serveState = (app_state: object) =>
  serveText({ chain_id: 'old', genesis_time: '2019-03-13T23:00:00Z', app_state });

/** `class name amount` of each row of the split of uatom. */
async function splitOf(app_state: object): Promise<string[]> {
  const served = await serveState(app_state);
  const { split } = Object(await served.get('inspector/v1/supply_split?denom=uatom'));
  await served.stop();
  return split.classes.map((row: Record<string, string>) => `${row.class} ${row.name} ${row.amount}`);
}

/** Seconds of the time of the state, and a year of them. */
const [now, year] = [1_552_518_000, 31_536_000];

describe('an account of a state before SDK 0.38', () => {
  it('is a vesting account by its fields: continuous with a start, else delayed', async () => {
    const rows = await splitOf({
      accounts: [
        typeless('delayed', '100', { original_vesting: coins('90'), end_time: `${now + year}` }),
        typeless('over', '1000', { original_vesting: coins('900'), end_time: `${now}` }),
        typeless('continuous', '10000', {
          ...{ original_vesting: coins('8000'), delegated_vesting: coins('1000') },
          ...{ start_time: now - year, end_time: now + year },
        }),
        typeless('plain', '5'),
      ],
    });
    assert.deepEqual(rows, ['vesting_locked  3090', 'vesting_free  8010', 'other  5', 'residue  0']);
  });

  it('does not vest by coins of zero, nor where nothing tells its end or its schedule is of a fork', async () => {
    const vesting_schedules = [{ denom: 'uatom', schedules: [{ start_time: '0', end_time: '9', ratio: '1.0' }] }];
    const rows = await splitOf({
      accounts: [
        typeless('zero', '1', { original_vesting: coins('0'), end_time: `${now + year}` }),
        typeless('endless', '2', { original_vesting: coins('2') }),
        typeless('graded', '4', { original_vesting: coins('4'), end_time: `${now + year}`, vesting_schedules }),
      ],
    });
    assert.deepEqual(rows, ['other  7', 'residue  0']);
  });

  it('is that of the module that it names', async () => {
    const rows = await splitOf({
      accounts: [
        typeless('nft', '3', { module_name: 'nft', module_permissions: ['minter'] }),
        typeless('plain', '5', { module_name: '', module_permissions: [] }),
      ],
      supply: { supply: coins('8') },
    });
    assert.deepEqual(rows, ['module nft 3', 'other  5', 'residue  0']);
  });
});

describe('an account that is wrapped in one of another type', () => {
  const provider = (type: string, inner: object) => ({ type, value: { Account: inner, mintable: coins('1') } });

  it('keeps its coins and shows the type, as amino writes it', async () => {
    const base = { address: addressOf('base'), coins: coins('96650000') };
    const vesting = {
      BaseVestingAccount: {
        BaseAccount: { address: addressOf('vesting'), coins: coins('7') },
        original_vesting: coins('7'),
        end_time: `${now + year}`,
      },
    };
    const liquidity = 'e-money/LiquidityProviderAccount';
    const accounts = [
      provider(liquidity, { type: 'cosmos-sdk/Account', value: base }),
      provider(liquidity, { type: 'cosmos-sdk/DelayedVestingAccount', value: vesting }),
      { type: 'cosmos-sdk/Account', value: { address: addressOf('plain'), coins: coins('5') } },
    ];
    const rows = await splitOf({ auth: { accounts }, supply: { supply: coins('96650012') } });
    assert.deepEqual(rows, ['vesting_locked  7', `other ${liquidity} 96650000`, 'other  5', 'residue  0']);
  });

  it('vests as the account inside it where its chain passes that on, and in a way that is not known elsewhere', async () => {
    const vesting = (name: string) => ({
      ...{ '@type': '/cosmos.vesting.v1beta1.DelayedVestingAccount' },
      base_vesting_account: {
        base_account: { address: addressOf(name) },
        original_vesting: coins('40'),
        end_time: `${now + year}`,
      },
    });
    const accounts = [
      { '@type': '/desmos.profiles.v3.Profile', dtag: 'x', account: vesting('profile') },
      { '@type': '/chain.v1.LockedAccount', vesting_account: vesting('locked') },
    ];
    const balances = ['profile', 'locked'].map((name) => ({ address: addressOf(name), coins: coins('50') }));
    const served = await serveState({ auth: { accounts }, bank: { balances, supply: coins('100') } });
    const { split } = Object(await served.get('inspector/v1/supply_split?denom=uatom'));
    await served.stop();
    assert.deepEqual(
      split.classes.map((row: Record<string, string>) => `${row.class} ${row.name} ${row.amount}`),
      ['vesting_locked  40', 'vesting_free  10', 'other /chain.v1.LockedAccount 50', 'residue  0'],
    );
    assert.equal(split.not_vested, null);
  });

  it('shows the type, as protobuf writes it', async () => {
    const ofType = (name: string) => ({ '@type': `/cosmos.auth.v1beta1.${name}`, address: addressOf(name) });
    const accounts = [
      ofType('BaseAccount'),
      { '@type': '/desmos.profiles.v3.Profile', dtag: 'x', account: ofType('Account') },
      {
        '@type': '/chain.v1.LockedAccount',
        vesting_account: { base_vesting_account: { base_account: ofType('Base') } },
      },
      { '@type': '/chain.v1.BaseAccount', account: ofType('Plain') },
    ];
    const balances = ['BaseAccount', 'Account', 'Base', 'Plain'].map((name, index) => {
      return { address: addressOf(name), coins: coins(String(10 ** index)) };
    });
    const rows = await splitOf({ auth: { accounts }, bank: { balances, supply: coins('1111') } });
    assert.deepEqual(rows, [
      ...['other  1001', 'other /chain.v1.LockedAccount 100', 'other /desmos.profiles.v3.Profile 10', 'residue  0'],
    ]);
  });
});

describe('an account that is wrapped by a member whose name is not known', () => {
  const base = (name: string) => ({ address: addressOf(name), pub_key: null, account_number: '1', sequence: '0' });
  const vesting = (name: string) => ({
    base_account: base(name),
    ...{ original_vesting: coins('40'), delegated_free: [], delegated_vesting: [], end_time: `${now + year}` },
  });
  const delayed = (name: string) => ({
    '@type': '/cosmos.vesting.v1beta1.DelayedVestingAccount',
    base_vesting_account: vesting(name),
  });
  /** Each around an account of its own, as chains could write them. */
  const wrapped = [
    { '@type': '/chain.v1.A', continuous_vesting_account: { base_vesting_account: vesting('A'), start_time: '1' } },
    { '@type': '/chain.v1.B', inner_account: delayed('B') },
    { '@type': '/chain.v1.C', ContinuousVestingAccount: { BaseVestingAccount: vesting('C') } },
    { '@type': '/chain.v1.D', account: { '@type': '/chain.v1.E', inner_account: { account: delayed('D') } } },
    { '@type': '/chain.v1.F', user_account: { '@type': '/cosmos.auth.v1beta1.BaseAccount', ...base('F') } },
    { '@type': '/chain.v1.G', base: base('G') },
    { '@type': '/chain.v1.H', inner: { base_vesting_account: vesting('H') } },
  ];

  const names = ['A', 'B', 'C', 'D', 'F', 'G', 'H'];

  it('keeps its coins, as amino writes it', async () => {
    const of = (name: string, more: object = {}) => ({ address: addressOf(name), coins: coins('10'), ...more });
    const accounts = [
      { type: 'chain/Base', value: { base: of('base'), owner: 'x' } },
      { type: 'chain/Inner', value: { inner: { type: 'cosmos-sdk/Account', value: of('inner') } } },
      { type: 'cosmos-sdk/Account', value: of('plain', { owner: { address: addressOf('owner') } }) },
    ];
    const rows = await splitOf({ auth: { accounts }, supply: { supply: coins('30') } });
    assert.deepEqual(rows, ['other  10', 'other chain/Base 10', 'other chain/Inner 10', 'residue  0']);
  });

  // More accounts are read by the engine in WebAssembly.
  for (const plain of [0, 3000])
    it(`shows the type, and that its vesting is not known, beside ${plain} plain accounts`, async () => {
      const type = '/cosmos.auth.v1beta1.BaseAccount';
      const others = Array.from({ length: plain }, (_, at) => ({ '@type': type, ...base(`plain ${at}`) }));
      const balances = names.map((name) => ({ address: addressOf(name), coins: coins('50') }));
      const served = await serveState({
        auth: { accounts: [...others, ...wrapped] },
        bank: { balances, supply: coins('350') },
      });
      const { split } = Object(await served.get('inspector/v1/supply_split?denom=uatom'));
      await served.stop();
      assert.deepEqual(
        split.classes.map((row: Record<string, string>) => `${row.class} ${row.name} ${row.amount}`),
        [...names.map((name) => `other /chain.v1.${name} 50`), 'residue  0'],
      );
      assert.equal(split.not_vested, null);
    });
});

describe('the module distr of a state before SDK 0.36', () => {
  const accounts = [typeless('one', '5')];
  const ofDenom = (amount: string) => [{ denom: 'uatom', amount }];
  const outstanding_rewards = [{ validator_address: 'v', outstanding_rewards: ofDenom('2.5') }];

  it('has the community pool and rewards, which stand in no account', async () => {
    const fee_pool = { community_pool: ofDenom('27661082445.000000000000000000') };
    const served = await serveState({ accounts, distr: { fee_pool, outstanding_rewards } });
    assert.deepEqual(await served.get('distribution/v1beta1/community_pool'), { pool: fee_pool.community_pool });
    const { split } = Object(await served.get('inspector/v1/supply_split?denom=uatom'));
    assert.deepEqual(split.distribution, {
      community_pool: '27661082445.000000000000000000',
      outstanding_rewards: '2.500000000000000000',
    });
    await served.stop();
  });

  it('has an empty pool where amino writes null', async () => {
    const served = await serveState({ accounts, distr: { fee_pool: { community_pool: null } } });
    assert.deepEqual(await served.get('distribution/v1beta1/community_pool'), { pool: [] });
    await served.stop();
  });
});
