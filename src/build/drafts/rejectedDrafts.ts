import { accountAddress } from '../sampleAddresses.ts';
import { byteCode, everybody, parameterChange, prose, spend, text, upgrade, wasm } from '../sampleContents.ts';
import type { EndedDraft } from '../sampleTypes.ts';
import { rejected, toTheUnit } from './ended.ts';

/** Proposals that were rejected, grouped by the reason, the oldest first. */
export const rejectedDrafts = (): EndedDraft[][] => [withoutQuorum(), withoutMajority(), vetoed(), onTheEdge()];

const withoutQuorum = () => [
  rejected(
    text('Rename the coin to LAMP', 'Shorter, brighter, and it rhymes with nothing. Please vote.'),
    [212, 530, 120, 320, 30],
  ),
  rejected(
    spend(
      'Stickers for every validator',
      prose('Two hundred stickers of good quality.', 'Design: https://art.example.com/stickers (three drafts).'),
      'stickers',
      '900000000usample',
    ),
    [281, 811, 79, 100, 10],
  ),
  rejected(
    parameterChange('Shorter unbonding of 14 days', 'Twenty-one days are long when markets move.', [
      'staking',
      'UnbondingTime',
      '"1209600000000000"',
    ]),
    [333, 640, 60, 280, 20],
  ),
  rejected(
    text(
      'Meet in person',
      'Where? When? Let us find out together.\r\n\r\n- a city with trains\r\n- a room for eighty\r\n- a Thursday\r\n',
    ),
    [8, 1000, 0, 0, 0],
  ),
];

const withoutMajority = () => [
  rejected(
    spend(
      'Marketing campaign with a famous friend',
      prose(
        'A well-known face (we may not say whose) talks about the chain for thirty seconds.',
        'Half now, half later. Nothing comes back if the clip is not made.',
      ),
      'marketing',
      '1250000000000usample',
    ),
    [744, 214, 80, 520, 186],
  ),
  rejected(
    parameterChange(
      'Inflation between 10 and 30 %',
      'Higher rewards bring more stakers.',
      ['mint', 'InflationMin', '"0.100000000000000000"'],
      ['mint', 'InflationMax', '"0.300000000000000000"'],
    ),
    [690, 305, 70, 490, 135],
  ),
  rejected(
    wasm(
      'StoreCode',
      'Store the lottery contract',
      'Half of the income goes to the winners, a third to the community pool, the rest to the authors.',
      {
        run_as: accountAddress('lottery'),
        wasm_byte_code: byteCode('lottery 0.3.1'),
        instantiate_permission: everybody,
      },
    ),
    [455, 401, 140, 340, 119],
  ),
  rejected(
    text(
      'Stop publishing block times in local time',
      'UTC is enough for everybody.\n\nThe explorers should drop the second column.',
    ),
    [420, 340, 250, 390, 20],
  ),
];

const vetoed = () => [
  rejected(
    text(
      '🎁 Claim your SAMPLE airdrop now!!!',
      prose(
        '**CONGRATULATIONS, STAKERS!** The foundation distributes 5,000,000 SAMPLE to active wallets.',
        '1. Open [https://docs.example.org/airdrop](https://claim-airdrop.example.com/connect)\n2. Connect your wallet\n3. Confirm the transaction to receive your tokens',
        'Only the first 2,000 wallets. Ends in **24 hours**!',
      ),
    ),
    [702, 12, 18, 60, 910],
  ),
  rejected(
    spend(
      'Move the community pool to a wallet of the founders',
      'We would keep it safe. Trust us.',
      'founders',
      '9000000000000usample',
    ),
    [811, 92, 31, 240, 637],
  ),
  rejected(
    upgrade('Upgrade to v4-fast', 'Binary only; the source follows in some weeks.', 'v4-fast', 4_100_000),
    [733, 420, 20, 160, 400],
  ),
];

const onTheEdge = () => [
  toTheUnit(
    rejected(
      text(
        'Should blocks be named after trees?',
        'Block 4,800,000 would be a birch. There are many blocks and few trees.',
      ),
      [480, 450, 100, 450, 0],
    ),
  ),
  toTheUnit(
    rejected(
      text('No opinion wanted', 'This proposal asks everybody to abstain, to see whether the software gets it right.'),
      [512, 0, 1000, 0, 0],
    ),
  ),
];
