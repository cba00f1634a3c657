import assert from 'node:assert/strict';
import { type Node, parseTree } from 'jsonc-parser';
import type { Finding, Repair } from '../../../src/draft/finding.ts';
import { fails } from '../../fixtures/seededDrafts/fails.ts';
import { harm } from '../../fixtures/seededDrafts/harm.ts';
import { refused } from '../../fixtures/seededDrafts/refused.ts';
import { draft, spend, update, upgrade } from '../../fixtures/seededDrafts/seed.ts';
import { applyEdits, coins, reportOf } from './exampleDrafts.ts';
import { startSeedChain } from './seedFacts.ts';

/** Repairs that put a value of the chain, or of the metadata, in the place of the one that was written; their titles say so. */
const replacing: ReadonlySet<Repair['code']> = new Set([
  'authority-from-chain',
  'deposit-to-submit',
  'deposit-to-vote',
  'height-at-time',
  'text-from-metadata',
  'metadata-from-text',
  'metadata-remove',
  // Its title says that another account pays.
  'spend-from-pool',
]);

/** The texts, numbers and words in a text of JSON, without notation: `5%` and `0.05` are both `5`. */
function valuesIn(node: Node | undefined): readonly string[] {
  if (!node) return [];
  if (node.children) return node.children.flatMap((child) => valuesIn(child));
  const text = String(node.value);
  const bare = text.replace(/\\[nrt]|[\s,_%"'\\.]|^0\.0*/g, '');
  return [/^\d/.test(bare) ? bare.replace(/\D.*$/, '').replace(/^0+|0+$/g, '') : bare];
}

function parsed(text: string): readonly string[] {
  return valuesIn(parseTree(text.replace(/^\ufeff/, '')));
}

/** The parts of the draft that are gone after a repair. */
function lost(text: string, finding: Finding, { code, edits }: Repair): readonly string[] {
  const left = parsed(applyEdits(text, edits));
  const gone = parsed(text).filter((value) => !left.some((other) => other.includes(value)));
  const { start, end } = finding.range;
  const found = text.slice(start, end);
  // A name is kept in another spelling; a period in another unit.
  const isRenamed = code === 'key-rename' || code === 'type-rename' || code === 'convert';
  return gone.filter((value) => !(isRenamed && found.replace(/[^\w/.:-]/g, '').includes(value.slice(0, 3))));
}

describe('the repairs of all seeded drafts', () => {
  let chain: Awaited<ReturnType<typeof startSeedChain>>;
  before(async () => {
    chain = await startSeedChain();
  });
  after(() => chain.stop());

  it('keep what else stands in the draft', async () => {
    let tried = 0;
    for (const { mistake, text } of [...refused, ...fails, ...harm]) {
      for (const finding of reportOf(text, await chain.factsFor(text)).findings) {
        for (const repair of finding.repairs.filter(({ code }) => !replacing.has(code))) {
          tried++;
          const isDrop = repair.code === 'drop-unchanged' || repair.code === 'params-from-chain';
          assert.deepEqual(isDrop ? [] : lost(text, finding, repair), [], `${mistake}: ${repair.code}`);
        }
      }
    }
    assert.ok(tried >= 20, `${tried} repairs`);
  });

  it('take their finding away', async () => {
    for (const { mistake, text } of refused) {
      const facts = await chain.factsFor(text);
      const { findings } = reportOf(text, facts);
      for (const { code, range, repairs } of findings) {
        for (const { code: repair, edits } of repairs) {
          const isSame = (one: Finding): boolean => one.code === code && one.range.start === range.start;
          const count = (list: readonly Finding[]): number => list.filter(isSame).length;
          const left = count(reportOf(applyEdits(text, edits), facts).findings);
          assert.ok(left < count(findings), `${mistake}: ${code} after ${repair}`);
        }
      }
    }
  });
});

describe('a value in another notation', () => {
  const params = (
    name: 'gov.v1' | 'distribution.v1beta1' | 'staking.v1beta1' | 'mint.v1beta1',
    change: object,
  ): string => draft([update(`cosmos.${name}`, change)]);
  const cases: readonly (readonly [written: string, text: string, becomes: string])[] = [
    ['percent', params('distribution.v1beta1', { community_tax: '5%' }), '"0.05"'],
    ['percent with decimals', params('distribution.v1beta1', { community_tax: '2.5 %' }), '"0.025"'],
    ['a decimal comma', params('mint.v1beta1', { inflation_max: '0,15' }), '"0.15"'],
    ['a share without quotes', params('distribution.v1beta1', { community_tax: 0.05 }), '"0.05"'],
    ['days', params('gov.v1', { voting_period: '10d' }), '"864000s"'],
    ['days in words', params('gov.v1', { voting_period: '10 days' }), '"864000s"'],
    ['seconds without their unit', params('staking.v1beta1', { unbonding_time: '1209600' }), '"1209600s"'],
    ['seconds as a number', params('gov.v1', { voting_period: 1_000_000 }), '"1000000s"'],
    ['separators', draft([spend(coins('1,000,000'))]), '"1000000"'],
    ['an exponent', draft([spend(coins('2.5e6'))]), '"2500000"'],
    ['an amount without quotes', draft([spend(coins(70))]), '"70"'],
    ['coins as a text', draft([spend('5uatom')]), '"amount":"5"'],
    ['a height with separators', draft([upgrade({ height: '20,500,000' })]), '"20500000"'],
    ['a flag in quotes', params('gov.v1', { burn_vote_veto: 'false' }), '"burn_vote_veto":false'],
  ];
  let chain: Awaited<ReturnType<typeof startSeedChain>>;
  before(async () => {
    chain = await startSeedChain();
  });
  after(() => chain.stop());

  for (const [written, text, becomes] of cases) {
    it(`is converted: ${written}`, async () => {
      const { findings } = reportOf(text, await chain.factsFor(text));
      const [repair] = findings.find(({ code }) => code === 'field-type')?.repairs ?? [];
      assert.ok(repair, findings.map(({ code }) => code).join());
      assert.ok(applyEdits(text, repair.edits).replace(/\s/g, '').includes(becomes), applyEdits(text, repair.edits));
    });
  }

  for (const [written, amount] of [
    ['a fraction of a base unit', '1000.5'],
    ['two separators in turn', '1,000.000'],
    ['a word', 'many'],
    ['a negative amount', '-5'],
  ] as const) {
    it(`is left to a person: ${written}`, async () => {
      const text = draft([spend(coins(amount))]);
      const found = reportOf(text, await chain.factsFor(text)).findings.find(({ code }) => code === 'field-type');
      assert.deepEqual(found?.repairs, []);
    });
  }
});
