import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { toShares } from '../../../src/service/decimals.ts';
import { writeStateTables } from '../../../src/service/tables/exportTables.ts';
import { coinsOf, rowsOf, type Scanned, scanText } from './scanText.ts';
import { serveText, temporaryFolder } from './serveText.ts';
import { depositorAddress, textProposal, voterAddress } from './smallState.ts';

const operator = 'cosmosvaloper1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnxz90a2';
const pools = {
  bonded: 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh',
  notBonded: 'cosmos1tygms3xhhs3yv487phx3dw4a95jn7t7lpm470r',
};
const oldState =
  'This state is from an SDK version before 0.38. Only coins, validators, delegations, proposals, deposits and votes are read. Running tallies are not calculated.';
const stake = (amount: string) => ({ denom: 'stake', amount });
const times = {
  submit_time: '2018-11-01T00:00:00Z',
  deposit_end_time: '2018-11-03T00:00:00Z',
  voting_start_time: '2018-11-01T00:00:00Z',
  voting_end_time: '2018-11-03T00:00:00Z',
};

/** A state of SDK 0.24 to 0.30. */
function stateOf2018() {
  return {
    chain_id: 'old-2018',
    genesis_time: '2018-11-02T00:00:00Z',
    app_state: {
      accounts: [
        { address: voterAddress, coins: [stake('50'), { denom: 'photino', amount: '7' }] },
        { address: depositorAddress, coins: [stake('5')] },
      ],
      stake: {
        pool: { loose_tokens: '60.2500000000', bonded_tokens: '940.7500000000' },
        params: { bond_denom: 'stake', unbonding_time: '259200000000000' },
        validators: [
          {
            operator_addr: operator,
            status: 2,
            tokens: '940.7500000000',
            delegator_shares: '940.7500000000',
            description: { moniker: 'One' },
          },
        ],
        bonds: [{ delegator_addr: voterAddress, validator_addr: operator, shares: '200.0000000000', height: '0' }],
        unbonding_delegations: [
          {
            delegator_addr: voterAddress,
            validator_addr: operator,
            creation_height: '9',
            min_time: '2018-11-04T00:00:00Z',
            initial_balance: stake('6'),
            balance: stake('5'),
          },
        ],
      },
      gov: {
        starting_proposalID: '3',
        proposals: [
          {
            type: 'gov/TextProposal',
            value: {
              proposal_id: '1',
              title: 'First',
              description: 'D',
              proposal_type: 'Text',
              proposal_status: 'VotingPeriod',
              tally_result: { yes: '0.0', abstain: '0.0', no: '0.0', no_with_veto: '0.0' },
              total_deposit: [stake('10')],
              ...times,
            },
          },
          {
            type: 'fork/PlainTextProposal',
            value: {
              BasicProposal: {
                proposal_id: '2',
                title: 'Second',
                description: 'E',
                proposal_type: 'PlainText',
                proposal_status: 'Passed',
                tally_result: { yes: '12.7500000000', abstain: '0.0000000000', no: '1.0', no_with_veto: '0.0' },
                total_deposit: [stake('10')],
                ...times,
              },
            },
          },
        ],
        votes: [{ proposal_id: '1', vote: { voter: voterAddress, proposal_id: '1', option: 'Yes' } }],
        deposits: [
          { proposal_id: '1', deposit: { depositer: depositorAddress, proposal_id: '1', amount: [stake('10')] } },
        ],
        deposit_period: { min_deposit: [stake('10')], max_deposit_period: '172800000000000' },
        voting_period: { voting_period: '200' },
        tallying_procedure: { threshold: '0.5000000000', veto: '0.3340000000', governance_penalty: '0.0100000000' },
      },
    },
  };
}

describe('a state of 2018', () => {
  it('has its coins, validators, proposals, deposits and votes, and says that it is read in part', () => {
    const { parts, notices, faults } = scanText(stateOf2018());
    assert.deepEqual(faults, []);
    assert.deepEqual(notices, [
      'This state has no supply module: the supply of stake is taken from the staking pool, and other supplies are the sums of all account balances.',
      oldState,
    ]);
    assert.deepEqual(coinsOf({ parts, notices, faults }), ['photino 7', 'stake 1001']);
    const { bondedTokens, notBondedTokens, tallies, validators } = parts.staking ?? {};
    assert.deepEqual([bondedTokens, notBondedTokens, tallies], ['940', '60', undefined]);
    const [validator] = rowsOf(validators).map(Object);
    assert.deepEqual(
      [validator.operator_address, validator.status, validator.tokens],
      [operator, 'BOND_STATUS_BONDED', '940'],
    );
    const [first, second] = rowsOf(parts.gov?.proposals).map(Object);
    assert.deepEqual(
      [first.proposal_id, first.status, first.content.title],
      ['1', 'PROPOSAL_STATUS_VOTING_PERIOD', 'First'],
    );
    assert.deepEqual(first.final_tally_result, { yes: '0', abstain: '0', no: '0', no_with_veto: '0' });
    assert.deepEqual([second.proposal_id, second.content.title], ['2', 'Second']);
    assert.equal(second.final_tally_result.yes, '12');
    assert.deepEqual(rowsOf(parts.gov?.deposits['1']), [
      { proposal_id: '1', depositor: depositorAddress, amount: [stake('10')] },
    ]);
  });

  it('comes to the same in any order of its modules', () => {
    const { app_state, ...header } = stateOf2018();
    const reversed = { ...header, app_state: Object.fromEntries(Object.entries(app_state).reverse()) };
    const [one, other] = [scanText(stateOf2018()), scanText(reversed, 7)];
    assert.deepEqual(coinsOf(other), coinsOf(one));
    assert.deepEqual(other.parts.staking, one.parts.staking);
  });

  it('answers no tally of a running vote, no quorum and no period in blocks', async () => {
    const served = await serveText(stateOf2018());
    const tally = await served.ask('gov/v1beta1/proposals/1/tally');
    assert.equal(tally.status, 501);
    assert.match(JSON.stringify(tally.body), /not calculated/);
    const { tally_params } = Object(await served.get('gov/v1beta1/params/tallying'));
    assert.deepEqual(tally_params, { threshold: '0.5000000000', veto_threshold: '0.3340000000' });
    const { deposit_params } = Object(await served.get('gov/v1beta1/params/deposit'));
    assert.deepEqual(deposit_params, { min_deposit: [stake('10')], max_deposit_period: '172800s' });
    assert.deepEqual(Object(await served.get('gov/v1beta1/proposals/2/tally')).tally.yes, '12');
    await served.stop();
  });

  it('has coins as text, and a supply that says what it lacks', () => {
    const { app_state, ...header } = stateOf2018();
    const accounts = [
      { address: voterAddress, coins: ['200iris', '7 iris-atto'] },
      { address: depositorAddress, coins: ['300iris', '1.5iris', '0007iris-atto'] },
    ];
    const staked = { ...app_state.stake, pool: { bonded_tokens: '5.0' }, params: {} };
    const scanned = scanText({ ...header, app_state: { ...app_state, accounts, stake: staked } });
    assert.deepEqual(coinsOf(scanned), ['iris 500', 'iris-atto 14']);
    assert.ok(
      scanned.notices.includes(
        'This state has no supply module: the supply is the sum of all account balances, not including staked tokens.',
      ),
    );
    assert.match(scanned.notices.join('\n'), /Expected a whole number and a denom, found "1\.5iris" .*accounts\[1\]/);
    const { bondedTokens, notBondedTokens } = scanned.parts.staking ?? {};
    assert.deepEqual([bondedTokens, notBondedTokens], ['5', undefined]);
  });

  it('is exported with its bonds and unbonding delegations', async () => {
    const folder = await temporaryFolder();
    const file = folder.path('state.json');
    writeFileSync(file, JSON.stringify(stateOf2018()));
    mkdirSync(folder.path('out'));
    await writeStateTables({ file, folder: folder.path('out'), format: 'ndjson' });
    const line = (table: string) => JSON.parse(readFileSync(folder.path(`out/${table}.ndjson`), 'utf8'));
    const addresses = { delegator_address: voterAddress, validator_address: operator };
    assert.deepEqual(line('delegations'), { ...addresses, shares: '200.0000000000' });
    assert.deepEqual(line('unbonding_delegations'), {
      ...addresses,
      creation_height: 9,
      completion_time: '2018-11-04T00:00:00.000000Z',
      completion_time_text: null,
      initial_balance: '6',
      balance: '5',
    });
    await folder.remove();
  });
});

describe('the numbers of the first states of 2018', () => {
  /** The form of the genesis of gaia-6002 and gaia-7005. */
  const stateWith = (pool: object, fields: object = {}) => ({
    accounts: [
      { address: voterAddress, coins: [{ denom: 'stake', amount: 50 }] },
      { address: depositorAddress, coins: [{ denom: 'photino', amount: 18446744073709551616n }] },
    ],
    stake: { pool, params: { bond_denom: 'stake' }, ...fields },
  });
  const scan = (app_state: object) =>
    scanText(
      JSON.stringify({ app_state }, (_, value) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value)),
    );

  it('have no quotes, and keep every digit', () => {
    const parts = { loose_unbonded_tokens: 2300, unbonded_tokens: 4, unbonding_tokens: 1, bonded_tokens: 23300 };
    const scanned = scan(stateWith(parts));
    assert.deepEqual(coinsOf(scanned), ['photino 18446744073709551616', 'stake 25605']);
    assert.deepEqual(
      [scanned.parts.staking?.bondedTokens, scanned.parts.staking?.notBondedTokens, scanned.notices.length],
      ['23300', '2305', 3],
    );
  });

  it('are fractions, of many digits', () => {
    const pool = { loose_tokens: `${'1'.repeat(2000)}/${'1'.repeat(1996)}`, bonded_tokens: '26797850023/500000' };
    const validators = [
      { owner: operator, status: 2, tokens: '63/2', delegator_shares: '63/2' },
      { owner: 'x', status: 2, tokens: '2/3', delegator_shares: '2/3' },
    ];
    const scanned = scan(stateWith(pool, { validators, bonds: [] }));
    assert.deepEqual([scanned.parts.staking?.bondedTokens, scanned.parts.staking?.notBondedTokens], ['53595', '10000']);
    assert.deepEqual(
      rowsOf(scanned.parts.staking?.validators).map((row) => Object(row).tokens),
      ['31', '0'],
    );
    assert.equal(toShares('2/3', ''), 666_666_666_666_666_667n);
  });

  it('are shares of the pools, which are worth what their pools hold', () => {
    const of = (owner: string, status: number, amount: unknown) => ({
      owner,
      pool_shares: { status, amount },
      delegator_shares: amount,
    });
    const shares = { bonded_shares: '63', unbonding_shares: '0', unbonded_shares: 7 };
    const parts = {
      loose_unbonded_tokens: 2300,
      unbonded_tokens: 4,
      unbonding_tokens: 0,
      bonded_tokens: 126,
      ...shares,
    };
    const validators = [of('a', 2, '63/2'), of('b', 2, '95/3'), of('c', 1, 5), of('d', 0, '7/2')];
    const scanned = scan(stateWith(parts, { validators, bonds: [] }));
    assert.deepEqual(
      rowsOf(scanned.parts.staking?.validators).map((row) => [Object(row).tokens, Object(row).status]),
      [
        ['63', 'BOND_STATUS_BONDED'],
        ['63', 'BOND_STATUS_BONDED'],
        ['5', 'BOND_STATUS_UNBONDING'],
        ['2', 'BOND_STATUS_UNBONDED'],
      ],
    );
    assert.deepEqual([scanned.parts.staking?.bondedTokens, scanned.parts.staking?.notBondedTokens], ['126', '2304']);
  });

  it('are not known as tokens where the pool does not state its shares', () => {
    const validators = [{ owner: operator, pool_shares: { status: 2, amount: '1' }, delegator_shares: '1' }];
    const { notices, parts } = scan(stateWith({ loose_tokens: '1', bonded_tokens: '1' }, { validators, bonds: [] }));
    assert.match(notices.join('\n'), /bonded_shares/);
    assert.deepEqual(rowsOf(parts.staking?.validators), []);
  });

  it('are written into tables with 18 decimals', async () => {
    const folder = await temporaryFolder();
    const file = folder.path('state.json');
    const validators = [{ owner: operator, status: 2, tokens: '63/2', delegator_shares: '63/2' }];
    const bonds = [{ delegator_addr: voterAddress, validator_addr: operator, shares: '2/3' }];
    writeFileSync(file, JSON.stringify({ app_state: { stake: { pool: {}, validators, bonds } } }));
    mkdirSync(folder.path('out'));
    await writeStateTables({ file, folder: folder.path('out'), format: 'ndjson' });
    const line = (table: string) => JSON.parse(readFileSync(folder.path(`out/${table}.ndjson`), 'utf8'));
    assert.equal(line('delegations').shares, '0.666666666666666667');
    assert.equal(line('validators').delegator_shares, '31.500000000000000000');
    await folder.remove();
  });

  it('are refused where nothing can be worked out from them', () => {
    for (const text of ['1/0', '/2', '1/', '-1/2', '1/2/3', '1.5/2', `1/${'1'.repeat(5001)}`, `${'9'.repeat(200)}/3`])
      assert.throws(() => toShares(text, '.shares'), /Expected a decimal number/, text);
    for (const number of [1.5, -1, 1e21]) {
      const { notices } = scan({ accounts: [{ address: voterAddress, coins: [{ denom: 'stake', amount: number }] }] });
      assert.match(notices.join(), /Expected a string of digits, found/, String(number));
    }
  });
});

describe('the supply of a state of 2019', () => {
  const accounts = [{ address: voterAddress, coins: [stake('5')] }];

  it('is read as the first releases of 0.36 wrote it', () => {
    for (const supply of [{ supply: { total: [stake('5')] } }, { supply: [stake('5')] }])
      for (const app_state of [
        { accounts, bank: {}, supply },
        { supply, bank: {}, accounts },
      ]) {
        const scanned = scanText({ app_state }, 3);
        assert.deepEqual(scanned.faults, []);
        assert.deepEqual(coinsOf(scanned), ['stake 5']);
        assert.deepEqual(scanned.notices, [oldState, 'This state has no gov module.']);
      }
  });

  it('is not taken from a module of SDK 0.52 that is called accounts', () => {
    const scanned = scanText({ app_state: { accounts: { accounts: [] }, bank: { supply: [stake('5')] } } });
    assert.deepEqual(coinsOf(scanned), ['stake 5']);
    assert.deepEqual([scanned.faults, scanned.notices], [[], ['This state has no gov module.']]);
  });
});

describe('the staking pool of a genesis', () => {
  const validators = [
    { operator_address: operator, status: 'BOND_STATUS_BONDED', tokens: '900', delegator_shares: '900.0' },
    { operator_address: 'x', status: 'BOND_STATUS_UNBONDED', tokens: '40', delegator_shares: '40.0' },
  ];
  const pool = ({ parts }: Scanned) => [parts.staking?.bondedTokens, parts.staking?.notBondedTokens];
  const bank = {
    balances: [
      ...Array.from({ length: 40 }, () => ({ address: voterAddress, coins: [stake('1')] })),
      { address: pools.bonded, coins: [{ denom: 'other', amount: '3' }, stake('900')] },
      { address: pools.notBonded, coins: [stake('45')] },
    ],
  };
  const params = { bond_denom: 'stake' };

  it('is worked out from the validators that it holds, and so are its running votes', () => {
    const unbonding_delegations = [{ entries: [{ balance: '5' }] }];
    const staking = { params, exported: false, validators, unbonding_delegations, delegations: [] };
    const gov = {
      proposals: [textProposal(1, 'VOTING_PERIOD')],
      votes: [{ proposal_id: '1', voter: voterAddress, options: [{ option: 'VOTE_OPTION_YES', weight: '1.0' }] }],
    };
    const scanned = scanText({ app_state: { bank, gov, staking } });
    assert.deepEqual(pool(scanned), ['900', '45']);
    const tally = { yes: '900', abstain: '0', no: '0', no_with_veto: '0', fractions: [], votes: 1, largest: [] };
    const own = [{ operator, power: '900', own: '0' }];
    assert.deepEqual(scanned.parts.staking?.tallies, { 1: { ...tally, validators: own } });
  });

  it('is what stands on the accounts of the pools where it holds no validators', () => {
    for (const app_state of [
      { bank, gov: {}, staking: { params, validators: [] } },
      { staking: { params, validators: [] }, gov: {}, bank },
      { auth: { accounts: bank.balances.map((value) => ({ type: 'x', value })) }, staking: { params } },
    ])
      for (const size of [1 << 20, 11]) assert.deepEqual(pool(scanText({ app_state }, size)), ['900', '45']);
    const whole = bank.balances.filter(({ address }) => address !== pools.notBonded);
    assert.deepEqual(pool(scanText({ app_state: { bank: { balances: whole }, staking: { params } } })), ['900', '0']);
  });

  it('stays unknown where nothing tells it', () => {
    const unbonded = [{ ...validators[0], status: 'BOND_STATUS_UNBONDED' }];
    for (const staking of [{ params }, { params, validators: [] }, { params, validators: unbonded }])
      assert.deepEqual(pool(scanText({ app_state: { bank: {}, staking } })), [undefined, undefined]);
    assert.deepEqual(pool(scanText({ app_state: { bank, staking: {} } })), [undefined, undefined]);
  });
});
