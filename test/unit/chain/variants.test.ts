import assert from 'node:assert/strict';
import { toGovParams } from '../../../src/api/decode/govParams.ts';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow } from '../../../src/api/decode/readReply.ts';
import { toTally } from '../../../src/api/decode/voteRows.ts';
import { variantOf } from '../../../src/chain/gov/forks.ts';
import type { GovParams } from '../../../src/chain/gov/params.ts';
import type { Proposal } from '../../../src/chain/gov/proposal.ts';
import { depositRules } from '../../../src/chain/gov/rules.ts';
import type { Tally } from '../../../src/chain/gov/tally.ts';
import { toVerdict, type VerdictInputs } from '../../../src/chain/gov/verdict.ts';

const votes = (yes: bigint, abstain = 0n, no = 0n, noWithVeto = 0n): Tally => ({ yes, abstain, no, noWithVeto });

function voting(wire: Readonly<Record<string, unknown>> = {}, messages: readonly string[] = []): Proposal {
  const row = toProposalRow(
    readProposalRow('v1', {
      id: '1',
      status: 'PROPOSAL_STATUS_VOTING_PERIOD',
      messages: messages.map((type) => ({ '@type': type })),
      ...wire,
    }),
  );
  assert.ok(row.kind === 'proposal');
  return row;
}

const judged = (proposal: Proposal, params: GovParams, tally: Tally | undefined, more: Partial<VerdictInputs> = {}) =>
  toVerdict(proposal, { liveTally: tally, votingPower: 100_000n, params, ...more });

const sdk = toGovParams({
  v1: {
    quorum: '0.334',
    threshold: '0.5',
    veto_threshold: '0.334',
    expedited_threshold: '0.667',
    min_deposit_ratio: '0.01',
    burn_vote_quorum: false,
    burn_vote_veto: true,
    burn_proposal_deposit_prevote: false,
    proposal_cancel_ratio: '0.5',
    proposal_cancel_dest: '',
  },
});

describe('AtomOne', () => {
  const params = toGovParams({
    v1: {
      quorum: '0.25',
      threshold: '0.667',
      law_quorum: '0.3',
      law_threshold: '0.9',
      constitution_amendment_quorum: '0.4',
      constitution_amendment_threshold: '0.95',
      quorum_timeout: '1728000s',
      burn_vote_quorum: true,
      burn_deposit_no_threshold: '0.8',
    },
  });
  const law = '/atomone.gov.v1.MsgProposeLaw';
  const amendment = '/cosmos.gov.v1.MsgProposeConstitutionAmendment';

  it('has no veto, and says that its rules were not tried on a node', () => {
    const verdict = judged(voting(), params, votes(70_000n, 0n, 10_000n, 0n));
    assert.deepEqual(
      verdict.rules.map(({ name }) => name),
      ['bonded', 'quorum', 'notAllAbstain', 'threshold'],
    );
    assert.deepEqual([verdict.variant.name, verdict.assumptions], ['atomone', ['variant']]);
    assert.deepEqual(verdict.outcome, { kind: 'wouldPass' });
  });

  it('takes the highest limits among the kinds of messages', () => {
    const limits = (proposal: Proposal) => {
      const { rules } = judged(proposal, params, votes(1n));
      return rules.flatMap(({ limit }) => (limit === undefined ? [] : [Number(limit / 10n ** 15n)]));
    };
    assert.deepEqual(limits(voting({}, ['/cosmos.bank.v1beta1.MsgSend'])), [250, 667]);
    assert.deepEqual(limits(voting({}, [law])), [300, 900]);
    assert.deepEqual(limits(voting({}, [law, amendment])), [400, 950]);
    assert.deepEqual(limits(voting({ endorsed: true }, [law])), [300, 667]);
    const unknown = judged(voting({}, [law]), { ...params, lawQuorum: undefined }, votes(60_000n));
    assert.deepEqual([unknown.outcome.kind, unknown.missing], ['unknown', ['quorum']]);
  });

  it('counts a vote once: nothing goes on as a regular vote', () => {
    const verdict = judged(voting({ expedited: true }), params, votes(10n));
    assert.deepEqual([verdict.becomesRegular, verdict.deposits?.effect], [false, 'burned']);
  });

  it('may end later while quorum is not reached', () => {
    assert.equal(judged(voting(), params, votes(10n)).endMayMove, 'later');
    assert.equal(judged(voting(), params, votes(60_000n)).endMayMove, undefined);
    assert.equal(judged(voting(), { ...params, quorumTimeout: undefined }, votes(10n)).endMayMove, undefined);
  });

  it('burns deposits where quorum is missed or most vote No', () => {
    const deposits = (tally: Tally) => judged(voting(), params, tally).deposits;
    assert.deepEqual(deposits(votes(10n)), { case: 'quorum', effect: 'burned', parameter: 'burn_vote_quorum' });
    const many = { case: 'manyNo', effect: 'burned', parameter: 'burn_deposit_no_threshold', ratio: 8n * 10n ** 17n };
    assert.deepEqual(deposits(votes(1_000n, 0n, 60_000n)), many);
    assert.deepEqual(deposits(votes(30_000n, 0n, 30_000n))?.effect, 'returned');
    assert.equal(deposits(votes(10_000n, 30_000n, 40_000n)), undefined, 'too close to the limit');
    assert.equal(deposits(votes(10_002n, 30_000n, 40_000n))?.effect, 'returned');
    assert.deepEqual(deposits(votes(9_000n, 30_000n, 41_000n)), many);
    const cases = depositRules(params, variantOf(params, 'staking'), { isStoredAsV1: true }).map((rule) => rule.case);
    assert.deepEqual(cases, ['quorum', 'minimum', 'manyNo', 'otherwise']);
  });

  it('has a status of its own and a tally of three options', () => {
    const vetoed = voting({ status: 'PROPOSAL_STATUS_VETOED' });
    assert.equal(vetoed.status, 'vetoed');
    assert.deepEqual(judged(vetoed, params, undefined).outcome, { kind: 'vetoed' });
    assert.deepEqual(toTally({ yes_count: '5', abstain_count: '1', no_count: '2' }), votes(5n, 1n, 2n));
  });
});

describe('Initia', () => {
  const params = toGovParams({
    v1: {
      quorum: '0.334',
      threshold: '0.5',
      veto_threshold: '0.334',
      expedited_threshold: '0.667',
      low_threshold_functions: ['0x1::vip::refund'],
    },
  });
  // As the client gives it; the nested form of the wire is read in src/api/rest/govReads.ts.
  const tally = toTally({ yes: '600', abstain: '0', no: '200', no_with_veto: '0', power: '1000' });
  const call = (name: string) => ({
    messages: [
      { '@type': '/initia.move.v1.MsgExecute', module_address: '0x1', module_name: 'vip', function_name: name },
    ],
  });

  it('counts turnout against the power that comes with the tally', () => {
    const verdict = judged(voting(), params, tally, { votingPower: undefined });
    assert.deepEqual(
      [verdict.variant.name, verdict.turnout, verdict.outcome.kind],
      ['initia', 8n * 10n ** 17n, 'wouldPass'],
    );
    assert.equal(verdict.unvoted, 200n);
    assert.equal(judged(voting(), sdk, tally, { votingPower: undefined }).variant.name, 'initia');
    assert.equal(judged(voting(), params, votes(1n)).variant.name, 'initia');
    assert.equal(judged(voting(), sdk, { ...votes(1n), power: 5n }).turnout, 2n * 10n ** 17n);
    const ended = judged(voting({ status: 'PROPOSAL_STATUS_REJECTED', final_tally_result: undefined }), params, tally);
    assert.deepEqual(ended.assumptions, []);
  });

  it('takes the expedited threshold in emergencies, but for listed calls', () => {
    const limit = (wire: object) =>
      judged(voting({ ...wire }), params, tally).rules.find(({ name }) => name === 'threshold')?.limit;
    assert.equal(limit({ emergency: true, ...call('refund') }), params.threshold);
    assert.equal(limit({ emergency: true, ...call('other') }), params.expeditedThreshold);
    assert.equal(limit({ expedited: true, ...call('other') }), params.expeditedThreshold);
    const both = { messages: [...call('refund').messages, ...call('other').messages] };
    assert.equal(limit({ emergency: true, ...both }), params.expeditedThreshold);
    const send = { messages: [{ ...call('refund').messages[0], '@type': '/initia.move.v1.MsgExecuteOther' }] };
    assert.equal(limit({ emergency: true, ...send }), params.expeditedThreshold);
    const json = { messages: [{ ...call('refund').messages[0], '@type': '/initia.move.v1.MsgExecuteJSON' }] };
    assert.equal(limit({ emergency: true, ...json }), params.threshold);
    assert.equal(limit({}), params.threshold);
    assert.equal(limit(call('other')), params.threshold, 'a regular one');
  });

  it('takes the expedited threshold for every call where no calls are listed', () => {
    const { rules } = judged(voting({ emergency: true, ...call('refund') }), sdk, tally);
    assert.equal(rules.find(({ name }) => name === 'threshold')?.limit, sdk.expeditedThreshold);
  });

  it('may end sooner in emergencies', () => {
    assert.equal(judged(voting({ emergency: true }), params, tally).endMayMove, 'sooner');
  });
});

describe('Sei', () => {
  const params = toGovParams({
    tally: {
      quorum: '0.334',
      threshold: '0.5',
      veto_threshold: '0.334',
      expedited_quorum: '0.667',
      expedited_threshold: '0.667',
    },
  });
  const proposal = (isExpedited: boolean) => {
    const wire = { proposal_id: '1', content: null, status: 2, is_expedited: isExpedited };
    const row = toProposalRow(readProposalRow('v1beta1', wire));
    assert.ok(row.kind === 'proposal');
    return row;
  };

  it('switches quorum and threshold for expedited votes', () => {
    const tally = votes(50_000n);
    assert.deepEqual(judged(proposal(false), params, tally).outcome, { kind: 'wouldPass' });
    const fast = judged(proposal(true), params, tally);
    assert.deepEqual(fast.outcome, { kind: 'wouldFail', rule: 'quorum' });
    assert.deepEqual([fast.variant.name, fast.becomesRegular, fast.deposits], ['sei', true, { effect: 'kept' }]);
    assert.deepEqual(fast.assumptions, ['variant']);
  });
});

describe('what a verdict assumes', () => {
  it('says that turnout is a share of bonded tokens where the chain may count otherwise', () => {
    const assumed = (sdkVersion: string | undefined, params = sdk) =>
      judged(voting(), params, votes(50_000n), { sdkVersion }).assumptions;
    assert.deepEqual(assumed('v0.50.13'), []);
    assert.deepEqual(assumed('0.53.0'), ['stakingPool']);
    assert.equal(judged(voting(), { ...sdk, lawThreshold: 1n }, votes(1n)).variant.name, 'sdk', 'AtomOne has no veto');
    assert.deepEqual(assumed('v0.53.0'), ['stakingPool']);
    assert.deepEqual(assumed('v0.52.9'), []);
    assert.deepEqual(assumed('fork-0.53.1', { ...sdk, minDepositRatio: undefined }), []);
    assert.deepEqual(assumed('0.54.1'), ['stakingPool']);
    assert.deepEqual(assumed(undefined), ['stakingPool']);
    assert.deepEqual(assumed(undefined, { ...sdk, minDepositRatio: undefined }), []);
  });

  it('is an estimate where more votes were counted than tokens are bonded, and nothing is negative', () => {
    const verdict = judged(voting(), sdk, votes(150_000n));
    assert.deepEqual(verdict.assumptions, ['otherCount']);
    assert.equal(verdict.unvoted, undefined);
    assert.equal(verdict.turnout, 15n * 10n ** 17n);
    const all = judged(voting(), { ...sdk, minDepositRatio: undefined }, votes(100_000n));
    assert.deepEqual([all.unvoted, all.assumptions], [0n, []]);
  });

  it('counts the power of validators by authority', () => {
    const verdict = judged(voting(), sdk, votes(200n), { votingPower: 300n, powerSource: 'poa' });
    assert.deepEqual([verdict.variant.name, verdict.assumptions], ['poa', ['variant']]);
    assert.deepEqual(verdict.outcome, { kind: 'wouldPass' });
  });

  it('says that gov v1beta1 does not tell expedited votes', () => {
    const wire = { proposal_id: '1', content: null, status: 2 };
    const row = toProposalRow(readProposalRow('v1beta1', wire));
    assert.ok(row.kind === 'proposal');
    assert.deepEqual(judged(row, { ...sdk, minDepositRatio: undefined }, votes(50_000n)).assumptions, ['regular']);
  });
});

describe('deposits', () => {
  const old = toGovParams({ tally: { quorum: '0.334', threshold: '0.5', veto_threshold: '0.334' } });
  const inForm = {
    v1: { id: '1', status: 'PROPOSAL_STATUS_VOTING_PERIOD', messages: [] },
    v1beta1: { proposal_id: '1', status: 'PROPOSAL_STATUS_VOTING_PERIOD', content: null },
  };
  const fates = (params: GovParams, form: 'v1' | 'v1beta1', changes = {}) => {
    const row = toProposalRow(readProposalRow(form, { ...inForm[form], ...changes }));
    assert.ok(row.kind === 'proposal');
    return depositRules(params, variantOf(params, 'staking'), row).map((rule) => `${rule.case} ${rule.effect}`);
  };

  it('are returned or burned by version and by flags', () => {
    assert.deepEqual(fates(old, 'v1beta1'), ['quorum burned', 'veto burned', 'minimum burned', 'otherwise returned']);
    // A service gives proposals of an older state in the form of v1, with the titles that 0.46 does not have.
    assert.deepEqual(fates(old, 'v1', { title: '', proposer: '' }), fates(old, 'v1beta1'));
    // The pre-releases of 0.47 have titles and proposers, and no flags yet.
    assert.deepEqual(fates(old, 'v1', { title: 'a', proposer: 'cosmos1depositor' }), fates(old, 'v1'));
    assert.deepEqual(fates(old, 'v1'), ['quorum returned', 'veto burned', 'minimum returned', 'otherwise returned']);
    assert.deepEqual(fates(sdk, 'v1'), [
      'quorum returned',
      'veto burned',
      'minimum returned',
      'cancelled partly',
      'otherwise returned',
    ]);
    assert.deepEqual(fates({ ...sdk, burnVoteQuorum: true, burnVoteVeto: false }, 'v1').slice(0, 2), [
      'quorum burned',
      'veto returned',
    ]);
    assert.deepEqual(fates(toGovParams({}), 'v1'), []);
    const named = depositRules(old, variantOf(old, 'staking'), { isStoredAsV1: true }).map(
      ({ parameter }) => parameter,
    );
    assert.deepEqual(named, [undefined, undefined, undefined, undefined]);
    const cancelled = depositRules(sdk, variantOf(sdk, 'staking'), { isStoredAsV1: true }).find(
      (rule) => rule.case === 'cancelled',
    );
    assert.deepEqual([cancelled?.ratio, cancelled?.recipient], [5n * 10n ** 17n, '']);
  });

  it('name the flags that a proposal of gov v1 would have, and that its source lacks', () => {
    const absentOf = (params: GovParams, isStoredAsV1: boolean) =>
      depositRules(params, variantOf(params, 'staking'), { isStoredAsV1 }).map(({ absent }) => absent);
    const flags = ['burn_vote_quorum', 'burn_vote_veto', 'burn_proposal_deposit_prevote'];
    assert.deepEqual(absentOf(old, true), [...flags, undefined]);
    assert.ok([...absentOf(old, false), ...absentOf(sdk, true)].every((absent) => absent === undefined));
  });

  it('follow from the outcome, and are not told where it is not', () => {
    const deposits = (tally: Tally, wire: object = {}) => judged(voting({ ...wire }), sdk, tally).deposits;
    assert.deepEqual(deposits(votes(10n)), { case: 'quorum', effect: 'returned', parameter: 'burn_vote_quorum' });
    assert.deepEqual(deposits(votes(10n, 0n, 0n, 90_000n)), {
      case: 'veto',
      effect: 'burned',
      parameter: 'burn_vote_veto',
    });
    assert.equal(deposits(votes(90_000n))?.effect, 'returned');
    assert.equal(deposits(votes(25_000n, 0n, 25_000n)), undefined);
    assert.deepEqual(deposits(votes(10n), { expedited: true }), { effect: 'kept' });
  });
});

describe('a tally', () => {
  it('is read in the forms of gov v1beta1 and gov v1', () => {
    const expected = votes(1n, 2n, 3n, 4n);
    assert.deepEqual(toTally({ yes: '1', abstain: '2', no: '3', no_with_veto: '4' }), expected);
    const v1 = { yes_count: '1', abstain_count: '2', no_count: '3', no_with_veto_count: '4' };
    assert.deepEqual(toTally(v1), expected);
    assert.deepEqual(toTally({ ...v1, spam_count: '0' }), expected);
    assert.deepEqual(toTally({ ...v1, power: '20' }), { ...expected, power: 20n });
  });

  it('that is not understood is unknown, not zero', () => {
    const v1 = { yes_count: '1', abstain_count: '2', no_count: '3', no_with_veto_count: '4' };
    const wires = [
      undefined,
      null,
      {},
      'text',
      { ...v1, yes_count: '12.5' },
      { ...v1, no_count: undefined },
      { ...v1, spam_count: '7' },
      { ...v1, yes_count: '9'.repeat(101) },
      { yes: 1, abstain: 2, no: 3 },
      { v1_tally_result: v1 },
      { v1_tally_result: { ...v1, yes_count: 'x' }, total_staking_power: '1' },
    ];
    for (const wire of wires) assert.equal(toTally(wire), undefined, JSON.stringify(wire));
  });
});
