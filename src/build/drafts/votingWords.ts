import { accountAddress, base64Hash } from '../sampleAddresses.ts';
import { byteCode, content, contract, onlyAddress, prose, text, wasm } from '../sampleContents.ts';
import type { LiveDraft } from '../sampleTypes.ts';
import { day, voting } from './live.ts';

/** Texts and contracts that can be voted on, from three hours to two weeks after T0. */
export const votingWords = (): LiveDraft[] => [...words(), ...contracts()];

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
