import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { toGovParams } from '../../../src/api/decode/govParams.ts';
import { chainData } from '../../fixtures/chainData.ts';

const group = z.optional(z.nullable(z.record(z.string(), z.unknown())));
const genesis = z.object({
  app_state: z.object({
    gov: z.object({ params: group, tally_params: group, deposit_params: group, voting_params: group }),
  }),
});

describe('gov params', () => {
  it('are unknown where a group was not asked for and holds only zeros', () => {
    const params = toGovParams({
      tally: { quorum: '0.334000000000000000', threshold: '0.5', veto_threshold: '0.334' },
      voting: { voting_period: '0s' },
      deposit: { min_deposit: [], max_deposit_period: '0s' },
    });
    assert.equal(params.quorum, 334n * 10n ** 15n);
    assert.deepEqual(
      [params.votingPeriod, params.minDeposit, params.maxDepositPeriod],
      [undefined, undefined, undefined],
    );
    const voting = toGovParams({
      tally: { quorum: '0', threshold: '0.000000000000000000', veto_threshold: '0' },
      voting: { voting_period: '1209600s' },
    });
    assert.deepEqual([voting.quorum, voting.threshold, voting.vetoThreshold], [undefined, undefined, undefined]);
    assert.equal(voting.votingPeriod, 1_209_600);
  });

  it('of a group are known where one of them is not zero', () => {
    const coins = [{ denom: 'stake', amount: '1' }];
    assert.ok(toGovParams({ deposit: { min_deposit: coins, max_deposit_period: '0s' } }).minDeposit);
    assert.equal(toGovParams({ deposit: { min_deposit: [], max_deposit_period: '5s' } }).maxDepositPeriod, 5);
    assert.equal(toGovParams({ tally: { quorum: '', threshold: '', veto_threshold: '' } }).quorum, undefined);
    assert.equal(toGovParams({ v1: { proposal_cancel_dest: 7, burn_vote_veto: 'true' } }).cancelDestination, undefined);
    assert.equal(toGovParams({ v1: { burn_vote_veto: 'true' } }).burnVoteVeto, undefined);
  });

  it('keep a zero among real values', () => {
    assert.equal(toGovParams({ tally: { quorum: '0', threshold: '0.5', veto_threshold: '0.334' } }).quorum, 0n);
  });

  it('read the whole object of gov v1', () => {
    const params = toGovParams({
      v1: {
        min_deposit: [{ denom: 'stake', amount: '10000000' }],
        max_deposit_period: '172800s',
        voting_period: '86400.5s',
        quorum: '0.334000000000000000',
        threshold: '0.500000000000000000',
        veto_threshold: '0.334000000000000000',
        expedited_threshold: '0.667000000000000000',
        expedited_voting_period: '86400s',
        expedited_min_deposit: [{ denom: 'stake', amount: '50000000' }],
        min_deposit_ratio: '0.010000000000000000',
        proposal_cancel_ratio: '0.500000000000000000',
        proposal_cancel_dest: '',
        burn_vote_quorum: false,
        burn_proposal_deposit_prevote: true,
        burn_vote_veto: true,
      },
    });
    assert.deepEqual(params, {
      ...toGovParams({}),
      quorum: 334_000_000_000_000_000n,
      threshold: 500_000_000_000_000_000n,
      vetoThreshold: 334_000_000_000_000_000n,
      expeditedThreshold: 667_000_000_000_000_000n,
      minDeposit: [{ denom: 'stake', amount: 10_000_000n }],
      expeditedMinDeposit: [{ denom: 'stake', amount: 50_000_000n }],
      maxDepositPeriod: 172_800,
      votingPeriod: 86_400.5,
      expeditedVotingPeriod: 86_400,
      minDepositRatio: 10n ** 16n,
      cancelRatio: 5n * 10n ** 17n,
      cancelDestination: '',
      burnVoteQuorum: false,
      burnDepositPrevote: true,
      burnVoteVeto: true,
    });
  });

  it('read what AtomOne, Sei and Initia add', () => {
    const atomone = toGovParams({
      v1: {
        quorum: '0.25',
        threshold: '0.667',
        constitution_amendment_quorum: '0.25',
        constitution_amendment_threshold: '0.9',
        law_quorum: '0.25',
        law_threshold: '0.9',
        quorum_timeout: '1728000s',
        burn_deposit_no_threshold: '0.8',
      },
      quorums: { quorum: '0.31', constitution_amendment_quorum: '0.42', law_quorum: '0.33' },
    });
    const hundredths = (ratio: bigint | undefined) => ratio && ratio / 10n ** 16n;
    assert.deepEqual(
      [atomone.quorum, atomone.amendmentQuorum, atomone.lawQuorum, atomone.lawThreshold].map(hundredths),
      [31n, 42n, 33n, 90n],
    );
    assert.deepEqual([atomone.vetoThreshold, atomone.quorumTimeout], [undefined, 1_728_000]);
    const sei = toGovParams({
      tally: { quorum: '0.334', threshold: '0.5', expedited_quorum: '0.667', expedited_threshold: '0.667' },
      voting: { voting_period: '172800s', expedited_voting_period: '86400s' },
      deposit: { min_deposit: [], min_expedited_deposit: [{ denom: 'usei', amount: '20' }], max_deposit_period: '1s' },
    });
    assert.deepEqual([sei.expeditedQuorum, sei.expeditedThreshold].map(hundredths), [66n, 66n]);
    assert.deepEqual(sei.expeditedMinDeposit, [{ denom: 'usei', amount: 20n }]);
    assert.equal(sei.expeditedVotingPeriod, 86_400);
    assert.deepEqual(toGovParams({ v1: { low_threshold_functions: ['0x1::a::b', 7] } }).lowThresholdFunctions, [
      '0x1::a::b',
    ]);
  });

  it('read the recorded states, amino included', function () {
    const data = chainData();
    if (!data) return this.skip();
    for (const name of ['sifchain-devnet-1.json.gz', 'sdk-v1-demo.json', 'gaia-13003-amino.slim.json']) {
      const { gov } = genesis.parse(JSON.parse(data.text(`states/${name}`))).app_state;
      const params = toGovParams({
        v1: gov.params ?? undefined,
        tally: gov.tally_params ?? undefined,
        deposit: gov.deposit_params ?? undefined,
        voting: gov.voting_params ?? undefined,
      });
      assert.equal(params.quorum, 334_000_000_000_000_000n);
      assert.equal(params.vetoThreshold, 334_000_000_000_000_000n);
      assert.ok(params.minDeposit && params.votingPeriod && params.votingPeriod < 10_000_000);
    }
  });

  it('are all unknown of nothing and of nonsense', () => {
    assert.ok(Object.values(toGovParams({})).every((value) => value === undefined));
    const odd = { quorum: 5, threshold: 'x', min_deposit: [{ denom: 'a', amount: '-1' }], voting_period: {} };
    assert.ok(Object.values(toGovParams({ v1: odd, tally: odd })).every((value) => value === undefined));
  });
});
