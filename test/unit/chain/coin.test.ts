import assert from 'node:assert/strict';
import { toCoin } from '../../../src/api/decode/coinRows.ts';
import {
  coinsText,
  decimalAmount,
  descending,
  displayAmount,
  groupDigits,
  readCoins,
  unitFault,
} from '../../../src/chain/coin.ts';

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

describe('the metadata of a denom', () => {
  it('have no display unit for want of units, or of the one that they name', () => {
    const stated = { base: 'ua', display: 'a' };
    assert.equal(unitFault({ ...stated, units: [] }), 'none');
    assert.equal(unitFault({ ...stated, units: [{ denom: 'ua', exponent: 0 }] }), 'display');
  });

  it('have a display unit with an exponent from 0 to 77, and a base unit with 0', () => {
    const faultOf = (exponent: number, base = 0) => {
      const units = [
        { denom: 'ua', exponent: base },
        { denom: 'a', exponent },
      ];
      return unitFault({ base: 'ua', display: 'a', units });
    };
    assert.deepEqual(
      [-1, 0, 77, 78, 0.5].map((exponent) => faultOf(exponent)),
      ['exponent', undefined, undefined, 'exponent', 'exponent'],
    );
    assert.equal(faultOf(6, 1), 'base');
    assert.equal(unitFault({ base: 'ua', display: 'a', units: [{ denom: 'a', exponent: 6 }] }), undefined);
  });
});

describe('coins', () => {
  const coins = [
    { denom: 'ub', amount: 7n },
    { denom: 'ua', amount: 5n },
  ];

  it('are read from a list and from a text, whole or not at all', () => {
    assert.deepEqual(readCoins('7ub, 5 ua'), coins);
    assert.deepEqual(readCoins(coins.map(({ denom, amount }) => ({ denom, amount: `${amount}` }))), coins);
    for (const bad of [
      '',
      '7ub,',
      '-7ub',
      'x7ub',
      '7',
      'ub',
      [{ denom: 'ub', amount: 7 }],
      [{ amount: '7' }],
      [{ denom: 7, amount: '7' }],
      [null],
      [7],
      7,
      null,
    ])
      assert.equal(readCoins(bad), undefined, JSON.stringify(bad));
    assert.equal(readCoins([{ denom: 'ub', amount: '7', more: '' }]), undefined);
  });

  it('have whole amounts of 1 to 100 digits, in a list and in a text', () => {
    const digits = '9'.repeat(100);
    const listed = (amount: string) => readCoins([{ denom: 'ua', amount }]);
    for (const read of [listed(digits), readCoins(`${digits}ua`)])
      assert.deepEqual(read, [{ denom: 'ua', amount: BigInt(digits) }]);
    for (const amount of [`${digits}9`, '1.5', '-1', '1e3', ' 1', '1 ', ''])
      assert.equal(listed(amount), undefined, amount);
    for (const text of [`${digits}9ua`, '1.5ua', '1e3']) assert.notDeepEqual(readCoins(text)?.[0]?.denom, 'ua', text);
  });

  it('have denoms of letters, digits and the signs of the SDK', () => {
    assert.deepEqual(readCoins(' 7 ibc/AB-c.d:e_9 '), [{ denom: 'ibc/AB-c.d:e_9', amount: 7n }]);
    for (const text of ['7u a', '7ua$', '7/a', '7ua b']) assert.equal(readCoins(text), undefined, text);
  });

  it('are written as the SDK does, in their order or by denom', () => {
    assert.deepEqual([coinsText(coins), coinsText(coins, 'sorted'), coinsText([])], ['7ub,5ua', '5ua,7ub', '']);
    const sorted = coinsText([...coins, { denom: 'uc', amount: 1n }, { denom: 'ua', amount: 2n }], 'sorted');
    assert.match(sorted, /^[52]ua,[52]ua,7ub,1uc$/);
  });

  it('are sorted by amount, the largest first', () => {
    assert.deepEqual([descending(2n, 1n), descending(1n, 2n), descending(1n, 1n)], [-1, 1, 0]);
  });

  it('are written without separators for other programs', () => {
    assert.deepEqual([decimalAmount(1_234_567n, 0), decimalAmount(1_234_567_890n, 6)], ['1234567', '1234.56789']);
  });
});
