import assert from 'node:assert/strict';
import fc from 'fast-check';
import { optionShares, type Tally, totalVotes } from '../../../src/chain/gov/tally.ts';
import type { RuleResult } from '../../../src/chain/gov/verdict.ts';
import { quotient } from '../../../src/chain/ratio.ts';
import { percentText } from '../../../src/words/values.ts';
import { ruleValueText } from '../../../src/words/verdictWords.ts';

const tallyOf = (yes: bigint, no: bigint, abstain = 0n, noWithVeto = 0n): Tally => ({ yes, no, abstain, noWithVeto });

function rule(name: 'veto' | 'threshold', tally: Tally, limit: bigint): RuleResult {
  const of = totalVotes(tally) - (name === 'threshold' ? tally.abstain : 0n);
  const part = name === 'veto' ? tally.noWithVeto : tally.yes;
  return { name, part, of, value: quotient(part, of), limit, result: 'met', missing: [] };
}

const half = 5n * 10n ** 17n;

describe('the share of an option', () => {
  it('is the same in the table of the votes and in a rule', () => {
    const tally = tallyOf(63_695n, 36_305n);
    assert.equal(percentText(optionShares(tally).yes, tally.yes), '63.70 %');
    assert.equal(ruleValueText(rule('threshold', tally, half), tally), '63.70 %');
    const vetoed = tallyOf(45_702n, 45_703n, 0n, 8_595n);
    assert.equal(
      ruleValueText(rule('veto', vetoed, half), vetoed),
      percentText(optionShares(vetoed).noWithVeto, vetoed.noWithVeto),
    );
  });

  it('is that of the votes that count where some abstain, which is another', () => {
    const tally = tallyOf(1n, 1n, 1n);
    assert.equal(ruleValueText(rule('threshold', tally, half), tally), '50.00 %');
    const rounded = tallyOf(532_489n, 467_511n, 1n);
    assert.equal(ruleValueText(rule('threshold', rounded, half), rounded), '53.25 %');
  });

  it('has all its digits where it would look as if it had reached a limit', () => {
    const below = tallyOf(49_996n, 50_004n);
    assert.equal(percentText(optionShares(below).yes, below.yes), '50.00 %');
    assert.equal(ruleValueText(rule('threshold', below, half), below), '49.996 %');
  });

  it('never looks as if it were on another side of a limit', () => {
    const vote = fc.bigInt(0n, 10n ** 6n);
    const limits = fc.bigInt(0n, 10n ** 6n);
    fc.assert(
      fc.property(vote, vote, vote, limits, (yes, no, noWithVeto, of) => {
        const tally = tallyOf(yes, no, 0n, noWithVeto);
        const limit = of * 10n ** 12n;
        const one = rule('threshold', tally, limit);
        fc.pre(one.value !== undefined && one.value !== limit);
        // Less than the least that is written is read as nothing.
        const shown = Number.parseFloat(ruleValueText(one, tally).replace('<0.01', '0'));
        const cut = Number((limit * 10_000n) / 10n ** 18n) / 100;
        assert.ok((one.value ?? 0n) < limit ? shown < Number(of) / 10_000 : shown > cut);
      }),
    );
  });
});
