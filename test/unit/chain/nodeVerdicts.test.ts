import assert from 'node:assert/strict';
import { versions } from '../../node/build.ts';
import { readRecording } from '../../node/recording.ts';
import { compareVerdicts, verdictsAfterwards } from '../../node/verdicts.ts';

/** How many votes have ended, and how many of them whole units leave open. */
const lastBlock: Readonly<Record<(typeof versions)[number], object>> = {
  '0.45.16': { votes: 25, close: 5 },
  '0.46.16': { votes: 28, close: 5 },
  '0.50.15': { votes: 37, close: 5 },
  '0.53.8': { votes: 37, close: 5 },
};

/** How many rejections are put down to one rule, and of how many it is told what becomes of the deposits. */
const afterwards: Readonly<Record<(typeof versions)[number], object>> = {
  '0.45.16': { rejected: 11, told: 4, toldFates: 6 },
  '0.46.16': { rejected: 11, told: 4, toldFates: 9 },
  '0.50.15': { rejected: 13, told: 6, toldFates: 11 },
  '0.53.8': { rejected: 13, told: 6, toldFates: 8 },
};

for (const version of versions) {
  describe(`votes on a node of SDK ${version}`, () => {
    const recording = readRecording(version);

    it('are foreseen in the last block as the chain then decides, and so are their deposits', async () => {
      const comparisons = await compareVerdicts(recording);
      let close = 0;
      for (const { proposal, ours, expected, deposits, decision } of comparisons) {
        const isClose = ours.startsWith('too close');
        if (isClose) close += 1;
        if (!isClose || expected.startsWith('too close')) assert.equal(ours, expected, proposal.key);
        if (deposits !== undefined) assert.equal(deposits, decision.deposits, `deposits of ${proposal.key}`);
      }
      assert.deepEqual({ votes: comparisons.length, close }, lastBlock[version]);
    });

    it('are explained afterwards by no rule that did not decide, and by nothing else of deposits than what became of them', async () => {
      const verdicts = await verdictsAfterwards(recording);
      let [told, toldFates] = [0, 0];
      for (const { id, key, expected } of recording.proposals) {
        const said = verdicts.get(key);
        if (said === undefined || !expected) continue;
        const [end, named = ''] = said.ours.split(' by ');
        assert.equal(end, expected.end, key);
        if (end !== 'rejected') continue;
        const candidates = named.replace('one of ', '').split(', ');
        assert.ok(candidates.includes(expected.rule ?? ''), `${key}: ${said.ours}`);
        if (candidates.length === 1) told += 1;
        const decision = recording.decisions.findLast((one) => one.id === id);
        if (said.deposits === undefined) continue;
        toldFates += 1;
        assert.equal(said.deposits, decision?.deposits, `deposits of ${key}`);
      }
      const rejected = recording.proposals.filter(({ expected }) => expected?.end === 'rejected').length;
      assert.deepEqual({ rejected, told, toldFates }, afterwards[version]);
    });
  });
}
