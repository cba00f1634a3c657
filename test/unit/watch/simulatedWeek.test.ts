import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventFacts } from '../../../src/watch/snapshot.ts';
import { defaultRules, type WatchRules, writeRules } from '../../../src/watch/watchList.ts';
import { heapAfterCollection } from '../../support/heap.ts';
import { runs } from '../../support/random.ts';
import { World } from './fakeClock.ts';
import { type Course, SimulatedChain } from './simulatedChain.ts';
import { SimulatedUser, type Told } from './simulatedWindow.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** A Monday, eight o'clock. */
const monday = Date.UTC(2026, 2, 2, 8);
const week = 7 * day;
const lastFocus = monday + 6 * day + 9 * hour;
const watched = runs(20, 200);

describe(`seven simulated days of ${watched} watched proposals over 3 endpoints, 8 hours a day with the focus`, () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watch-week-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const check = async (rules: WatchRules, budget: number) => {
    const result = await simulate(folder, rules);
    assert.deepEqual(result.errors, []);
    const late = assertExactlyOnce(result, rules);
    console.log(`      ${result.requests} requests, ${result.told.length} events, the latest after ${late / 1000} s`);
    assert.ok(result.requests < budget, `${result.requests} requests`);
    assert.ok(result.maxUnderWay <= 4, `${result.maxUnderWay} requests of one endpoint at once`);
    assert.deepEqual(result.unfocused, [], 'a window without the focus asked');
    assert.equal(result.timersLeft, 0);
    assert.equal(result.disposed, result.opened);
  };

  it('tells every event once, none late, for fewer than 3,000 requests', () => check(defaultRules, 3000));

  // `npm run test:full` runs these, too.
  const full = process.env.TEST_FULL === '1' ? it : () => {};
  full('tells quorum and verdict too, for fewer than 40,000 requests', () =>
    check({ ...defaultRules, quorum: true, verdict: true }, 40_000),
  );

  full('leaves at most 5 MB in memory', async () => {
    // Code that is compiled with the first use is there at the start.
    await simulate(folder, defaultRules);
    const start = heapAfterCollection();
    await simulate(mkdtempSync(join(folder, 'again-')), defaultRules);
    const more = heapAfterCollection() - start;
    console.log(`      ${more} B of heap more`);
    assert.ok(more <= 5_000_000, `${more} B`);
  });
});

interface Span {
  readonly from: number;
  readonly to: number;
}

interface SimulatedWeek {
  readonly chains: readonly SimulatedChain[];
  readonly told: readonly Told[];
  /** When some window had the focus and the machine was awake. */
  readonly focused: readonly Span[];
  readonly requests: number;
  /** Requests at other times. */
  readonly unfocused: readonly number[];
  readonly maxUnderWay: number;
  readonly errors: readonly unknown[];
  readonly timersLeft: number;
  readonly opened: number;
  readonly disposed: number;
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
  for (let index = 0; index < watched; index++) {
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
    chain?.courses.push({ id: BigInt(index + 1), submitted, depositEnd, voteStart, voteEnd: end, result, votes });
  }
  // Short and long outages, some of them over ends of votes.
  for (const chain of chains) {
    const end = chain.courses.map(({ voteEnd }) => voteEnd).sort()[Math.floor(watched / 10)] ?? 0;
    chain.outages.push({ from: end - minute, to: end + 7 * minute });
  }
  chains[0]?.outages.push({ from: monday + 2 * day, to: monday + 2 * day + 2 * hour });
  // Behind one address a node lags: it still says "voting" a while after the others said the result.
  for (const chain of chains) {
    for (const course of chain.courses.filter(({ voteStart }, index) => voteStart !== undefined && index % 5 === 1)) {
      const from = chain.closing(course.voteEnd) + 30 * second;
      if (chain.isDown(from - 20 * second)) continue;
      chain.lies.push({ id: course.id, from, to: from + 20 * minute, status: 'voting' });
    }
  }
  return chains;
}

async function simulate(folder: string, rules: WatchRules): Promise<SimulatedWeek> {
  const world = new World(monday);
  const chains = makeChains(world);
  const user = new SimulatedUser(world, folder, chains);
  user.list = chains.flatMap(({ baseUrl, courses }) =>
    courses.map(({ id }) => ({ source: baseUrl, proposal: id.toString(), rules: writeRules(rules) })),
  );
  const clock = world.clock();
  clock.offset = -3 * hour;
  let first = user.open(clock);
  const second_ = user.open(clock);
  await first.watch.start();
  await second_.watch.start();

  const focused: { from: number; to: number }[] = [];
  const focus = (window: typeof first | undefined) => {
    const last = focused.at(-1);
    if (last && last.to === Number.POSITIVE_INFINITY) last.to = world.time;
    if (window) focused.push({ from: world.time, to: Number.POSITIVE_INFINITY });
    user.focus(window);
  };
  const plan: { at: number; run: () => void | Promise<void> }[] = [];
  const at = (time: number, run: () => void | Promise<void>) => plan.push({ at: monday + time, run });
  // Eight hours a day, in one window and then in the other, with a look at something else every now and then.
  for (let weekday = 0; weekday < 7; weekday++) {
    at(weekday * day, () => focus(first));
    at(weekday * day + 90 * minute, () => focus(undefined));
    at(weekday * day + 90 * minute + 20 * second, () => focus(first));
    at(weekday * day + 4 * hour, () => focus(undefined));
    at(weekday * day + 5 * hour, () => focus(second_));
    at(weekday * day + 7 * hour, () => focus(first));
    at(weekday * day + 7 * hour + 2 * second, () => focus(second_));
    at(weekday * day + 9 * hour, () => focus(undefined));
  }
  // The lid is closed at night, and for some time in the middle of the work.
  for (const [from, length] of [
    [day + 11 * hour, 12 * hour],
    [4 * day + 12 * hour, 8 * hour],
    [2 * day + 3 * hour, minute],
    [5 * day + 6 * hour, 40 * minute],
  ] as const) {
    at(from, () => {
      clock.sleep();
      const last = focused.at(-1);
      if (last && last.to === Number.POSITIVE_INFINITY) last.to = world.time;
    });
    at(from + length, () => {
      clock.wake();
      if (length < hour) focused.push({ from: world.time, to: Number.POSITIVE_INFINITY });
    });
  }
  // The clock is set right, and later wrong again.
  at(6 * hour, () => {
    clock.offset = 0;
  });
  at(3 * day + hour, () => {
    clock.offset = 45 * minute;
  });
  // The first window is closed, and another one opened.
  at(3 * day + 4 * hour + minute, async () => {
    await user.close(first);
    first = user.open(clock);
    await first.watch.start();
  });
  for (const step of plan.sort((a, b) => a.at - b.at)) {
    await world.run(step.at, user.settle);
    await step.run();
  }
  await world.run(monday + week, user.settle);
  for (const one of [...user.windows]) await user.close(one);
  const isFocused = (time: number) => focused.some(({ from, to }) => time >= from && time <= to);
  return {
    chains,
    told: user.told,
    focused,
    errors: user.errors,
    requests: chains.reduce((sum, { asked }) => sum + asked.length, 0),
    unfocused: chains.flatMap(({ asked }) => asked.filter((time) => !isFocused(time))),
    maxUnderWay: Math.max(...chains.map((chain) => chain.maxUnderWay)),
    timersLeft: world.timers,
    opened: chains.reduce((sum, { opened }) => sum + opened, 0),
    disposed: chains.reduce((sum, { disposed }) => sum + disposed, 0),
  };
}

/** The events that must be told of a proposal, by its course: the name of each event and its deadline. */
function expected(
  chain: SimulatedChain,
  course: Course,
  rules: WatchRules,
  until: number,
): Map<string, number | undefined> {
  const events = new Map<string, number | undefined>();
  const closes = course.voteStart === undefined ? course.depositEnd : course.voteEnd;
  const isSeen = (time: number) => time > monday && time < until;
  if (course.voteStart !== undefined && isSeen(course.voteStart)) events.set('status voting', undefined);
  if (isSeen(closes)) {
    events.set(`status ${course.voteStart === undefined ? 'missing' : course.result}`, chain.closing(closes));
  }
  for (const hours of rules.hoursBefore) {
    const mark = closes - hours * hour;
    const period = course.voteStart === undefined ? 'deposit' : 'voting';
    if (isSeen(mark) && (course.voteStart ?? 0) <= mark) events.set(`ends ${period} ${hours}`, mark);
  }
  return events;
}

/** When in the week: `day 3 14:00:00`. */
function dayOf(time: number): string {
  return `day ${Math.floor((time - monday) / day)} ${new Date(time).toISOString().slice(11, 19)}`;
}

function nameOf(facts: EventFacts): string {
  if (facts.kind === 'status') return `status ${facts.to}`;
  return facts.kind === 'ends' ? `ends ${facts.period} ${facts.hours}` : facts.kind;
}

function isShort(course: Course, name: string): boolean {
  const hours = Number(/^ends voting (\d+)$/.exec(name)?.[1]);
  return course.voteStart !== undefined && course.voteStart > course.voteEnd - hours * hour;
}

/** The first moment from `time` on at which the window has the focus, the machine is awake and the node answers. */
function firstPossible(chain: SimulatedChain, focused: readonly Span[], time: number): number | undefined {
  const span = focused.find(({ to }) => to > time + 10 * second);
  if (!span) return undefined;
  const awake = Math.max(span.from, time);
  const outage = chain.outages.find(({ from, to }) => awake >= from && awake < to);
  if (!outage) return awake;
  // Long outages are not asked about every 8 s; then the first answer is what counts.
  const end = outage.to - awake > 15 * minute ? chain.answered.find((at) => at >= outage.to) : outage.to;
  return end === undefined ? undefined : firstPossible(chain, focused, end);
}

/** Checks each proposal of each chain against its course; returns the longest delay in milliseconds. */
function assertExactlyOnce({ chains, told, focused }: SimulatedWeek, rules: WatchRules): number {
  const ids = told.map(({ event }) => event.id);
  assert.equal(new Set(ids).size, ids.length, 'an event was told twice');
  let longest = 0;
  for (const chain of chains) {
    for (const course of chain.courses) {
      const key = `proposal ${course.id} of ${chain.baseUrl}`;
      const mine = new Map(told.filter(({ event }) => event.key === key).map((one) => [nameOf(one.event.facts), one]));
      // Events in the last minutes with the focus may be told in the week that follows.
      const wanted = expected(chain, course, rules, lastFocus - 35 * minute);
      const allowed = expected(chain, course, rules, lastFocus);
      const closes = course.voteStart === undefined ? course.depositEnd : course.voteEnd;
      // An end that is not known yet (the vote began without the focus, or since the last poll) cannot be told in time.
      const began = wanted.has('status voting') ? mine.get('status voting')?.time : monday;
      const ended = [...mine].find(([name]) => /^status (passed|rejected|failed|missing)/.test(name))?.[1].time;
      for (const [name, deadline] of wanted) {
        const found = mine.get(name);
        const known = began ?? ended ?? monday + week;
        const possible = firstPossible(chain, focused, Math.max(known, deadline ?? 0));
        // An event that was overtaken meanwhile is not told any more.
        const until = name.endsWith(' 24') ? closes - hour : closes;
        if (!found && /^(ends|status voting)/.test(name) && (possible ?? until) + 10 * second >= until) continue;
        assert.ok(found, `${key}: "${name}" was not told, only ${[...mine.keys()].join(', ')}`);
        if (deadline === undefined || possible === undefined) continue;
        const late = found.time - possible;
        longest = Math.max(longest, late);
        assert.ok(late <= 10 * second, `${key}: "${name}" of ${dayOf(deadline)} was told ${late / 1000} s late`);
        assert.ok(found.time >= deadline - second, `${key}: "${name}" was told before its time`);
      }
      // A vote shorter than a day ends within a day from its beginning.
      const isFine = (name: string) => /^(quorum|verdict)$/.test(name) || allowed.has(name) || isShort(course, name);
      const unexpected = [...mine.keys()].filter((name) => !wanted.has(name) && !isFine(name));
      assert.deepEqual(unexpected, [], key);
    }
  }
  return longest;
}
