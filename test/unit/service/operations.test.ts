import assert from 'node:assert/strict';
import { valueAt } from '../../fixtures/questions.ts';
import { type Served, serveText } from './serveText.ts';
import { denoms, depositorAddress, smallState, textProposal, v1Proposal, voterAddress } from './smallState.ts';

const state = smallState();
const supply = state.app_state.bank.balances[0]?.coins ?? [];
const { proposals } = state.app_state.gov;
const byId = [...proposals].sort((a, b) => Number(a.proposal_id) - Number(b.proposal_id));

describe('the operations of the service', () => {
  let served: Served;
  before(async () => {
    served = await serveText(state);
    await served.service.ready;
  });
  after(() => served.stop());

  it('lists the supply by the bytes of the denoms, with the total where no limit is given', async () => {
    assert.deepEqual(await served.get('bank/v1beta1/supply'), { supply, pagination: { next_key: null, total: '8' } });
    assert.deepEqual(
      supply.map((coin) => coin.denom),
      denoms,
    );
  });

  it('answers one denom, by path and by query, escaped or not', async () => {
    for (const coin of supply) {
      const amount = { amount: coin };
      assert.deepEqual(await served.get(`bank/v1beta1/supply/${encodeURIComponent(coin.denom)}`), amount);
      assert.deepEqual(await served.get(`bank/v1beta1/supply/${coin.denom}`), amount);
      assert.deepEqual(
        await served.get(`bank/v1beta1/supply/by_denom?denom=${encodeURIComponent(coin.denom)}`),
        amount,
      );
    }
  });

  it('answers "0" for a denom that is not there and 400 for one that cannot be', async () => {
    for (const denom of ['uother', 'ibc/AA', 'factory/a/b/c'])
      assert.deepEqual(await served.get(`bank/v1beta1/supply/${denom}`), { amount: { denom, amount: '0' } });
    for (const path of [
      'supply/x',
      'supply/',
      'supply/1abc',
      'supply/a%20bcd',
      'supply/by_denom',
      'supply/by_denom?denom=',
      'supply/%E0%A4%A',
    ])
      await refused(`bank/v1beta1/${path}`, 400, 3, /invalid denom|parameter: path/);
  });

  it('lists proposals by id, each field as the state has it', async () => {
    assert.deepEqual(await served.get('gov/v1beta1/proposals'), {
      proposals: byId,
      pagination: { next_key: null, total: '6' },
    });
  });

  it('answers one proposal by id', async () => {
    for (const proposal of proposals)
      assert.deepEqual(await served.get(`gov/v1beta1/proposals/${proposal.proposal_id}`), { proposal });
    await refused('gov/v1beta1/proposals/99', 404, 5, /proposal 99 doesn't exist/);
    await refused('gov/v1beta1/proposals/18446744073709551615', 404, 5, /doesn't exist/);
    await refused('gov/v1beta1/proposals/0', 400, 3, /can not be 0/);
    for (const id of ['abc', '', '-1', '0x10', '1_000', '18446744073709551616', '9'.repeat(5000), '%', '1%2F2'])
      await refused(`gov/v1beta1/proposals/${id}`, 400, 3, /parameter: (proposal_id|path)/);
  });

  it('filters by status, by name and by number', async () => {
    const names = ['UNSPECIFIED', 'DEPOSIT_PERIOD', 'VOTING_PERIOD', 'PASSED', 'REJECTED', 'FAILED'];
    for (const [number, name] of names.entries()) {
      const wanted = byId.filter((one) => number === 0 || one.status === `PROPOSAL_STATUS_${name}`);
      for (const text of [`PROPOSAL_STATUS_${name}`, String(number)])
        assert.deepEqual(await served.get(`gov/v1beta1/proposals?proposal_status=${text}`), {
          proposals: wanted,
          pagination: { next_key: null, total: String(wanted.length) },
        });
    }
    for (const text of ['FOO', '6', '-1', 'passed'])
      await refused(`gov/v1beta1/proposals?proposal_status=${text}`, 400, 3, /parameter: proposal_status/);
  });

  it('filters by voter and depositor, together with the status', async () => {
    assert.deepEqual(await ids(`voter=${voterAddress}`), ['1000', '1018']);
    assert.deepEqual(await ids(`voter=${voterAddress.toUpperCase()}`), ['1000', '1018']);
    assert.deepEqual(await ids(`voter=${depositorAddress}`), []);
    // A proposal that is not there.
    assert.deepEqual(await ids('voter=cosmosvaloper1pyysjzgfpyysjzgfpyysjzgfpyysjzgfc0q6z2'), []);
    assert.deepEqual(await ids(`depositor=${depositorAddress}`), ['992', '1000']);
    assert.deepEqual(await ids(`depositor=${depositorAddress}&voter=${voterAddress}`), ['1000']);
    assert.deepEqual(await ids(`depositor=${depositorAddress}&proposal_status=1`), ['992']);
    assert.deepEqual(await ids('depositor=&voter=&proposal_status='), ['1', '2', '7', '992', '1000', '1018']);
    for (const address of [
      'foo',
      'cosmos1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnrk363f',
      `${voterAddress}q`,
      'Cosmos1Qqqs',
      '1'.repeat(20),
      'ü'.repeat(20),
    ])
      for (const name of ['voter', 'depositor'])
        await refused(
          `gov/v1beta1/proposals?${name}=${encodeURIComponent(address)}`,
          400,
          3,
          new RegExp(`parameter: ${name}`),
        );
  });

  it('answers the optional operations from what the state has', async () => {
    assert.deepEqual(await served.get('bank/v1beta1/denoms_metadata'), {
      metadatas: state.app_state.bank.denom_metadata,
      pagination: { next_key: null, total: '1' },
    });
    assert.deepEqual(await served.get('staking/v1beta1/pool'), {
      pool: { bonded_tokens: '900', not_bonded_tokens: '45' },
    });
  });

  it('answers the gov params in both forms', async () => {
    const zero = { voting: { voting_period: '0s' }, deposit: { min_deposit: [], max_deposit_period: '0s' } };
    assert.deepEqual(await served.get('gov/v1beta1/params/tallying'), {
      voting_params: zero.voting,
      deposit_params: zero.deposit,
      tally_params: state.app_state.gov.tally_params,
    });
    assert.deepEqual(await served.get('gov/v1/params/voting'), {
      voting_params: { voting_period: '1209600s' },
      deposit_params: null,
      tally_params: null,
      params: {
        min_deposit: [{ denom: 'ustake', amount: '10' }],
        max_deposit_period: '172800s',
        voting_period: '1209600s',
        ...state.app_state.gov.tally_params,
      },
    });
    await refused('gov/v1/params/other', 400, 3, /other/);
  });

  it('answers legacy params by subspace and key', async () => {
    for (const key of ['InflationMax', 'inflation_max', 'inflationmax'])
      assert.deepEqual(await served.get(`params/v1beta1/params?subspace=mint&key=${key}`), {
        param: { subspace: 'mint', key, value: '"0.530000000000000000"' },
      });
    assert.deepEqual(await served.get('params/v1beta1/params?subspace=gov&key=tallyparams'), {
      param: { subspace: 'gov', key: 'tallyparams', value: JSON.stringify(state.app_state.gov.tally_params) },
    });
    assert.deepEqual(await served.get('params/v1beta1/params?subspace=baseapp&key=BlockParams'), {
      param: { subspace: 'baseapp', key: 'BlockParams', value: '{"max_bytes":"22020096","max_gas":"-1"}' },
    });
    await refused('params/v1beta1/params?subspace=mint&key=Other', 404, 5, /Other/);
    await refused('params/v1beta1/params?subspace=__proto__&key=Other', 404, 5, /__proto__/);
  });

  it('names its chain', async () => {
    assert.equal(served.service.chainId, 'small-1');
    assert.match(JSON.stringify(await served.get('base/tendermint/v1beta1/node_info')), /"network":"small-1"/);
  });

  it('answers the gov params of old states in the form and the units of today', async () => {
    const old = await serveText({
      app_state: {
        gov: {
          proposals: [],
          tally_params: { quorum: '0.4', threshold: '0.5', veto: '0.3' },
          voting_params: { voting_period: '172800000000000' },
          deposit_params: { max_deposit_period: '48h0m1s' },
        },
      },
    });
    assert.deepEqual(Object(await old.get('gov/v1/params/voting')).params, {
      quorum: '0.4',
      threshold: '0.5',
      veto_threshold: '0.3',
      voting_period: '172800s',
      max_deposit_period: '172801s',
    });
    await old.stop();
    const none = await serveText({ app_state: { gov: { proposals: [], tally_params: null } } });
    assert.equal((await none.ask('gov/v1/params/voting')).status, 501);
    await none.stop();
  });

  it('tallies a running vote from votes and delegations, an ended one as the state has it', async () => {
    const tally = (id: number) => served.get(`gov/v1beta1/proposals/${id}/tally`);
    assert.deepEqual(await tally(1000), { tally: { yes: '900', abstain: '0', no: '0', no_with_veto: '0' } });
    assert.deepEqual(await tally(1), { tally: { yes: '10', abstain: '20', no: '30', no_with_veto: '40' } });
    assert.deepEqual(await served.get('gov/v1/proposals/1018/tally'), {
      tally: { yes_count: '0', abstain_count: '0', no_count: '900', no_with_veto_count: '0' },
    });
    await refused('gov/v1beta1/proposals/99/tally', 404, 5, /doesn't exist/);
  });

  it('says the height and the time of the state', async () => {
    const { headers } = await served.ask('bank/v1beta1/supply');
    // The export of height 1233 names 1234 as the next one.
    assert.equal(headers.get('grpc-metadata-x-cosmos-block-height'), '1233');
    assert.equal(headers.get('date'), 'Thu, 04 Jan 2024 00:00:00 GMT');
    assert.equal(headers.get('content-type'), 'application/json');
  });

  it('refuses another height than that of the state, like a node that has pruned it', async () => {
    const at = (height: string) => served.ask('bank/v1beta1/supply/uatom', { 'x-cosmos-block-height': height });
    for (const height of ['', '0', '1233']) assert.equal((await at(height)).status, 200, height);
    for (const [height, message] of [
      ['1232', /^failed to load state at height 1232; .*\(latest height: 1233\)$/],
      ['1234', /^cannot query with height in the future/],
      ['-1', /^invalid height/],
      ['x', /^invalid height/],
      ['1232x', /^invalid height/],
    ] as const) {
      const { status, body } = await at(height);
      assert.deepEqual({ status, code: Object(body).code }, { status: 500, code: 2 }, height);
      assert.match(Object(body).message, message);
    }
    const bare = await serveText({ bank: { supply } });
    const { status, body } = await bare.ask('bank/v1beta1/supply', { 'x-cosmos-block-height': '7' });
    assert.equal(status, 500);
    assert.match(Object(body).message, /the state has no height/);
    await bare.stop();
  });

  it('answers the params of each module under its own path', async () => {
    const params = {
      mint: { mint_denom: 'ustake', blocks_per_year: '6311520' },
      transfer: { send_enabled: true },
      gov: { quorum: '0.4' },
    };
    const modules = await serveText({
      consensus: { params: { block: { max_bytes: '7' }, evidence: { max_age_duration: '172800000000000' } } },
      app_state: {
        mint: { params: params.mint, minter: {} },
        transfer: { params: params.transfer },
        gov: { params: params.gov },
        capability: { index: '1' },
      },
    });
    assert.deepEqual(await modules.get('mint/v1beta1/params'), { params: params.mint });
    assert.deepEqual(await modules.get('consensus/v1/params'), {
      params: { block: { max_bytes: '7' }, evidence: { max_age_duration: '172800s' } },
    });
    const ibc = await fetch(`${modules.service.baseUrl}/ibc/apps/transfer/v1/params`);
    assert.deepEqual(await ibc.json(), { params: params.transfer });
    for (const path of [
      'capability/v1/params',
      'slashing/v1beta1/params',
      '__proto__/v1/params',
      'mint/v1beta1/params/x',
    ])
      assert.equal((await modules.ask(path)).status, 501, path);
    await modules.stop();
  });

  it('answers the votes and the deposits of a proposal, in both forms', async () => {
    const weighted = { option: 'VOTE_OPTION_YES', weight: '1.000000000000000000' };
    const old = { proposal_id: '1000', voter: voterAddress, option: 'VOTE_OPTION_YES', options: [] };
    const v1 = { proposal_id: '1000', voter: voterAddress, options: [weighted], metadata: '' };
    const pagination = { next_key: null, total: '1' };
    assert.deepEqual(await served.get('gov/v1beta1/proposals/1000/votes'), { votes: [old], pagination });
    assert.deepEqual(await served.get('gov/v1/proposals/1000/votes'), { votes: [v1], pagination });
    for (const address of [voterAddress, voterAddress.toUpperCase()]) {
      assert.deepEqual(await served.get(`gov/v1beta1/proposals/1000/votes/${address}`), { vote: old });
      assert.deepEqual(await served.get(`gov/v1/proposals/1000/votes/${address}`), { vote: v1 });
    }
    const deposit = { proposal_id: '992', depositor: depositorAddress, amount: [] };
    for (const version of ['v1', 'v1beta1']) {
      const at = `gov/${version}/proposals/992/deposits`;
      assert.deepEqual(await served.get(at), { deposits: [deposit], pagination });
      assert.deepEqual(await served.get(`${at}/${depositorAddress}`), { deposit });
    }
  });

  it('names the options of an open vote whose counts have decimals, and its largest voters', async () => {
    const { gov } = state.app_state;
    const third = { option: 'VOTE_OPTION_ABSTAIN', weight: '0.333333333333333333' };
    const options = [{ option: 'VOTE_OPTION_YES', weight: '0.5' }, third];
    const votes = [{ proposal_id: '1018', voter: voterAddress, options }];
    const split = await serveText({ ...state, app_state: { ...state.app_state, gov: { ...gov, votes } } });
    const asked = 'inspector/v1/tally_details?proposal_id=';
    const validators = [
      { operator: String(valueAt(state, 'app_state.staking.validators.0.operator_address')), power: '900', own: '250' },
    ];
    const own = { votes: '1', largest: [], validators };
    // The voter is the account of a bonded validator. Half of 250 is whole, a third of it is not.
    assert.deepEqual(await split.get(`${asked}1018`), { fractions: ['abstain'], ...own });
    assert.deepEqual(await split.get(`${asked}1000`), { fractions: [], votes: '0', largest: [], validators: [] });
    assert.equal((await split.ask(`${asked}1`)).status, 501);
    assert.equal((await split.ask(`${asked}9`)).status, 404);
    await split.stop();
  });

  it('answers not voted, voting over and no such proposal alike', async () => {
    const none = { votes: [], pagination: { next_key: null, total: '0' } };
    // An address with another prefix has the same bytes.
    const foreign = 'cosmosvaloper1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnxz90a2';
    for (const [id, voter] of [
      ['1000', depositorAddress],
      ['1000', foreign],
      ['1', voterAddress],
      ['9999', voterAddress],
    ])
      await refused(`gov/v1/proposals/${id}/votes/${voter}`, 400, 3, /voter: cosmos\w+ not found for proposal: \d+/);
    await refused(`gov/v1/proposals/992/deposits/${voterAddress}`, 400, 3, /depositer: cosmos\w+ not found/);
    for (const id of ['1', '9999']) assert.deepEqual(await served.get(`gov/v1/proposals/${id}/votes`), none);
    await refused('gov/v1/proposals/0/votes', 400, 3, /proposal id can not be 0/);
    await refused('gov/v1/proposals/x/deposits', 400, 3, /parameter: proposal_id/);
    await refused('gov/v1/proposals/1000/votes/x', 400, 3, /parameter: voter/);
    await refused('gov/v1/proposals/1000/deposits/x', 400, 3, /parameter: depositor/);
  });

  it('answers the validators, by status', async () => {
    const [bonded, unbonding] = state.app_state.staking.validators;
    const of = async (query: string) => Object(await served.get(`staking/v1beta1/validators${query}`));
    assert.deepEqual((await of('')).validators, [bonded, unbonding]);
    assert.deepEqual((await of('?status=BOND_STATUS_BONDED')).validators, [bonded]);
    assert.deepEqual((await of('?status=BOND_STATUS_UNBONDED')).validators, []);
    const page = await of('?pagination.limit=1');
    assert.deepEqual(page.validators, [bonded]);
    const next = await of(`?pagination.key=${encodeURIComponent(page.pagination.next_key)}`);
    assert.deepEqual(next, { validators: [unbonding], pagination: { next_key: null, total: '0' } });
    for (const status of ['3', 'bonded', 'BOND_STATUS_UNSPECIFIED'])
      await refused(`staking/v1beta1/validators?status=${status}`, 400, 3, /invalid validator status/);
  });

  it('names the status of a validator of before SDK 0.40', async () => {
    const { operator_address } = state.app_state.staking.validators[0] ?? {};
    for (const status of [2, 'Bonded']) {
      const validators = [{ operator_address, status, tokens: '5', delegator_shares: '5.0' }];
      const old = await serveText({ app_state: { staking: { exported: true, validators } } });
      assert.deepEqual(Object(await old.get('staking/v1beta1/validators?status=BOND_STATUS_BONDED')).validators, [
        { ...validators[0], status: 'BOND_STATUS_BONDED' },
      ]);
      await old.stop();
    }
  });

  it('answers 501, code 12, to other paths', async () => {
    for (const path of [
      'bank',
      'bank/v1beta1',
      'bank/v1beta1/spendable_balances/x',
      'gov/v2/proposals',
      'gov/v1beta1/proposals/1/voters',
    ])
      await refused(path, 501, 12, /Not Implemented/);
  });

  async function refused(path: string, status: number, code: number, message: RegExp): Promise<void> {
    const { status: found, body } = await served.ask(path);
    assert.equal(found, status, `${path.slice(0, 100)}: ${JSON.stringify(body)}`);
    assert.match(JSON.stringify(body), message);
    assert.deepEqual(Object.keys(Object(body)), ['code', 'message', 'details']);
    assert.equal(Object(body).code, code);
  }

  async function ids(query: string): Promise<string[]> {
    const body = await served.get(`gov/v1beta1/proposals?${query}`);
    return Object(body).proposals.map((one: { proposal_id: string }) => one.proposal_id);
  }
});

describe('the two forms of a proposal', () => {
  const legacy = {
    '@type': '/cosmos.gov.v1.MsgExecLegacyContent',
    content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'T', description: 'D' },
    authority: 'cosmos1a',
  };
  const message = {
    '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
    authority: 'cosmos1a',
    plan: { name: 'v2', height: '12' },
  };
  const stored = [
    v1Proposal(1, [legacy]),
    v1Proposal(2, [message], { voting_start_time: null, voting_end_time: null, final_tally_result: null }),
    v1Proposal(3, []),
    v1Proposal(4, [message, message], { proposal_type: 'PROPOSAL_TYPE_OTHER' }),
  ];
  let served: Served;
  before(async () => {
    served = await serveText({ app_state: { gov: { proposals: stored } } });
  });
  after(() => served.stop());

  it('answers v1 proposals as they are', async () => {
    assert.deepEqual(await served.get('gov/v1/proposals'), {
      proposals: stored,
      pagination: { next_key: null, total: '4' },
    });
    assert.deepEqual(await served.get('gov/v1/proposals/4'), { proposal: stored[3] });
  });

  it('answers one message as a content under v1beta1', async () => {
    const first = {
      ...textProposal(1, 'PASSED'),
      content: legacy.content,
      final_tally_result: { yes: '1', abstain: '2', no: '3', no_with_veto: '4' },
      total_deposit: [{ denom: 'ustake', amount: '7' }],
    };
    assert.deepEqual(await served.get('gov/v1beta1/proposals/1'), { proposal: first });
    assert.deepEqual(await served.get('gov/v1beta1/proposals/2'), {
      proposal: {
        ...first,
        proposal_id: '2',
        content: message,
        final_tally_result: { yes: '0', abstain: '0', no: '0', no_with_veto: '0' },
        voting_start_time: '0001-01-01T00:00:00Z',
        voting_end_time: '0001-01-01T00:00:00Z',
      },
    });
    assert.equal(Object(await served.get('gov/v1beta1/proposals?pagination.limit=2')).proposals.length, 2);
  });

  it('refuses none or several messages under v1beta1 like a node, the whole page with them', async () => {
    for (const path of [
      'proposals/3',
      'proposals/4',
      'proposals',
      'proposals?pagination.offset=2&pagination.limit=1',
    ]) {
      const { status, body } = await served.ask(`gov/v1beta1/${path}`);
      assert.equal(status, 500);
      assert.equal(Object(body).code, 2);
      assert.match(
        Object(body).message,
        /can't convert a gov\/v1 Proposal to gov\/v1beta1 Proposal when amount of proposal messages not exactly one/,
      );
    }
  });

  it('answers v1beta1 proposals under v1', async () => {
    const old = await serveText({
      app_state: {
        gov: {
          proposals: [
            textProposal(7, 'FAILED'),
            textProposal(8, 'DEPOSIT_PERIOD', { content: null, voting_start_time: '0001-01-01T00:00:00Z' }),
          ],
        },
      },
    });
    const { proposals: found } = Object(await old.get('gov/v1/proposals'));
    assert.equal(found[0].id, '7');
    assert.equal(found[0].title, 'Title 7');
    assert.equal(found[0].summary, 'Words "quoted" \\ <b>');
    assert.deepEqual(found[0].messages[0].content, textProposal(7, 'FAILED').content);
    assert.deepEqual(found[0].final_tally_result, {
      yes_count: '10',
      abstain_count: '20',
      no_count: '30',
      no_with_veto_count: '40',
    });
    assert.deepEqual(found[1].messages, []);
    assert.equal(found[1].voting_start_time, null);
    await old.stop();
  });

  it('name the gov module of the chain as the authority of old contents, where an address tells its prefix', async () => {
    const proposals = [textProposal(7, 'PASSED')];
    const balances = [{ address: voterAddress, coins: [] }];
    const deposits = [{ proposal_id: '7', depositor: depositorAddress, amount: [] }];
    const cosmosGov = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn';
    for (const [state, authority] of [
      [{ bank: { balances }, gov: { proposals } }, cosmosGov],
      [{ gov: { proposals, deposits } }, cosmosGov],
      [{ bank: { balances: [{ address: 'cosmos1nothing', coins: [] }] }, gov: { proposals } }, ''],
      // The forms of before SDK 0.40, in any order.
      [{ accounts: [{ address: voterAddress, coins: [] }], gov: { proposals } }, cosmosGov],
      [{ gov: { proposals }, auth: { accounts: [{ type: 'x', value: { address: voterAddress } }] } }, ''],
      [{ auth: { accounts: [{ type: 'x', value: { address: voterAddress } }] }, gov: { proposals } }, cosmosGov],
      [
        { auth: { accounts: [{ '@type': '/x', base_account: { address: voterAddress } }] }, gov: { proposals } },
        cosmosGov,
      ],
    ] as const) {
      const served = await serveText({ app_state: state });
      const { proposal } = Object(await served.get('gov/v1/proposals/7'));
      await served.stop();
      assert.equal(proposal.messages[0].authority, authority);
      assert.equal(proposal.proposer, '');
    }
  });
});
