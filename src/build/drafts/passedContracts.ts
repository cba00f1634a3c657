import { accountAddress, base64Hash } from '../sampleAddresses.ts';
import {
  byteCode,
  clientUpdate,
  content,
  contract,
  everybody,
  onlyAddress,
  parameterChange,
  prose,
  text,
  wasm,
} from '../sampleContents.ts';
import type { EndedDraft } from '../sampleTypes.ts';
import { passed, toTheUnit } from './ended.ts';

/** Contracts, clients and contents of other modules that passed, in groups, the oldest first. */
export const passedContracts = (): EndedDraft[][] => [contracts(), others(), atTheLimits()];

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
    [455, 783, 111, 100, 6],
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
    [441, 755, 130, 105, 10],
  ),
  passed(
    wasm('MigrateContract', 'Migrate the name service to 1.1', 'Adds transfers of names. State is migrated in place.', {
      contract: contract('names'),
      code_id: '17',
      msg: { migrate: { from: '1.0.0', keep_prices: true } },
    }),
    [409, 804, 121, 70, 5],
  ),
  passed(
    wasm(
      'PinCodes',
      'Pin the codes that every block uses',
      'Pinned codes stay in memory; the three below are called in most blocks.',
      { code_ids: ['12', '17', '23'] },
    ),
    [395, 850, 120, 25, 5],
  ),
  passed(
    wasm(
      'UpdateAdmin',
      'Hand the oracle contract to governance',
      'The admin becomes the gov module, so that only a vote can change the oracle.',
      { new_admin: accountAddress('oracle council'), contract: contract('oracle') },
    ),
    [520, 905, 60, 30, 5],
  ),
  passed(
    wasm(
      'UpdateInstantiateConfig',
      'Restrict who may start vaults',
      'Until the audit is done, only the vault council starts new vaults.',
      { access_config_updates: [{ code_id: '23', instantiate_permission: onlyAddress('vault council') }] },
    ),
    [433, 777, 98, 110, 15],
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
    [466, 981, 15, 3, 1],
  ),
  passed(
    clientUpdate(
      'Revive the client of channel 12',
      'Same procedure as for channel 3; the other side has already passed its own proposal.',
      19,
      44,
    ),
    [390, 973, 21, 5, 1],
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
    [611, 733, 87, 160, 20],
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
    [421, 692, 140, 150, 18],
  ),
];

/** Votes that met a limit to the unit and passed all the same: quorum and veto are not strict in the same way. */
const atTheLimits = (): EndedDraft[] => [
  toTheUnit(
    passed(
      text(
        'Open the governance forum to guests',
        'Guests may read and comment, not vote. Moderation stays with the three elected editors.',
      ),
      [334, 720, 100, 170, 10],
    ),
  ),
  toTheUnit(
    passed(
      parameterChange('Allow longer memos', 'Exchanges ask for 512 characters.', [
        'auth',
        'MaxMemoCharacters',
        '"512"',
      ]),
      [500, 600, 0, 66, 334],
    ),
  ),
];
