import { accountAddress, hexAddress } from './sampleAddresses.ts';
import {
  byteCode,
  content,
  contract,
  everybody,
  parameterChange,
  prose,
  spend,
  text,
  upgrade,
  wasm,
} from './sampleContents.ts';
import type { EndedDraft, SampleContent, SampleVote } from './sampleTypes.ts';

const ended =
  (status: 'REJECTED' | 'FAILED') =>
  (content: SampleContent, turnout: number, ...shares: SampleVote['shares']): EndedDraft => ({
    status,
    content,
    vote: { turnout, shares },
  });
const rejected = ended('REJECTED');
const failed = ended('FAILED');
const toTheUnit = (content: SampleContent, vote: Omit<SampleVote, 'exact'>): EndedDraft => ({
  status: 'REJECTED',
  content,
  vote: { ...vote, exact: true },
});

/** Proposals that were rejected, each for another reason, and proposals that passed and could not be executed. */
export function sampleRejected(): EndedDraft[][] {
  return [withoutQuorum(), withoutMajority(), vetoed(), onTheEdge(), notExecuted()];
}

const withoutQuorum = () => [
  rejected(
    text('Rename the coin to LAMP', 'Shorter, brighter, and it rhymes with nothing. Please vote.'),
    212,
    530,
    120,
    320,
    30,
  ),
  rejected(
    spend(
      'Stickers for every validator',
      prose('Two hundred stickers of good quality.', 'Design: https://art.example.com/stickers (three drafts).'),
      'stickers',
      '900000000usample',
    ),
    281,
    811,
    79,
    100,
    10,
  ),
  rejected(
    parameterChange('Shorter unbonding of 14 days', 'Twenty-one days are long when markets move.', [
      'staking',
      'UnbondingTime',
      '"1209600000000000"',
    ]),
    333,
    640,
    60,
    280,
    20,
  ),
  rejected(
    text(
      'Meet in person',
      'Where? When? Let us find out together.\r\n\r\n- a city with trains\r\n- a room for eighty\r\n- a Thursday\r\n',
    ),
    8,
    1000,
    0,
    0,
    0,
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
    744,
    214,
    80,
    520,
    186,
  ),
  rejected(
    parameterChange(
      'Inflation between 10 and 30 %',
      'Higher rewards bring more stakers.',
      ['mint', 'InflationMin', '"0.100000000000000000"'],
      ['mint', 'InflationMax', '"0.300000000000000000"'],
    ),
    690,
    305,
    70,
    490,
    135,
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
    455,
    401,
    140,
    340,
    119,
  ),
  rejected(
    text(
      'Stop publishing block times in local time',
      'UTC is enough for everybody.\n\nThe explorers should drop the second column.',
    ),
    420,
    340,
    250,
    390,
    20,
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
    702,
    12,
    18,
    60,
    910,
  ),
  rejected(
    spend(
      'Move the community pool to a wallet of the founders',
      'We would keep it safe. Trust us.',
      'founders',
      '9000000000000usample',
    ),
    811,
    92,
    31,
    240,
    637,
  ),
  rejected(
    upgrade('Upgrade to v4-fast', 'Binary only; the source follows in some weeks.', 'v4-fast', 4_100_000),
    733,
    420,
    20,
    160,
    400,
  ),
];

const onTheEdge = () => [
  toTheUnit(
    text(
      'Should blocks be named after trees?',
      'Block 4,800,000 would be a birch. There are many blocks and few trees.',
    ),
    { turnout: 480, shares: [450, 100, 450, 0] },
  ),
  toTheUnit(
    text('No opinion wanted', 'This proposal asks everybody to abstain, to see whether the software gets it right.'),
    { turnout: 512, shares: [0, 1000, 0, 0] },
  ),
];

const notExecuted = () => [
  failed(
    spend(
      'Fund the interchain library',
      prose(
        'A library for reading packets, in three languages.',
        'The amount asked for was agreed in the forum before the pool was used for the audit.',
      ),
      'library',
      '98000000000000usample',
    ),
    566,
    780,
    90,
    120,
    10,
  ),
  failed(
    wasm(
      'ExecuteContract',
      'Pay out the vault of season one',
      'Closes the vault and pays everybody who is still in it.',
      {
        run_as: accountAddress('vault council'),
        contract: contract('vault'),
        msg: { close: { season: 1, pay_out: true } },
        funds: [],
      },
    ),
    402,
    911,
    60,
    25,
    4,
  ),
  failed(
    parameterChange(
      'Two hundred validators, zero entries',
      'Raises the limit of validators and drops the limit of unbonding entries.',
      ['staking', 'MaxValidators', '200'],
      ['staking', 'MaxEntries', '0'],
    ),
    478,
    640,
    100,
    230,
    30,
  ),
  failed(
    wasm(
      'SudoContract',
      'Reset the price feed',
      'The feed stands still since the last upgrade; sudo resets its round counter.',
      { contract: contract('oracle'), msg: { reset_round: { to: '0' } } },
    ),
    377,
    802,
    140,
    50,
    8,
  ),
  failed(
    content(
      '/evmos.erc20.v1.ToggleTokenConversionProposal',
      'Pause conversion of the old bridge token',
      'The pair was removed an upgrade ago, as it turned out afterwards.',
      { token: `0x${hexAddress('old bridge')}` },
    ),
    430,
    870,
    90,
    35,
    5,
  ),
];
