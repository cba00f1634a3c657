import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Happening } from '../../../../src/session/watch/watchEvent.ts';
import { defaultRules, type WatchRules } from '../../../../src/session/watch/watchRules.ts';
import { World } from './fakeClock.ts';
import { type Fate, SimulatedChain } from './simulatedChain.ts';
import { SharedLease, type SimulatedWindow, startWindow, type Told } from './simulatedWindow.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** A Monday, eight o'clock. */
const monday = Date.UTC(2026, 2, 2, 8);
const week = 7 * day;

describe('seven simulated days of 200 watched proposals over 3 endpoints', function () {
  this.timeout(300_000);
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watch-week-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('tells every event once, none late, for fewer than 3,000 requests', async () => {
    const result = await simulate(folder, defaultRules);
    console.log(`      ${result.requests} requests without live tallies, ${result.told.length} events told`);
    assert.deepEqual(result.errors, []);
    const late = assertExactlyOnce(result, defaultRules);
    console.log(`      the latest was told ${late / 1000} s after the first possible moment`);
    assert.ok(result.requests < 3000, `${result.requests} requests`);
    assert.ok(result.mostUnderWay <= 4, `${result.mostUnderWay} requests of one endpoint at once`);
  });

  // `npm run test:full` runs this one too (decision 7).
  const full = process.env.TEST_FULL === '1' ? it : () => {};
  full('tells quorum and verdict too, for fewer than 40,000 requests', async () => {
    const rules = { ...defaultRules, quorum: true, verdict: true };
    const result = await simulate(folder, rules);
    console.log(`      ${result.requests} requests with live tallies, ${result.told.length} events told`);
    assert.deepEqual(result.errors, []);
    const late = assertExactlyOnce(result, rules);
    console.log(`      the latest was told ${late / 1000} s after the first possible moment`);
    assert.ok(result.requests < 40_000, `${result.requests} requests`);
  });
});

interface SimulatedWeek {
  readonly chains: readonly SimulatedChain[];
  readonly told: readonly Told[];
  readonly asleep: readonly { from: number; to: number }[];
  readonly requests: number;
  readonly mostUnderWay: number;
  readonly errors: readonly unknown[];
}

/** Numbers that are the same in every run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function makeChains(world: World): SimulatedChain[] {
  const roll = dice(7);
  const chains = ['https://a.test', 'https://b.test', 'https://c.test'].map((url) => new SimulatedChain(world, url));
  for (let index = 0; index < 200; index++) {
    const chain = chains[index % 3];
    const submitted = monday - roll(3 * day);
    const start = roll(5) === 0 ? undefined : submitted + roll(4 * day);
    // A tenth of them end at the very same moment, as proposals of one batch do.
    const end = index % 10 === 0 ? monday + 3 * day + 2 * hour : monday + hour + roll(week - 2 * hour);
    const voteStart = start === undefined ? undefined : Math.min(start, end - 2 * hour);
    const depositEnd = start === undefined ? monday + hour + roll(week - 2 * hour) : Math.max(end, monday) + day;
    const result = (['passed', 'rejected', 'failed'] as const)[roll(3)] ?? 'passed';
    const quorumAt = (voteStart ?? 0) + roll(day);
    const votes = (time: number) => ({
      yes: time > quorumAt ? 400_000n : 1000n,
      no: time > quorumAt + 12 * hour && time < quorumAt + 30 * hour ? 500_000n : 10n,
    });
    chain?.fates.push({ id: BigInt(index + 1), submitted, depositEnd, voteStart, voteEnd: end, result, votes });
  }
  return chains;
}

async function simulate(folder: string, rules: WatchRules): Promise<SimulatedWeek> {
  const world = new World(monday);
  const chains = makeChains(world);
  const [first, second_, third] = chains;
  assert.ok(first && second_ && third);
  // Short and long outages, some of them over ends of votes.
  for (const chain of chains) {
    const end = chain.fates.map(({ voteEnd }) => voteEnd).sort()[20] ?? 0;
    chain.outages.push({ from: end - minute, to: end + 7 * minute });
  }
  first.outages.push({ from: monday + 2 * day, to: monday + 2 * day + 2 * hour });
  // Behind one address a node lags: it still says "voting" a while after the others said the result.
  for (const chain of chains) {
    for (const fate of chain.fates.filter(({ voteStart }, index) => voteStart !== undefined && index % 5 === 1)) {
      const from = chain.closing(fate.voteEnd) + 30 * second;
      if (chain.isDown(from - 20 * second)) continue;
      chain.lies.push({ id: fate.id, from, to: from + 20 * minute, status: 'voting' });
    }
  }
  const clock = world.clock();
  clock.offset = -3 * hour;
  const told: Told[] = [];
  const lease = new SharedLease();
  const byUrl = new Map(chains.map((chain) => [chain.baseUrl, chain]));
  const windows = new Set<SimulatedWindow>();
  const open = () => {
    const made = startWindow({ world, clock, folder, lease, chains: byUrl, told, interval: 5 * minute });
    made.store.onDidChange(() => {
      for (const other of windows) if (other !== made) other.noteChange();
    });
    windows.add(made);
    return made;
  };
  const errors: unknown[] = [];
  const window = open();
  await window.store.updateList((list) => ({
    ...list,
    entries: chains.flatMap(({ baseUrl, fates }) =>
      fates.map(({ id }) => ({
        target: { kind: 'proposal', sourceId: baseUrl, id } as const,
        rules,
        origin: 'user' as const,
      })),
    ),
  }));
  window.engine.start(true);
  const settle = async () => {
    for (const { engine } of windows) await engine.settled();
  };
  const close = async (one: SimulatedWindow) => {
    windows.delete(one);
    await one.engine.dispose();
    errors.push(...one.errors);
  };
  const focus = (on: boolean) => {
    for (const { engine } of windows) engine.setFocused(on);
  };

  const asleep: { from: number; to: number }[] = [];
  const plan: { at: number; run: () => void | Promise<void> }[] = [];
  const at = (time: number, run: () => void | Promise<void>) => plan.push({ at: monday + time, run });
  // Monday to Friday somebody works from eight to twelve and from one to five.
  for (let weekday = 0; weekday < 5; weekday++) {
    for (const [from, to] of [
      [0, 4],
      [5, 9],
    ] as const) {
      at(weekday * day + from * hour + second, () => focus(true));
      at(weekday * day + to * hour, () => focus(false));
    }
  }
  // The lid is closed on Tuesday and Friday night, and for a minute on Wednesday.
  for (const [from, hours] of [
    [day + 11 * hour, 12],
    [4 * day + 12 * hour, 14],
    [2 * day + 3 * hour, 1 / 60],
  ] as const) {
    at(from, () => {
      clock.sleep();
      asleep.push({ from: monday + from, to: monday + from + hours * hour });
    });
    at(from + hours * hour, () => clock.wake());
  }
  // The clock is set right, and later wrong again.
  at(6 * hour, () => {
    clock.offset = 0;
  });
  at(3 * day + hour, () => {
    clock.offset = 45 * minute;
  });
  // A second window comes, and the first goes: the lead passes on.
  at(2 * day + 30 * minute, () => {
    open().engine.start(true);
  });
  at(3 * day + 6 * hour, () => close(window));
  for (const step of plan.sort((a, b) => a.at - b.at)) {
    await world.run(step.at, settle);
    await step.run();
  }
  await world.run(monday + week, settle);
  for (const one of windows) await close(one);
  return {
    chains,
    told,
    asleep,
    errors,
    requests: chains.reduce((sum, { asked }) => sum + asked.length, 0),
    mostUnderWay: Math.max(...chains.map((chain) => chain.mostUnderWay)),
  };
}

/** What must be told of a proposal, by what happens to it: the name of the event and the deadline it belongs to. */
function expected(chain: SimulatedChain, fate: Fate, rules: WatchRules): Map<string, number | undefined> {
  const events = new Map<string, number | undefined>();
  const closes = fate.voteStart === undefined ? fate.depositEnd : fate.voteEnd;
  const isSeen = (time: number) => time > monday && time < monday + week - 20 * minute;
  if (fate.voteStart !== undefined && isSeen(fate.voteStart)) events.set('status voting', undefined);
  if (isSeen(closes)) {
    events.set(`status ${fate.voteStart === undefined ? 'missing' : fate.result}`, chain.closing(closes));
  }
  for (const hours of rules.hoursBefore) {
    const mark = closes - hours * hour;
    const period = fate.voteStart === undefined ? 'deposit' : 'voting';
    if (isSeen(mark) && (fate.voteStart ?? 0) <= mark) events.set(`ends ${period} ${hours}`, mark);
  }
  return events;
}

/** When in the week: `day 3 14:00:00`. */
function dayOf(time: number): string {
  return `day ${Math.floor((time - monday) / day)} ${new Date(time).toISOString().slice(11, 19)}`;
}

function isShort(fate: Fate, name: string): boolean {
  const hours = Number(/^ends voting (\d+)$/.exec(name)?.[1]);
  return fate.voteStart !== undefined && fate.voteStart > fate.voteEnd - hours * hour;
}

function nameOf(what: Happening): string {
  if (what.kind === 'status') return `status ${what.to}`;
  return what.kind === 'ends' ? `ends ${what.period} ${what.hours}` : what.kind;
}

/** The first moment at which somebody could know: the machine is awake and, where it is needed, the node answers. */
function firstPossible(
  chain: SimulatedChain,
  asleep: SimulatedWeek['asleep'],
  deadline: number,
  asks: boolean,
): number {
  const sleep = asleep.find(({ from, to }) => deadline >= from && deadline < to);
  const awake = sleep ? sleep.to : deadline;
  const outage = asks ? chain.outages.find(({ from, to }) => awake >= from && awake < to) : undefined;
  if (!outage) return awake;
  // Long outages are not asked about every 8 s; then the first answer is what counts.
  if (outage.to - awake <= 15 * minute) return outage.to;
  return chain.answered.find((time) => time >= outage.to) ?? outage.to;
}

/** Checks each proposal of each chain against its fate; returns the longest delay in milliseconds. */
function assertExactlyOnce({ chains, told, asleep }: SimulatedWeek, rules: WatchRules): number {
  const ids = told.map(({ event }) => event.id);
  assert.equal(new Set(ids).size, ids.length, 'an event was told twice');
  let longest = 0;
  for (const chain of chains) {
    for (const fate of chain.fates) {
      const key = `proposal ${fate.id} of ${chain.baseUrl}`;
      const mine = new Map(told.filter(({ event }) => event.key === key).map((one) => [nameOf(one.event.what), one]));
      const wanted = expected(chain, fate, rules);
      // An end that nobody has heard of yet (the vote began while nobody was there) cannot be told in time.
      const began = wanted.has('status voting') ? mine.get('status voting')?.time : monday;
      const ended = [...mine].find(([name]) => /^status (passed|rejected|failed|missing)/.test(name))?.[1].time;
      for (const [name, deadline] of wanted) {
        const found = mine.get(name);
        const known = began ?? ended ?? monday + week;
        const closes = fate.voteStart === undefined ? fate.depositEnd : fate.voteEnd;
        const possible = Math.max(known, firstPossible(chain, asleep, deadline ?? known, !name.startsWith('ends')));
        // What is overtaken by what follows on it (while the machine slept) is not told any more.
        const overtaken =
          /^(ends|status voting)/.test(name) && possible >= (name.endsWith(' 24') ? closes - hour : closes);
        if (!found && overtaken) continue;
        assert.ok(found, `${key}: "${name}" was not told, only ${[...mine.keys()].join(', ')}`);
        if (deadline === undefined) continue;
        const late = found.time - possible;
        longest = Math.max(longest, late);
        assert.ok(late <= 10 * second, `${key}: "${name}" of ${dayOf(deadline)} was told ${late / 1000} s late`);
        assert.ok(found.time >= deadline - second, `${key}: "${name}" was told before its time`);
      }
      // A vote shorter than a day ends within a day from its beginning.
      const isFine = (name: string) => /^(quorum|verdict)$/.test(name) || isShort(fate, name);
      const unexpected = [...mine.keys()].filter((name) => !wanted.has(name) && !isFine(name));
      assert.deepEqual(unexpected, [], key);
    }
  }
  return longest;
}
