import { parameterChange, prose, spend } from '../sampleContents.ts';
import type { EndedDraft } from '../sampleTypes.ts';
import { passed } from './ended.ts';

/** Spends and changes of parameters that passed, in groups, the oldest first. */
export const passedMoney = (): EndedDraft[][] => [money(), parameters()];

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
    [588, 830, 91, 70, 9],
  ),
  passed(
    spend(
      'Translate the validator handbook',
      prose('Five languages, reviewed by two native speakers each.', 'Payment in two parts; this is the first one.'),
      'translators',
      '12500000000usample',
    ),
    [431, 772, 66, 150, 12],
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
    [505, 690, 110, 180, 20],
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
    [671, 803, 52, 130, 15],
  ),
  passed(
    spend(
      'Pay back the emergency relayer fees',
      'During the congestion two operators kept every channel open with funds of their own. Receipts are listed in the forum at forum.example.org/t/relayer-fees.',
      'relayer fund',
      '3141592653usample',
    ),
    [398, 952, 30, 14, 4],
  ),
];

const parameters = () => [
  passed(
    parameterChange(
      'Raise the number of validators to 100',
      prose('Twenty-one operators stand by today.', 'The limit rises from 80 to 100; nothing else changes.'),
      ['staking', 'MaxValidators', '100'],
    ),
    [560, 688, 90, 200, 22],
  ),
  passed(
    parameterChange(
      'Longer window for missed blocks',
      'A window of 10,000 blocks forgives a reboot and still notices an outage within a day.',
      ['slashing', 'SignedBlocksWindow', '"10000"'],
      ['slashing', 'MinSignedPerWindow', '"0.050000000000000000"'],
    ),
    [512, 804, 101, 90, 5],
  ),
  passed(
    parameterChange('Community tax of 2 %', 'The tax that fills the community pool becomes 2 % of the block rewards.', [
      'distribution',
      'communitytax',
      '"0.020000000000000000"',
    ]),
    [489, 597, 88, 290, 25],
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
    [699, 921, 37, 38, 4],
  ),
];
