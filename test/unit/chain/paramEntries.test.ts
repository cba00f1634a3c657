import assert from 'node:assert/strict';
import { paramEntries, toSeconds } from '../../../src/chain/gov/params.ts';

const values = (module: string, name: string, value: unknown) =>
  paramEntries(module, name, JSON.stringify(value)).map((entry) => ({ [entry.path]: entry.value ?? entry.raw }));
const days = (count: number) => ({ kind: 'duration', seconds: count * 86_400 });
const ratio = (thousandths: bigint) => ({ kind: 'ratio', ratio: thousandths * 10n ** 15n });

describe('a duration', () => {
  it('is none in a list, or in nothing', () => {
    for (const value of [['172800s'], [5], null, undefined, true]) assert.equal(toSeconds(value), undefined);
  });
});

describe('parameters as values', () => {
  it('read one duration in all its units', () => {
    for (const written of ['604800000000000', '604800s', 604_800_000_000_000]) {
      assert.deepEqual(values('gov', 'votingparams', { voting_period: written }), [{ voting_period: days(7) }]);
      assert.deepEqual(values('staking', 'UnbondingTime', written), [{ UnbondingTime: days(7) }]);
    }
    assert.deepEqual(values('cosmos.gov.v1', 'voting_period', '1209600s'), [{ voting_period: days(14) }]);
    assert.deepEqual(values('cosmos.gov.v1', 'voting_period', '0.5s'), [
      { voting_period: { kind: 'duration', seconds: 0.5 } },
    ]);
    assert.deepEqual(values('cosmos.gov.v1', 'voting_period', '1.25s'), [
      { voting_period: { kind: 'duration', seconds: 1.25 } },
    ]);
    assert.deepEqual(values('cosmos.evidence.v1beta1', 'max_evidence_age', '120s'), [
      { max_evidence_age: { kind: 'duration', seconds: 120 } },
    ]);
    assert.deepEqual(values('ibc.core.connection.v1', 'max_expected_time_per_block', '30000000000'), [
      { max_expected_time_per_block: { kind: 'duration', seconds: 30 } },
    ]);
    assert.deepEqual(values('cosmos.consensus.v1', 'evidence', { max_age_duration: '60s' }), [
      { max_age_duration: { kind: 'duration', seconds: 60 } },
    ]);
    assert.deepEqual(values('baseapp', 'EvidenceParams', { max_age_duration: '172800000000000', max_bytes: '5' }), [
      { max_age_duration: days(2) },
      { max_bytes: '5' },
    ]);
  });

  it('read ratios and coins', () => {
    assert.deepEqual(values('gov', 'tallyparams', { quorum: '0.4', veto_threshold: '0.334000000000000000' }), [
      { quorum: ratio(400n) },
      { veto_threshold: ratio(334n) },
    ]);
    assert.deepEqual(values('mint', 'InflationMax', '0.2'), [{ InflationMax: ratio(200n) }]);
    assert.deepEqual(values('distribution', 'communitytax', '0.02'), [{ communitytax: ratio(20n) }]);
    assert.deepEqual(values('cosmos.slashing.v1beta1', 'slash_fraction_downtime', '0.0001'), [
      { slash_fraction_downtime: { kind: 'ratio', ratio: 10n ** 14n } },
    ]);
    const coins = [{ denom: 'uatom', amount: '12345678901234567890' }];
    assert.deepEqual(values('gov', 'depositparams', { min_deposit: coins, max_deposit_period: '1209600000000000' }), [
      { min_deposit: { kind: 'coins', coins: [{ denom: 'uatom', amount: 12345678901234567890n }] } },
      { max_deposit_period: days(14) },
    ]);
    assert.deepEqual(values('crisis', 'ConstantFee', coins[0]), [
      { ConstantFee: { kind: 'coins', coins: [{ denom: 'uatom', amount: 12345678901234567890n }] } },
    ]);
  });

  it('leave what they do not know as it is', () => {
    assert.deepEqual(values('staking', 'MaxValidators', 200), [{ MaxValidators: '200' }]);
    for (const odd of ['x5s', '5sx', '1.2.3s', '-5s', '5', '', 'x5', '5x', null, true]) {
      const [entry] = paramEntries('gov', 'votingparams', JSON.stringify({ voting_period: odd }));
      assert.equal(entry?.value === undefined, odd !== '5', String(odd));
    }
    assert.deepEqual(values('acme.v1', 'voting_period', '604800s'), [{ voting_period: '604800s' }]);
    assert.deepEqual(values('gov', 'tallyparams', { quorum: 'much', threshold: { deep: [1] } }), [
      { quorum: 'much' },
      { 'threshold.deep': '[1]' },
    ]);
    assert.deepEqual(values('cosmos.consensus.v1', 'block', { max_gas: '-1' }), [{ max_gas: '-1' }]);
    assert.deepEqual(paramEntries('staking', 'X', '{"big":123456789012345678901}'), [
      { path: 'X', raw: '{"big":123456789012345678901}', value: undefined },
    ]);
    assert.deepEqual(paramEntries('staking', 'X', 'not json'), [{ path: 'X', raw: 'not json', value: undefined }]);
  });
});
