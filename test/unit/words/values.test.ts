import assert from 'node:assert/strict';
import type { Translate } from '../../../src/words/language.ts';
import { durationText } from '../../../src/words/time.ts';
import { shortAmount } from '../../../src/words/values.ts';

const t: Translate = (message, ...values) => message.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)]));

describe('amounts in rows', () => {
  for (const [amount, exponent, text] of [
    [0n, 6, '0'],
    [5n, 6, '0.000005'],
    [1_500_000n, 6, '1.5'],
    [12_050_000n, 6, '12.05'],
    [12_001_000n, 6, '12'],
    [999_999_999n, 6, '999.99'],
    [1_000_000_000n, 6, '1 K'],
    [413_437_623_720_153n, 6, '413.4 M'],
    [999_999_999_999n, 0, '999.9 B'],
    [999_999_999_999_999n, 0, '999.9 T'],
    [1_234_567_890_123_456_789n, 0, '1.2e18'],
    [10n ** 30n, 0, '1e30'],
  ] as const) {
    it(`show ${amount} with exponent ${exponent} as ${text}`, () => assert.equal(shortAmount(amount, exponent), text));
  }
});

describe('durations in rows', () => {
  for (const [minutes, text] of [
    [0.5, '< 1 min'],
    [59, '59 min'],
    [60, '1 h'],
    [23 * 60 + 59, '23 h'],
    [47 * 60, '1 d'],
    [11 * 1440, '11 d'],
  ] as const) {
    it(`show ${minutes} minutes as ${text}`, () => assert.equal(durationText(minutes * 60_000, 'brief', t), text));
  }
});
