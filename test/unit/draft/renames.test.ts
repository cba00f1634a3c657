import assert from 'node:assert/strict';
import { closestName } from '../../../src/draft/closestName.ts';
import { coins, draft, findingOf, ofMessages, repaired, someone, spend, update } from './exampleDrafts.ts';

/** By the misspelt name a draft with it, and what the repair makes of it. */
const misspelt: readonly (readonly [name: string, text: string, meant: string])[] = [
  ['sumary', draft({ summary: undefined, sumary: 'What it is for' }), 'summary'],
  ['description', draft({ summary: undefined, description: 'What it is for' }), 'summary'],
  ['msgs', draft({ messages: undefined, msgs: [] }), 'messages'],
  ['recipent', ofMessages({ ...spend(coins('5')), recipient: undefined, recipent: someone }), 'recipient'],
  ['max_validator', ofMessages(update('staking', { max_validators: undefined, max_validator: 120 })), 'max_validators'],
];

describe('a field that is misspelt', () => {
  for (const [name, text, meant] of misspelt) {
    it(`is renamed with its value: ${name}`, () => {
      const finding = findingOf(text, 'field-unknown');
      assert.equal('meant' in finding.facts && finding.facts.meant, meant);
      const after = repaired(text, finding);
      assert.deepEqual([...after.keys()], ['key-rename']);
      assert.equal(after.get('key-rename'), text.replace(`"${name}"`, `"${meant}"`));
    });
  }

  it('stays where the object has the field that it is near to', () => {
    assert.deepEqual(findingOf(ofMessages({ ...spend(coins('5')), recipent: someone }), 'field-unknown').repairs, []);
  });

  it('stays where no field is near to it', () => {
    assert.deepEqual(findingOf(draft({ depositor: someone }), 'field-unknown').repairs, []);
  });
});

describe('the closest name', () => {
  it('has one letter added, left out, changed or swapped', () => {
    const names = ['quorum', 'threshold', 'veto_threshold'];
    assert.deepEqual(
      ['quorumm', 'quoru', 'qaorum', 'qourum', 'vetoThreshold', 'nothing'].map((name) => closestName(name, names)),
      ['quorum', 'quorum', 'quorum', 'quorum', 'veto_threshold', undefined],
    );
  });

  it('is looked for in time that grows with the names alone', () => {
    assert.equal(closestName('a'.repeat(1_000_000), ['a'.repeat(999_999)]), undefined);
  });
});
