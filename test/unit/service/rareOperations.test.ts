import assert from 'node:assert/strict';
import { bech32 } from '@scure/base';
import { type Served, serveText } from './serveText.ts';
import { denoms, smallState, textProposal, v1Proposal, voterAddress } from './smallState.ts';

const [first, second, third] = [1, 2, 3].map((at) => bech32.encode('cosmos', bech32.toWords(Buffer.alloc(20, at))));
/** The address whose letters are the first in their order. */
const lowest = bech32.encode('cosmos', Array(32).fill(15));
const operator = 'cosmosvaloper1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnxz90a2';
const other = 'cosmosvaloper1pyysjzgfpyysjzgfpyysjzgfpyysjzgfc0q6z2';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Serves a state with these modules. */
async function serve(app_state: object): Promise<Served> {
  const served = await serveText({ chain_id: 'rare-1', app_state });
  ends.push(() => served.stop());
  return served;
}

async function refused(served: Served, path: string, status: number, code: number, message: RegExp): Promise<void> {
  const { status: found, body } = await served.ask(path);
  assert.deepEqual([found, Object(body).code], [status, code], `${path}: ${JSON.stringify(body)}`);
  assert.match(Object(body).message, message);
}

describe('what a part of a state does not hold', () => {
  it('is refused by each operation with the reason', async () => {
    const bare = await serve({
      bank: { params: {} },
      mint: { minter: {} },
      gov: { proposals: [] },
      auth: { params: {} },
    });
    for (const [path, message] of [
      ['bank/v1beta1/supply', /^supply is not in this state$/],
      ['bank/v1beta1/supply/uatom', /^supply is not in this state$/],
      ['bank/v1beta1/supply/by_denom?denom=uatom', /^supply is not in this state$/],
      ['bank/v1beta1/send_enabled', /^the state does not list send_enabled$/],
      ['mint/v1beta1/inflation', /^inflation is not in this state$/],
      ['mint/v1beta1/annual_provisions', /^annual_provisions is not in this state$/],
      ['distribution/v1beta1/community_pool', /^(distribution|the community pool) is not in this state$/],
      ['gov/v1/constitution', /^Not Implemented$/],
      ['auth/v1beta1/module_accounts', /^Not Implemented$/],
      ['staking/v1beta1/pool', /^staking is not in this state$/],
    ] as const)
      await refused(bare, path, 501, 12, message);
  });

  it('is told of the pool and of the community pool where their modules are there', async () => {
    const bare = await serve({ staking: { validators: [] }, distribution: { params: {} }, mint: {} });
    await refused(bare, 'staking/v1beta1/pool', 501, 12, /^the bonded tokens are not in this state$/);
    await refused(bare, 'distribution/v1beta1/community_pool', 501, 12, /community pool|distribution/);
  });
});

describe('what few states hold', () => {
  it('is answered as it stands there', async () => {
    const enabled = { denom: 'uatom', enabled: false };
    const full = await serve({
      ...smallState().app_state,
      bank: { ...smallState().app_state.bank, send_enabled: [enabled] },
      distribution: { fee_pool: { community_pool: [{ denom: 'uatom', amount: '1.5' }] } },
      gov: { proposals: [], constitution: 'We' },
    });
    assert.deepEqual(Object(await full.get('bank/v1beta1/send_enabled')).send_enabled, [enabled]);
    assert.deepEqual(await full.get('mint/v1beta1/inflation'), { inflation: '0.130000000000000000' });
    const provisions = { annual_provisions: '1234.500000000000000000' };
    assert.deepEqual(await full.get('mint/v1beta1/annual_provisions'), provisions);
    assert.deepEqual(await full.get('gov/v1/constitution'), { constitution: 'We' });
    assert.deepEqual(await full.get('distribution/v1beta1/community_pool'), {
      pool: [{ denom: 'uatom', amount: '1.5' }],
    });
  });
});

describe('the list of the paths', () => {
  it('has the forms of gov, and paths of our own below chain alone', async () => {
    const { service, get } = await serve(smallState().app_state);
    const { paths } = Object(await get(''));
    for (const path of [
      '/chain/gov/v1/proposals',
      '/chain/gov/v1beta1/proposals',
      '/chain/bank/v1beta1/supply/{denom}',
    ])
      assert.ok(paths.includes(path), path);
    assert.equal(paths.includes('/chain/inspector/v1/stake'), true);
    const reply = await fetch(`${service.baseUrl}/cosmos`);
    const { paths: ofNodes } = Object(await reply.json());
    assert.equal(ofNodes.length > 10, true);
    assert.deepEqual(
      ofNodes.filter((path: string) => /inspector|\*|\{form\}|auth\/v1beta1\/accounts/.test(path)),
      [],
    );
    const own = await fetch(`${service.baseUrl}/cosmos/inspector/v1/stake?address=${voterAddress}`);
    assert.equal(own.status, 501);
  });
});

describe('a denom in the path', () => {
  for (const [what, gov, status] of [
    ['with proposals of gov v1', { proposals: [v1Proposal(1, [])] }, 501],
    ['with a constitution', { proposals: [], constitution: '' }, 501],
    ['with the parameters of gov v1', { proposals: [], params: { quorum: '0.4' } }, 501],
    ['of an age before that', { proposals: [textProposal(1, 'PASSED')], tally_params: { quorum: '0.4' } }, 200],
  ] as const) {
    it(`is answered below cosmos with ${status} by a state ${what}`, async () => {
      const { service, get } = await serve({ bank: smallState().app_state.bank, gov });
      const at = async (path: string) => (await fetch(`${service.baseUrl}/cosmos/bank/v1beta1/supply${path}`)).status;
      assert.deepEqual([await at('/uatom'), await at('/by_denom?denom=uatom'), await at('')], [status, 200, 200]);
      assert.ok(await get('bank/v1beta1/supply/uatom'));
    });
  }

  it('is answered below cosmos by a state whose gov module is cut off', async () => {
    const { supply } = smallState().app_state.bank;
    const text = JSON.stringify({ app_state: { bank: { balances: [], supply }, gov: { proposals: [1] } } });
    const served = await serveText(text.slice(0, -6));
    ends.push(() => served.stop());
    const reply = await fetch(`${served.service.baseUrl}/cosmos/bank/v1beta1/supply/uatom`);
    assert.equal(reply.status, 200);
  });
});

describe('the balances of an account', () => {
  const coins = ['ub', 'ua', 'uc'].map((denom, at) => ({ denom, amount: `${at + 1}` }));
  const sorted = coins.toSorted((a, b) => (a.denom < b.denom ? -1 : 1));
  const balancesOf = async (served: Served, address = '', query = '') =>
    Object(await served.get(`bank/v1beta1/balances/${address}${query}`));

  it('are those of the state in the order of the denoms, page by page', async () => {
    const balances = [
      { address: first, coins },
      { address: second, coins: [{ denom: 'ua', amount: '9' }] },
    ];
    const served = await serve({ bank: { balances, supply: [] } });
    assert.deepEqual((await balancesOf(served, first)).balances, sorted);
    const page = await balancesOf(served, first, '?pagination.limit=2&pagination.count_total=true');
    assert.deepEqual([page.balances, page.pagination.total], [sorted.slice(0, 2), '3']);
    const key = encodeURIComponent(page.pagination.next_key);
    assert.deepEqual((await balancesOf(served, first, `?pagination.key=${key}`)).balances, sorted.slice(2));
    assert.deepEqual((await balancesOf(served, third)).balances, []);
    await refused(served, 'bank/v1beta1/balances/x', 400, 3, /parameter: address/);
  });

  it('are read in the form before SDK 0.40, and not known where the state has none', async () => {
    const account = { type: 'cosmos-sdk/Account', value: { address: first, coins } };
    const old = await serve({ auth: { accounts: [account] }, bank: {} });
    assert.deepEqual((await balancesOf(old, first)).balances, sorted);
    const bare = await serve({ bank: { supply: [{ denom: 'ua', amount: '1' }] } });
    await refused(bare, `bank/v1beta1/balances/${first}`, 501, 12, /./);
  });
});

describe('the largest holders of a denom', () => {
  const balances = [first, second, third, lowest].map((address, at) => ({
    address,
    coins: [{ denom: 'ua', amount: `${at + 1}` }],
  }));
  const state = {
    bank: { balances, supply: [{ denom: 'ua', amount: '10' }] },
    wasm: { contracts: [second, lowest].map((contract_address) => ({ contract_address, contract_state: [] })) },
  };
  const holdersOf = async (served: Served, query: string) => {
    const { holders } = Object(await served.get(`inspector/v1/largest_holders?denom=ua${query}`));
    return holders.map(({ amount, class: kind }: { amount: string; class: string }) => `${amount} ${kind}`);
  };

  it('are as many as asked for, with their classes', async () => {
    const served = await serve(state);
    const all = ['4 contract', '3 other', '2 contract', '1 other'];
    assert.deepEqual(await holdersOf(served, ''), all);
    assert.deepEqual(await holdersOf(served, '&limit=2'), all.slice(0, 2));
    assert.deepEqual(await holdersOf(served, '&limit='), all);
    for (const limit of ['0', '-1', 'x', '1.5', '9999999999', '1x'])
      await refused(served, `inspector/v1/largest_holders?denom=ua&limit=${limit}`, 400, 3, /^limit must be a whole/);
    await refused(served, 'inspector/v1/largest_holders', 404, 5, /^the state has no coins of $/);
  });

  it('are ten where no number is asked for', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({
      address: bech32.encode('cosmos', bech32.toWords(Buffer.alloc(20, at + 1))),
      coins: [{ denom: 'ua', amount: '1' }],
    }));
    const served = await serve({ bank: { balances: many, supply: [{ denom: 'ua', amount: '12' }] } });
    assert.equal((await holdersOf(served, '')).length, 10);
    assert.equal((await holdersOf(served, '&limit=11')).length, 11);
    for (const { address } of many) assert.deepEqual(await holdersOf(served, `&address=${address}`), ['1 other']);
  });

  it('are the one of an address, not of the same bytes with another prefix', async () => {
    const served = await serve(state);
    assert.deepEqual(await holdersOf(served, `&address=${second}`), ['2 contract']);
    assert.deepEqual(await holdersOf(served, `&address=${second?.toUpperCase()}`), ['2 contract']);
    const foreign = bech32.encode('other', bech32.toWords(Buffer.alloc(20, 2)));
    assert.deepEqual(await holdersOf(served, `&address=${foreign}`), []);
  });
});

describe('the classes of the holders of a denom', () => {
  it('are given for one denom, and by pages for all', async () => {
    const coins = ['ua', 'ub'].map((denom) => ({ denom, amount: '5' }));
    const served = await serve({ bank: { balances: [{ address: first, coins }], supply: coins } });
    const one = Object(await served.get('inspector/v1/supply_split?denom=ub'));
    assert.deepEqual([one.split.denom, one.split.supply, one.split.holders], ['ub', '5', '1']);
    const all = Object(await served.get('inspector/v1/supply_split?pagination.limit=1'));
    assert.deepEqual(
      all.splits.map(({ denom }: { denom: string }) => denom),
      ['ua'],
    );
    await refused(served, 'inspector/v1/supply_split?denom=uc', 404, 5, /^the state has no coins of uc$/);
  });
});

describe('a denom that no chain of today takes', () => {
  it('is answered where the state holds it', async () => {
    const supply = ['1x', '2x'].map((denom) => ({ denom, amount: '5' }));
    const served = await serve({ bank: { balances: [], supply } });
    for (const amount of supply) assert.deepEqual(await served.get(`bank/v1beta1/supply/${amount.denom}`), { amount });
    await refused(served, 'bank/v1beta1/supply/3x', 400, 3, /^invalid denom: 3x$/);
  });
});

describe('the node of a state', () => {
  it('has the chain id and no version of the SDK', async () => {
    const served = await serveText({ chain_id: 'rare-1', app_name: 'rared', app_state: smallState().app_state });
    ends.push(() => served.stop());
    assert.deepEqual(await served.get('base/tendermint/v1beta1/node_info'), {
      default_node_info: { network: 'rare-1', moniker: 'Chain Inspector' },
      application_version: { name: 'chain-inspector', app_name: 'rared', version: '', cosmos_sdk_version: '' },
    });
  });
});

describe('an address in a filter', () => {
  it('is refused also where nobody voted', async () => {
    const served = await serve({ gov: { proposals: [textProposal(1, 'PASSED')] } });
    for (const name of ['voter', 'depositor'])
      await refused(served, `gov/v1beta1/proposals?${name}=x`, 400, 3, new RegExp(`parameter: ${name}`));
    assert.deepEqual(Object(await served.get(`gov/v1beta1/proposals?voter=${voterAddress}`)).proposals, []);
  });
});

describe('the stake of an account', () => {
  const stakeOf = async (served: Served, address = voterAddress) => {
    const { stake } = Object(await served.get(`inspector/v1/stake?address=${address}`));
    return { delegated: stake.delegated, unbonding: stake.unbonding };
  };
  const validator = (operator_address: string, tokens: string, delegator_shares: string) => ({
    operator_address,
    status: 'BOND_STATUS_BONDED',
    tokens,
    delegator_shares,
  });
  const delegation = (validator_address: string, shares: string) => ({
    delegator_address: voterAddress,
    validator_address,
    shares,
  });

  it('is its share of the tokens of each validator, cut to whole units', async () => {
    const staking = {
      exported: true,
      validators: [validator(operator, '900', '1000.0'), validator(other, '40', '40.0')],
      delegations: [delegation(operator, '251.0'), delegation(other, '4.0')],
      unbonding_delegations: [{ delegator_address: voterAddress, entries: [{ balance: '2' }, { balance: '3' }] }],
    };
    const served = await serve({ staking });
    assert.deepEqual(await stakeOf(served), { delegated: '229', unbonding: '5' });
    assert.deepEqual(await stakeOf(served, voterAddress.toUpperCase()), { delegated: '229', unbonding: '5' });
    assert.deepEqual(await stakeOf(served, first), { delegated: '0', unbonding: '0' });
    await refused(served, 'inspector/v1/stake', 400, 3, /parameter: address/);
    await refused(served, 'inspector/v1/stake?address=x', 400, 3, /parameter: address/);
  });

  for (const [what, validators] of [
    ['is not there', []],
    ['has no shares', [validator(operator, '900', '0.0')]],
  ] as const) {
    it(`is not known where its validator ${what}`, async () => {
      const delegations = [delegation(operator, '251.0'), delegation(other, '4.0')];
      const known = validator(other, '40', '40.0');
      const served = await serve({ staking: { exported: true, validators: [...validators, known], delegations } });
      assert.equal((await stakeOf(served)).delegated, null);
    });
  }
});

describe('the module accounts', () => {
  it('are those of the state by name', async () => {
    const account = (name: string, address = '') => ({
      '@type': '/cosmos.auth.v1beta1.ModuleAccount',
      base_account: { address, pub_key: null, account_number: '1', sequence: '0' },
      name,
      permissions: [],
    });
    const served = await serve({ auth: { accounts: [account('mint', first), account('gov', second)] } });
    const { accounts } = Object(await served.get('auth/v1beta1/module_accounts'));
    assert.deepEqual(
      accounts.map(({ name }: { name: string }) => name),
      ['gov', 'mint'],
    );
  });
});

describe('a missing deposit', () => {
  for (const [status, code, more] of [
    [400, 3, {}],
    [404, 5, { expedited_voting_period: '86400s' }],
  ] as const) {
    it(`is refused with ${status} by a chain ${code === 5 ? 'with' : 'without'} expedited votes`, async () => {
      const served = await serve({ gov: { proposals: [v1Proposal(1, [])], params: { quorum: '0.4', ...more } } });
      await refused(served, `gov/v1/proposals/1/deposits/${voterAddress}`, status, code, /not found/);
    });
  }
});

describe('an open vote', () => {
  const proposals = [textProposal(1, 'VOTING_PERIOD')];

  it('has an empty tally without votes, and none where nothing tells what votes weigh', async () => {
    const without = await serve({ gov: { proposals } });
    assert.deepEqual(await without.get('gov/v1beta1/proposals/1/tally'), {
      tally: { yes: '0', abstain: '0', no: '0', no_with_veto: '0' },
    });
    const votes = [{ proposal_id: '1', voter: voterAddress, option: 'VOTE_OPTION_YES', options: [] }];
    const unweighed = await serve({ gov: { proposals, votes }, staking: { validators: [] } });
    await refused(unweighed, 'gov/v1beta1/proposals/1/tally', 501, 12, /^running tallies are not calculated/);
  });
});

describe('a path of the service', () => {
  it('takes escapes, and refuses a malformed one', async () => {
    const served = await serve(smallState().app_state);
    const denom = denoms[1] ?? '';
    assert.deepEqual(Object(await served.get(`bank/v1beta1/supply/${encodeURIComponent(denom)}`)).amount.denom, denom);
    await refused(served, 'bank/v1beta1/supply/%E0%A4%A', 400, 3, /malformed escape/);
    await refused(served, 'gov/v3/proposals', 501, 12, /Not Implemented/);
  });

  it('is answered below no other segment, but for the parameters of a module', async () => {
    const { service } = await serve(smallState().app_state);
    const at = async (path: string) => (await fetch(`${service.baseUrl}/${path}`)).status;
    assert.deepEqual(
      [await at('other/bank/v1beta1/supply'), await at('bank/v1beta1/supply'), await at('x/chain/bank/v1beta1/supply')],
      [501, 501, 501],
    );
    assert.deepEqual(
      [await at('x/chain'), await at('chain/x'), await at('chain/'), await at('cosmos')],
      [501, 501, 200, 200],
    );
  });
});
