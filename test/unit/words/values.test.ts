import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sharesOf } from '../../../src/chain/ratio.ts';
import type { Translate } from '../../../src/words/language.ts';
import { besideLabel, labelBeside, ownVotesWords } from '../../../src/words/proposalWords.ts';
import { clockText, dayText, durationText, timeText } from '../../../src/words/time.ts';
import {
  amountText,
  columnAmounts,
  enoughText,
  percentText,
  ratioText,
  rowAmount,
  signed,
} from '../../../src/words/values.ts';

const t: Translate = (message, ...values) => message.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)]));

describe('amounts in rows', () => {
  for (const [amount, exponent, text] of [
    [0n, 0, '0'],
    [1_250_000n, 0, '1,250,000'],
    [413_437_623_720_153n, 6, '413,437,623.72'],
    [1_500_000n, 6, '1.5'],
    [12_050_000n, 6, '12.05'],
    [12_001_000n, 6, '12'],
    [5n, 6, '0.000005'],
    [-5n, 6, '-0.000005'],
    [-999_999_999_999_999n, 0, '-999,999,999,999,999'],
    [999_999_999_999_999n, 0, '999,999,999,999,999'],
    [240_000_000_000_000_000_000_000_000_000n, 0, '2.40 × 10²⁹'],
  ] as const) {
    it(`show ${amount} with exponent ${exponent} as ${text}`, () => assert.equal(rowAmount(amount, exponent), text));
  }
});

it('a column has as many digits after the point as its longest amount needs, at most two, none where all are whole', () => {
  assert.deepEqual(columnAmounts([32_302_500_000_000n, 1_500_000n, 0n], 6), ['32,302,500.0', '1.5', '0.0']);
  assert.deepEqual(columnAmounts([32_302_500_000_000n, 0n], 6), ['32,302,500', '0']);
  assert.deepEqual(columnAmounts([87_838_504_527_158n, 10_157_400_000_000n], 6), ['87,838,504.52', '10,157,400.00']);
  assert.deepEqual(columnAmounts([5n, 2_250_000n, 10n ** 35n], 6), ['0.000005', '2.25', '1.00 × 10²⁹']);
  assert.deepEqual(columnAmounts([-1n, 2n], 0), ['-1', '2']);
});

it('a share that is not zero is never written as zero', () => {
  assert.deepEqual([percentText(0, 0n), percentText(0, 1n), percentText(1, 1n)], ['0.00 %', '<0.01 %', '0.01 %']);
  assert.deepEqual([ratioText(0n), ratioText(1n)], ['0.00 %', '<0.01 %']);
});

describe('days', () => {
  const now = new Date(2026, 10, 24);
  it('of this year stand without it', () => assert.equal(dayText(new Date(2026, 10, 22), now, 'en'), 'Nov 22'));
  it('of another year have it', () => assert.equal(dayText(new Date(2025, 10, 22), now, 'en'), 'Nov 22, 2025'));
  it('have times from 00:00 to 23:59', () => {
    assert.equal(timeText(new Date(2026, 10, 22, 20, 1), 'en'), 'Nov 22, 2026, 20:01');
    assert.equal(clockText(new Date(2026, 10, 22, 0, 1), 'en'), '00:01');
  });
});

it('spans stand in a sentence with their units in words, in a head with their signs', () => {
  const span = ((2 * 24 + 4) * 3600 + 60) * 1000;
  assert.equal(durationText(span, 'long', t), '2 days 4 hours');
  assert.equal(durationText(span, 'short', t), '2 d 4 h');
  assert.equal(durationText(3_661_000, 'exact', t), '1 hour 1 minute 1 second');
});

it('a change has its sign before its digits, a fall as any negative number', () => {
  const change = (amount: bigint) => signed(amount, (of) => amountText({ denom: 'uatom', amount: of }, undefined));
  assert.deepEqual([1_250n, -1_250n, 0n].map(change), ['+1,250 uatom', '-1,250 uatom', '0 uatom']);
});

describe('beside the label of a vote', () => {
  for (const [mark, time, state, text] of [
    ['', '3h', '16%', '3h 16%'],
    ['•', '3h', '16%', '•3h 16%'],
    ['', '12d', '45%', '12d 45%'],
    ['•', '12d', '45%', '•12d'],
    ['', '27m', '45%', '27m'],
    ['', '28m', '0/1', '28m 0/1'],
    ['•', '28m', '0/1', '•28m'],
    ['•', '4d', 'abst', '•4d abst'],
    ['', '2天', '41%', '2天 41%'],
    ['', '23时', '21%', '23时'],
    ['', 'Mar 3, 2026', '', 'Mar 3, 2026'],
  ] as const)
    it(`stands ${text} of ${mark}${time} and ${state || 'nothing'}`, () =>
      assert.equal(besideLabel(mark, time, state), text));

  it('stand 20 characters of it at least, and more where there is space', () => {
    const label = '#1012 Faster governance for small chains';
    assert.equal(labelBeside(label, '12d 45%'), '#1012 Faster governa…');
    assert.equal(labelBeside(label, '•12d'), '#1012 Faster governanc…');
    // The widest letters take the room of two where there is none to spare.
    assert.equal(labelBeside('#724 Raise the number of validators', '•9h 38%'), '#724 Raise the numb…');
    assert.equal(labelBeside('#724 Raise the number of validators', '9h 38%'), '#724 Raise the numbe…');
  });
});

describe('amounts that are needed', () => {
  const unit = { symbol: 'ATOM', exponent: 6, source: 'chain' } as const;
  for (const [amount, text] of [
    [999_999_999_999n, '999,999.999999 ATOM'],
    [1_000_000_000_000n, '1 M ATOM'],
    [24_226_000_000_001n, '24.23 M ATOM'],
    [999_999_999_999_999n, '1,000 M ATOM'],
    [12_345_678_000_000_000_000_000n, '12,345.68 T ATOM'],
  ] as const) {
    it(`show ${amount} as ${text}, which is never less`, () =>
      assert.equal(enoughText({ amount, denom: 'uatom' }, unit), text));
  }

  it('are exact base units where no display unit is known', () => {
    assert.equal(enoughText({ amount: 24_226_000_000_001n, denom: 'uatom' }, undefined), '24,226,000,000,001 uatom');
  });
});

describe('shares that stand together', () => {
  for (const [parts, shares] of [
    [[], []],
    [
      [0n, 0n],
      [0, 0],
    ],
    [
      [1n, 1n, 1n],
      [3_334, 3_333, 3_333],
    ],
    [
      [1n, 2n, 3n, 0n],
      [1_667, 3_333, 5_000, 0],
    ],
    [
      [10n ** 40n, 1n],
      [10_000, 0],
    ],
  ] as const) {
    it(`of ${parts} are ${shares}`, () => assert.deepEqual(sharesOf(parts), shares));
  }

  it('add up to a whole, each as it is but for less than its last digit', () => {
    const amounts = fc.array(fc.bigInt(0n, 10n ** 30n), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(amounts, (parts) => {
        const total = parts.reduce((sum, part) => sum + part, 0n);
        fc.pre(total > 0n);
        const shares = sharesOf(parts);
        assert.equal(
          shares.reduce((sum, share) => sum + share, 0),
          10_000,
        );
        for (const [at, part] of parts.entries()) {
          const cut = Number((part * 10_000n) / total);
          assert.ok(shares[at] === cut || shares[at] === cut + 1);
        }
      }),
    );
  });
});

describe('durations in rows', () => {
  for (const [minutes, text] of [
    [0.5, '<1m'],
    [59, '59m'],
    [60, '1h'],
    [23 * 60 + 59, '23h'],
    [47 * 60, '1d'],
    [11 * 1440, '11d'],
  ] as const) {
    it(`show ${minutes} minutes as ${text}`, () => assert.equal(durationText(minutes * 60_000, 'brief', t), text));
  }
});

it('own votes are told in words where there is space: of one account how it voted, of several how many did', () => {
  const yes = { words: 'me: voted yes', inRow: 'yes', isMissing: false };
  const none = { words: 'ops: has not voted', inRow: '', isMissing: true };
  const texts = [[], [yes], [none], [none, none], [yes, none], [yes, yes]].map((votes) => ownVotesWords(votes, t));
  assert.deepEqual(texts, ['', 'yes', 'not voted', 'not voted', '1 of 2 voted', '2 of 2 voted']);
});
