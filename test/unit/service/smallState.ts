/** Addresses with good checksums, of no chain. */
export const voterAddress = 'cosmos1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnrk363e';
export const depositorAddress = 'cosmos1qgpqyqszqgpqyqszqgpqyqszqgpqyqszrh8mx2';

const times = {
  submit_time: '2024-01-01T00:00:00Z',
  deposit_end_time: '2024-01-03T00:00:00Z',
  voting_start_time: '2024-01-02T00:00:00.5Z',
  voting_end_time: '2024-01-09T00:00:00.123456789Z',
};

/** A proposal of the v1beta1 form. */
export function textProposal(id: number | bigint, status: string, more: Record<string, unknown> = {}) {
  return {
    proposal_id: String(id),
    content: {
      '@type': '/cosmos.gov.v1beta1.TextProposal',
      title: `Title ${id}`,
      description: 'Words "quoted" \\ <b>',
    },
    status: `PROPOSAL_STATUS_${status}`,
    final_tally_result: { yes: '10', abstain: '20', no: '30', no_with_veto: '40' },
    ...times,
    total_deposit: [{ denom: 'ustake', amount: '512000000' }],
    ...more,
  };
}

/** A proposal of the v1 form. */
export function v1Proposal(id: number, messages: readonly unknown[], more: Record<string, unknown> = {}) {
  return {
    id: String(id),
    messages,
    status: 'PROPOSAL_STATUS_PASSED',
    final_tally_result: { yes_count: '1', abstain_count: '2', no_count: '3', no_with_veto_count: '4' },
    ...times,
    total_deposit: [{ denom: 'ustake', amount: '7' }],
    metadata: 'ipfs://CID',
    title: `Title ${id}`,
    summary: 'In short',
    proposer: voterAddress,
    expedited: false,
    failed_reason: '',
    ...more,
  };
}

export const denoms = [
  'IBCX',
  'factory/cosmos1abc/sub/denom',
  'gamm/pool/1',
  'gamm/pool/10',
  'gamm/pool/11',
  'ibc/27394FB0',
  'uatom',
  'ustake',
];

/** A state of the v1beta1 age that has a bit of everything. */
export function smallState() {
  const supply = denoms.map((denom, index) => ({ denom, amount: String(10n ** BigInt(index * 11) + 7n) }));
  return {
    genesis_time: '2024-01-04T00:00:00Z',
    chain_id: 'small-1',
    initial_height: '1234',
    consensus_params: { block: { max_bytes: '22020096', max_gas: '-1' } },
    app_state: {
      bank: {
        params: { default_send_enabled: true, send_enabled: [] },
        balances: [{ address: voterAddress, coins: supply }],
        supply: [...supply].reverse(),
        denom_metadata: [
          {
            base: 'uatom',
            display: 'atom',
            denom_units: [
              { denom: 'uatom', exponent: 0 },
              { denom: 'atom', exponent: 6 },
            ],
          },
        ],
      },
      gov: {
        starting_proposal_id: '1100',
        proposals: [
          textProposal(1000, 'VOTING_PERIOD', {
            final_tally_result: { yes: '0', abstain: '0', no: '0', no_with_veto: '0' },
          }),
          textProposal(1, 'PASSED'),
          textProposal(2, 'REJECTED'),
          textProposal(992, 'DEPOSIT_PERIOD', {
            voting_start_time: '0001-01-01T00:00:00Z',
            voting_end_time: '0001-01-01T00:00:00Z',
          }),
          textProposal(7, 'FAILED', { content: null }),
          textProposal(1018, 'VOTING_PERIOD'),
        ],
        deposits: [
          { proposal_id: '992', depositor: depositorAddress, amount: [] },
          { proposal_id: '1000', depositor: depositorAddress, amount: [] },
        ],
        votes: [
          { proposal_id: '1000', voter: voterAddress, option: 'VOTE_OPTION_YES', options: [] },
          { proposal_id: '5', voter: 'cosmosvaloper1pyysjzgfpyysjzgfpyysjzgfpyysjzgfc0q6z2', option: 'VOTE_OPTION_NO' },
          { proposal_id: '1018', voter: voterAddress, option: 'VOTE_OPTION_NO', options: [] },
        ],
        deposit_params: { min_deposit: [{ denom: 'ustake', amount: '10' }], max_deposit_period: '172800s' },
        voting_params: { voting_period: '1209600000000000ns' },
        tally_params: {
          quorum: '0.334000000000000000',
          threshold: '0.500000000000000000',
          veto_threshold: '0.334000000000000000',
        },
      },
      mint: {
        minter: { inflation: '0.130000000000000000', annual_provisions: '1234.500000000000000000' },
        params: { inflation_max: '0.530000000000000000', blocks_per_year: '6311520' },
      },
      staking: {
        exported: true,
        validators: [
          {
            operator_address: 'cosmosvaloper1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnxz90a2',
            status: 'BOND_STATUS_BONDED',
            tokens: '900',
            delegator_shares: '900.000000000000000000',
          },
          {
            operator_address: 'cosmosvaloper1pyysjzgfpyysjzgfpyysjzgfpyysjzgfc0q6z2',
            status: 'BOND_STATUS_UNBONDING',
            tokens: '40',
            delegator_shares: '40.000000000000000000',
          },
        ],
        delegations: [
          {
            delegator_address: voterAddress,
            validator_address: 'cosmosvaloper1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnxz90a2',
            shares: '250.000000000000000000',
          },
          {
            delegator_address: voterAddress,
            validator_address: 'cosmosvaloper1pyysjzgfpyysjzgfpyysjzgfpyysjzgfc0q6z2',
            shares: '40.000000000000000000',
          },
        ],
        unbonding_delegations: [{ entries: [{ balance: '2' }, { balance: '3' }] }],
      },
    },
  };
}
