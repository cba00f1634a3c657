import assert from 'node:assert/strict';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import type { TextRange } from '../../../src/draft/draftText.ts';
import { fails } from '../../fixtures/seededDrafts/fails.ts';
import { harm } from '../../fixtures/seededDrafts/harm.ts';
import { refused } from '../../fixtures/seededDrafts/refused.ts';
import { atoms, draft, type Seed, spend } from '../../fixtures/seededDrafts/seed.ts';
import { reportOf } from './exampleDrafts.ts';
import { startSeedChain } from './seedFacts.ts';

/** The place that the mistake is at: a member with its name, an element, or the whole file. */
function rangeAt(text: string, path: string): TextRange {
  if (path === '') return { start: 0, end: text.length };
  const root = parseTree(text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text);
  const steps = path.split('/').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const found: Node | undefined = root && findNodeAtLocation(root, steps);
  if (!found) throw new Error(`${path} is not in ${text}`);
  const whole = found.parent?.type === 'property' ? found.parent : found;
  return { start: whole.offset, end: whole.offset + whole.length };
}

describe('mistakes that were seeded before the checks were read', () => {
  let chain: Awaited<ReturnType<typeof startSeedChain>>;
  before(async () => {
    chain = await startSeedChain();
  });
  after(() => chain.stop());

  /** Errors and warnings of a draft, as the chain answers. */
  async function findings(text: string) {
    return reportOf(text, await chain.factsFor(text)).findings.filter(({ severity }) => severity !== 'hint');
  }

  /** The mistakes that are not found at their place. */
  async function missed(seeds: readonly Seed[]): Promise<readonly string[]> {
    const left: string[] = [];
    for (const { mistake, at, text } of seeds) {
      const { start, end } = rangeAt(text, at);
      const found = await findings(text);
      if (!found.some(({ range }) => range.start < end && range.end > start))
        left.push(`${mistake} (${found.map(({ code }) => code).join()})`);
    }
    return left;
  }

  it('begin from a draft in which nothing is found', async () => {
    assert.deepEqual(await findings(draft([spend(atoms('1000000'))])), []);
  });

  const harms: readonly (readonly [name: string, seeds: readonly Seed[], least: number])[] = [
    ['are refused when they are submitted', refused, 0.95],
    ['fail when they are executed', fails, 0.9],
    ['are carried out to harm', harm, 0.8],
  ];
  for (const [name, seeds, least] of harms) {
    it(`are found in ${least * 100} % of the drafts that ${name}`, async () => {
      const left = await missed(seeds);
      const recall = (seeds.length - left.length) / seeds.length;
      const share = `${seeds.length - left.length} of ${seeds.length} (${(100 * recall).toFixed(1)} %) that ${name}`;
      console.log([share, ...left].join('\n  not found: '));
      assert.ok(recall >= least, `${share}; not found: ${left.join('; ')}`);
    });
  }
});
