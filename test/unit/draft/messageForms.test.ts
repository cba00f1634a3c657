import assert from 'node:assert/strict';
import { type ChainFacts, nothingKnown } from '../../../src/draft/chainFacts.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import {
  applyEdits,
  codesOf,
  coins,
  draft,
  findingOf,
  gov,
  known,
  ofMessages,
  someone,
  spend,
} from './exampleDrafts.ts';

const messages = (...list: readonly unknown[]): string => draft({ messages: list, metadata: '' });
const said = (text: string): string => findingText(findingOf(text, 'type-missing'), plainEnglish);

describe('a message', () => {
  it('is an object, and no text of one, from which it is taken', () => {
    const text = messages(JSON.stringify(spend(coins('5'))));
    const finding = findingOf(text, 'type-missing');
    assert.equal(said(text), 'This message is JSON in a string. Use the JSON itself, without the quotes around it.');
    assert.deepEqual(codesOf(applyEdits(text, finding.repairs[0]?.edits ?? [])), []);
  });

  it('is no other value', () => {
    for (const value of ['/cosmos.bank.v1beta1.MsgSend', 5, null, []])
      assert.equal(said(messages(value)), 'A message must be an object in braces.');
  });

  it('is not in the form of Amino', () => {
    const amino = { type: 'cosmos-sdk/MsgSend', value: { from_address: gov, to_address: someone, amount: coins('5') } };
    const wanted =
      'This message is in Amino form. Use "@type" with the full type, such as "/cosmos.bank.v1beta1.MsgSend",';
    assert.equal(said(ofMessages(amino)), `${wanted} and put the fields of "value" next to it.`);
  });

  it('names its type', () => {
    for (const fields of [
      { from_address: gov },
      { type: 'x', from_address: gov },
      { type: 'x', value: 5 },
      { value: {} },
    ])
      assert.equal(said(ofMessages(fields)), 'This message has no "@type".');
  });
});

/** The command line makes contents of other types by commands of their own (x/gov/types/v1beta1/proposal.go). */
describe('a legacy content in place of a message', () => {
  it('is not wrapped by a repair where the gov account is not known', () => {
    const text = ofMessages({ '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'T', description: 'D' });
    const repairs = (about: ChainFacts) => findingOf(text, 'legacy-in-messages', about).repairs.map(({ code }) => code);
    assert.deepEqual(repairs(known({})), ['wrap-legacy']);
    assert.deepEqual(repairs(known({ govAccount: undefined })), []);
  });
});

describe('the type of a legacy proposal', () => {
  const file = (type: unknown, more: object = {}): string =>
    JSON.stringify({ title: 'T', description: 'D', type, deposit: '10000000stake', ...more });

  it('is Text', () => {
    for (const type of ['Text', 'text']) assert.deepEqual(codesOf(file(type)), []);
    for (const type of ['Poll', '', 'ParameterChange']) {
      const finding = findingOf(file(type), 'name-unknown');
      assert.match(findingText(finding, plainEnglish), /^type cannot be ".*Did you mean Text\?$/);
      assert.deepEqual(codesOf(applyEdits(file(type), finding.repairs[0]?.edits ?? [])), []);
    }
  });

  it('may be another one on a chain whose version is not known, or with fields of another module', () => {
    assert.ok(codesOf(file('SoftwareUpgrade'), nothingKnown).includes('warning name-unknown'));
    assert.ok(!codesOf(file('Pool', { pool_id: 7 })).some((code) => code.endsWith('name-unknown')));
  });
});
