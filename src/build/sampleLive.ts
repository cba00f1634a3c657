import { accountAddress, base64Hash } from './sampleAddresses.ts';
import {
  byteCode,
  clientUpdate,
  content,
  contract,
  onlyAddress,
  parameterChange,
  prose,
  spend,
  text,
  upgrade,
  wasm,
} from './sampleContents.ts';
import type { LiveDraft, SampleContent } from './sampleTypes.ts';

const day = 24;
const voting = (endsInHours: number, content: SampleContent): LiveDraft => ({
  status: 'VOTING_PERIOD',
  content,
  endsInHours,
});
const deposit = (endsInHours: number, content: SampleContent): LiveDraft => ({
  status: 'DEPOSIT_PERIOD',
  content,
  endsInHours,
});

/** Proposals that can still be voted on or deposited for, from three hours to two weeks after T0. */
export function sampleLive(): LiveDraft[] {
  return [...words(), ...changes(), ...contracts(), ...waiting()];
}

const words = () => [
  voting(
    3,
    text(
      'Extend the office hours of the help desk',
      prose(
        'The help desk answers from 08:00 to 16:00 UTC.',
        'Volunteers in two more time zones are ready:',
        '| Zone | From | To |\n|:--|--:|--:|\n| UTC+9 | 23:00 | 07:00 |\n| UTC-5 | 13:00 | 21:00 |',
        'No funds are asked for.',
      ),
    ),
  ),
  voting(
    2 * day,
    text(
      'Code of conduct for validators',
      prose(
        '### In short',
        '- say what you run\n- say when you stop\n- never vote with keys that are not yours',
        'The long form is at https://docs.example.org/validators/conduct, section *Keys*.',
      ),
    ),
  ),
  voting(
    9 * day,
    text(
      'Endorse the working group on light clients',
      prose(
        'Light clients let a phone check a balance without trusting a server.',
        'The group meets each second Tuesday; minutes go to <https://lightclients.example.org>.',
      ),
    ),
  ),
  voting(
    13 * day + 20,
    text(
      'Which explorer should the documentation link to?',
      prose('Yes: `explorer.example.org`.', 'No: keep the list of five.', 'Abstain: you do not mind.'),
    ),
  ),
];

const changes = () => [
  voting(
    9,
    parameterChange(
      'Raise the number of validators to 120',
      prose(
        'The set has been full for six months, and nineteen operators wait.',
        'Blocks took 5.9 s on average in the last month; a test with 120 validators took 6.1 s.',
      ),
      ['staking', 'MaxValidators', '120'],
    ),
  ),
  voting(
    23,
    spend(
      'Second year of the public archive nodes',
      prose(
        'The first year ended with 99.97 % of uptime. The request is lower than last year, since two machines are paid for.',
        '- traffic: 36,000 SAMPLE\n- on-call: 21,250 SAMPLE',
      ),
      'archive operators',
      '57250000000usample',
    ),
  ),
  voting(
    3 * day + 4,
    upgrade(
      'Upgrade to v5 "Beacon"',
      prose(
        '## What is new',
        '1. Fee markets\n2. Packet forwarding\n3. Smaller snapshots',
        '## For operators',
        'Memory use during the migration reaches **24 GB**. Set `halt-height` to 0 before you start.',
        'Release notes: https://code.example.org/sampled/releases/v5',
      ),
      'v5-beacon',
      5_120_000,
    ),
  ),
  voting(
    5 * day + 12,
    parameterChange(
      'Milder slashing for downtime, and a longer jail',
      prose(
        'Small operators lose more by one bad night than they earn in a month.',
        'The fraction falls to a fifth; the time in jail doubles.',
      ),
      ['slashing', 'SlashFractionDowntime', '"0.000020000000000000"'],
      ['slashing', 'DowntimeJailDuration', '"1200000000000"'],
    ),
  ),
  voting(
    6 * day,
    clientUpdate(
      'Revive the client of channel 27',
      'Expired on both sides. The substitute was made yesterday by the relayer group.',
      33,
      52,
    ),
  ),
  voting(
    10 * day + 6,
    parameterChange(
      'Stop sending the old voucher',
      'Sends of `voucher-7` are switched off; transfers of everything else stay allowed.',
      ['bank', 'SendEnabled', '[{"denom":"voucher-7","enabled":false}]'],
      ['transfer', 'SendEnabled', 'true'],
    ),
  ),
  voting(
    12 * day + 18,
    parameterChange(
      'Faster governance',
      prose(
        'Seven days of voting instead of fourteen, and a quorum of 40 % to make up for it.',
        'A shorter vote needs more people who take part: please read both lines.',
      ),
      ['gov', 'votingparams', '{"voting_period":"604800000000000"}'],
      [
        'gov',
        'tallyparams',
        '{"quorum":"0.400000000000000000","threshold":"0.500000000000000000","veto_threshold":"0.334000000000000000"}',
      ],
    ),
  ),
];

const contracts = () => [
  voting(
    4 * day,
    wasm(
      'StoreAndInstantiateContract',
      'Store and start the grants contract',
      prose(
        'Grants are paid out in four parts, each after a review.',
        'Reviewers: the three elected editors. Source: https://code.example.org/grants',
      ),
      {
        run_as: accountAddress('grants'),
        wasm_byte_code: byteCode('grants 2.0.0'),
        instantiate_permission: onlyAddress('grants'),
        unpin_code: false,
        admin: accountAddress('grants'),
        label: 'grants',
        msg: {
          editors: [accountAddress('editor 1'), accountAddress('editor 2'), accountAddress('editor 3')],
          parts: 4,
          currency: { native: 'usample' },
        },
        funds: [],
        source: 'https://code.example.org/grants',
        builder: 'builder.example.org/optimizer:0.15.0',
        code_hash: base64Hash('grants'),
      },
    ),
  ),
  voting(
    8 * day,
    wasm(
      'ClearAdmin',
      'Make the name service immutable',
      'Without an admin nobody can migrate the contract any more, neither for good nor for bad.',
      { contract: contract('names') },
    ),
  ),
  voting(
    11 * day,
    content(
      '/sample.lantern.v1.SetBeaconProposal',
      'Light the first beacon',
      'A module of this chain alone: a beacon is a number that everyone can rely on for an hour.',
      {
        beacon: {
          name: 'north',
          interval: '3600s',
          keepers: [accountAddress('keeper 1'), accountAddress('keeper 2')],
          weight: '0.250000000000000000',
        },
        replace: true,
      },
    ),
  ),
];

const waiting = () => [
  deposit(
    5,
    text(
      'Weekly digest by mail',
      prose('One mail each Monday, with what is to be voted on.', 'Sign up at https://digest.example.com/.'),
    ),
  ),
  deposit(
    day + 2,
    spend(
      'Print the handbook',
      'Three hundred copies on recycled paper, sent to universities that asked for it.',
      'print shop',
      '7300000000usample',
      '25000000uember',
    ),
  ),
  deposit(
    2 * day + 9,
    parameterChange('Bigger blocks', 'From 200,000 to 400,000 bytes.', [
      'baseapp',
      'BlockParams',
      '{"max_bytes":"400000","max_gas":"60000000"}',
    ]),
  ),
  deposit(
    4 * day,
    content(
      '/interchain_security.ccv.provider.v1.ConsumerRemovalProposal',
      'Stop the consumer chain "Harbor"',
      'Harbor moves to validators of its own.',
      { chain_id: 'harbor-1', stop_time: '2026-03-01T00:00:00Z' },
    ),
  ),
  deposit(
    6 * day + 15,
    wasm('UnpinCodes', 'Unpin an unused code', 'Code 23 was called four times in the last month.', {
      code_ids: ['23'],
    }),
  ),
  deposit(
    9 * day,
    content(
      '/evmos.erc20.v1.RegisterCoinProposal',
      'Register Ember for use in EVM contracts',
      'Makes `uember` available as an ERC-20 token.',
      {
        metadata: [
          {
            description: 'Ember, issued on the sample chain.',
            denom_units: [
              { denom: 'uember', exponent: 0, aliases: [] },
              { denom: 'ember', exponent: 6, aliases: [] },
            ],
            base: 'uember',
            display: 'ember',
            name: 'Ember',
            symbol: 'EMBER',
          },
        ],
      },
    ),
  ),
  deposit(
    11 * day + 11,
    text('Ask before you fork', 'A short list of people to talk to before a fork is announced.\n\nThat is all.'),
  ),
  deposit(
    13 * day + 5,
    content(
      '/ibc.core.client.v1.UpgradeProposal',
      'Upgrade with a new chain id',
      'Counterparties need the new client state before the halt.',
      {
        plan: {
          name: 'sample-2',
          time: '0001-01-01T00:00:00Z',
          height: '6000000',
          info: '',
          upgraded_client_state: null,
        },
        upgraded_client_state: {
          '@type': '/ibc.lightclients.tendermint.v1.ClientState',
          chain_id: 'sample-2',
          trust_level: { numerator: '0', denominator: '0' },
          trusting_period: '0s',
          unbonding_period: '1814400s',
          max_clock_drift: '0s',
          frozen_height: { revision_number: '0', revision_height: '0' },
          latest_height: { revision_number: '2', revision_height: '6000001' },
          proof_specs: [],
          upgrade_path: ['upgrade', 'upgradedIBCState'],
          allow_update_after_expiry: false,
          allow_update_after_misbehaviour: false,
        },
      },
    ),
  ),
];
