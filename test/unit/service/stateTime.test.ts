import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { startService } from '../../../src/service/service.ts';
import { chainData } from '../../fixtures/chainData.ts';
import { type Served, serveText } from './serveText.ts';

const data = chainData();
const height = 'grpc-metadata-x-cosmos-block-height';

/** The time of each recorded state, and the field that it is estimated from. */
const recorded: Readonly<Record<string, readonly [string, string | undefined]>> = {
  'akashnet-2-testnet-2.json.gz': ['2021-02-12T10:06:58.352Z', 'staking.validators.unbonding_time'],
  'bitsong-testnet-6.json': ['2021-09-21T06:36:35.469Z', 'staking.validators.unbonding_time'],
  'crypto-org-chain-mainnet-1.json': ['2021-03-25T01:00:00.000Z', undefined],
  'emoney-3.slim.json': ['2020-11-04T13:00:00.000Z', undefined],
  'fetchhub-2.json.gz': ['2021-09-16T14:00:00.000Z', 'genesis_time'],
  'gaia-13003-amino.slim.json': ['2019-04-02T11:08:36.649Z', 'gov.proposals.voting_end_time'],
  'pandora-4.slim.json': ['2021-08-02T12:00:00.000Z', undefined],
  'sdk-v1-demo.json': ['2023-02-20T11:12:07.801Z', 'gov.proposals.voting_start_time'],
  'sifchain-devnet-1.json.gz': ['2021-07-23T15:34:36.000Z', 'genesis_time'],
};

async function withState<Result>(state: unknown, use: (served: Served) => Promise<Result>): Promise<Result> {
  const served = await serveText(state);
  try {
    return await use(served);
  } finally {
    await served.stop();
  }
}

/** Time and field of a state with these modules, of height 99. */
function timeOf(app_state: object, header: object = { initial_height: '100' }) {
  return withState({ genesis_time: '2021-01-01T00:00:00Z', ...header, app_state }, async ({ service, ask }) => {
    // The same holds for any state, with gov or without.
    await service.ready;
    const { headers } = await ask('bank/v1beta1/supply');
    return [headers.get('chain-inspector-time'), headers.get('chain-inspector-time-from')];
  });
}

const params = { unbonding_time: '86400s' };
const unbonding = (completion_time: string, more = {}) => [{ entries: [{ balance: '1', completion_time, ...more }] }];

describe('the time of a state', () => {
  for (const [name, expected] of Object.entries(data ? recorded : {}))
    it(`is the latest that ${name} names as past`, async () => {
      const service = startService({ file: data?.path(`states/${name}`) ?? '' });
      await service.ready;
      const { headers } = await service.answer({ path: '/chain/bank/v1beta1/supply' });
      assert.deepEqual([headers['chain-inspector-time'], headers['chain-inspector-time-from']], expected);
      await service.dispose();
    });

  it('may be named by any module', async () => {
    const [time, late] = ['2021-03-01T00:00:00.123Z', '2021-03-02T00:00:00.123Z'];
    const cases: readonly (readonly [object, string])[] = [
      [{ inflation: { assets: { last_applied: time } } }, 'inflation.assets.last_applied'],
      [{ mint: { minter: { previous_block_time: time } } }, 'mint.minter.previous_block_time'],
      [{ epochs: { epochs: [{ current_epoch_start_time: time }] } }, 'epochs.epochs.current_epoch_start_time'],
      [{ evidence: { evidence: [{ type: 'x', value: { time } }] } }, 'evidence.evidence.time'],
      [{ group: { proposals: [{ submit_time: time }] } }, 'group.proposals.submit_time'],
      [
        { staking: { validators: [{ tokens: '1', commission: { update_time: time } }] } },
        'staking.validators.commission.update_time',
      ],
      [
        { staking: { unbonding_delegations: unbonding(late), params } },
        'staking.unbonding_delegations.completion_time',
      ],
      [{ staking: { redelegations: unbonding(late), params } }, 'staking.redelegations.completion_time'],
      [
        {
          stake: { params: { unbonding_time: '86400000000000' }, validators: [{ tokens: '1', unbonding_time: late }] },
        },
        'staking.validators.unbonding_time',
      ],
    ];
    for (const [modules, from] of cases) assert.deepEqual(await timeOf(modules), [time, from]);
  });

  it('may stand in rows of any list of a module, one level below, or in an object inside a row', async () => {
    const [time, earlier] = ['2021-03-01T00:00:00.123Z', '2021-02-01T00:00:00Z'];
    const rows = (name: string) => [{ id: '1', [name]: earlier }, { id: '2', [name]: time }, { id: '3' }];
    const times = rows('previous_accumulation_time');
    const pools = rows('last_liquidity_update').map((pool) => ({ pool: { '@type': '/x.Pool', ...pool } }));
    const cases: readonly (readonly [object, string])[] = [
      // The modules cdp and incentive of Kava, and concentratedliquidity of Osmosis.
      [{ cdp: { previous_accumulation_times: times } }, 'cdp.previous_accumulation_times.previous_accumulation_time'],
      [
        { incentive: { usdx_reward_state: { accumulation_times: times } } },
        'incentive.usdx_reward_state.accumulation_times.previous_accumulation_time',
      ],
      [{ concentratedliquidity: { pool_data: pools } }, 'concentratedliquidity.pool_data.pool.last_liquidity_update'],
      [{ old: { rows: times.map((value) => ({ type: 'x', value })) } }, 'old.rows.value.previous_accumulation_time'],
      [{ lending: { markets: rows('last_accrual_time') } }, 'lending.markets.last_accrual_time'],
      [{ names: { records: rows('created_at') } }, 'names.records.created_at'],
      [{ names: { records: [{ id: '1', last_update: { time } }] } }, 'names.records.last_update.time'],
      // Lists of forks in modules that are read for other things.
      [{ gov: { governors: rows('last_status_change_time') } }, 'gov.governors.last_status_change_time'],
      [{ staking: { records: rows('last_update_time') } }, 'staking.records.last_update_time'],
      [{ mint: { schedules: rows('last_mint_time') } }, 'mint.schedules.last_mint_time'],
    ];
    for (const [modules, from] of cases) assert.deepEqual(await timeOf(modules), [time, from]);
  });

  it('may be that of an object whose name says that it is past', async () => {
    const time = '2021-03-01T00:00:00.123Z';
    const cases: readonly (readonly [object, string])[] = [
      // The module gov of AtomOne.
      [{ gov: { last_min_deposit: { value: [{ denom: 'x', amount: '1' }], time } } }, 'gov.last_min_deposit.time'],
      [{ rewards: { last_distribution: { timestamp: time } } }, 'rewards.last_distribution.timestamp'],
      [{ rewards: { state: { previous_epoch: { time } } } }, 'rewards.state.previous_epoch.time'],
    ];
    for (const [modules, from] of cases) assert.deepEqual(await timeOf(modules), [time, from]);
  });

  it('may be a number of seconds or of parts of a second since 1970, in a field of a time', async () => {
    for (const value of ['1614556800', 1614556800, '1614556800123', '1614556800123456', '1614556800123456789']) {
      const [time] = await timeOf({ oracle: { prices: [{ last_update_time: value, last_mint: '1714556800' }] } });
      assert.equal(time?.slice(0, 19), '2021-03-01T00:00:00', String(value));
    }
    for (const value of ['12345678', '99999999999', '-1614556800', '1614556800.5'])
      assert.deepEqual(await timeOf({ oracle: { last_update_time: value } }), [
        '2021-01-01T00:00:00.000Z',
        'genesis_time',
      ]);
  });

  it('is never one that may lie in the future', async () => {
    const time = '2031-01-01T00:00:00Z';
    const running = { status: 'PROPOSAL_STATUS_VOTING_PERIOD', voting_end_time: time };
    for (const modules of [
      { slashing: { signing_infos: [{ validator_signing_info: { jailed_until: time } }] } },
      { gov: { proposals: [{ proposal_id: '1', deposit_end_time: time, ...running }] } },
      { staking: { unbonding_delegations: unbonding(time) } },
      { epochs: { epochs: [{ epoch_counting_started: false, current_epoch_start_time: time }] } },
      { epochs: { epochs: [{ start_time: time }] } },
      { feegrant: { allowances: [{ expiration: time }] } },
      { lockup: { locks: [{ end_time: time, last_end_time: time, next_epoch_time: time, start_time: time }] } },
      { mint: { minter: { last_block_time: '9999-12-31T23:59:59Z' } } },
      {
        gov: {
          last_min_deposit: { end_time: time },
          last_deadline: { time },
          next_deposit: { time },
          deposit: { time },
        },
      },
      { lockup: { locks: [{ last_unlock: { time } }] } },
    ])
      assert.deepEqual(await timeOf(modules), ['2021-01-01T00:00:00.000Z', 'genesis_time'], JSON.stringify(modules));
  });

  it('is before the first end of an unbonding, also where the time of unbondings was shortened', async () => {
    const unbonding_delegations = [...unbonding('2021-02-02T00:00:00Z'), ...unbonding('2021-02-20T00:00:00Z')];
    const validators = [{ tokens: '1', unbonding_time: '2021-01-20T00:00:00Z' }];
    assert.deepEqual(await timeOf({ staking: { params, unbonding_delegations, validators } }), [
      '2021-01-19T00:00:00.000Z',
      'staking.validators.unbonding_time',
    ]);
  });

  it('is before the first end of a vote that runs, also where an unbonding that a genesis wrote ends in 2100', async () => {
    const staking = { params, unbonding_delegations: unbonding('2100-01-01T00:00:00Z') };
    const proposal = {
      proposal_id: '1',
      submit_time: '2021-01-02T00:00:00Z',
      voting_start_time: '2021-01-03T00:00:00Z',
    };
    const running = { ...proposal, status: 'PROPOSAL_STATUS_VOTING_PERIOD', voting_end_time: '2021-01-05T00:00:00Z' };
    assert.deepEqual(await timeOf({ staking, gov: { proposals: [running] } }), [
      '2021-01-03T00:00:00.000Z',
      'gov.proposals.voting_start_time',
    ]);
    const waiting = { ...running, status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD', deposit_end_time: '2021-01-04T00:00:00Z' };
    const began = { ...staking, validators: [{ tokens: '1', unbonding_time: '2021-01-05T12:00:00Z' }] };
    assert.deepEqual(
      (await timeOf({ staking: began, gov: { proposals: [running, { ...waiting, proposal_id: '2' }] } }))[0],
      '2021-01-03T00:00:00.000Z',
    );
  });

  it('is that of a genesis, stated, where nothing is past', async () => {
    for (const initial_height of [undefined, '0', '1', 1])
      assert.deepEqual(await timeOf({ gov: {} }, { initial_height }), ['2021-01-01T00:00:00.000Z', null]);
  });

  it('is by the clock of another chain only where there is nothing else', async () => {
    const consensus_states = [{ consensus_state: { timestamp: '2022-01-01T00:00:00Z' } }];
    const ibc = { client_genesis: { clients_consensus: [{ consensus_states }] } };
    const other = ['2022-01-01T00:00:00.000Z', 'ibc.client_genesis.clients_consensus.timestamp'];
    assert.deepEqual(await timeOf({ ibc, gov: {} }, { genesis_time: undefined }), other);
    assert.deepEqual(await timeOf({ ibc, gov: {} }), ['2021-01-01T00:00:00.000Z', 'genesis_time']);
  });

  it('stands with the height in the first answer of a file whose keys are sorted, packed or not', async () => {
    const filler = Array.from({ length: 20_000 }, (_, index) => ({ address: `a${index}`, coins: [] }));
    const app_state = { bank: { balances: filler }, gov: { proposals: [] }, staking: { validators: [] } };
    const text = JSON.stringify({
      app_state,
      chain_id: 'c',
      genesis_time: '2021-01-01T00:00:00Z',
      initial_height: '9',
    });
    for (const content of [text, gzipSync(text)])
      for (const path of ['gov/v1/proposals', 'staking/v1beta1/validators'])
        await withState(content, async ({ ask }) => {
          const { headers } = await ask(path);
          assert.deepEqual(
            [headers.get(height), headers.get('chain-inspector-time')],
            ['8', '2021-01-01T00:00:00.000Z'],
          );
        });
  });

  it('decides what is locked', async () => {
    const base_account = { address: 'cosmos1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnrk363e' };
    const original_vesting = [{ denom: 'x', amount: '100' }];
    const end_time = String(Date.parse('2021-01-11T00:00:00Z') / 1000);
    const start_time = String(Date.parse('2021-01-01T00:00:00Z') / 1000);
    const account = {
      '@type': '/cosmos.vesting.v1beta1.ContinuousVestingAccount',
      base_vesting_account: { base_account, original_vesting, end_time },
      start_time,
    };
    const bank = { balances: [{ ...base_account, coins: original_vesting }] };
    const inflation = { assets: { last_applied: '2021-01-08T00:00:00Z' } };
    const state = {
      genesis_time: '2021-01-01T00:00:00Z',
      app_state: { auth: { accounts: [account] }, bank, inflation },
    };
    const { split } = Object(await withState(state, ({ get }) => get('inspector/v1/supply_split?denom=x')));
    assert.deepEqual(split.classes[0], { class: 'vesting_locked', name: '', amount: '30' });
  });
});
