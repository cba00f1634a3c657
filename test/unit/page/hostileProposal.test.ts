import assert from 'node:assert/strict';
import { toProposalView } from '../../../src/page/proposalView.ts';
import { slowness } from '../growth.ts';
import { factsOf } from './factsOf.ts';
import { plainWords } from './plainWords.ts';
import { sectionText } from './viewText.ts';

/** Milliseconds of this thread. */
function cpuOf(work: () => unknown): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

const valuesOf = (count: number, value: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, value])));

/** `count` changes of 8,000 values each. */
function hostileFacts(count: number) {
  const changes = Array.from({ length: count }, (_, at) => ({
    subspace: 'odd',
    key: `Key${at}`,
    value: valuesOf(8000, 1),
  }));
  const currentParams = new Map(changes.map(({ key }) => [`odd/${key}`, valuesOf(8000, 2)]));
  const content = { '@type': '/cosmos.params.v1beta1.ParameterChangeProposal', title: 'T', description: 'D', changes };
  return factsOf({ content }, { inputs: { currentParams } });
}

describe('parameter changes of megabytes', () => {
  it('are compared in linear time, and once for all draws', () => {
    const facts = hostileFacts(10);
    const text = valuesOf(8000, 1);
    const parsed = cpuOf(() => {
      for (let round = 0; round < 50; round++) JSON.parse(text);
    });
    const first = cpuOf(() => toProposalView(facts, plainWords));
    assert.ok(first < parsed * slowness, `first ${first} ms, 50 times parsed in ${parsed} ms`);
    const later = cpuOf(() => {
      for (let round = 0; round < 10; round++) toProposalView(facts, plainWords);
    });
    // Without what is kept ten draws would take ten times as long as the first.
    assert.ok(later < first * 4, `10 draws in ${later} ms, the first in ${first} ms`);
  });

  it('show a thousand values and the number of the others', () => {
    const text = sectionText(toProposalView(hostileFacts(20), plainWords), 'proposed');
    assert.deepEqual(text.match(/[^\n]* more\. Open JSON to see all\./g), ['7,019 more. Open JSON to see all.']);
    assert.ok(text.includes('field999)') && !text.includes('field1000)'));
  });

  it('are drawn again with other inputs', () => {
    const facts = hostileFacts(1);
    const before = toProposalView(facts, plainWords);
    const after = toProposalView({ ...facts, inputs: undefined }, plainWords);
    assert.notDeepEqual(after.sections[0], before.sections[0]);
  });
});
