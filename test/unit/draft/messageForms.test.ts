import assert from 'node:assert/strict';
import { findingText } from '../../../src/draft/draftWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { applyEdits, codesOf, coins, draft, findingOf, gov, ofMessages, someone, spend } from './exampleDrafts.ts';

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
    assert.equal(said(ofMessages(amino)), `${wanted} and put the fields of "value" beside it.`);
  });

  it('names its type', () => {
    for (const fields of [{ from_address: gov }, { type: '/cosmos.bank.v1beta1.MsgSend', from_address: gov }])
      assert.equal(said(ofMessages(fields)), 'This message has no "@type".');
  });
});
