import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { toGovParams } from '../../../src/chain/params.ts';
import { chainData } from '../../support/chainData.ts';

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
        burn_vote_quorum: false,
        burn_vote_veto: true,
      },
    });
    assert.deepEqual(params, {
      quorum: 334_000_000_000_000_000n,
      threshold: 500_000_000_000_000_000n,
      vetoThreshold: 334_000_000_000_000_000n,
      expeditedThreshold: 667_000_000_000_000_000n,
      minDeposit: [{ denom: 'stake', amount: 10_000_000n }],
      expeditedMinDeposit: [{ denom: 'stake', amount: 50_000_000n }],
      maxDepositPeriod: 172_800,
      votingPeriod: 86_400.5,
      expeditedVotingPeriod: 86_400,
      burnVoteQuorum: false,
      burnVoteVeto: true,
    });
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
    assert.ok(Object.values(toGovParams(undefined)).every((value) => value === undefined));
    const odd = { quorum: 5, threshold: 'x', min_deposit: [{ denom: 'a', amount: '-1' }], voting_period: {} };
    assert.ok(Object.values(toGovParams({ v1: odd, tally: odd })).every((value) => value === undefined));
  });
});
