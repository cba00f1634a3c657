import { accountAddress, base64Hash } from './sampleAddresses.ts';
import { sampleCharter } from './sampleCharter.ts';
import {
  byteCode,
  cancelUpgrade,
  clientUpdate,
  content,
  contract,
  everybody,
  onlyAddress,
  parameterChange,
  prose,
  spend,
  text,
  upgrade,
  wasm,
} from './sampleContents.ts';
import type { EndedDraft, SampleContent, SampleVote } from './sampleTypes.ts';

const passed = (content: SampleContent, turnout: number, ...shares: SampleVote['shares']): EndedDraft => ({
  status: 'PASSED',
  content,
  vote: { turnout, shares },
});

/** Proposals that passed, in groups; within a group the oldest comes first. */
export function samplePassed(): EndedDraft[][] {
  return [words(), money(), upgrades(), parameters(), contracts(), others(), atTheLimits()];
}

const words = () => [
  passed(text('Adopt the community charter', sampleCharter()), 812, 941, 32, 20, 7),
  passed(
    text(
      'Name the first network "Lantern"',
      prose(
        '# Why a name',
        'Builders keep asking which network their wallet is on. A name is easier to say than `sample-1`.',
        'If this passes, the documentation, the faucet and the explorers are asked to show **Lantern** next to the chain id. The chain id does not change.',
      ),
    ),
    655,
    702,
    120,
    150,
    28,
  ),
  passed(
    text(
      'Publish a quarterly treasury report',
      prose(
        'The community pool has grown and nobody can say in one place what it was spent on.',
        '## What is asked',
        '1. A report each quarter, in the [documentation](https://docs.example.org/treasury).\n2. Every spend with its proposal, its recipient and what was delivered.\n3. A signed PDF *and* the raw CSV.',
        '| Quarter | Due | Author |\n|---|---|---|\n| first | week 15 | treasury group |\n| second | week 28 | treasury group |\n| third | week 41 | treasury group |',
      ),
    ),
    701,
    884,
    93,
    21,
    2,
  ),
  passed(
    text(
      'Signal: list relayer fees in public dashboards',
      prose(
        'Relayers pay for every packet that they carry.',
        'This signals that validators who run dashboards should show *what relaying costs*, per channel and per week.',
      ),
    ),
    402,
    613,
    201,
    176,
    10,
  ),
  passed(
    text(
      'Retire the old faucet 🚰',
      prose(
        'The first faucet hands out `testcoin`, which no wallet shows any more. 🎉',
        'It is switched off two weeks after this passes; the new one is at https://faucet.example.com/.',
      ),
    ),
    377,
    967,
    20,
    11,
    2,
  ),
  passed(
    text(
      'Recommended minimum gas price of 0.01 usample',
      'Validators are asked to set `minimum-gas-prices = "0.01usample"`.\\n\\nThis is a recommendation.\\n\\n- nothing changes in consensus\\n- wallets update their defaults in the next release',
    ),
    540,
    761,
    88,
    140,
    11,
  ),
  passed(
    text(
      'ترحيب بالمجتمع العربي',
      prose(
        'يقترح هذا النص ترجمة الوثائق الأساسية إلى العربية ونشرها على docs.example.org.',
        'The translation is done by volunteers; no funds are asked for.',
      ),
    ),
    468,
    909,
    71,
    15,
    5,
  ),
];

const money = () => [
  passed(
    spend(
      'Fund a year of public archive nodes',
      prose(
        'Three archive nodes in three regions, open to everyone, for twelve months.',
        '- hardware: 48,000 SAMPLE\n- traffic: 31,500 SAMPLE\n- on-call: 20,500 SAMPLE',
        'Status page: <https://status.example.org/archive>',
      ),
      'archive operators',
      '100000000000usample',
    ),
    588,
    830,
    91,
    70,
    9,
  ),
  passed(
    spend(
      'Translate the validator handbook',
      prose('Five languages, reviewed by two native speakers each.', 'Payment in two parts; this is the first one.'),
      'translators',
      '12500000000usample',
    ),
    431,
    772,
    66,
    150,
    12,
  ),
  passed(
    spend(
      'Hackathon prizes, spring edition',
      prose(
        'Prizes for **eight** teams and tickets for their members.',
        'What is left after the event goes back to the community pool.',
      ),
      'hackathon',
      '40000000000usample',
      '64ticket',
    ),
    505,
    690,
    110,
    180,
    20,
  ),
  passed(
    spend(
      'Independent audit of the bridge contracts',
      prose(
        'Quotes were collected from three firms; the middle one is proposed.',
        'The report is published in full at https://audits.example.org/bridge before any further payment.',
      ),
      'auditors',
      '218750000000usample',
      '1500000000uember',
    ),
    671,
    803,
    52,
    130,
    15,
  ),
  passed(
    spend(
      'Pay back the emergency relayer fees',
      'During the congestion two operators kept every channel open with funds of their own. Receipts are listed in the forum at forum.example.org/t/relayer-fees.',
      'relayer fund',
      '3141592653usample',
    ),
    398,
    952,
    30,
    14,
    4,
  ),
];

const upgrades = () => [
  passed(
    upgrade(
      'Upgrade to v2 "Lantern"',
      prose(
        '## Highlights',
        '- contracts\n- interchain accounts\n- faster queries',
        'Run the binary for your platform from the plan; the upgrade halts the chain at the height of the plan.',
      ),
      'v2-lantern',
      1_204_800,
    ),
    770,
    985,
    10,
    4,
    1,
  ),
  passed(
    upgrade(
      'Upgrade to v3',
      prose(
        'This release updates the consensus engine and prunes old indexes.',
        '> Back up `data/` before you start: the migration cannot be undone.',
      ),
      'v3',
      2_410_000,
    ),
    745,
    969,
    22,
    8,
    1,
  ),
  passed(
    cancelUpgrade(
      'Cancel upgrade v3.1.0',
      'A late test found that v3.1.0 forgets delegations of exactly one unit. The plan is withdrawn; v3.1.2 follows.',
    ),
    620,
    975,
    18,
    5,
    2,
  ),
  passed(
    upgrade(
      'Security release v3.1.2',
      'Coordinated release. Details are published *after* the upgrade height.',
      'v3.1.2',
      3_002_500,
    ),
    803,
    991,
    6,
    2,
    1,
  ),
];

const parameters = () => [
  passed(
    parameterChange(
      'Raise the number of validators to 100',
      prose('Twenty-one operators stand by today.', 'The limit rises from 80 to 100; nothing else changes.'),
      ['staking', 'MaxValidators', '100'],
    ),
    560,
    688,
    90,
    200,
    22,
  ),
  passed(
    parameterChange(
      'Longer window for missed blocks',
      'A window of 10,000 blocks forgives a reboot and still notices an outage within a day.',
      ['slashing', 'SignedBlocksWindow', '"10000"'],
      ['slashing', 'MinSignedPerWindow', '"0.050000000000000000"'],
    ),
    512,
    804,
    101,
    90,
    5,
  ),
  passed(
    parameterChange('Community tax of 2 %', 'The tax that fills the community pool becomes 2 % of the block rewards.', [
      'distribution',
      'communitytax',
      '"0.020000000000000000"',
    ]),
    489,
    597,
    88,
    290,
    25,
  ),
  passed(
    parameterChange(
      'Minimum deposit of 500 SAMPLE',
      'The old minimum of 10 SAMPLE let a hundred empty proposals through in one night.',
      [
        'gov',
        'depositparams',
        '{"min_deposit":[{"denom":"usample","amount":"500000000"}],"max_deposit_period":"1209600000000000"}',
      ],
    ),
    699,
    921,
    37,
    38,
    4,
  ),
];

const contracts = () => [
  passed(
    wasm(
      'StoreCode',
      'Store the name service contract',
      prose(
        'Source: https://code.example.org/names, built with the reproducible builder.',
        'SHA-256 of the byte code is in the release notes.',
      ),
      { run_as: accountAddress('names'), wasm_byte_code: byteCode('names 1.0.0'), instantiate_permission: everybody },
    ),
    455,
    783,
    111,
    100,
    6,
  ),
  passed(
    wasm(
      'InstantiateContract',
      'Start the name service',
      'Names cost 5 SAMPLE a year; the income goes to the community pool.',
      {
        run_as: accountAddress('names'),
        admin: accountAddress('names'),
        code_id: '12',
        label: 'names',
        msg: { registry: { price: '5000000', denom: 'usample', max_years: 10 }, reserved: ['admin', 'gov', 'root'] },
        funds: [{ denom: 'usample', amount: '1000000' }],
      },
    ),
    441,
    755,
    130,
    105,
    10,
  ),
  passed(
    wasm('MigrateContract', 'Migrate the name service to 1.1', 'Adds transfers of names. State is migrated in place.', {
      contract: contract('names'),
      code_id: '17',
      msg: { migrate: { from: '1.0.0', keep_prices: true } },
    }),
    409,
    804,
    121,
    70,
    5,
  ),
  passed(
    wasm(
      'PinCodes',
      'Pin the codes that every block uses',
      'Pinned codes stay in memory; the three below are called in most blocks.',
      { code_ids: ['12', '17', '23'] },
    ),
    395,
    850,
    120,
    25,
    5,
  ),
  passed(
    wasm(
      'UpdateAdmin',
      'Hand the oracle contract to governance',
      'The admin becomes the gov module, so that only a vote can change the oracle.',
      { new_admin: accountAddress('oracle council'), contract: contract('oracle') },
    ),
    520,
    905,
    60,
    30,
    5,
  ),
  passed(
    wasm(
      'UpdateInstantiateConfig',
      'Restrict who may start vaults',
      'Until the audit is done, only the vault council starts new vaults.',
      { access_config_updates: [{ code_id: '23', instantiate_permission: onlyAddress('vault council') }] },
    ),
    433,
    777,
    98,
    110,
    15,
  ),
];

const others = () => [
  passed(
    clientUpdate(
      'Revive the client of channel 3',
      prose(
        'The client expired because no packet was sent for three weeks.',
        'The substitute was created with the same parameters and is up to date.',
      ),
      3,
      41,
    ),
    466,
    981,
    15,
    3,
    1,
  ),
  passed(
    clientUpdate(
      'Revive the client of channel 12',
      'Same procedure as for channel 3; the other side has already passed its own proposal.',
      19,
      44,
    ),
    390,
    973,
    21,
    5,
    1,
  ),
  passed(
    content(
      '/interchain_security.ccv.provider.v1.ConsumerAdditionProposal',
      'Launch the consumer chain "Harbor"',
      'Harbor rents the security of the sample chain. See https://harbor.example.org for its white paper.',
      {
        chain_id: 'harbor-1',
        initial_height: { revision_number: '1', revision_height: '1' },
        genesis_hash: base64Hash('harbor genesis'),
        binary_hash: base64Hash('harbor binary'),
        spawn_time: '2026-01-01T12:00:00Z',
        unbonding_period: '1728000s',
        ccv_timeout_period: '2419200s',
        transfer_timeout_period: '3600s',
        consumer_redistribution_fraction: '0.75',
        blocks_per_distribution_transmission: '1000',
        historical_entries: '10000',
      },
    ),
    611,
    733,
    87,
    160,
    20,
  ),
  passed(
    content(
      '/osmosis.poolincentives.v1beta1.UpdatePoolIncentivesProposal',
      'Move incentives to the deeper pools',
      'Weights follow the volume of the last four weeks.',
      {
        records: [
          { gauge_id: '1', weight: '4200' },
          { gauge_id: '10', weight: '1800' },
          { gauge_id: '101', weight: '0' },
        ],
      },
    ),
    421,
    692,
    140,
    150,
    18,
  ),
];

/** Votes that met a limit to the unit and passed all the same: quorum and veto are not strict in the same way. */
const atTheLimits = (): EndedDraft[] => [
  {
    status: 'PASSED',
    content: text(
      'Open the governance forum to guests',
      'Guests may read and comment, not vote. Moderation stays with the three elected editors.',
    ),
    vote: { turnout: 334, shares: [720, 100, 170, 10], exact: true },
  },
  {
    status: 'PASSED',
    content: parameterChange('Allow longer memos', 'Exchanges ask for 512 characters.', [
      'auth',
      'MaxMemoCharacters',
      '"512"',
    ]),
    vote: { turnout: 500, shares: [600, 0, 66, 334], exact: true },
  },
];
