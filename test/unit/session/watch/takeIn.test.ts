import assert from 'node:assert/strict';
import type { ProposalReading } from '../../../../src/session/watch/reading.ts';
import { type SeenProposal, takeInProposal } from '../../../../src/session/watch/takeIn.ts';
import { takeInSupply } from '../../../../src/session/watch/takeInSupply.ts';
import { defaultRules, type WatchRules } from '../../../../src/session/watch/watchRules.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);
const all: WatchRules = { ...defaultRules, quorum: true, verdict: true };
const voting: SeenProposal = { status: 'voting', title: 'T', submitTime: start, votingEnd: start + 3 * day };

/** Takes in one read after the other, as [hours since the start, what was seen]; returns what was told. */
function follow(reads: readonly (readonly [number, SeenProposal])[], rules = all): string[] {
  let reading: ProposalReading | undefined;
  const known = new Set<string>();
  const told: string[] = [];
  for (const [hours, seen] of reads) {
    const taken = takeInProposal(rules, reading, seen, start + hours * hour);
    reading = taken.reading;
    for (const { id, what, silent } of taken.found) {
      if (!silent && !known.has(id))
        told.push(what.kind === 'status' ? what.to : what.kind === 'ends' ? `${what.hours} h` : what.kind);
      known.add(id);
    }
  }
  return told;
}

const counted = (yes: bigint, quorum: boolean, verdict: 'wouldPass' | 'wouldFail'): SeenProposal => ({
  ...voting,
  live: { tally: { yes, abstain: 0n, no: 0n, noWithVeto: 0n }, quorum, verdict },
});

describe('what a read tells', () => {
  it('is nothing the first time, however late', () => {
    assert.deepEqual(follow([[71, voting]]), []);
  });

  it('is each coming end once, the nearest when several are due', () => {
    assert.deepEqual(
      follow([
        [0, voting],
        [48, voting],
        [60, voting],
        [71, voting],
        [71.5, voting],
      ]),
      ['24 h', '1 h'],
    );
    assert.deepEqual(
      follow([
        [0, voting],
        [71.5, voting],
        [71.6, voting],
      ]),
      ['1 h'],
    );
    assert.deepEqual(
      follow([
        [0, voting],
        [73, voting],
      ]),
      [],
    );
  });

  it('is a changed status once, also when a node that lags takes it back for a while', () => {
    const passed: SeenProposal = { ...voting, status: 'passed' };
    assert.deepEqual(
      follow([
        [0, voting],
        [73, passed],
        [73.1, voting],
        [73.2, voting],
        [73.3, passed],
      ]),
      ['passed'],
    );
  });

  it('is another end when the chain was wound back and decided anew', () => {
    const passed: SeenProposal = { ...voting, status: 'passed' };
    const rejected: SeenProposal = { ...voting, status: 'rejected' };
    assert.deepEqual(
      follow([
        [0, voting],
        [73, passed],
        [74, rejected],
        [75, passed],
        [75.1, passed],
      ]),
      // The last word is the true one.
      ['passed', 'rejected', 'passed'],
    );
  });

  it('is the end once when the chain was wound back for hours and decided alike, each end when it did not', () => {
    const ended = (status: 'passed' | 'rejected'): SeenProposal => ({ ...voting, status });
    const back = [74, 74.2, 74.4, 80].map((hours) => [hours, voting] as const);
    const backAgain = [90, 90.2, 90.4, 95].map((hours) => [hours, voting] as const);
    assert.deepEqual(follow([[0, voting], [73, ended('passed')], ...back, [81, ended('passed')]]), ['passed']);
    assert.deepEqual(
      follow([
        [0, voting],
        [73, ended('passed')],
        ...back,
        [81, ended('rejected')],
        ...backAgain,
        [96, ended('passed')],
        [97, ended('passed')],
      ]),
      ['passed', 'rejected', 'passed'],
    );
  });

  it('is a proposal that is gone only when it stays gone, or its deposit period is over', () => {
    const gone: SeenProposal = { status: 'missing' };
    assert.deepEqual(
      follow([
        [0, voting],
        [1, gone],
        [1.1, voting],
      ]),
      [],
    );
    assert.deepEqual(
      follow([
        [0, voting],
        [1, gone],
        [1.1, gone],
        [1.2, gone],
      ]),
      ['missing'],
    );
    const deposit: SeenProposal = { status: 'deposit', submitTime: start, depositEnd: start + 2 * hour };
    assert.deepEqual(
      follow([
        [0, deposit],
        [2.1, gone],
      ]),
      ['missing'],
    );
  });

  it('is silent for another proposal with the same id', () => {
    const anew: SeenProposal = { ...voting, status: 'rejected', submitTime: start + day };
    assert.deepEqual(
      follow([
        [0, voting],
        [30, anew],
      ]),
      [],
    );
  });

  it('is quorum once and every flip of the verdict', () => {
    const reads = [
      [0, counted(1n, false, 'wouldFail')],
      [1, counted(40n, true, 'wouldPass')],
      [2, counted(41n, true, 'wouldFail')],
      [3, counted(42n, true, 'wouldFail')],
      [4, counted(43n, true, 'wouldPass')],
    ] as const;
    assert.deepEqual(follow(reads), ['quorum', 'verdict', 'verdict', 'verdict']);
    assert.deepEqual(follow(reads, defaultRules), []);
  });

  it('is quorum that the first count of a new vote finds', () => {
    const deposit: SeenProposal = { status: 'deposit', submitTime: start, depositEnd: start + day };
    assert.deepEqual(
      follow([
        [0, deposit],
        [1, voting],
        [2, counted(40n, true, 'wouldPass')],
      ]),
      ['voting', 'quorum'],
    );
  });
});

describe('what a read of a supply tells', () => {
  const rules = (supply: WatchRules['supply']): WatchRules => ({ ...defaultRules, supply });
  const amounts = (rule: WatchRules['supply'], ...read: bigint[]) => {
    let reading: ReturnType<typeof takeInSupply>['reading'] | undefined;
    return read.map((amount, index) => {
      const taken = takeInSupply(rules(rule), reading, amount, start + index * hour);
      reading = taken.reading;
      return taken.found.length;
    });
  };

  it('is a change of more than a share, counted from the last word, exactly', () => {
    const huge = 10n ** 30n;
    assert.deepEqual(
      amounts(
        { kind: 'percent', percent: 1 },
        huge,
        huge + huge / 100n,
        huge + huge / 100n + 1n,
        huge + huge / 100n + 2n,
      ),
      [0, 0, 1, 0],
    );
  });

  it('is a change of more than a number, in either direction', () => {
    assert.deepEqual(amounts({ kind: 'amount', amount: 10n }, 100n, 110n, 111n, 100n, 101n), [0, 0, 1, 1, 0]);
    assert.deepEqual(amounts(undefined, 1n, 10n ** 20n), [0, 0]);
  });

  it('looks back a day or two', () => {
    let reading = takeInSupply(rules(undefined), undefined, 0n, start).reading;
    for (let hours = 1; hours <= 100; hours++) {
      reading = takeInSupply(rules(undefined), reading, BigInt(hours), start + hours * hour).reading;
      const back = reading.at - reading.earlier.at;
      assert.ok(back <= 2 * day && (hours < 48 || back >= day), `${back / hour} h after ${hours} h`);
    }
  });
});
