import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import { convertedValue, type WantedForm } from '../../../src/draft/fieldForms.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import {
  codesOf,
  coins,
  findingOf,
  gov,
  legacy,
  legacyChange,
  ofMessages,
  reportOf,
  someone,
  spend,
  update,
  upgrade,
} from './exampleDrafts.ts';

const wasm = (name: string, fields: object): string =>
  ofMessages({ '@type': `/cosmwasm.wasm.v1.${name}`, authority: gov, ...fields });
const store = (fields: object): string =>
  wasm('MsgStoreAndInstantiateContract', { wasm_byte_code: 'AGFzbQEAAAA=', label: 'L', msg: {}, funds: [], ...fields });
const pay = (amount: unknown): string => ofMessages(spend(amount));

const transfer = {
  '@type': '/ibc.applications.transfer.v1.MsgTransfer',
  source_port: 'transfer',
  source_channel: 'channel-0',
  token: { denom: 'stake', amount: '5' },
  sender: gov,
  receiver: 'osmo1abc',
};
const instantiate = {
  '@type': '/cosmwasm.wasm.v1.MsgInstantiateContract',
  sender: gov,
  code_id: '7',
  label: 'grants',
  msg: {},
};
const delegate = {
  '@type': '/cosmos.staking.v1beta1.MsgDelegate',
  delegator_address: gov,
  validator_address: 'cosmosvaloper10d07y265gmmuvt4z0w9aw880jnsr700jlk8s6q',
  amount: { denom: 'stake', amount: '5' },
};

/** Values that no node reads, and the form that the sentence names. */
const unreadable: readonly (readonly [what: string, text: string, wanted: string])[] = [
  ['a list for a text', ofMessages(spend(coins('5'), JSON.parse('["a"]'))), 'a string in double quotes'],
  ['a text for a list', wasm('MsgPinCodes', { code_ids: '1' }), 'a list in square brackets'],
  ['a text for an object', ofMessages({ ...upgrade({}), plan: 'v2' }), 'an object in braces'],
  ['a negative code', wasm('MsgPinCodes', { code_ids: ['-1'] }), 'from 0 to 18,446,744,073,709,551,615'],
  ['a code above the range', wasm('MsgPinCodes', { code_ids: ['18446744073709551616'] }), 'from 0 to'],
  ['a height in words', ofMessages(upgrade({ height: '9 million' })), 'a whole number from -9,223'],
  ['hex for base64', store({ wasm_byte_code: '0x0061736' }), 'as base64'],
  ['a text for a boolean', store({ unpin_code: 'true' }), 'true or false'],
  ['an amount with decimals', pay(coins('1.5')), 'a whole number of base units'],
  ['an amount with thousands', pay(coins('1,000')), 'a whole number of base units'],
  ['a scientific amount', pay(coins('1e6')), 'a whole number of base units'],
  ['an object as amount', pay(coins({ value: '5' })), 'a whole number of base units'],
  ['an amount of zero', pay(coins('0')), 'greater than 0'],
  ['a negative amount', pay(coins('-5')), 'above 0'],
  ['coins as a text', pay('5stake'), 'a list of coins'],
  ['one coin in place of a list', pay({ denom: 'stake', amount: '5' }), 'a list of coins'],
];

describe('a value that no node reads', () => {
  for (const [what, text, wanted] of unreadable) {
    it(`is an error that names the right form: ${what}`, () => {
      const finding = findingOf(text, 'field-type');
      assert.equal(finding.severity, 'error');
      assert.ok(findingText(finding, plainEnglish).includes(wanted), findingText(finding, plainEnglish));
    });
  }

  it('does not hide that another coin is above the community pool', () => {
    const text = pay([...coins('1.5', 'photon'), ...coins('9000000')]);
    assert.deepEqual(codesOf(text), ['error spend-over-pool', 'error field-type']);
  });
});

/** Fields that ValidateBasic or the handler refuses when they are empty, with the place of the finding. */
const empty: readonly (readonly [field: string, at: string, message: object])[] = [
  ['to_address', '"/cosmos.bank.v1beta1.MsgSend"', { '@type': '/cosmos.bank.v1beta1.MsgSend', amount: coins('5') }],
  ['receiver', '""', { ...transfer, receiver: '' }],
  ['denom', '{', { ...transfer, token: { amount: '5' } }],
  ['label', '""', { ...instantiate, label: '' }],
  ['code_id', '"0"', { ...instantiate, code_id: '0' }],
  ['code_id', '"/cosmwasm', { ...instantiate, code_id: undefined }],
  ['code_ids', '[]', { '@type': '/cosmwasm.wasm.v1.MsgPinCodes', authority: gov, code_ids: [] }],
  ['denom', '{', { ...delegate, amount: { amount: '5' } }],
  ['recipient', '"/cosmos.dist', { ...spend(coins('5')), recipient: undefined }],
  ['changes', '[]', legacyChange()],
];

describe('a field that must not be empty', () => {
  for (const [field, at, message] of empty) {
    it(`is an error where it is: ${field}, ${JSON.stringify(message).slice(0, 60)}`, () => {
      const text = ofMessages(message);
      const finding = findingOf(text, 'field-empty');
      assert.equal(finding.severity, 'error');
      assert.ok(text.slice(finding.range.start).startsWith(at), text.slice(finding.range.start));
      assert.match(findingText(finding, plainEnglish), new RegExp(`^${field} must not be (empty|0)\\. The chain`));
    });
  }

  it('is one in the file of the command line, too', () => {
    const text = JSON.stringify({ title: 'T', description: 'D', changes: [], deposit: '10000000stake' });
    assert.deepEqual(codesOf(text), ['error field-empty']);
  });

  it('is no finding where it has a value, or another name that is a misspelt one', () => {
    for (const message of [transfer, instantiate, delegate]) {
      assert.ok(!codesOf(ofMessages(message)).includes('error field-empty'), JSON.stringify(message));
    }
    const { receiver: reciever, ...rest } = transfer;
    assert.ok(!codesOf(ofMessages({ ...rest, reciever })).includes('error field-empty'));
    assert.ok(codesOf(ofMessages({ ...rest, reciever })).includes('warning field-unknown'));
  });
});

describe('a value that nodes read', () => {
  for (const [what, text] of [
    ['the largest number of 64 bits', wasm('MsgPinCodes', { code_ids: ['18446744073709551615'] })],
    ['null', store({ instantiate_permission: null })],
    ['base64, and no coins', store({ unpin_code: true, instantiate_permission: { permission: 'Everybody' } })],
    ['a message of a contract as a text', store({ msg: 'claim' })],
    ['an amount', ofMessages(spend(coins('5'), someone))],
  ] as const) {
    it(`is no finding: ${what}`, () => {
      assert.deepEqual(codesOf(text), []);
    });
  }
});

describe('a share in percent', () => {
  it('is converted without the zeros before it, and with those inside of it', () => {
    const converted = (text: string) =>
      convertedValue('decimal', { type: 'string', value: text, offset: 0, length: 0 }, '');
    assert.deepEqual(['00550%', '10050%', '0%', '1000%'].map(converted), ['5.5', '100.5', '0', '10']);
  });
});

describe('a number that is 0', () => {
  it('is called a payment of zero only where it is an amount', () => {
    const text = ofMessages(update('distribution', { community_tax: 0 }));
    assert.match(findingText(findingOf(text, 'field-type'), plainEnglish), /^community_tax must be a decimal/);
  });
});

describe('the coins of a payment', () => {
  const payments: readonly (readonly [name: string, amount: readonly object[], fault: string | undefined])[] = [
    ['none', [], 'empty'],
    ['one denom twice', [...coins('1'), ...coins('2')], 'twice'],
    ['out of order', [...coins('1'), ...coins('2', 'atom')], 'order'],
    ['in order', [...coins('2', 'atom'), ...coins('1')], undefined],
  ];
  for (const [name, amount, fault] of payments) {
    it(`are found where a chain refuses them when it executes: ${name}`, () => {
      const found = reportOf(pay(amount)).findings.find(({ code }) => code === 'coins-form');
      assert.deepEqual(found?.details, fault && { fault });
    });
  }

  it('may be none in a legacy content, which chains have taken', () => {
    const type = '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal';
    const content = { '@type': type, title: 'T', description: 'D', recipient: someone, amount: [] };
    assert.ok(!codesOf(ofMessages(legacy(content))).includes('error coins-form'));
  });
});

describe('a number in another notation', () => {
  const rows: readonly (readonly [wanted: WantedForm, written: string, becomes: unknown])[] = [
    ['u64', '18,446,744,073,709,551,615', '18446744073709551615'],
    ['u64', '18,446,744,073,709,551,616', undefined],
    ['u64', '0', undefined],
    ['i64', '0', '0'],
    ['i64', '9_223_372_036_854_775_807', '9223372036854775807'],
    ['i64', '9_223_372_036_854_775_808', undefined],
    ['u32', '4294967295', 4294967295],
    ['u32', '4294967296', undefined],
    ['whole number', "1'000", 1000],
    ['number', '1 000 000', '1000000'],
    ['number', '1,00', undefined],
    ['number', '1,000_000', undefined],
    ['number', '1.5e1', '15'],
    ['number', '1.25E+1', undefined],
    ['number', '007', '7'],
    ['number', '-7', undefined],
    ['amount', '0', '0'],
    ['positive amount', '0', undefined],
    ['positive amount', '2.5e8', '250000000'],
    ['true or false', 'TRUE', true],
    ['true or false', 'False', false],
    ['true or false', 'yes', undefined],
    ['text', 'a', undefined],
    ['object', '5', undefined],
  ];
  for (const [wanted, written, becomes] of rows)
    it(`becomes ${becomes} where ${written} is written for ${wanted}`, () => {
      const node = { type: 'string', value: written, offset: 0, length: 0 } as const;
      assert.equal(convertedValue(wanted, node, ''), becomes);
    });
});
