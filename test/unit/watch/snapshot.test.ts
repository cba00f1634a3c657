import assert from 'node:assert/strict';
import {
  type DenomSnapshot,
  diffSnapshot,
  type EventFacts,
  nextProposal,
  nextSupply,
  type ProposalSnapshot,
  type SeenProposal,
} from '../../../src/watch/snapshot.ts';
import { defaultRules, type WatchRules } from '../../../src/watch/watchList.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);
const all: WatchRules = { ...defaultRules, quorum: true, verdict: true };
const voting: SeenProposal = { status: 'voting', title: 'T', submitTime: start, votingEnd: start + 3 * day };

function nameOf(facts: EventFacts): string {
  if (facts.kind === 'status') return facts.to;
  return facts.kind === 'ends' ? `${facts.hours} h` : facts.kind;
}

/** One read after the other, as [hours since the start, what was read]; returns the events. */
function follow(reads: readonly (readonly [number, SeenProposal])[], rules = all): string[] {
  let before: ProposalSnapshot | undefined;
  const ids = new Set<string>();
  const events: string[] = [];
  for (const [hours, seen] of reads) {
    const now = start + hours * hour;
    const after = nextProposal(before, seen, now);
    for (const { id, facts } of diffSnapshot(before, after, rules, now)) {
      assert.ok(!ids.has(id), `${id} twice`);
      ids.add(id);
      events.push(nameOf(facts));
    }
    before = after;
  }
  return events;
}

const counted = (yes: number, quorum: boolean, verdict: 'wouldPass' | 'wouldFail'): SeenProposal => ({
  ...voting,
  live: { yes, quorum, verdict },
});

describe('the events between two snapshots of a proposal', () => {
  it('are none the first time, however late', () => {
    assert.deepEqual(follow([[71, voting]]), []);
  });

  it('come with time alone', () => {
    const before = nextProposal(undefined, voting, start);
    const at = (hours: number) =>
      diffSnapshot(before, before, all, start + hours * hour).map(({ facts }) => nameOf(facts));
    assert.deepEqual([at(47.9), at(48), at(70), at(71), at(72)], [[], ['24 h'], ['24 h'], ['1 h'], []]);
  });

  it('are not those that new rules find in the past', () => {
    const before = nextProposal(undefined, voting, start + 50 * hour);
    const rules = { ...all, hoursBefore: [48, 24, 12] };
    assert.deepEqual(
      diffSnapshot(before, nextProposal(before, voting, start + 51 * hour), rules, start + 51 * hour),
      [],
    );
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
      [0, counted(1, false, 'wouldFail')],
      [1, counted(40, true, 'wouldPass')],
      [2, counted(41, true, 'wouldFail')],
      [3, counted(42, true, 'wouldFail')],
      [4, counted(43, true, 'wouldPass')],
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
        [2, counted(40, true, 'wouldPass')],
      ]),
      ['voting', 'quorum'],
    );
  });
});

describe('an expedited vote that failed and goes on as a regular one', () => {
  const quorum = { live: { yes: 40, quorum: true, verdict: undefined } } as const;
  const none = { live: { yes: undefined, quorum: false, verdict: undefined } } as const;
  const expedited: SeenProposal = { ...voting, expedited: true, votingEnd: start + day };
  const regular: SeenProposal = { ...voting, expedited: false };

  it('tells the quorum of each vote once', () => {
    assert.deepEqual(
      follow([
        [0, { ...expedited, ...none }],
        [1, { ...expedited, ...quorum }],
        [25, { ...regular, ...none }],
        [26, { ...regular, ...quorum }],
        [27, { ...regular, ...quorum }],
      ]),
      ['quorum', 'quorum'],
    );
  });

  it('tells a quorum that the first count of the regular vote finds', () => {
    assert.deepEqual(
      follow([
        [0, { ...expedited, ...none }],
        [1, { ...expedited, ...quorum }],
        [25, regular],
        [26, { ...regular, ...quorum }],
      ]),
      ['quorum', 'quorum'],
    );
    assert.deepEqual(
      follow([
        [0, { ...expedited, ...none }],
        [1, { ...expedited, ...quorum }],
        [26, { ...regular, ...quorum }],
      ]),
      ['quorum', 'quorum'],
    );
  });

  it('has no votes until they are counted', () => {
    const counted = nextProposal(undefined, { ...expedited, ...quorum }, start);
    const { tally, quorum: reached } = nextProposal(counted, regular, start + 25 * hour);
    assert.deepEqual([tally, reached], [undefined, false]);
  });

  it('is told nothing twice by a node that lags', () => {
    assert.deepEqual(
      follow([
        [0, { ...expedited, ...none }],
        [1, { ...expedited, ...quorum }],
        [26, { ...regular, ...quorum }],
        [26.1, { ...expedited, ...quorum }],
      ]),
      ['quorum', 'quorum'],
    );
  });

  it('is another one than a vote whose end is moved', () => {
    assert.deepEqual(
      follow([
        [0, { ...regular, ...none }],
        [1, { ...regular, ...quorum }],
        [2, { ...regular, ...quorum, votingEnd: start + 4 * day }],
      ]),
      ['quorum'],
    );
  });
});

describe('the events between two snapshots of a supply', () => {
  const rules = (supply: WatchRules['supply']): WatchRules => ({ ...defaultRules, supply });
  const counts = (rule: WatchRules['supply'], ...read: bigint[]) => {
    let before: DenomSnapshot | undefined;
    return read.map((amount, index) => {
      const now = start + index * hour;
      const after = nextSupply(before, amount, rule, now);
      const found = diffSnapshot(before, after, rules(rule), now);
      before = after;
      return found.length;
    });
  };

  it('are changes of more than a share, counted from the last event, exactly', () => {
    const huge = 10n ** 30n;
    const read = [huge, huge + huge / 100n, huge + huge / 100n + 1n, huge + huge / 100n + 2n];
    assert.deepEqual(counts('1%', ...read), [0, 0, 1, 0]);
  });

  it('are changes of more than a number, in either direction', () => {
    assert.deepEqual(counts('10', 100n, 110n, 111n, 100n, 101n), [0, 0, 1, 1, 0]);
    assert.deepEqual(counts(null, 1n, 10n ** 20n), [0, 0]);
  });

  it('keep a sample that is a day or two old', () => {
    let snapshot = nextSupply(undefined, 0n, null, start);
    for (let hours = 1; hours <= 100; hours++) {
      snapshot = nextSupply(snapshot, BigInt(hours), null, start + hours * hour);
      const back = snapshot.at - snapshot.earlier.at;
      assert.ok(back <= 2 * day && (hours < 48 || back >= day), `${back / hour} h after ${hours} h`);
    }
  });
});
