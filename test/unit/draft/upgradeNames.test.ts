import assert from 'node:assert/strict';
import { needsOf } from '../../../src/draft/draftNeeds.ts';
import { readDraft } from '../../../src/draft/draftText.ts';
import { findingText } from '../../../src/draft/draftWords.ts';
import { createFactsReader } from '../../../src/draft/factsReader.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { startSampleNode } from '../../support/nodes.ts';
import { codesOf, coins, findingOf, known, ofMessages, spend, upgrade } from './exampleDrafts.ts';

const named = (name: string): string => ofMessages(upgrade({ name }));

describe('the name of an upgrade on a chain that does not say which were applied', () => {
  const about = known({
    height: 2000n,
    appliedPlans: new Map(),
    passedPlans: [
      { id: 7n, name: 'v3', height: 1500n },
      { id: 8n, name: 'v4', height: 2500n },
      { id: 9n, name: 'v5', height: undefined },
    ],
  });

  it('is no name of an earlier plan that passed and whose block has passed', () => {
    const finding = findingOf(named('v3'), 'upgrade-applied', about);
    assert.equal(finding.severity, 'warning');
    assert.equal(named('v3').slice(finding.range.start, finding.range.end), '"v3"');
    assert.equal(
      findingText(finding, plainEnglish),
      'Proposal 7 planned an upgrade named "v3" at height 1,500. If it was applied, the name cannot be used again.',
    );
  });

  it('may be that of a plan ahead, without a height, or of none', () => {
    for (const name of ['v4', 'v5', 'v6']) assert.deepEqual(codesOf(named(name), about), []);
  });
});

describe('the plans that passed', () => {
  let sample: Awaited<ReturnType<typeof startSampleNode>>;
  before(async () => {
    sample = await startSampleNode();
  });
  after(() => sample.dispose());
  const factsFor = async (text: string) => {
    const draft = readDraft(text);
    if (typeof draft !== 'object') throw new Error('This is no draft');
    return createFactsReader(sample.node)(needsOf(draft));
  };

  it('are read of a state, with their heights', async () => {
    const { passedPlans = [] } = await factsFor(named('v3'));
    assert.ok(passedPlans.some(({ name, height }) => name === 'v3' && height === 2_410_000n));
    assert.ok(!passedPlans.some(({ name }) => name === 'v4-fast'), 'a rejected one');
  });

  it('are not read for other drafts', async () => {
    assert.equal((await factsFor(ofMessages(spend(coins('5'))))).passedPlans, undefined);
  });
});
