import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { withPrefix } from '../../../src/chain/address.ts';
import { serveFile } from '../../../src/service/serve.ts';
import { addressOf, type Coins, startCoinNode } from '../../fixtures/nodeSimulator/coinNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { stateFileOf } from '../../node/recording.ts';
import { startFolder } from '../../support/folders.ts';
import { startToolHost } from './toolHost.ts';

const [distribution, alice, bob] = [addressOf('distribution'), addressOf('alice'), addressOf('bob')];

function vestingAccount(type: string, address: string, amount: string) {
  return {
    '@type': `/cosmos.vesting.v1beta1.${type}`,
    base_vesting_account: {
      base_account: { address },
      original_vesting: [{ denom: 'stake', amount }],
      delegated_vesting: [{ denom: 'stake', amount }],
      end_time: '4000000000',
    },
  };
}

type Row = Readonly<Record<string, string>>;

/** A decimal number in units of 10^-18. */
const inUnits = (text = '0') => BigInt(text.replace('.', ''));

/** Alice has delegated all that is not vested: 300 of 1,000. */
function stateOf(accounts: readonly unknown[] | undefined) {
  const balances = [
    { address: distribution, coins: [{ denom: 'stake', amount: '100' }] },
    { address: bob, coins: [{ denom: 'stake', amount: '600' }] },
    { address: addressOf('bonded_tokens_pool'), coins: [{ denom: 'stake', amount: '300' }] },
  ];
  const bank = { supply: [{ denom: 'stake', amount: '1000' }], balances };
  const fee_pool = { community_pool: [{ denom: 'stake', amount: '60.250000000000000000' }] };
  const rewards = [{ denom: 'stake', amount: '39.750000000000000000' }];
  const outstanding_rewards = [{ validator_address: 'v', outstanding_rewards: rewards }];
  const app_state = { bank, distribution: { fee_pool, outstanding_rewards } };
  return { chain_id: 's-1', app_state: accounts ? { auth: { accounts }, ...app_state } : app_state };
}

describe('what get_supply says of a denom', () => {
  const folder = startFolder('supply');
  after(() => folder.dispose());

  async function askState(accounts: readonly unknown[] | undefined, input: object = {}) {
    const file = join(folder.path, 'state.json');
    writeFileSync(file, JSON.stringify(stateOf(accounts)));
    const host = startToolHost([pathToFileURL(file).href]);
    const answer = await host.ask('get_supply', { denom: 'stake', ...input });
    await host.dispose();
    return answer;
  }

  const unused = [
    ['ungm', 'NGM', [0, 6], /"display" does not exactly match any of its units/],
    ['eeur', 'EEUR', [6], /the base denom has an exponent other than 0/],
  ] as const;
  for (const [base, display, exponents, reason] of unused)
    it(`is the units of metadata as they are, where ${display} is the display unit of none`, async () => {
      const denom_units = exponents.map((exponent, n) => ({ denom: n === 0 ? base : 'ngm', exponent, aliases: [] }));
      const denom_metadata = [{ base, display, denom_units }];
      const bank = { supply: [{ denom: base, amount: '5' }], denom_metadata };
      const file = join(folder.path, `${base}.json`);
      writeFileSync(file, JSON.stringify({ app_state: { bank } }));
      const host = startToolHost([pathToFileURL(file).href]);
      const answer = await host.ask('get_supply', { denom: base });
      await host.dispose();
      assert.equal(answer.untrusted_display, display);
      assert.deepEqual(
        answer.untrusted_units,
        denom_units.map(({ denom, exponent }) => ({ denom, exponent })),
      );
      assert.match(String(valueAt(answer, 'unknown.display_amount')), reason);
      assert.match(String(valueAt(answer, 'unknown.height')), /does not report/);
    });

  it('is the circulating supply with its terms, delegated coins included', async () => {
    const answer = await askState([vestingAccount('DelayedVestingAccount', alice, '300')]);
    assert.deepEqual(answer.circulating_supply, { amount: '640' });
    assert.deepEqual(answer.circulating_terms, {
      supply: '1000',
      less_community_pool: '60',
      less_not_vested: '300',
      delegated: 'included',
    });
  });

  it('is no circulating supply where an account vests by an unknown schedule, or no accounts are there', async () => {
    const unknown = await askState([vestingAccount('ClawbackVestingAccount', alice, '300')]);
    assert.equal(valueAt(unknown, 'circulating_supply'), null);
    assert.match(String(valueAt(unknown, 'circulating_terms.unknown.less_not_vested')), /unknown schedule/);
    const none = await askState(undefined);
    assert.equal(valueAt(none, 'circulating_terms.less_not_vested'), null);
    assert.match(String(valueAt(none, 'circulating_terms.unknown.less_not_vested')), /lists no accounts/);
  });

  it('is the community pool apart from the account that holds the rewards, too', async () => {
    const answer = await askState([]);
    assert.deepEqual(answer.community_pool, { amount: '60', exact_amount: '60.25' });
    const rows = valueAt(answer, 'split.rows');
    assert.ok(Array.isArray(rows));
    const row = rows.find(({ untrusted_name: name }) => name === 'distribution');
    assert.deepEqual([row.amount, row.note], ['100', 'community pool and rewards']);
    assert.equal(valueAt(answer, 'split.rewards_not_withdrawn'), '39.75');
  });

  it('is who holds most, and what one account holds, by its own prefix alone', async () => {
    const { largest_holders: largest, holder } = await askState([], { holder: bob, holders: 10 });
    assert.deepEqual(valueAt(largest, '*.amount'), ['600', '300', '100']);
    assert.equal(valueAt(largest, '1.untrusted_name'), 'bonded_tokens_pool');
    const unknown = { vesting: 'only a state with a staking module is searched for vesting accounts' };
    assert.deepEqual(holder, { address: bob, amount: '600', share: '0.6', vesting: null, unknown });
    const other = addressOf('bob', 20, 'osmo');
    assert.equal(valueAt(await askState([], { holder: other }), 'holder.amount'), '0');
  });

  it('is that a part of a state without balances does not show who holds it', async () => {
    const file = join(folder.path, 'part.json');
    writeFileSync(file, JSON.stringify({ app_state: { bank: { supply: [{ denom: 'stake', amount: '7' }] } } }));
    const host = startToolHost([pathToFileURL(file).href]);
    const answer = await host.ask('get_supply', { denom: 'stake', holder: bob, split: true });
    await host.dispose();
    assert.deepEqual([answer.amount, answer.holder, answer.split, answer.largest_holders], ['7', null, null, null]);
    assert.match(String(valueAt(answer, 'unknown.holder')), /lists no balances/);
    assert.equal(answer.height, null);
    assert.equal(valueAt(answer, 'unknown.height'), 'the source does not report the height of its answer');
  });

  it('is why amounts have no display amount', async () => {
    const answer = await askState([]);
    assert.match(String(valueAt(answer, 'unknown.display_amount')), /does not report the exponent: .* base units only/);
    const sample = startToolHost(['']);
    const named = await sample.ask('get_supply', { denom: 'usample' });
    assert.equal(valueAt(named, 'unknown.display_amount'), undefined);
    await sample.dispose();
  });

  it('is what one account has staked beside what it holds', async () => {
    const recorded = JSON.parse(gunzipSync(readFileSync(stateFileOf('0.53.8'))).toString('utf8')).app_state;
    const { delegations, unbonding_delegations: unbondings, validators } = recorded.staking;
    const host = startToolHost([pathToFileURL(stateFileOf('0.53.8')).href]);
    for (const { delegator_address: holder } of [delegations[0], ...unbondings.slice(0, 1)]) {
      const own = ({ delegator_address: address }: { delegator_address: string }) => address === holder;
      const delegated = delegations.filter(own).reduce((sum: bigint, { validator_address: to, shares }: Row) => {
        const { tokens, delegator_shares: all } = validators.find((one: Row) => one.operator_address === to);
        return sum + (inUnits(shares) * BigInt(tokens)) / inUnits(all);
      }, 0n);
      const entries: Row[] = unbondings.filter(own).flatMap(({ entries }: { entries: Row[] }) => entries);
      const unbonding = entries.reduce((sum, { balance = '0' }) => sum + BigInt(balance), 0n);
      const answer = await host.ask('get_supply', { denom: recorded.staking.params.bond_denom, holder });
      const operator = withPrefix(holder, 'cosmosvaloper');
      const same = await host.ask('get_supply', { denom: recorded.staking.params.bond_denom, holder: operator });
      assert.deepEqual(same.holder, answer.holder);
      const named: unknown = valueAt(answer, 'holder.delegations.*.operator_address') ?? [];
      const to = delegations.filter(own).map((one: Row) => one.validator_address);
      assert.deepEqual(new Set(Array.isArray(named) ? named : [named]), new Set(to));
      const self = valueAt(answer, 'holder.self_delegation.amount');
      assert.equal(self !== undefined, to.includes(operator));
      assert.equal(valueAt(answer, 'holder.delegated.amount'), `${delegated}`);
      assert.equal(valueAt(answer, 'holder.unbonding.amount'), `${unbonding}`);
    }
    await host.dispose();
  });

  it('is how the coins of an account vest, and when what it unbonds is free', async () => {
    const seconds = (date: string) => `${Date.parse(date) / 1000}`;
    const { base_vesting_account: base } = vestingAccount('', bob, '400');
    const entry = (completion_time: string, balance: string) => ({ completion_time, balance });
    const later = entry('2027-02-01T00:00:00Z', '7');
    const entries = [later, entry('2027-01-15T00:00:00Z', '5')];
    const state = stateOf([
      {
        '@type': '/cosmos.vesting.v1beta1.ContinuousVestingAccount',
        base_vesting_account: { ...base, delegated_vesting: [], end_time: seconds('2027-01-03T00:00:00Z') },
        start_time: seconds('2026-12-31T00:00:00Z'),
      },
    ]);
    const unbonding_delegations = [{ delegator_address: bob, validator_address: 'v', entries }];
    const staking = { params: { bond_denom: 'stake' }, validators: [], delegations: [], unbonding_delegations };
    const file = join(folder.path, 'vesting.json');
    const header = { genesis_time: '2027-01-01T00:00:00Z', initial_height: '5' };
    writeFileSync(file, JSON.stringify({ ...state, ...header, app_state: { ...state.app_state, staking } }));
    const host = startToolHost([pathToFileURL(file).href]);
    const { holder } = await host.ask('get_supply', { denom: 'stake', holder: bob });
    await host.dispose();
    assert.deepEqual(valueAt(holder, 'unbonding_entries'), [
      { time: '2027-01-15T00:00:00Z', amount: '5' },
      { time: '2027-02-01T00:00:00Z', amount: '7' },
    ]);
    assert.deepEqual(valueAt(holder, 'vesting'), {
      kind: 'continuous',
      start: '2026-12-31T00:00:00.000Z',
      end: '2027-01-03T00:00:00.000Z',
      original: '400',
      not_vested: '267',
      delegated_vesting: '0',
      locked: '267',
      spendable: '333',
    });
  });

  const scheduleFile = () => {
    const { base_vesting_account: base } = vestingAccount('', bob, '400');
    const seconds = (date: string) => `${Date.parse(date) / 1000}`;
    const [start_time, end_time] = [seconds('2027-01-01T00:00:00Z'), seconds('2027-01-05T00:00:00Z')];
    const continuous = {
      '@type': '/cosmos.vesting.v1beta1.ContinuousVestingAccount',
      base_vesting_account: { ...base, end_time },
      start_time,
    };
    const state = stateOf([continuous, vestingAccount('DelayedVestingAccount', alice, '100')]);
    const entries = ['2027-01-03T12:00:00Z', '2027-01-03T18:00:00Z', '2027-02-01T00:00:00Z'].map(
      (completion_time, n) => ({ completion_time, balance: `${n + 1}` }),
    );
    const unbonding_delegations = [{ delegator_address: bob, validator_address: 'v', entries }];
    const staking = { params: { bond_denom: 'stake' }, validators: [], delegations: [], unbonding_delegations };
    const file = join(folder.path, 'schedule.json');
    const header = { genesis_time: '2027-01-01T00:00:00Z', initial_height: '5' };
    writeFileSync(file, JSON.stringify({ ...state, ...header, app_state: { ...state.app_state, staking } }));
    return pathToFileURL(file).href;
  };

  it('is what has not vested, and what has unbonded, by a time', async () => {
    const host = startToolHost([scheduleFile()]);
    const answer = await host.ask('get_supply', { denom: 'stake', at: '2027-01-03T12:00:00Z' });
    await host.dispose();
    assert.deepEqual(answer.schedule, {
      at: '2027-01-03T12:00:00.000Z',
      not_vested: { amount: `${400 * (1.5 / 4) + 100}` },
      supply_less_not_vested: { amount: '750' },
      vesting_accounts: 2,
      first_vesting_end: '2027-01-05T00:00:00.000Z',
      last_vesting_end: '2096-10-02T07:06:40.000Z',
      kinds: [
        {
          kind: 'continuous',
          accounts: 1,
          original: { amount: '400' },
          first_start: '2027-01-01T00:00:00.000Z',
          last_end: '2027-01-05T00:00:00.000Z',
        },
        { kind: 'delayed', accounts: 1, original: { amount: '100' }, last_end: '2096-10-02T07:06:40.000Z' },
      ],
      unbonding: { amount: '6' },
      unbonded_by_then: { amount: '1' },
      unbonding_entries: 3,
      unbonding_days: [
        { day: '2027-01-03', amount: '3', entries: 2 },
        { day: '2027-02-01', amount: '3', entries: 1 },
      ],
    });
    assert.deepEqual(
      [answer.split, answer.largest_holders, answer.circulating_terms],
      [undefined, undefined, undefined],
    );
  });

  it('is the same of an endpoint that serves the state, and unknown of other nodes', async () => {
    const source = scheduleFile();
    const served = await serveFile({ file: fileURLToPath(source) });
    const other = await startCoinNode({ balances: new Map() });
    const hosts = [source, `${served.baseUrl}/chain`, other.url].map((one) => startToolHost([one]));
    const asked = { denom: 'stake', at: '2027-01-03' };
    const answers = await Promise.all(hosts.map(({ ask }) => ask('get_supply', asked)));
    await Promise.all(hosts.map(({ dispose }) => dispose()));
    await Promise.all([served.dispose(), other.stop()]);
    const [file, endpoint, node] = answers.map(({ schedule }) => schedule);
    assert.deepEqual([endpoint, node], [file, null]);
    assert.equal(valueAt(file, 'unbonding_entries'), 3);
  });

  it('is less with a holder, and no unvested amount by a schedule that is not known', async () => {
    const accounts = [vestingAccount('DelayedVestingAccount', alice, '300'), vestingAccount('OtherVesting', bob, '5')];
    const answer = await askState(accounts, { holder: alice, at: '2027-01-01' });
    assert.deepEqual([answer.split, answer.community_pool], [undefined, undefined]);
    assert.equal(valueAt(answer, 'schedule.not_vested'), null);
    assert.match(String(valueAt(answer, 'schedule.unknown.not_vested')), /an unknown schedule/);
    await assert.rejects(askState([], { at: 'soon' }), /"at" must be a time in UTC/);
  });

  it('is that there is none, with the staked denom where its symbol or another spelling is given', async () => {
    const none = 'There are no coins of this denom on the chain.';
    const host = startToolHost([pathToFileURL(stateFileOf('0.53.8')).href]);
    for (const denom of ['STAKE', 'take', 'staek'])
      assert.equal((await host.ask('get_supply', { denom })).notice, `${none} Did you mean "stake"?`);
    assert.equal((await host.ask('get_supply', { denom: 'other' })).notice, none);
    await host.dispose();
  });

  it('is an error where the holder is no address, or no denom is named', async () => {
    await assert.rejects(askState([], { holder: 'cosmos1zz' }), /"holder" is not an account address/);
    await assert.rejects(askState([], { denom: '', at: '2026-01-01' }), /"at" requires "denom"/);
  });
});

describe('the list of get_supply', () => {
  const folder = startFolder('described');
  after(() => folder.dispose());

  it('names the denoms with metadata that the chain has none of, if it is whole', async () => {
    const metadata = (base: string) => ({ base, display: base, denom_units: [{ denom: base, exponent: 0 }] });
    const bank = {
      supply: ['ua', 'ub'].map((denom) => ({ denom, amount: '5' })),
      denom_metadata: ['ua', 'uatom', 'uosmo'].map(metadata),
    };
    const file = join(folder.path, 'described.json');
    writeFileSync(file, JSON.stringify({ app_state: { bank } }));
    const host = startToolHost([pathToFileURL(file).href]);
    const described = async (input: object) => (await host.ask('get_supply', input)).untrusted_metadata_without_supply;
    assert.deepEqual(await described({}), ['uatom', 'uosmo']);
    assert.deepEqual(await described({ text: 'atom' }), ['uatom']);
    assert.equal(await described({ limit: 1 }), undefined);
    await host.dispose();
  });
});

describe('what get_supply says of a denom of a node', () => {
  async function askNode(coins: Coins, input: object) {
    const server = await startCoinNode(coins, { blocks: { chainId: 'c-1', genesis: 0 } });
    const host = startToolHost([server.url]);
    const answer = await host.ask('get_supply', { denom: 'uatom', ...input });
    await host.dispose();
    await server.stop();
    return { answer, seen: server.seen, requests: server.requests };
  }

  const holders = (count: number) =>
    new Map(Array.from({ length: count }, (_, n) => [addressOf(`${n}`), new Map([['uatom', BigInt(n + 1)]])] as const));

  it('has the largest holders only where all of them are read', async () => {
    const coins = { listsOwners: true, modules: [['gov', addressOf('2999')] as const], communityPool: '5.5' };
    const { answer } = await askNode({ ...coins, balances: holders(3000) }, { split: true });
    assert.deepEqual(valueAt(answer, 'largest_holders.0'), {
      address: addressOf('2999'),
      class: 'module',
      untrusted_name: 'gov',
      amount: '3000',
      share: '0.000666444518493835',
    });
    const { answer: many } = await askNode({ ...coins, balances: holders(10_001) }, { split: true });
    assert.equal(many.largest_holders, null);
    assert.match(String(valueAt(many, 'unknown.largest_holders')), /more than 10,000 holders/);
  });

  it('has everything else where the node fails to list holders', async () => {
    const { answer } = await askNode({ listsOwners: 'fails', modules: [], balances: holders(3) }, { split: true });
    assert.deepEqual([answer.largest_holders, answer.amount], [null, '6']);
    assert.match(String(valueAt(answer, 'unknown.largest_holders')), /does not list the holders/);
  });

  it('has its community pool and one holder at the height of the supply, and no circulating supply', async () => {
    const { answer, seen, requests } = await askNode(
      { balances: holders(3), modules: [], communityPool: '5.500000000000000000' },
      { holder: addressOf('2'), holders: 5 },
    );
    assert.deepEqual(answer.community_pool, { amount: '5', exact_amount: '5.5' });
    assert.equal(valueAt(answer, 'holder.amount'), '3');
    assert.equal(valueAt(answer, 'circulating_supply'), null);
    assert.match(String(valueAt(answer, 'circulating_terms.unknown.less_not_vested')), /not read from nodes/);
    const heights = requests.flatMap((path, at) => (/balances.*by_denom|community_pool/.test(path) ? [seen[at]] : []));
    assert.deepEqual(new Set(heights), new Set([answer.height]));
  });
});
