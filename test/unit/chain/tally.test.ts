import assert from 'node:assert/strict';
import { depositStanding, shares, type Tally, totalVotes, voteOptions } from '../../../src/chain/proposal.ts';
import { percent, quotient, toRatio, whole } from '../../../src/chain/ratio.ts';

const votes = (yes: bigint, abstain: bigint, no: bigint, noWithVeto: bigint): Tally => ({
  yes,
  abstain,
  no,
  noWithVeto,
});

describe('tally shares', () => {
  it('add up to 10,000 hundredths of a percent', () => {
    assert.deepEqual(shares(votes(1n, 1n, 1n, 0n)), { yes: 3334, abstain: 3333, no: 3333, noWithVeto: 0 });
    assert.deepEqual(shares(votes(2n, 2n, 1n, 1n)), { yes: 3333, abstain: 3333, no: 1667, noWithVeto: 1667 });
    assert.deepEqual(shares(votes(0n, 7n, 0n, 0n)), { yes: 0, abstain: 10_000, no: 0, noWithVeto: 0 });
    assert.equal(shares(votes(0n, 0n, 0n, 0n)), undefined);
    const huge = 10n ** 40n;
    assert.deepEqual(shares(votes(huge, 0n, 0n, 1n)), { yes: 10_000, abstain: 0, no: 0, noWithVeto: 0 });
  });

  it('differ from the exact share by less than a hundredth, for any tally', () => {
    let state = 11;
    const random = () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return BigInt(state >>> 4) ** BigInt(1 + ((state >>> 28) % 4));
    };
    for (let round = 0; round < 2000; round++) {
      const tally = votes(random(), random(), random(), random());
      const got = shares(tally);
      assert.ok(got);
      const total = totalVotes(tally);
      let sum = 0;
      for (const option of voteOptions) {
        sum += got[option];
        const off = BigInt(got[option]) * total - tally[option] * 10_000n;
        assert.ok(off < total && off > -total);
      }
      assert.equal(sum, 10_000);
    }
  });
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
