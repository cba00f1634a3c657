import assert from 'node:assert/strict';
import { toGovParams } from '../../../src/api/decode/govParams.ts';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow } from '../../../src/api/decode/readReply.ts';
import type { GovParams } from '../../../src/chain/gov/params.ts';
import type { Proposal, ProposalStatus } from '../../../src/chain/gov/proposal.ts';
import type { Tally, VoteOption } from '../../../src/chain/gov/tally.ts';
import { toVerdict, type VerdictInputs } from '../../../src/chain/gov/verdict.ts';
import { standingOf, standingWords, verdictWords } from '../../../src/words/verdictWords.ts';
import { plainWords } from '../page/plainWords.ts';

const params = toGovParams({
  v1: {
    quorum: '0.334',
    threshold: '0.500',
    veto_threshold: '0.334',
    expedited_threshold: '0.667',
  },
});
const noParams = toGovParams({});
const votes = (yes: bigint, abstain = 0n, no = 0n, noWithVeto = 0n): Tally => ({ yes, abstain, no, noWithVeto });

function proposal(status: ProposalStatus, more: Partial<Proposal> = {}): Proposal {
  const row = toProposalRow(readProposalRow('v1beta1', { proposal_id: '1', content: null, status: 2 }));
  assert.ok(row.kind === 'proposal');
  return { ...row, status, ...more };
}

const open = (tally: Tally | undefined, bonded: bigint | undefined, rules: GovParams = params, expedited = false) =>
  toVerdict(proposal('voting', { expedited }), { liveTally: tally, votingPower: bonded, params: rules });
const outcome = (...of: Parameters<typeof open>) => {
  const found = open(...of).outcome;
  if (found.kind === 'tooClose') return `close: ${found.rule}`;
  return found.kind === 'wouldFail' ? found.rule : found.kind;
};

describe('the row of an open vote', () => {
  it('has a shape of its own, and words, for each thing that decides', () => {
    const rules = { ...params, quorum: 0n };
    const stands = [
      open(votes(600n), 1000n),
      open(votes(100n), 1000n),
      open(votes(100n), 0n),
      open(votes(400n, 0n, 500n), 1000n),
      open({ ...votes(0n, 900n), voted: ['abstain'] }, 1000n),
      open(votes(6650n, 0n, 0n, 3340n), 9990n, rules),
      open(votes(333n), 1000n),
      open(undefined, 1000n),
    ].map((verdict) => standingWords(standingOf(verdict), plainWords));
    assert.deepEqual(
      stands.map(({ icon, words }) => `${icon}: ${words}`),
      [
        'thumbsup: would pass now',
        'pie-chart: no quorum yet',
        'pie-chart: no quorum yet',
        'thumbsdown: not enough Yes',
        'thumbsdown: not enough Yes',
        'shield: would be vetoed now',
        'law: too close to call',
        'circle-outline: outcome unknown',
      ],
    );
  });
});

describe('verdict at the boundaries', () => {
  it('quorum: equal is enough, one unit less for each option is too close to tell', () => {
    assert.equal(outcome(votes(334n), 1000n), 'wouldPass');
    assert.equal(outcome(votes(335n), 1000n), 'wouldPass');
    assert.equal(outcome(votes(333n), 1000n), 'close: quorum');
    assert.equal(outcome(votes(330n), 1000n), 'close: quorum');
    assert.equal(outcome(votes(329n), 1000n), 'quorum');
  });

  it('quorum counts abstain', () => {
    assert.equal(outcome(votes(10n, 324n), 1000n), 'wouldPass');
  });

  it('threshold: equal is not enough', () => {
    assert.equal(outcome(votes(500n, 0n, 500n), 1000n), 'close: threshold');
    assert.equal(outcome(votes(501n, 0n, 500n), 1001n), 'close: threshold');
    assert.equal(outcome(votes(502n, 0n, 500n), 1002n), 'close: threshold');
    assert.equal(outcome(votes(503n, 0n, 500n), 1003n), 'wouldPass');
    assert.equal(outcome(votes(499n, 0n, 500n), 999n), 'threshold');
  });

  it('threshold leaves abstain out', () => {
    assert.equal(outcome(votes(30n, 900n, 10n), 1000n), 'wouldPass');
  });

  it('veto: equal is allowed, abstain counts', () => {
    const rules = { ...params, quorum: 0n };
    assert.equal(outcome(votes(6650n, 0n, 0n, 3340n), 9990n, rules), 'veto');
    assert.equal(outcome(votes(6660n, 0n, 0n, 3340n), 10_000n, rules), 'close: veto');
    assert.equal(outcome(votes(6670n, 0n, 0n, 3330n), 10_000n, rules), 'wouldPass');
    assert.equal(outcome(votes(3370n, 3300n, 0n, 3330n), 10_000n, rules), 'wouldPass');
    assert.equal(outcome(votes(3350n, 3300n, 0n, 3350n), 10_000n, rules), 'veto');
  });

  it('a count of zero may hide less than one unit, but for no votes at all', () => {
    assert.equal(outcome(votes(1000n), 1000n, { ...params, vetoThreshold: 0n }), 'close: veto');
    assert.equal(outcome(votes(0n, 0n, 1000n), 1000n, { ...params, threshold: 0n }), 'close: threshold');
    assert.equal(outcome(votes(0n), 1000n, { ...params, quorum: 10n ** 15n }), 'quorum');
    // 330 and four options with decimals are more than 333, and less than 334.
    assert.equal(outcome(votes(330n), 999n), 'close: quorum');
    assert.equal(outcome(votes(330n), 1012n), 'quorum');
  });

  it('a count of zero is exact where single votes show it', () => {
    const only = (tally: Tally, ...voted: readonly VoteOption[]): Tally => ({ ...tally, voted });
    assert.equal(outcome(only(votes(1000n), 'yes'), 1000n, { ...params, vetoThreshold: 0n }), 'wouldPass');
    assert.equal(outcome(only(votes(333n), 'yes'), 1000n), 'close: quorum');
    assert.equal(outcome(only(votes(332n), 'yes'), 1000n), 'quorum');
    assert.equal(outcome(only(votes(0n, 900n), 'abstain'), 1000n), 'notAllAbstain');
    assert.equal(outcome(only(votes(0n, 900n), 'abstain', 'no'), 1000n), 'threshold');
    assert.equal(outcome(only(votes(0n, 900n), 'abstain', 'yes'), 1000n), 'close: notAllAbstain');
    assert.equal(outcome(only(votes(0n), 'yes'), 2n, { ...params, quorum: 0n }), 'close: notAllAbstain');
  });

  it('all abstain, nothing bonded, no votes', () => {
    assert.equal(outcome(votes(0n, 900n), 1000n), 'close: notAllAbstain');
    assert.equal(outcome(votes(900n), 0n), 'bonded');
    assert.equal(open(votes(900n), 0n).moreYes, undefined);
    assert.equal(outcome(votes(0n), 1000n), 'quorum');
    assert.equal(outcome(votes(0n), 1000n, { ...params, quorum: 0n }), 'notAllAbstain');
  });

  it('asks in the order of the chain', () => {
    assert.equal(outcome(votes(0n, 0n, 1n, 9n), 1000n), 'quorum');
    assert.equal(outcome(votes(0n, 0n, 10n, 990n), 1000n), 'veto');
  });

  it('a rule that surely fails decides, though one before it is too close', () => {
    assert.equal(outcome(votes(33n, 0n, 300n), 1000n), 'threshold');
  });

  it('an expedited vote has its own threshold and goes on when it fails', () => {
    assert.equal(outcome(votes(660n, 0n, 340n), 1000n, params, true), 'threshold');
    assert.equal(outcome(votes(667n, 0n, 333n), 1000n, params, true), 'close: threshold');
    assert.equal(outcome(votes(670n, 0n, 330n), 1000n, params, true), 'wouldPass');
    assert.equal(open(votes(600n, 0n, 400n), 1000n, params, true).becomesRegular, true);
    assert.equal(open(votes(400n, 0n, 600n), 1000n).becomesRegular, false);
    assert.equal(open(votes(670n, 0n, 330n), 1000n, params, true).becomesRegular, false);
    assert.deepEqual(open(votes(1n), 1000n).assumptions, ['regular']);
    assert.deepEqual(open(votes(1n), 1000n, params, true).assumptions, []);
    assert.deepEqual(open(votes(1n), 1000n, { ...params, expeditedThreshold: undefined }).assumptions, []);
    assert.deepEqual(open(votes(900n), 1000n, { ...params, expeditedThreshold: undefined }, true).missing, [
      'expeditedThreshold',
    ]);
  });

  it('tells how many more Yes are enough, whatever the decimals are', () => {
    assert.equal(open(votes(333n), 1000n).moreYes, 1n);
    assert.equal(open(votes(500n, 0n, 500n), 1000n).moreYes, 3n);
    assert.equal(open(votes(503n, 0n, 500n), 1003n).moreYes, 0n);
  });

  it('tells the least number of Yes where the source says which options have decimals', () => {
    const tied = votes(500n, 0n, 500n);
    assert.equal(open({ ...tied, fractions: [] }, 1000n).moreYes, 1n);
    assert.equal(open({ ...tied, fractions: ['no'] }, 1000n).moreYes, 2n);
    // 667 of 1000 is the threshold itself, which is not enough.
    assert.equal(open({ ...votes(666n, 0n, 333n), fractions: [] }, 1000n, params, true).moreYes, 2n);
    assert.equal(outcome({ ...votes(501n, 0n, 500n), fractions: [] }, 1000n), 'wouldPass');
    assert.equal(outcome({ ...tied, fractions: [] }, 1000n), 'threshold');
  });

  const words = (tally: Tally, bonded: bigint, expedited = false) => {
    const verdict = open({ ...tally, fractions: [] }, bonded, params, expedited);
    const power = (amount: bigint) => `${amount} stake`;
    return verdictWords({ proposal: proposal('voting'), verdict, now: new Date(0), power, t: plainWords }).text;
  };

  it('says that the votes which are not cast yet cannot pass it', () => {
    assert.equal(
      words(votes(100n, 0n, 500n), 900n),
      '16.67 % Yes excluding Abstain, more than 50.00 % needed. To pass, it needs another 401 stake in Yes votes, but only 300 stake have not voted. It can pass only if votes change.',
    );
    assert.match(words(votes(100n, 0n, 500n), 1001n), /It would pass with another 401 stake in Yes votes\.$/);
  });

  it('says what an expedited vote needs before what follows without it', () => {
    assert.equal(
      words(votes(500n, 0n, 400n), 1500n, true),
      '55.56 % Yes excluding Abstain, more than 66.70 % needed. It would pass with another 302 stake in Yes votes. Otherwise, it would continue as a regular vote.',
    );
  });
});

describe('verdict with unknown inputs', () => {
  it('names what is unknown and does not guess', () => {
    const verdict = open(votes(900n), undefined);
    assert.deepEqual(verdict.outcome, { kind: 'unknown' });
    assert.deepEqual(verdict.missing, ['bonded']);
    assert.deepEqual([verdict.turnout, verdict.unvoted, verdict.moreYes], [undefined, undefined, undefined]);
    assert.deepEqual(open(undefined, undefined, noParams).missing, [
      'bonded',
      'tally',
      'quorum',
      'vetoThreshold',
      'threshold',
    ]);
  });

  it('says what fails all the same', () => {
    const verdict = open(votes(100n, 0n, 900n), undefined);
    assert.deepEqual(verdict.outcome, { kind: 'wouldFail', rule: 'threshold' });
    assert.deepEqual(verdict.missing, ['bonded']);
    assert.equal(verdict.rules.find(({ name }) => name === 'quorum')?.result, 'unknown');
  });

  it('does not take the final tally of an open vote for its votes', () => {
    const known: VerdictInputs = { liveTally: undefined, votingPower: 1000n, params };
    const verdict = toVerdict(proposal('voting', { finalTally: votes(0n) }), known);
    assert.deepEqual(verdict.outcome, { kind: 'unknown' });
    assert.deepEqual(verdict.missing, ['tally']);
  });
});

describe('verdict of ended proposals', () => {
  const ended = (status: ProposalStatus, finalTally: Tally | undefined, more: Partial<Proposal> = {}) =>
    toVerdict(proposal(status, { finalTally, ...more }), { liveTally: undefined, votingPower: 1_000_000n, params });

  it('never uses the stake of today', () => {
    const verdict = ended('passed', votes(900n));
    assert.deepEqual(verdict.outcome, { kind: 'passed' });
    assert.deepEqual([verdict.turnout, verdict.unvoted, verdict.missing], [undefined, undefined, []]);
    assert.equal(verdict.rules.find(({ name }) => name === 'quorum')?.value, undefined);
    assert.deepEqual(verdict.contradicting, []);
  });

  it('tells why one was rejected', () => {
    const why = (tally: Tally | undefined) => ended('rejected', tally).outcome;
    const rejected = (rule: string | undefined, byElimination = false, candidates = rule ? [rule] : []) => ({
      kind: 'rejected',
      rule,
      byElimination,
      candidates,
    });
    // The stake of then is not known, so quorum may have been missed before the rule that surely is.
    assert.deepEqual(why(votes(40n, 0n, 50n)), rejected(undefined, false, ['quorum', 'threshold']));
    assert.deepEqual(why(votes(50n, 0n, 0n, 50n)), rejected(undefined, false, ['quorum', 'veto']));
    // Where the tally states its own voting power, quorum is known.
    assert.deepEqual(why({ ...votes(40n, 0n, 50n), power: 100n }), rejected('threshold'));
    assert.deepEqual(why({ ...votes(40n, 0n, 50n), power: 1000n }), rejected('quorum'));
    // Quorum missed, or more than half of the decimals for No: whole units do not say.
    assert.deepEqual(why(votes(5n, 0n, 5n)), rejected(undefined, false, ['quorum', 'threshold']));
    assert.deepEqual(why(votes(0n, 5n)), rejected(undefined, false, ['quorum', 'notAllAbstain', 'threshold']));
    assert.deepEqual(why(votes(0n)), rejected('quorum'));
    assert.deepEqual(why(votes(9n)), rejected('quorum', true));
    assert.deepEqual(why(undefined), rejected(undefined));
  });

  it('tells what becomes of deposits only where all rules that may have decided agree in it', () => {
    const deposits = (tally: Tally, burnVoteQuorum: boolean | undefined, isStoredAsV1 = true) => {
      const rules = { ...params, burnVoteQuorum, burnVoteVeto: burnVoteQuorum === undefined ? undefined : true };
      const known = { liveTally: undefined, votingPower: undefined, params: rules };
      return toVerdict(proposal('rejected', { finalTally: tally, isStoredAsV1 }), known).deposits?.effect;
    };
    // Quorum or threshold.
    assert.equal(deposits(votes(40n, 0n, 50n), true), undefined);
    assert.equal(deposits(votes(40n, 0n, 50n), false), 'returned');
    assert.equal(deposits(votes(40n, 0n, 50n), undefined), 'returned', '0.46 returns both');
    assert.equal(deposits(votes(40n, 0n, 50n), undefined, false), undefined, '0.45 burns for quorum');
    // Quorum or veto.
    assert.equal(deposits(votes(50n, 0n, 0n, 50n), true), 'burned');
    assert.equal(deposits(votes(50n, 0n, 0n, 50n), false), undefined);
    assert.equal(deposits(votes(50n, 0n, 0n, 50n), undefined, false), 'burned');
    assert.equal(deposits(votes(0n), true), 'burned');
    assert.equal(deposits({ ...votes(40n, 0n, 50n), power: 100n }, true), 'returned');
  });

  it('takes no votes at all of a proposal that passed for a tally that was not recorded', () => {
    for (const status of ['passed', 'failed'] as const) {
      const verdict = ended(status, votes(0n));
      assert.deepEqual([verdict.tally, verdict.contradicting, verdict.missing], [undefined, [], ['tally']]);
      assert.equal(verdict.outcome.kind, status);
    }
    assert.deepEqual(ended('rejected', votes(0n)).tally, votes(0n));
  });

  it('keeps to the status where the calculation contradicts it, and says so', () => {
    const verdict = ended('passed', votes(40n, 0n, 50n));
    assert.deepEqual(verdict.outcome, { kind: 'passed' });
    assert.deepEqual(verdict.contradicting, ['threshold']);
    assert.deepEqual(ended('passed', votes(5n, 0n, 5n)).contradicting, []);
    assert.deepEqual(ended('failed', votes(40n, 0n, 50n)).contradicting, ['threshold']);
    assert.deepEqual(ended('rejected', votes(40n, 0n, 50n)).contradicting, []);
  });

  it('says that a failed one passed, and why it failed', () => {
    assert.deepEqual(ended('failed', votes(9n), { failedReason: 'out of gas' }).outcome, {
      kind: 'failed',
      reason: 'out of gas',
    });
    const deposit = ended('deposit', votes(0n));
    assert.deepEqual([deposit.outcome, deposit.tally], [{ kind: 'notVoting' }, undefined]);
    const missed = { case: 'minimum', effect: 'burned', parameter: undefined };
    assert.deepEqual(deposit.deposits, missed, 'if the minimum is missed');
    assert.deepEqual(ended('failed', votes(9n)).tally, votes(9n));
  });
});
