import assert from 'node:assert/strict';
import { closestName } from '../../../src/chain/closestName.ts';

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
