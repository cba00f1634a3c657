import assert from 'node:assert/strict';
import { coins, draft, findingOf, gov, ofMessages, repaired, someone, spend, update } from './exampleDrafts.ts';

const transfers = { '@type': '/ibc.applications.transfer.v1.MsgUpdateParams', authority: gov, params: {} };
const recovery = {
  '@type': '/ibc.core.client.v1.MsgRecoverClient',
  authority: gov,
  subject_client_id: '07-tendermint-1',
  substitute_client_id: '07-tendermint-2',
};

/** By the misspelt name a draft with it, and what the repair makes of it. */
const misspelt: readonly (readonly [name: string, text: string, meant: string])[] = [
  ['sumary', draft({ summary: undefined, sumary: 'What it is for' }), 'summary'],
  ['description', draft({ summary: undefined, description: 'What it is for' }), 'summary'],
  ['msgs', draft({ messages: undefined, msgs: [] }), 'messages'],
  ['recipent', ofMessages({ ...spend(coins('5')), recipient: undefined, recipent: someone }), 'recipient'],
  ['max_validator', ofMessages(update('staking', { max_validators: undefined, max_validator: 120 })), 'max_validators'],
  ['authority', ofMessages(transfers), 'signer'],
  ['authority', ofMessages(recovery), 'signer'],
];

describe('a field that is misspelt', () => {
  for (const [name, text, meant] of misspelt) {
    it(`is renamed with its value: ${name}`, () => {
      const finding = findingOf(text, 'field-unknown');
      assert.equal('meant' in finding.details && finding.details.meant, meant);
      const after = repaired(text, finding);
      assert.deepEqual([...after.keys()], ['key-rename']);
      assert.equal(after.get('key-rename'), text.replace(`"${name}"`, `"${meant}"`));
    });
  }

  it('stays where the object has the field that it is near to', () => {
    for (const message of [
      { ...spend(coins('5')), recipent: someone },
      { ...transfers, signer: gov },
      { ...recovery, signer: gov },
    ])
      assert.deepEqual(findingOf(ofMessages(message), 'field-unknown').repairs, []);
  });

  it('stays where no field is near to it', () => {
    assert.deepEqual(findingOf(draft({ depositor: someone }), 'field-unknown').repairs, []);
  });
});
