import assert from 'node:assert/strict';
import { type GovParams, toGovParams } from '../../../src/chain/params.ts';
import { type Proposal, type ProposalStatus, type Tally, totalVotes } from '../../../src/chain/proposal.ts';
import { toProposalRow } from '../../../src/chain/toProposal.ts';
import { type Known, toVerdict } from '../../../src/chain/verdict.ts';

const params = toGovParams({
  v1: {
    quorum: '0.334',
    threshold: '0.500',
    veto_threshold: '0.334',
    expedited_threshold: '0.667',
  },
});
const noParams = toGovParams(undefined);
const votes = (yes: bigint, abstain = 0n, no = 0n, noWithVeto = 0n): Tally => ({ yes, abstain, no, noWithVeto });

function proposal(status: ProposalStatus, more: Partial<Proposal> = {}): Proposal {
  const row = toProposalRow({ form: 'v1beta1', proposal: { proposal_id: '1', content: null, status: 2 } });
  assert.ok(row.kind === 'proposal');
  return { ...row, status, ...more };
}

const open = (tally: Tally | undefined, bonded: bigint | undefined, rules: GovParams = params, expedited = false) =>
  toVerdict(proposal('voting', { expedited }), { liveTally: tally, bonded, params: rules });
const outcome = (...of: Parameters<typeof open>) => {
  const found = open(...of).outcome;
  return found.kind === 'wouldFail' ? found.rule : found.kind;
};

describe('verdict at the boundaries', () => {
  it('quorum: equal is enough, one unit less is not', () => {
    assert.equal(outcome(votes(334n), 1000n), 'wouldPass');
    assert.equal(outcome(votes(335n), 1000n), 'wouldPass');
    assert.equal(outcome(votes(333n), 1000n), 'quorum');
  });

  it('quorum counts abstain', () => {
    assert.equal(outcome(votes(1n, 333n), 1000n), 'wouldPass');
  });

  it('threshold: equal is not enough, one unit more is', () => {
    assert.equal(outcome(votes(500n, 0n, 500n), 1000n), 'threshold');
    assert.equal(outcome(votes(501n, 0n, 500n), 1001n), 'wouldPass');
    assert.equal(outcome(votes(499n, 0n, 500n), 999n), 'threshold');
  });

  it('threshold leaves abstain out', () => {
    assert.equal(outcome(votes(2n, 900n, 1n), 1000n), 'wouldPass');
  });

  it('veto: equal is allowed, one unit more is not, abstain counts', () => {
    assert.equal(outcome(votes(666n, 0n, 0n, 334n), 1000n), 'wouldPass');
    assert.equal(outcome(votes(665n, 0n, 0n, 335n), 1000n), 'veto');
    assert.equal(outcome(votes(667n, 0n, 0n, 333n), 1000n), 'wouldPass');
    assert.equal(outcome(votes(336n, 330n, 0n, 334n), 1000n), 'wouldPass');
    assert.equal(outcome(votes(336n, 329n, 0n, 335n), 1000n), 'veto');
  });

  it('all abstain, nothing bonded, no votes', () => {
    assert.equal(outcome(votes(0n, 900n), 1000n), 'notAllAbstain');
    assert.equal(outcome(votes(900n), 0n), 'bonded');
    assert.equal(outcome(votes(0n), 1000n), 'quorum');
    assert.equal(outcome(votes(0n), 1000n, { ...params, quorum: 0n }), 'notAllAbstain');
  });

  it('asks in the order of the chain', () => {
    assert.equal(outcome(votes(0n, 0n, 1n, 9n), 1000n), 'quorum');
    assert.equal(outcome(votes(0n, 0n, 10n, 990n), 1000n), 'veto');
  });

  it('an expedited vote has its own threshold and goes on when it fails', () => {
    assert.equal(outcome(votes(667n, 0n, 333n), 1000n, params, true), 'threshold');
    assert.equal(outcome(votes(668n, 0n, 332n), 1000n, params, true), 'wouldPass');
    assert.equal(open(votes(667n, 0n, 333n), 1000n, params, true).becomesRegular, true);
    assert.equal(open(votes(400n, 0n, 600n), 1000n).becomesRegular, false);
    assert.deepEqual(open(votes(900n), 1000n, { ...params, expeditedThreshold: undefined }, true).missing, [
      'expeditedThreshold',
    ]);
  });

  it('decides ties of 40 digits as the chain does, which rounds to 18', () => {
    const half = 5n * 10n ** 39n;
    assert.equal(outcome(votes(half, 0n, half), 2n * half), 'threshold');
    assert.equal(outcome(votes(half + 1n, 0n, half), 2n * half + 1n), 'threshold');
    assert.equal(outcome(votes(half + 10n ** 23n, 0n, half), 3n * half), 'wouldPass');
    const third = { ...params, vetoThreshold: 333_333_333_333_333_333n };
    assert.equal(outcome(votes(2n, 0n, 0n, 1n), 3n, third), 'wouldPass');
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
    assert.equal(verdict.working.find((step) => step.rule === 'quorum')?.met, undefined);
  });

  it('does not take the final tally of an open vote for its votes', () => {
    const known: Known = { liveTally: undefined, bonded: 1000n, params };
    const verdict = toVerdict(proposal('voting', { finalTally: votes(0n) }), known);
    assert.deepEqual(verdict.outcome, { kind: 'unknown' });
    assert.deepEqual(verdict.missing, ['tally']);
  });
});

describe('verdict of ended proposals', () => {
  const ended = (status: ProposalStatus, finalTally: Tally | undefined, more: Partial<Proposal> = {}) =>
    toVerdict(proposal(status, { finalTally, ...more }), { liveTally: undefined, bonded: 1_000_000n, params });

  it('never uses the stake of today', () => {
    const verdict = ended('passed', votes(900n));
    assert.deepEqual(verdict.outcome, { kind: 'passed' });
    assert.deepEqual([verdict.turnout, verdict.unvoted, verdict.missing], [undefined, undefined, []]);
    assert.equal(verdict.working.find((step) => step.rule === 'quorum')?.value, undefined);
    assert.deepEqual(verdict.contradicting, []);
  });

  it('tells why one was rejected', () => {
    const why = (tally: Tally | undefined) => ended('rejected', tally).outcome;
    const rejected = (rule: string | undefined, byElimination = false) => ({ kind: 'rejected', rule, byElimination });
    assert.deepEqual(why(votes(5n, 0n, 5n)), rejected('threshold'));
    assert.deepEqual(why(votes(50n, 0n, 0n, 50n)), rejected('veto'));
    assert.deepEqual(why(votes(0n, 5n)), rejected('notAllAbstain'));
    assert.deepEqual(why(votes(0n)), rejected('quorum'));
    assert.deepEqual(why(votes(9n)), rejected('quorum', true));
    assert.deepEqual(why(undefined), rejected(undefined));
  });

  it('keeps to the status where the working contradicts it, and says so', () => {
    const verdict = ended('passed', votes(5n, 0n, 5n));
    assert.deepEqual(verdict.outcome, { kind: 'passed' });
    assert.deepEqual(verdict.contradicting, ['threshold']);
  });

  it('says that a failed one passed, and why it failed', () => {
    assert.deepEqual(ended('failed', votes(9n), { failedReason: 'out of gas' }).outcome, {
      kind: 'failed',
      reason: 'out of gas',
    });
    assert.deepEqual(ended('deposit', undefined).outcome, { kind: 'notVoting' });
  });
});

describe('verdict for any vote', () => {
  /** contract-facts section 8, word by word, in whole numbers; limits in thousandths. */
  function transcribed(tally: Tally, bonded: bigint, quorum: bigint, veto: bigint, threshold: bigint): string {
    const total = tally.yes + tally.abstain + tally.no + tally.noWithVeto;
    if (bonded === 0n) return 'bonded';
    if (total * 1000n < quorum * bonded) return 'quorum';
    if (total === tally.abstain) return 'notAllAbstain';
    if (tally.noWithVeto * 1000n > veto * total) return 'veto';
    if (tally.yes * 1000n > threshold * (total - tally.abstain)) return 'wouldPass';
    return 'threshold';
  }

  let state = 20261121;
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return BigInt((state >>> 8) % below);
  };
  const thousandths = (value: bigint) => value * 10n ** 15n;
  const limits = [0n, 1n, 250n, 333n, 334n, 400n, 500n, 501n, 667n, 999n, 1000n];
  const limit = () => limits[Number(random(limits.length))] ?? 0n;

  it('is what the chain decides', () => {
    const seen = new Set<string>();
    for (let round = 0; round < 10_000; round++) {
      const size = [4, 13, 1000, 1_000_000][Number(random(4))] ?? 4;
      const tally = votes(random(size), random(size), random(size), random(size));
      const bonded = random(5) === 0n ? random(3) : totalVotes(tally) + random(size * 4);
      const [quorum, veto, threshold] = [limit(), limit(), limit()];
      const expected = transcribed(tally, bonded, quorum, veto, threshold);
      seen.add(expected);
      const rules = {
        quorum: thousandths(quorum),
        vetoThreshold: thousandths(veto),
        threshold: thousandths(threshold),
      };
      assert.equal(outcome(tally, bonded, { ...noParams, ...rules }), expected);
    }
    assert.equal(seen.size, 6);
  });

  it('counts the Yes votes that are missing, as trying one after the other finds them', () => {
    let needed = 0;
    for (let round = 0; round < 1500; round++) {
      const tally = votes(random(12), random(12), random(12), random(8));
      const bonded = totalVotes(tally) + random(60);
      const [quorum, veto, threshold] = [limit(), limit(), limit()];
      const rules = {
        quorum: thousandths(quorum),
        vetoThreshold: thousandths(veto),
        threshold: thousandths(threshold),
      };
      const passes = (extra: bigint) =>
        transcribed({ ...tally, yes: tally.yes + extra }, bonded, quorum, veto, threshold) === 'wouldPass';
      let tried: bigint | undefined;
      for (let extra = 0n; extra <= 400n && tried === undefined; extra++) if (passes(extra)) tried = extra;
      const { moreYes } = open(tally, bonded, { ...noParams, ...rules });
      if (tried !== undefined) assert.equal(moreYes, tried);
      else assert.ok(moreYes === undefined || moreYes > 400n);
      if (tried) needed++;
    }
    assert.ok(needed > 100);
  });

  it('tells to the unit how far each rule is from its limit', () => {
    for (let round = 0; round < 1500; round++) {
      const tally = votes(random(30), random(30), random(30), random(30));
      const bonded = totalVotes(tally) + random(60) + 1n;
      const [quorum, veto, threshold] = [limit(), limit(), limit()];
      const rules = {
        quorum: thousandths(quorum),
        vetoThreshold: thousandths(veto),
        threshold: thousandths(threshold),
      };
      for (const step of open(tally, bonded, { ...noParams, ...rules }).working) {
        if (step.part === undefined || !step.of || step.margin === undefined) continue;
        const { part, of, margin, met } = step;
        const holds = (value: bigint) => {
          if (step.rule === 'quorum') return value * 1000n >= quorum * of;
          return step.rule === 'veto' ? value * 1000n <= veto * of : value * 1000n > threshold * of;
        };
        assert.equal(holds(part), met);
        const inward = step.rule === 'veto' ? 1n : -1n;
        const edge = met ? part + inward * margin : part - inward * margin;
        assert.ok(holds(edge), `${step.rule} holds at its edge`);
        const beyond = edge + inward;
        if (beyond >= 0n && beyond <= of) assert.ok(!holds(beyond), `${step.rule} ends at its edge`);
      }
    }
  });
});
