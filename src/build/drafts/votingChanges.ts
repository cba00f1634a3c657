import { clientUpdate, parameterChange, prose, spend, upgrade } from '../sampleContents.ts';
import type { LiveDraft } from '../sampleTypes.ts';
import { day, voting } from './live.ts';

/** Spends, upgrades and changes of parameters that can be voted on, from nine hours to two weeks after T0. */
export const votingChanges = (): LiveDraft[] => changes();

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
