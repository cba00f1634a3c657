import assert from 'node:assert/strict';
import { depositStanding } from '../../../src/chain/gov/proposal.ts';
import { optionShares, type Tally, totalVotes, voteOptions } from '../../../src/chain/gov/tally.ts';
import { percent, quotient, sharesOf, toRatio, whole } from '../../../src/chain/ratio.ts';

const votes = (yes: bigint, abstain: bigint, no: bigint, noWithVeto: bigint): Tally => ({
  yes,
  abstain,
  no,
  noWithVeto,
});

describe('tally shares', () => {
  const shares = (tally: Tally) => voteOptions.map((option) => quotient(tally[option], totalVotes(tally)));

  it('are shares of all votes, as the chain divides', () => {
    const half = whole / 2n;
    assert.deepEqual(shares(votes(2n, 1n, 1n, 0n)), [half, half / 2n, half / 2n, 0n]);
    assert.deepEqual(shares(votes(0n, 7n, 0n, 0n)), [0n, whole, 0n, 0n]);
    assert.equal(quotient(0n, 0n), undefined);
  });
});

describe('the shares of the options', () => {
  it('add up to 100 % in hundredths, and are all zero without votes', () => {
    assert.deepEqual(optionShares(votes(1n, 1n, 1n, 0n)), { yes: 3334, abstain: 3333, no: 3333, noWithVeto: 0 });
    assert.deepEqual(optionShares(votes(1n, 2n, 3n, 4n)), { yes: 1000, abstain: 2000, no: 3000, noWithVeto: 4000 });
    assert.deepEqual(optionShares(votes(0n, 0n, 0n, 0n)), { yes: 0, abstain: 0, no: 0, noWithVeto: 0 });
  });
});

describe('shares of a whole', () => {
  it('give what is missing to the largest remainders, the first of equal ones', () => {
    assert.deepEqual(sharesOf([1n, 2n]), [3333, 6667]);
    assert.deepEqual(sharesOf([1n, 2n, 4n], 100), [14, 29, 57]);
    assert.deepEqual(sharesOf([4n, 2n, 1n], 100), [57, 29, 14]);
    assert.deepEqual(sharesOf([1n, 1n, 1n, 3n], 8), [2, 1, 1, 4]);
    assert.deepEqual(sharesOf([3n, 1n, 1n, 1n], 8), [4, 2, 1, 1]);
  });

  it('are zero of nothing', () => assert.deepEqual(sharesOf([0n, 0n]), [0, 0]));
});

describe('ratio', () => {
  it('reads every form in which nodes write one', () => {
    const third = 334_000_000_000_000_000n;
    assert.equal(toRatio('0.334000000000000000'), third);
    assert.equal(toRatio('0.334'), third);
    assert.equal(toRatio('334000000000000000'), third);
    assert.equal(toRatio(Buffer.from('0.334000000000000000').toString('base64')), third);
    assert.equal(toRatio(Buffer.from('334000000000000000').toString('base64')), third);
    assert.equal(toRatio('1'), whole);
    assert.equal(toRatio('0'), 0n);
    // 16 digits and more without a point are units of 10^-18.
    assert.equal(toRatio('100000000000000'), 10n ** 14n * whole);
    assert.equal(toRatio('1000000000000000'), 10n ** 15n);
    assert.equal(toRatio('1000000000000000.5'), 10n ** 15n * whole + whole / 2n);
    for (const odd of ['', 'abc', '-1', '1.', '.5', '1e3', '0.3340000000000000001', undefined, null, 0.5]) {
      assert.equal(toRatio(odd), undefined);
    }
  });

  it('divides as the chain does: 18 digits, a half to the even neighbour', () => {
    assert.equal(quotient(1n, 3n), 333_333_333_333_333_333n);
    assert.equal(quotient(2n, 3n), 666_666_666_666_666_667n);
    assert.equal(quotient(1n, 2n * whole), 0n);
    assert.equal(quotient(3n, 2n * whole), 2n);
    assert.equal(quotient(5n, 2n * whole), 2n);
    assert.equal(quotient(1n, 0n), undefined);
  });

  it('is never shown as more than it is', () => {
    assert.equal(percent(499_999_999_999_999_999n), '49.99');
    assert.equal(percent(whole), '100.00');
    assert.equal(percent(0n), '0.00');
    assert.equal(percent(334n * 10n ** 15n), '33.40');
    assert.equal(percent(-8n * 10n ** 15n), '-0.80');
  });
});

describe('deposit standing', () => {
  it('says what is missing, denom by denom', () => {
    const minimum = [
      { denom: 'uatom', amount: 10n },
      { denom: 'stake', amount: 5n },
    ];
    assert.deepEqual(depositStanding([{ denom: 'uatom', amount: 8n }], minimum), [
      { denom: 'uatom', deposited: 8n, needed: 10n, missing: 2n },
      { denom: 'stake', deposited: 0n, needed: 5n, missing: 5n },
    ]);
    assert.equal(depositStanding([{ denom: 'uatom', amount: 11n }], minimum)[0]?.missing, 0n);
  });
});
