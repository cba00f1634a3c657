import { content, parameterChange, prose, spend, text, wasm } from '../sampleContents.ts';
import type { LiveDraft } from '../sampleTypes.ts';
import { day, deposit } from './live.ts';

/** Proposals that still wait for their deposit. */
export const depositDrafts = (): LiveDraft[] => waiting();

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
