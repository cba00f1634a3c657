import assert from 'node:assert/strict';
import { toGovParams } from '../../../src/api/decode/govParams.ts';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow } from '../../../src/api/decode/readReply.ts';
import { emptyPage } from '../../../src/api/pages.ts';
import type { CastOption, VoterRow } from '../../../src/chain/gov/tally.ts';
import { Pager } from '../../../src/lists/pager.ts';
import type { ProposalFacts } from '../../../src/page/proposalFacts.ts';
import { toProposalView, toWaitingView } from '../../../src/page/proposalView.ts';
import { type FactChanges, factsOf, factsOfRow } from './factsOf.ts';
import { plainWords } from './plainWords.ts';
import { overviewText, sectionText, viewText } from './viewText.ts';

type Facts = NonNullable<ProposalFacts['whoVoted']>;

const view = (changes: object, more: FactChanges = {}) => toProposalView(factsOf(changes, more), plainWords);
const section = (id: string, changes: object, more: FactChanges = {}) => sectionText(view(changes, more), id);
const overview = (changes: object, more: FactChanges = {}) => overviewText(view(changes, more));

const tally = (yes: string, abstain: string, no: string, veto: string) => ({
  final_tally_result: { yes, abstain, no, no_with_veto: veto },
});
const votes = (yes: bigint, abstain: bigint, no: bigint, noWithVeto: bigint) => ({ yes, abstain, no, noWithVeto });
const passed = { status: 'PROPOSAL_STATUS_PASSED' };
const rejected = { status: 'PROPOSAL_STATUS_REJECTED' };
const noParams = toGovParams({});

describe('the overview', () => {
  const liveTally = votes(62_317_480_551_209n, 12_012_993_100_000n, 21_254_668_004_417n, 4_107_377_900_001n);

  it('has the end, one sentence, and the bar with its marks', () => {
    assert.equal(
      overview({}, { inputs: { liveTally } }),
      `Ends 2026-11-28T09:12:00.000Z/Ended 2026-11-28T09:12:00.000Z
(good) Would pass if voting ended now: 71.07 % Yes, more than 50.00 % needed. Turnout 41.27 %, quorum 33.40 %.
[Yes 62.51 %, Abstain 12.05 %, No 21.32 %, No with veto 4.12 %, Turnout 41.27 %, Quorum 33.40 % ✓]
  ^ 43.97 % needs 50.00 % excluding Abstain
  ^ 66.6 % veto limit 33.40 %`,
    );
  });

  it('is followed by what is proposed, the description, the votes, the timeline, the deposit and the JSON', () => {
    const { badges, sections } = view({}, { inputs: { liveTally } });
    assert.deepEqual(
      badges.map(({ text }) => text),
      ['Text', 'test-1'],
    );
    assert.deepEqual(
      sections.map(({ title }) => title),
      ['Proposal content', 'Description', 'Votes', 'Timeline', 'Deposit', 'JSON'],
    );
  });

  it('names what it does not know, and guesses nothing', () => {
    const inputs = { liveTally: votes(10n, 0n, 0n, 0n), votingPower: undefined, params: noParams };
    const text = overview({}, { inputs });
    assert.match(text, /\(plain\) Outcome unknown: turnout unknown because staking data is not available\./);
    assert.match(text, /Quorum unknown because gov parameters are not available\./);
    assert.doesNotMatch(text, /Would/);
  });

  it('says what is missing to pass', () => {
    const text = overview({}, { inputs: { liveTally: votes(1_000_000n, 0n, 0n, 0n) } });
    assert.match(text, /^\(bad\) Would be rejected if voting ended now: turnout is <0\.01 %, quorum 33\.40 %\./m);
    assert.match(
      text,
      /It would pass with another 80\.69 M ATOM in Yes votes\. \(another 80,681,039 ATOM in Yes votes\)$/m,
    );
  });

  it("has the votes of the reader's accounts while the vote is open", () => {
    const [ops, cold] = [
      { words: 'Ops: voted yes', inRow: 'yes', isMissing: false },
      { words: 'Cold: has not voted', inRow: '', isMissing: true },
    ];
    const mine = { myVotes: [ops, cold] };
    assert.match(overview({}, mine), /^\(warning\) Ops: voted yes · Cold: has not voted$/m);
    assert.match(overview({}, { myVotes: [ops] }), /^\(plain\) Ops: voted yes$/m);
    assert.doesNotMatch(overview(passed, mine) + overview({}, { ...mine, isPast: true }) + overview({}), /Ops:/);
  });

  it('says nothing that the rules could take back before they are read', () => {
    const text = overview({ ...passed, ...tally('9', '0', '0', '0') }, { inputs: null });
    assert.match(text, /\(plain\) {2}Loading the gov parameters…/);
    assert.doesNotMatch(text, /Passed/);
    assert.match(text, /\[Yes 100\.00 %/);
  });

  it('explains a rejection by the rule that decided', () => {
    assert.match(
      overview({ ...rejected, ...tally('50', '1', '53', '0') }),
      /\(bad\) Rejected: 48\.54 % Yes excluding Abstain, more than 50\.00 % needed\. Turnout is not recorded, so quorum may have failed too\./,
    );
    assert.match(
      overview({ ...rejected, ...tally('999', '1', '0', '0') }),
      /\(bad\) Rejected: quorum was not reached\. All other rules are met\./,
    );
    assert.match(
      overview({ ...rejected, ...tally('50', '1', '50', '0') }),
      /\(bad\) Rejected: the result was decided by one of these rules: Quorum, Threshold\./,
    );
  });

  it('says of one that passed without a recorded vote that the tally was not recorded', () => {
    const text = viewText(toProposalView(factsOf({ ...passed, ...tally('0', '0', '0', '0') }), plainWords));
    assert.match(text, /The tally was not recorded\. The proposal passed, but its tally shows no votes\./);
    assert.match(text, /Missing: votes unknown because the final tally is not available\./);
    assert.doesNotMatch(text, /parameters may have changed|No vote was counted|Turnout/);
  });

  it('says where whole units leave it open', () => {
    const liveTally = votes(50_000_000_000_000n, 0n, 50_000_000_000_000n, 0n);
    assert.match(
      overview({}, { inputs: { liveTally } }),
      /\(warning\) Too close to call: 50\.00 % Yes excluding Abstain, more than 50\.00 % needed\. The result depends on decimals that nodes do not report\./,
    );
  });

  it('shows every digit where two would look equal', () => {
    const text = overview({ ...passed, ...tally('50000003', '0', '50000000', '0') });
    assert.match(text, /\(good\) Passed: 50\.0000014999999\d* % Yes, more than 50\.00 % needed\./);
  });

  it('tells no votes from nothing but abstentions', () => {
    const none = { liveTally: votes(0n, 0n, 0n, 0n), votingPower: undefined, params: noParams };
    assert.match(overview({}, { inputs: none }), /Would be rejected if voting ended now: there are no votes\./);
    const abstain = votes(0n, 5n, 0n, 0n);
    const sure = { liveTally: { ...abstain, voted: ['abstain'] as const }, votingPower: 5n };
    assert.match(overview({}, { inputs: sure }), /all votes are Abstain\./);
    assert.match(
      overview({}, { inputs: { liveTally: abstain, votingPower: 5n } }),
      /Too close to call: all votes are Abstain when rounded to whole units\. The result depends on a fraction of a unit for another option\./,
    );
  });

  it('says that a failed proposal had passed', () => {
    const text = overview({ status: 'PROPOSAL_STATUS_FAILED', ...tally('9', '0', '0', '0') });
    assert.match(text, /\(bad\) Passed, but execution failed: no reason given\./);
  });

  it('says of a vote whose time is over that the chain has not reported the result', () => {
    const over = { voting_end_time: '2026-11-26T02:07:59Z' };
    assert.match(
      overview(over, { inputs: { liveTally: votes(200_000_000_000_000n, 0n, 0n, 0n) } }),
      /\(good\) Voting ended, likely passed: .* The chain has not reported a result yet\./,
    );
    const fails = overview(over, { inputs: { liveTally: votes(1n, 0n, 0n, 0n) } });
    assert.match(fails, /\(bad\) Voting ended, likely rejected: turnout is/);
    assert.doesNotMatch(fails, /in Yes votes/);
    assert.match(
      overview(over),
      /\(plain\) Voting ended: votes unknown because .* The chain has not reported a result yet\./,
    );
  });
});

describe('the votes', () => {
  it('are told with the calculation of every rule', () => {
    const liveTally = votes(62_317_480_551_209n, 12_012_993_100_000n, 21_254_668_004_417n, 4_107_377_900_001n);
    assert.equal(
      section('votes', {}, { inputs: { liveTally } }),
      `Option | Share | ATOM
Yes | 62.51 % | 62,317,480.55 [62,317,480,551,209 uatom]
Abstain | 12.05 % | 12,012,993.10 [12,012,993,100,000 uatom]
No | 21.32 % | 21,254,668.00 [21,254,668,004,417 uatom]
No with veto | 4.12 % | 4,107,377.90 [4,107,377,900,001 uatom]
All votes | 100.00 % | 99,692,519.55 [99,692,519,555,627 uatom]
[Turnout 41.27 % of bonded tokens] ^ 33.4 % quorum 33.40 %
▸ Calculation Quorum ✓ · Votes other than Abstain ✓ · Veto ✓ · Threshold ✓
  Rule | Inputs | Value | Needed | Result | Margin
  Quorum | all votes / bonded tokens (99,692,519.555627 ATOM / 241,560,000 ATOM) | 41.27 % | ≥ 33.40 % | ✓ met | 19,011,479.555627 ATOM more than needed
  Votes other than Abstain | Abstain / all votes (12,012,993.1 ATOM / 99,692,519.555627 ATOM) | – | less than 100 % | ✓ met | 
  Veto | No with veto / all votes (4,107,377.900001 ATOM / 99,692,519.555627 ATOM) | 4.12 % | ≤ 33.40 % | ✓ met | 29,189,923.631578 ATOM below its limit (29.27 percentage points)
  Threshold | Yes / (all votes − Abstain) (62,317,480.551209 ATOM / 87,679,526.455627 ATOM) | 71.07 % | > 50.00 % | ✓ met | 18,477,717.323395 ATOM Yes to spare
  Votes: running tally, from Test chain
  Stake: 241,560,000 ATOM, from Test chain
  Parameters: Quorum 33.40 %, Veto 33.40 %, Threshold 50.00 %, from Test chain`,
    );
  });

  it('say so where there is no running count', () => {
    assert.match(section('votes', {}), /^The running tally is not available\./);
  });

  it('are never held against the stake of today when they have ended', () => {
    const text = section('votes', { ...passed, ...tally('800', '100', '90', '10') });
    assert.match(text, /Quorum .* unknown once voting has ended\) \| – \| ≥ 33\.40 % \| unknown/);
    assert.doesNotMatch(text, /Turnout|241,560,000/);
  });

  it('have no quorum beside their bar when they have ended, since it is not known whether it was reached', () => {
    assert.match(overview({ ...passed, ...tally('800', '100', '90', '10') }), /No with veto 1\.00 %\]/);
  });

  it('say where the status of the chain and the parameters of today differ', () => {
    const text = section('votes', { ...passed, ...tally('400', '0', '600', '0') });
    assert.match(text, /\(warning\) With the current parameters, these rules would not have been met: Threshold\./);
  });

  it('name the rule that was assumed', () => {
    const inputs = { liveTally: votes(10n, 0n, 0n, 0n) };
    const assumed = section('votes', {}, { inputs: { ...inputs, sdkVersion: 'v0.53.8' } });
    assert.match(
      assumed,
      /Assumes that turnout is a share of all bonded tokens\. Since SDK 0\.53, chains may calculate turnout differently\./,
    );
    assert.doesNotMatch(section('votes', {}, { inputs }), /Assumes/);
  });

  it('claim nothing below zero where more votes are counted than tokens are bonded', () => {
    const inputs = { liveTally: votes(300n, 0n, 0n, 0n), votingPower: 200n };
    const text = viewText(view({}, { inputs: { ...inputs, sdkVersion: 'v0.53.8' } }));
    assert.match(text, /Estimate: there are more votes than bonded tokens/);
    assert.match(text, /Turnout 150\.00 %/);
    assert.doesNotMatch(text, /[ (]-\d/);
  });

  it('are base units where the denom of the stake is not stated', () => {
    const inputs = { liveTally: votes(10n, 0n, 0n, 0n) };
    const unnamed = { inputs: { ...inputs, bondDenom: undefined } };
    assert.match(overview({}, unnamed), /It would pass with another 80,681,039,999,990 base units in Yes votes\./);
    assert.match(section('votes', {}, unnamed), /Unit: base units \(staking denom unknown\)/);
    assert.match(section('votes', {}, unnamed), /Option \| Share \| Base units\n/);
    const registry = section('votes', {}, { ...unnamed, registry: { stakingDenom: 'uatom', proposalPage: undefined } });
    assert.match(registry, /Unit: uatom, from the chain registry/);
    assert.doesNotMatch(section('votes', {}, { inputs }), /Unit:/);
  });

  it('of an expedited vote that failed stand beside the running ones', () => {
    const inputs = { liveTally: votes(10n, 0n, 0n, 0n) };
    const text = section('votes', tally('600000000', '0', '400000000', '0'), { inputs });
    assert.match(text, /Yes \| 100\.00 % \| 0\.00001 \[10 uatom\]\n/);
    assert.match(
      text,
      /▸ First round, expedited\n {2}The expedited vote did not pass\. The proposal continues as a regular vote/,
    );
    assert.match(text, /Yes \| 60\.00 % \| 600 \[600,000,000 uatom\]\n/);
    assert.doesNotMatch(section('votes', {}), /First round/);
    assert.doesNotMatch(section('votes', { ...passed, ...tally('6', '0', '4', '0') }), /First round/);
  });
});

describe('who voted', () => {
  const vote = (...options: (readonly [CastOption, string])[]) =>
    options.map(([option, weight]) => ({ option, weight }));
  const noVotes = new Pager<VoterRow>(
    async () => emptyPage,
    ({ voter }) => voter,
    () => 1,
  );
  const facts = (whoVoted: Partial<Facts>) =>
    ({
      whoVoted: { validators: { kind: 'idle' }, votes: noVotes, found: undefined, monikers: new Map(), ...whoVoted },
      inputs: { liveTally: votes(60_000_000n, 0n, 20_000_000n, 0n), votingPower: 200_000_000n },
    }) satisfies FactChanges;
  const validators = [
    { operator: 'valoper1b', moniker: 'Big', power: 120_000_000n, vote: undefined },
    { operator: 'valoper1y', moniker: 'Yes', power: 60_000_000n, vote: vote(['yes', '1.0']) },
    { operator: 'valoper1s', moniker: '', power: 20_000_000n, vote: vote(['no', '0.70'], ['abstain', '0.300']) },
  ];
  const read = facts({ validators: { kind: 'read', at: new Date(0), validators } });
  const textOf = (more: FactChanges, changes = {}) =>
    section('votes', changes, more).replace(/^.*?(?=▸ Validators)/s, '');

  it('is read when it is opened, with progress and Cancel, and says why it cannot be read', () => {
    assert.equal(
      textOf(facts({})),
      `▸ Validators Expand to load
  (Load Validator Votes)
▸ Individual votes Expand to load
  (Load Votes) (Find by Address…) (Export…)`,
    );
    const reading = facts({ validators: { kind: 'reading', progress: { step: 'votes', done: 3, of: 180 } } });
    assert.match(textOf(reading), /Loading votes: 3 of 180\n {2}\(Cancel\)/);
    const failed = facts({ validators: { kind: 'failed', reason: 'GET http://a: HTTP 503' } });
    assert.match(textOf(failed), /\(warning\) GET http:\/\/a: HTTP 503\n {2}\(Retry\)/);
  });

  it('is the validators by power, what not voted, and what the result would be with it', () => {
    assert.match(
      textOf(read),
      /^▸ Validators 2 of 3 have voted, with 40.00 % of the power\n {2}Not voted yet: 120 ATOM, 60.00 % of the power \(1 of 3 validators\)\n {2}If all remaining validators vote Yes: Passes: 90.00 % Yes, more than 50.00 % needed. Turnout 100.00 %, quorum 33.40 %. \(adding 120 ATOM .*\)\n {2}If all remaining validators vote No: Rejected: 30.00 % Yes excluding Abstain, more than 50.00 % needed. \(.*\)\n {2}Validator \| Power \| Vote\n {2}Big \| 60.00 % \[120 ATOM\] \| has not voted\n {2}Yes \| 30.00 % \[60 ATOM\] \| Yes\n {2}valoper1s \| 10.00 % \[20 ATOM\] \| No 70 %, Abstain 30 %\n {2}Each vote is shown with the validator's full delegated power\./,
    );
  });

  it('gives shares that add up to 100 %, in its rows and in what has voted', () => {
    const three = validators.map((one) => ({ ...one, power: 7_000_000n }));
    const text = textOf(facts({ validators: { kind: 'read', at: new Date(0), validators: three } }));
    assert.deepEqual(text.match(/\S+(?= % \[7 ATOM\])/g), ['33.34', '33.33', '33.33']);
    assert.match(
      text,
      /2 of 3 have voted, with 66\.66 % of the power\n {2}Not voted yet: 7 ATOM, 33\.34 % of the power/,
    );
  });

  it('draws no conclusion where delegators do not inherit the vote of their validator', () => {
    const params = toGovParams({ v1: { quorum: '0.2', threshold: '0.667', law_threshold: '0.9' } });
    const text = textOf({ ...read, inputs: { ...read.inputs, params } });
    assert.match(text, /If the remaining validators vote: Validators on this chain vote with their own stake only/);
    assert.doesNotMatch(text, /If all remaining/);
  });

  it('gives no mark to a rule that cannot be told any more', () => {
    assert.match(section('votes', passed), /^▸ Calculation$/m);
  });

  it('is gone when the vote has ended, as the chain deletes it', () => {
    assert.doesNotMatch(section('votes', passed, read), /Validators|Individual votes/);
  });

  it('is offered of the block before the end, where the source has blocks of the past', () => {
    assert.match(section('votes', passed, { hasPast: true }), /\(Load Votes from the Last Block of Voting\)/);
    assert.doesNotMatch(section('votes', passed), /Last Block/);
    const past = view({}, { isPast: true, sourceName: 'Test chain at height 7' });
    assert(past.badges.some(({ text }) => text === 'Test chain at height 7'));
  });

  it('lists the votes that were read, and the one that was looked for', async () => {
    const rows = [
      { voter: 'cosmos1a', vote: vote(['noWithVeto', '1']) },
      { voter: 'cosmos1v', vote: vote(['yes', '1']) },
    ];
    const monikers = new Map([['cosmos1v', 'Lighthouse']]);
    const pager = new Pager<VoterRow>(
      async () => ({ ...emptyPage, rows, nextKey: 'AAAA', total: 7n }),
      ({ voter }) => voter,
      () => 1,
    );
    await pager.loadMore();
    const text = textOf(facts({ votes: pager, monikers, found: { voter: 'cosmos1z', vote: undefined } }));
    assert.match(
      text,
      /▸ Individual votes 7 votes\n {2}cosmos1z: has not voted\n {2}Voter \| Vote\n {2}cosmos1a \| No with veto\n {2}Lighthouse \(cosmos1v\) \| Yes\n {2}\(Show More \(2 of 7 shown\)\)/,
    );
  });
});

describe('the timeline', () => {
  it('is in the order of time, and says where the deposit period ended early', () => {
    assert.equal(
      section('timeline', { voting_start_time: '2026-11-15T00:00:00Z', voting_end_time: '2026-11-29T00:00:00Z' }),
      `Submitted | done | 2026-11-14T09:12:00.000Z
Deposit complete | done | 2026-11-15T00:00:00.000Z | the deposit period ended early
Voting started | done | 2026-11-15T00:00:00.000Z
Voting ends | todo | 2026-11-29T00:00:00.000Z`,
    );
  });

  it('says what is to come in the deposit period', () => {
    const waiting = { status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD', voting_start_time: null, voting_end_time: null };
    assert.equal(
      section('timeline', waiting),
      `Submitted | done | 2026-11-14T09:12:00.000Z
Deposit period ends | todo | 2026-11-28T09:12:00.000Z
Voting starts | none | when the deposit is complete
Voting ends | none | 14 days later`,
    );
  });
});

describe('the deposit of a proposal', () => {
  const inDeposit = { status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD' };
  const burn = (flags: object) => ({
    inputs: { params: toGovParams({ v1: { quorum: '0.334', threshold: '0.5', veto_threshold: '0.334', ...flags } }) },
  });

  it('is the overview while voting waits for it', () => {
    const total_deposit = [{ denom: 'uatom', amount: '312000000' }];
    assert.equal(
      overview({ ...inDeposit, total_deposit }),
      `Deposit period ends 2026-11-28T09:12:00.000Z/Deposit period ended 2026-11-28T09:12:00.000Z
(plain) Voting has not started: 200 of 512 ATOM is still needed.
[60.93 % of the minimum deposit in ATOM]`,
    );
    assert.match(
      section('deposit', { ...inDeposit, total_deposit }),
      /^Deposited: 312 of 512 ATOM, 200 still needed \[312,000,000 \/ 512,000,000 uatom\]$/m,
    );
  });

  it('lists the depositors as far as they were read', () => {
    const deposit = (depositor: string, ...coins: readonly (readonly [string, bigint])[]) => {
      return { depositor, coins: coins.map(([denom, amount]) => ({ denom, amount })) };
    };
    const rows = [deposit('cosmos1a', ['uatom', 300_000_000n]), deposit('cosmos1b', ['uatom', 5n], ['uother', 7n])];
    const textOf = (more: object) => section('deposit', {}, { inputs: { deposits: { ...emptyPage, rows, ...more } } });
    assert.match(
      textOf({ total: 2n }),
      /\nDepositor \| Amount\ncosmos1a \| 300 ATOM \[300,000,000 uatom\]\ncosmos1b \| 0\.000005 ATOM \[5 uatom\]\ncosmos1b \| 7 uother$/,
    );
    assert.match(textOf({ total: 1_200n, nextKey: 'AAAA' }), /\nShowing 2 of 1,200 depositors\.$/);
    assert.match(textOf({ nextKey: 'AAAA' }), /\nShowing the first 2 depositors\.$/);
    assert.doesNotMatch(section('deposit', {}), /Depositor/);
  });

  it('says so where the minimum is not known', () => {
    assert.equal(
      section('deposit', { ...inDeposit, total_deposit: [] }, { inputs: { params: noParams } }),
      'Deposited: none\nMinimum: gov parameters are not available',
    );
  });

  it('says what becomes of it, and by which rule', () => {
    const vetoed = { ...rejected, ...tally('10', '0', '0', '90') };
    const outcome = (flags: object, changes: object = vetoed) =>
      section('deposit', changes, burn(flags)).split('\n').at(-1);
    // Quorum or veto decided: it is told where it is the same for both.
    const both = (isBurned: boolean) => ({ burn_vote_quorum: isBurned, burn_vote_veto: isBurned });
    assert.equal(outcome(both(true)), 'Outcome: burned (regardless of the result of the vote)');
    assert.equal(outcome(both(false)), 'Outcome: returned to the depositors (regardless of the result of the vote)');
    assert.doesNotMatch(outcome({ burn_vote_quorum: false, burn_vote_veto: true }) ?? '', /Outcome/);
    const silent = { ...rejected, ...tally('0', '0', '0', '0') };
    assert.equal(
      outcome({ burn_vote_quorum: true }, silent),
      'Outcome: burned (determined by the parameter burn_vote_quorum)',
    );
    assert.equal(outcome({}, silent), 'Outcome: burned (determined by the SDK version)');
    assert.equal(
      outcome({}, { ...passed, ...tally('90', '0', '0', '0') }),
      'Outcome: returned to the depositors (no burn rule applies)',
    );
    assert.equal(
      outcome({ burn_proposal_deposit_prevote: true }, inDeposit),
      'If the minimum is not reached: burned (determined by the parameter burn_proposal_deposit_prevote)',
    );
  });
});

describe('what is proposed', () => {
  it('is the values of parameters, beside what they are now', () => {
    const changes = [
      { subspace: 'gov', key: 'votingparams', value: '{"voting_period":"604800000000000"}' },
      { subspace: 'staking', key: 'MaxValidators', value: '200' },
      { subspace: 'slashing', key: 'SlashFractionDowntime', value: '"0.000001000000000000"' },
      { subspace: 'gov', key: 'a', value: '[{"a":1},2]' },
      { subspace: 'gov', key: 'b', value: 'not JSON' },
    ];
    const content = {
      '@type': '/cosmos.params.v1beta1.ParameterChangeProposal',
      title: 'T',
      description: 'D',
      changes,
    };
    const currentParams = new Map([
      ['gov/votingparams', '{"voting_period":"1209600s"}'],
      ['staking/MaxValidators', '180'],
      ['slashing/SlashFractionDowntime', '"0.000100000000000000"'],
      ['gov/a', '[{"a":1},3]'],
    ]);
    assert.equal(
      section('proposed', { content }, { inputs: { currentParams } }),
      `Voting period: 14 days → 7 days (gov/votingparams.voting_period 1209600s → 604800000000000)
Max validators: 180 → 200 (staking/MaxValidators)
Slash fraction downtime: 0.01 % → 0.0001 % (slashing/SlashFractionDowntime 0.000100000000000000 → 0.000001000000000000)
A:  [
   {
     "a": 1
   },
-  3
+  2
 ] (gov/a)
B: not JSON (gov/b · current value not available)`,
    );
  });

  it('is the height of an upgrade, how far away it is, and when it is expected', () => {
    const content = {
      '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
      title: 'T',
      description: 'D',
      plan: { name: 'v9', time: '0001-01-01T00:00:00Z', height: '21950112', info: '' },
    };
    const time = new Date('2026-11-26T02:00:00Z');
    const chainTime = { height: 21_930_112n, time, blockTime: 6, blocks: 10_000 };
    assert.equal(
      section('proposed', { content }, { inputs: { chainTime } }),
      `Name: v9
Height: 21,950,112 (20,000 blocks from now)
Expected: 2026-11-27T11:20:00.000Z (6.00 s per block, measured over the last 10,000 blocks)
(warning) The chain is expected to reach this height before voting ends. The upgrade would come too late.`,
    );
    assert.doesNotMatch(
      section('proposed', { content }, { inputs: { chainTime: { ...chainTime, blockTime: 60 } } }),
      /before voting ends/,
    );
    const past = { ...chainTime, height: 21_950_113n };
    assert.equal(
      section('proposed', { content }, { inputs: { chainTime: past } }),
      'Name: v9\nHeight: 21,950,112 (1 block ago)',
    );
    const assumed = { ...chainTime, blocks: undefined };
    assert.match(
      section('proposed', { content }, { inputs: { chainTime: assumed } }),
      /^Expected: 2026-11-27T11:20:00\.000Z \(6\.00 s per block, from the mint parameters\)$/m,
    );
    assert.match(
      section('proposed', { content }),
      /Height: 21,950,112 \(20,000 blocks from now\)\nExpected: unknown \(no block time\)$/,
    );
    assert.doesNotMatch(section('proposed', { content }, { inputs: null }), /Expected/);
  });

  it('is the parameters of a module that change; those that stay are folded away', () => {
    const params = {
      max_validators: 200,
      bond_denom: 'uatom',
      min_commission_rate: '0.050000000000000000',
      new_one: { a: true },
    };
    const content = { '@type': '/cosmos.staking.v1beta1.MsgUpdateParams', authority: 'gov', params };
    const currentParams = new Map([
      ['cosmos.staking.v1beta1/max_validators', '180'],
      ['cosmos.staking.v1beta1/bond_denom', '"uatom"'],
      ['cosmos.staking.v1beta1/min_commission_rate', '"0.05"'],
    ]);
    assert.equal(
      section('proposed', { content }, { inputs: { currentParams } }),
      `Max validators: 180 → 200 (max_validators)
A: true (new_one.a · current value not available)
▸ 2 values unchanged
  bond_denom: uatom
  min_commission_rate: 5 %`,
    );
  });

  it('is every value as it is now where nothing changes', () => {
    const content = {
      '@type': '/cosmos.staking.v1beta1.MsgUpdateParams',
      authority: 'gov',
      params: { max_validators: 200 },
    };
    const currentParams = new Map([['cosmos.staking.v1beta1/max_validators', '200']]);
    assert.match(
      section('proposed', { content }, { inputs: { currentParams } }),
      /^Max validators: 200 \(max_validators · no change\)$/m,
    );
  });

  it('says so once where no current value is offered', () => {
    const params = { max_validators: 200, bond_denom: 'uatom' };
    const content = { '@type': '/cosmos.staking.v1beta1.MsgUpdateParams', authority: 'gov', params };
    const text = section('proposed', { content });
    assert.match(text, /^Max validators: 200 \(max_validators\)\nBond denom: uatom \(bond_denom\)$/m);
    assert.match(text, /Current values are not available\./);
    assert.doesNotMatch(section('proposed', { content }, { inputs: null }), /not offered/);
  });

  it('is a table of spends, in display units and raw', () => {
    const amount = [
      { denom: 'uatom', amount: '123456789' },
      { denom: 'ibc/AB', amount: '7' },
    ];
    const type = '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal';
    const content = { '@type': type, title: 'T', description: 'D', recipient: 'a1', amount };
    assert.equal(
      section('proposed', { content }),
      'Recipient | Amount\na1 | 123.456789 ATOM [123,456,789 uatom]\na1 | 7 ibc/AB',
    );
    const communityPool = [{ denom: 'uatom', amount: 1_000_000_000n }];
    assert.equal(
      section('proposed', { content }, { inputs: { communityPool } }),
      'Recipient | Amount\na1 | 123.456789 ATOM [123,456,789 uatom] (12.34 % of the community pool)\na1 | 7 ibc/AB (not in the community pool)',
    );
  });

  it('is byte code by size and digest', () => {
    const type = '/cosmwasm.wasm.v1.StoreCodeProposal';
    const content = { '@type': type, title: 'T', description: 'D', wasm_byte_code: 'AGFzbQ==' };
    assert.match(
      section('proposed', { content }),
      /Bytecode: 4 bytes\nSHA-256: cd5d4935a48c0672cb06407bb443bc0087aff947c6b864bac886982c73b3027f/,
    );
  });

  it('is the diff of an amendment', () => {
    const amendment = '--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new';
    const content = { '@type': '/atomone.gov.v1.MsgProposeConstitutionAmendment', authority: 'gov', amendment };
    const block = view({ content }).sections[0]?.blocks[0];
    assert.deepEqual(block, { kind: 'code', label: 'Changes to the constitution', text: amendment, isPatch: true });
  });

  it('is every field of an unknown type, by number, up to where the bytes broke', () => {
    const value = Buffer.from('0a0154120144', 'hex').toString('base64');
    const unknown = Buffer.from('0a01541201441a0331323308', 'hex').toString('base64');
    assert.match(section('proposed', { content: { type_url: '/a.v1.B', value } }), /^No fields\./);
    const text = section('proposed', { content: { type_url: '/a.v1.BProposal', value: unknown } });
    assert.match(text, /^- #3 text: 123\n- #rest: CA==$/m);
    assert.match(text, /cannot be read beyond byte 11/);
  });

  it('is nothing where there is no content, and a text where gov v1 states no messages', () => {
    assert.match(section('proposed', { content: null }), /^No content/);
    const page = (messages: unknown) => {
      const wire = { id: '7', status: 'PROPOSAL_STATUS_PASSED', messages };
      return toProposalView(factsOfRow(toProposalRow(readProposalRow('v1', wire))), plainWords);
    };
    assert.equal(sectionText(page([]), 'proposed'), 'Text only. Nothing executes if it passes.');
    assert.deepEqual(page([]).badges[0], { text: 'Text' });
    assert.match(sectionText(page('?'), 'proposed'), /^No content/);
  });
});

describe('a legacy content with words of its own', () => {
  const carried = (words: object) => ({
    '@type': '/cosmos.gov.v1.MsgExecLegacyContent',
    authority: 'gov1',
    content: { '@type': '/cosmos.gov.v1beta1.TextProposal', ...words },
  });
  const shownView = (words: object, stated: object = { title: 'Lower the fee', summary: 'A **small** change' }) => {
    const wire = { id: '848', status: 'PROPOSAL_STATUS_VOTING_PERIOD', messages: [carried(words)], ...stated };
    return toProposalView(factsOfRow(toProposalRow(readProposalRow('v1', wire))), plainWords);
  };
  const notice = /has a different title or description/;

  it('names type, authority and what carries it under Technical', () => {
    const shown = shownView({});
    assert.equal(
      sectionText(shown, 'description'),
      '> A **small** change\n▸ Technical /cosmos.gov.v1beta1.TextProposal\n  Type: /cosmos.gov.v1beta1.TextProposal\n  Wrapped in: /cosmos.gov.v1.MsgExecLegacyContent\n  - authority: gov1',
    );
    assert.doesNotMatch(sectionText(shown, 'proposed'), /Wrapped|authority/);
  });

  it('names the signer of a message of ibc-go there, too', () => {
    const message = {
      '@type': '/ibc.core.client.v1.MsgRecoverClient',
      subject_client_id: '07-tendermint-1',
      substitute_client_id: '07-tendermint-2',
      signer: 'gov1',
    };
    const wire = { id: '1', status: 'PROPOSAL_STATUS_VOTING_PERIOD', messages: [message], title: 'Recover' };
    const shown = toProposalView(factsOfRow(toProposalRow(readProposalRow('v1', wire))), plainWords);
    assert.match(sectionText(shown, 'description'), /^ {2}signer: gov1$/m);
    assert.doesNotMatch(sectionText(shown, 'proposed'), /signer/);
  });

  it('shows both where they differ, and says so', () => {
    const shown = shownView({ title: 'Mint a billion', description: 'To\u202e me' });
    assert.match(shown.notices.map(({ text }) => text).join(), notice);
    const proposed = sectionText(shown, 'proposed');
    assert.match(proposed, /^Title in the content: Mint a billion\nDescription in the content:\n.*To⟦U\+202E⟧ me/);
    assert.equal(shown.title, 'Lower the fee');
    assert.match(sectionText(shown, 'description'), /A \*\*small\*\* change/);
    const half = sectionText(shownView({ title: 'Lower the fee', description: 'Other' }), 'proposed');
    assert.doesNotMatch(half, /Title in the content/);
    assert.match(half, /Description in the content:/);
  });

  it('says nothing where they are the same, or where only the content has any', () => {
    const same = { title: 'Lower the fee', description: 'A **small** change\n' };
    for (const shown of [shownView(same), shownView(same, {}), shownView({ title: '', description: '' })]) {
      assert.doesNotMatch(viewText(shown), /in the content/);
      assert.doesNotMatch(viewText(shown), notice);
    }
  });
});

describe('the text of a view', () => {
  it('shows what cannot be seen, everywhere', () => {
    const content = {
      '@type': '/a.v1.\u202eProposal',
      title: 'a\u202eb',
      description: '# \u2066c\n\u200bd',
      field: '\u200fe',
    };
    const text = viewText(view({ content }));
    assert.doesNotMatch(text, /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
    for (const shown of ['a⟦U+202E⟧b', '# ⟦U+2066⟧c', '⟦U+200B⟧d', '⟦U+200F⟧e']) assert(text.includes(shown), shown);
  });

  it('marks airdrop phishing and hides nothing', () => {
    const description = 'Claim your airdrop: connect your wallet at https://atom-airdrop.example.com';
    const shown = view({ content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'Airdrop', description } });
    assert.match(
      shown.notices[0]?.text ?? '',
      /Possible airdrop phishing: the proposal points to atom-airdrop\.example\.com/,
    );
    assert.match(sectionText(shown, 'description'), /Claim your airdrop/);
  });

  it('keeps the JSON as it came, long strings by their beginning', () => {
    const content = { '@type': '/a.v1.B', title: 'T', description: 'x'.repeat(10_000) };
    const text = section('json', { content });
    assert.match(text, /x{4000}… \(10,000 characters\. Open JSON to see all\.\)/);
    assert.match(text, /"proposal_id": "848"/);
  });

  it('says why the last refresh failed, and keeps what was read', () => {
    const shown = view({}, { failure: 'GET x: HTTP 503' });
    assert.deepEqual(shown.notices, [{ tone: 'warning', text: 'The last refresh failed: GET x: HTTP 503' }]);
    assert.equal(shown.title, 'A title');
  });
});

describe('a panel whose proposal is not there yet', () => {
  it('says that it is read, or why that failed, with Retry', () => {
    const waiting = toWaitingView(7n, undefined, plainWords);
    assert.equal(viewText(waiting).trim(), '#7  [Loading…]');
    const failed = toWaitingView(7n, 'GET x: \u202eHTTP 503', plainWords);
    assert.equal(
      viewText(failed),
      '#7 Could not read this proposal [Not loaded]\n(bad) GET x: ⟦U+202E⟧HTTP 503\n(Retry)',
    );
  });
});

describe('a page of hostile length', () => {
  const joiner = '\u200d';
  const content = (more: object) => ({ content: { '@type': '/a.Type', title: 'A', description: 'B', ...more } });
  const most = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`m${at}`, at]));
  const lengthOf = (changes: object) => JSON.stringify(view(changes)).length;
  const cases: Readonly<Record<string, object>> = {
    '5 million digits as description': content({ description: '9'.repeat(5_000_000) }),
    '2 million joiners as description': content({ description: joiner.repeat(2_000_000) }),
    '2 million joiners as title': content({ title: joiner.repeat(2_000_000) }),
    '2 million joiners as type and as the name of a field': {
      content: { '@type': joiner.repeat(1_000_000), [joiner.repeat(1_000_000)]: 1 },
    },
    '400,000 members of a field': content({ field: Array.from({ length: 40 }, () => most) }),
  };

  for (const [name, changes] of Object.entries(cases))
    it(`is cut with a sentence: ${name}`, () => {
      const text = JSON.stringify(view(changes));
      assert.match(text, /… \([\d,]{7,10} characters\. Open JSON to see all\.\)/);
      // Each of at most 500,000 characters of long texts may become eight, which mark it.
      assert.ok(text.length < 4_500_000, `${text.length}`);
    });

  it('shows an ordinary long text whole', () => {
    const description = 'word '.repeat(30_000);
    assert.ok(lengthOf(content({ description })) > description.length);
    assert.doesNotMatch(section('description', content({ description })), /Open JSON shows all/);
  });
});
