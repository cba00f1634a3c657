import assert from 'node:assert/strict';
import { closestName } from '../../../src/chain/closestName.ts';

describe('the closest name', () => {
  it('has one letter added, left out, changed or swapped', () => {
    const names = ['quorum', 'threshold', 'veto_threshold'];
    assert.deepEqual(
      ['quorumm', 'quoru', 'qaorum', 'qourum', 'vetoThreshold', 'nothing'].map((name) => closestName(name, names)),
      ['quorum', 'quorum', 'quorum', 'quorum', 'veto_threshold', undefined],
    );
  });

  it('is the nearest, the first of equally near ones', () => {
    assert.equal(closestName('deposits', ['despoists', 'depositt', 'deposit']), 'depositt');
    assert.equal(closestName('min_deposit_x', ['min_deposit_yy', 'min_deposit_y']), 'min_deposit_y');
  });

  it('differs in no letter of three, in one of seven, and in two of eight', () => {
    const near = (name: string, one: string) => closestName(name, [one]) === one;
    assert.deepEqual([near('abc', 'abd'), near('abcd', 'abce'), near('abcd', 'abef')], [false, true, false]);
    assert.deepEqual([near('abcdefg', 'abcdeff'), near('abcdefg', 'abcdehh')], [true, false]);
    assert.deepEqual([near('abcdefgh', 'abcdefii'), near('abcdefgh', 'abcdeiii')], [true, false]);
    assert.deepEqual([near('abcdefgh', 'abcdefghij'), near('abcdefgh', 'abcdefghijk')], [true, false]);
    assert.deepEqual([near('abcdefgh', 'badcefgh'), near('abcdefgh', 'badcfegh')], [true, false]);
    assert.deepEqual([near('abcdefgh', 'acbdfegh'), near('abcdefg', 'bacdegf')], [true, false]);
    assert.deepEqual([near('abcd', 'bacd'), near('abcd', 'abdc'), near('abcd', 'cbad')], [true, true, false]);
    assert.deepEqual([near('abcd', 'bxcd'), near('abcd', 'xacd'), near('aabb', 'abab')], [false, false, true]);
    assert.deepEqual([near('abcdefgh', 'xyabcdefg'), near('abcdefgh', 'xyabcdefgh')], [false, true]);
  });

  it('has the same words in another order', () => {
    const near = (name: string, one: string) => closestName(name, ['title', one]) === one;
    assert.deepEqual([near('MaxInflation', 'InflationMax'), near('validators_max', 'max_validators')], [true, true]);
    assert.deepEqual([near('MsgSpendPool2', 'Msg2PoolSpend'), near('MaxInflation', 'InflationMin')], [true, false]);
  });

  it('is the right one for names that people write, if it is among them', () => {
    assert.equal(closestName('msgs', ['title', 'messages']), 'messages');
    assert.equal(closestName('description', ['summary']), 'summary');
    assert.equal(closestName('description', ['descriptions', 'title']), 'descriptions');
    assert.equal(closestName('constructor', ['title']), undefined);
  });

  it('is compared without case and underscores at any length, otherwise up to 64 letters', () => {
    const [long, longer] = ['a'.repeat(64), 'a'.repeat(65)];
    assert.equal(closestName('MINDEPOSIT', ['min_depositt', 'min_deposit']), 'min_deposit');
    assert.equal(closestName('m_i_n_d_e_p', ['title', 'mindep']), 'mindep');
    assert.equal(closestName(long, [`${'a'.repeat(63)}b`]), `${'a'.repeat(63)}b`);
    assert.equal(closestName(longer, [long]), undefined);
    assert.equal(closestName(longer.toUpperCase(), [longer]), longer);
  });

  it('is looked for in time that grows with the names alone', () => {
    assert.equal(closestName('a'.repeat(1_000_000), ['a'.repeat(999_999)]), undefined);
  });
});
