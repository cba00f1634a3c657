import assert from 'node:assert/strict';
import { versions } from '../../node/build.ts';
import { readRecording } from '../../node/recording.ts';
import { compareVerdicts, verdictsAfterwards } from '../../node/verdicts.ts';

for (const version of versions) {
  describe(`votes on a node of SDK ${version}`, () => {
    const recording = readRecording(version);

    it('are foreseen in the last block as the chain then decides', async () => {
      const comparisons = await compareVerdicts(recording);
      assert.ok(comparisons.length >= 25);
      for (const { proposal, ours, expected } of comparisons) assert.equal(ours, expected, proposal.key);
    });

    it('are explained afterwards as the chain decided', async () => {
      const verdicts = await verdictsAfterwards(recording);
      for (const { key, expected } of recording.proposals) {
        const verdict = verdicts.get(key);
        if (verdict === undefined || !expected) continue;
        // Whole units leave open by which rule: the one that is close, or quorum, whose stake of then is not known.
        const isKnown = expected.rule !== undefined && expected.close === undefined;
        assert.equal(verdict, isKnown ? `${expected.end} by ${expected.rule}` : expected.end, key);
      }
    });
  });
}
