import assert from 'node:assert/strict';
import { toCoin } from '../../../src/api/decode/coinRows.ts';
import { displayAmount, groupDigits } from '../../../src/chain/coin.ts';

describe('coin amounts', () => {
  it('keep every digit', () => {
    const amount = '1234567890123456789012345678901234567890';
    assert.equal(toCoin({ denom: 'x', amount }).amount.toString(), amount);
    assert.equal(groupDigits(BigInt(amount)), '1,234,567,890,123,456,789,012,345,678,901,234,567,890');
    assert.deepEqual([0, 999, 1000, -1234567].map(groupDigits), ['0', '999', '1,000', '-1,234,567']);
    assert.equal(displayAmount(BigInt(amount), 18), '1,234,567,890,123,456,789,012.34567890123456789');
  });

  for (const [amount, exponent, text] of [
    [0n, 6, '0'],
    [5n, 6, '0.000005'],
    [1_000_000n, 6, '1'],
    [1_234_567n, 6, '1.234567'],
    [1_200_000_000n, 6, '1,200'],
    [999n, 0, '999'],
    [1000n, 0, '1,000'],
    [-1_500_000n, 6, '-1.5'],
  ] as const) {
    it(`shows ${amount} with exponent ${exponent} as ${text}`, () =>
      assert.equal(displayAmount(amount, exponent), text));
  }
});
