import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { snapshotEnd } from '../../../src/watch/snapshot.ts';
import { addTargets, keyOf, muteItems, type WatchTarget } from '../../../src/watch/watchList.ts';
import type { SimulatedWindow } from './simulatedWindow.ts';
import { type Simulation, startSimulation } from './simulation.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const begin = Date.UTC(2026, 5, 1, 9);
const url = 'https://a.test';
const proposal = (id: bigint): WatchTarget => ({ kind: 'proposal', sourceId: url, id });

describe('the watch list while time goes by', () => {
  let folder: string;
  let world: Simulation['world'];
  let clock: Simulation['clock'];
  let chain: Simulation['chain'];
  let user: Simulation['user'];
  let end: Simulation['end'];

  beforeEach(() => {
    ({ folder, world, clock, chain, user, end } = startSimulation(begin, url));
  });
  afterEach(() => end());

  const open = async (interval = 5 * minute, workspace?: unknown) => {
    const window = user.open(clock, { interval, workspace });
    await window.watch.start();
    return window;
  };
  const start = async (interval?: number) => {
    const window = await open(interval);
    user.focus(window);
    return window;
  };
  const pass = (time: number) => world.run(world.time + time, user.settle);
  const add = (window: SimulatedWindow, ...targets: WatchTarget[]) => window.list.edit(addTargets(targets));
  const vote = (id: bigint, end: number, begun = begin - day) => {
    const times = { submitted: begun - day, depositEnd: begun + day, voteStart: begun, voteEnd: end };
    chain.courses.push({ id, ...times, result: 'passed' });
  };
  const words = () =>
    user.told.map(
      ({ event: { key, facts } }) => `${key.split(' ')[1]} ${facts.kind === 'status' ? facts.to : facts.kind}`,
    );
  const asked = async (time: number) => {
    const before = chain.asked.length;
    await pass(time);
    return chain.asked.length - before;
  };
  const statusOf = (window: SimulatedWindow, id: bigint) => {
    const snapshot = window.watch.snapshot(keyOf(proposal(id)));
    return snapshot?.kind === 'proposal' ? snapshot.status : undefined;
  };

  it('tells at the next start, once, what happened while no window was open', async () => {
    vote(1n, begin + 3 * day);
    let window = await start();
    await add(window, proposal(1n));
    await pass(minute);
    await user.close(window);
    world.time += 5 * day;
    for (let again = 0; again < 3; again++) {
      window = await start();
      await pass(5 * minute);
      await user.close(window);
    }
    assert.deepEqual(words(), ['1 passed']);
  });

  it('asks nothing, sets no timer and tells nothing without the focus', async () => {
    vote(1n, begin + hour);
    const window = await open();
    await add(window, proposal(1n));
    assert.equal(await asked(2 * day), 0);
    user.focus(window);
    await pass(minute);
    assert.equal(statusOf(window, 1n), 'passed');
    user.focus(undefined);
    assert.equal(world.timers, 0);
    assert.deepEqual(words(), []);
  });

  it('drops the result of a poll that the focus left', async () => {
    vote(1n, begin + hour);
    const window = await open();
    await add(window, proposal(1n));
    const answer = chain.hold();
    user.focus(window);
    await chain.waitForRequest();
    user.focus(undefined);
    answer();
    await user.settle();
    assert.equal(statusOf(window, 1n), undefined);
    assert.deepEqual(readdirSync(folder), []);
    user.focus(window);
    await pass(2 * second);
    assert.equal(statusOf(window, 1n), 'voting');
  });

  it('hands what one window read to the next one with the focus, which asks no more than it must', async () => {
    vote(1n, begin + 20 * day);
    const [first, second_] = [await start(), await open()];
    await add(first, proposal(1n));
    await pass(minute);
    assert.equal(statusOf(second_, 1n), undefined);
    user.focus(second_);
    assert.equal(await asked(minute), 1, 'the time of the node, which deadlines need');
    assert.equal(statusOf(second_, 1n), 'voting');
    user.focus(first);
    assert.equal(await asked(minute), 0);
  });

  it('tells an event in one window only, however the focus goes to and fro', async () => {
    vote(1n, begin + hour);
    const [first, second_] = [await start(), await open()];
    await add(first, proposal(1n));
    await pass(hour - minute);
    for (let turn = 0; turn < 100; turn++) {
      user.focus(turn % 2 === 0 ? second_ : first);
      await pass(1500);
    }
    assert.deepEqual(words(), ['1 passed']);
  });

  it('tells an event at the next focus that was found but not shown', async () => {
    vote(1n, begin + hour);
    const window = await start();
    await add(window, proposal(1n));
    user.level = 'none';
    await pass(hour + minute);
    assert.deepEqual(words(), []);
    assert.equal(window.watch.pending.length, 1);
    await user.close(window);
    user.level = 'all';
    const next = await start();
    await pass(minute);
    assert.deepEqual(words(), ['1 passed']);
    assert.equal(next.watch.pending.length, 0);
  });

  it('keeps events for the status bar until they are seen', async () => {
    vote(1n, begin + hour);
    user.level = 'statusBar';
    const window = await start();
    await add(window, proposal(1n));
    await pass(hour + minute);
    assert.equal(window.watch.pending.length, 1);
    await window.watch.markReported();
    user.level = 'all';
    await pass(minute);
    assert.deepEqual([words(), window.watch.pending.length], [[], 0]);
  });

  it('does not tell what is muted, also where it was muted after it was found', async () => {
    vote(1n, begin + hour);
    vote(2n, begin + hour);
    const window = await start();
    await add(window, proposal(1n), proposal(2n));
    const [first, second_] = window.watch.entries;
    assert.ok(first && second_);
    await window.list.edit(muteItems([first], begin + 3 * hour));
    user.level = 'statusBar';
    await pass(hour + minute);
    await window.list.edit(muteItems([second_], true));
    user.level = 'all';
    await pass(minute);
    assert.deepEqual(words(), []);
  });

  it('begins anew in silence when the file was lost or is damaged', async () => {
    for (const text of [undefined, '{"version":1,"snapshots":[["x"', '[1]', '{"version":9,"snapshots":[]}']) {
      chain.courses.length = 0;
      vote(1n, world.time + hour, world.time - day);
      let window = await start();
      await add(window, proposal(1n));
      await pass(minute);
      await user.close(window);
      const path = join(folder, 'state.json');
      assert.match(readFileSync(path, 'utf8'), /"voting"/);
      if (text === undefined) rmSync(path);
      else writeFileSync(path, text);
      world.time += 2 * hour;
      window = await start();
      await pass(minute);
      assert.deepEqual([words(), statusOf(window, 1n)], [[], 'passed']);
      await user.close(window);
      user.list = [];
      rmSync(path);
    }
  });

  for (const again of ['rejected', 'passed'] as const)
    it(`follows a chain that was wound back after the result and says ${again} in the end`, async () => {
      vote(1n, begin + hour);
      let window = await start();
      await add(window, proposal(1n));
      await pass(hour + minute);
      assert.deepEqual([words(), statusOf(window, 1n)], [['1 passed'], 'passed']);
      chain.lies.push({ id: 1n, from: world.time, to: begin + 3 * hour, status: 'voting' });
      const [course] = chain.courses;
      assert.ok(course);
      chain.courses[0] = { ...course, result: again };
      await pass(hour);
      assert.deepEqual([words(), statusOf(window, 1n)], [['1 passed'], 'voting']);
      await pass(hour + 10 * minute);
      const told = again === 'passed' ? ['1 passed'] : ['1 passed', '1 rejected'];
      assert.deepEqual([words(), statusOf(window, 1n)], [told, again]);
      await user.close(window);
      window = await start();
      await pass(hour);
      assert.deepEqual([words(), statusOf(window, 1n)], [told, again]);
    });

  it('reads many proposals by one page of each status, and denoms one by one', async () => {
    for (let id = 1n; id <= 60n; id++) vote(id, begin + 20 * day);
    const window = await start();
    const denoms = ['uoak', 'uelm'].map((denom) => ({ kind: 'denom', sourceId: url, denom }) as const);
    await add(window, ...chain.courses.map(({ id }) => proposal(id)), ...denoms);
    await pass(minute);
    assert.equal(window.watch.entries.filter(({ key }) => window.watch.snapshot(key)).length, 62);
    assert.ok(chain.asked.length <= 4, `${chain.asked.length} requests`);
  });

  it('polls every five minutes, and with an interval of 0 at deadlines only', async () => {
    vote(1n, begin + 20 * day);
    const depositEnd = begin + 9 * day;
    const times = { submitted: begin, depositEnd, voteStart: begin + 8 * day, voteEnd: begin + 20 * day };
    chain.courses.push({ id: 2n, ...times, result: 'passed' });
    const window = await start();
    await add(window, proposal(1n), proposal(2n));
    await pass(minute);
    const busy = await asked(2 * hour);
    assert.ok(busy >= 24 && busy <= 29, `${busy} requests in two hours`);
    await user.close(window);
    const rare = await start(0);
    await pass(minute);
    assert.equal(await asked(7 * day), 0);
    assert.deepEqual(words(), []);
    await user.close(rare);
  });

  it('polls everything at once when that is asked for', async () => {
    vote(1n, begin + 20 * day);
    const window = await start(0);
    await add(window, proposal(1n));
    await pass(minute);
    window.watch.refresh();
    assert.equal(await asked(minute), 1);
  });

  it('polls everything once more when that is asked for during a poll of everything', async () => {
    vote(1n, begin + 20 * day);
    const window = await start(0);
    await add(window, proposal(1n));
    await pass(minute);
    const answer = chain.hold();
    window.watch.refresh();
    await world.run(world.time + second, async () => {});
    await chain.waitForRequest();
    window.watch.refresh();
    answer();
    await user.settle();
    assert.equal(await asked(minute), 1);
    assert.equal(await asked(minute), 0);
  });

  it('follows everything in voting: what is there in silence, what comes with an event, what was removed never again', async () => {
    vote(1n, begin + 20 * day);
    vote(2n, begin + 20 * day);
    vote(3n, begin + 20 * day, begin + hour);
    const window = await start();
    const keys = () => window.watch.entries.map(({ key }) => key).sort();
    const keysOf = (...ids: bigint[]) => ids.map((id) => keyOf(proposal(id)));
    await window.list.edit(addTargets([{ kind: 'everything', sourceId: url }]));
    await pass(30 * minute);
    assert.deepEqual(keys(), keysOf(1n, 2n));
    assert.deepEqual(user.list, [{ source: url, everything: true }], 'a poll writes no setting');
    await window.list.remove(window.watch.entries.filter(({ key }) => key === keyOf(proposal(2n))));
    await pass(2 * hour);
    assert.deepEqual(keys(), keysOf(1n, 3n));
    assert.deepEqual(words(), ['3 voting']);
    await user.close(window);
    const next = await start();
    await pass(minute);
    assert.deepEqual(next.watch.entries.map(({ key }) => key).sort(), keysOf(1n, 3n));
    user.focus(undefined);
    world.time = begin + 20 * day;
    user.focus(next);
    await pass(hour);
    assert.equal(next.watch.entries.length, 2, 'what ended is kept for a week');
    user.focus(undefined);
    world.time = begin + 28 * day;
    user.focus(next);
    await pass(minute);
    assert.deepEqual(next.watch.entries, []);
  });

  it('reads all of a source anew, in silence, once a proposal shows that its chain began anew', async () => {
    const ids = [1n, 2n, 3n];
    for (const id of ids) vote(id, begin + 3 * day + Number(id) * hour);
    const window = await start();
    await add(window, { kind: 'everything', sourceId: url });
    await pass(minute);
    await user.close(window);
    const moved = 30_000;
    for (const [at, course] of chain.courses.entries())
      chain.courses[at] = { ...course, submitted: course.submitted + moved, voteEnd: course.voteEnd + moved };
    const next = await start();
    await pass(10_000);
    assert.deepEqual(
      ids.map((id) => snapshotEnd(next.watch.snapshot(keyOf(proposal(id))))),
      ids.map((id) => begin + 3 * day + Number(id) * hour + moved),
    );
    assert.deepEqual(words(), []);
  });

  it('keeps its session while settings change that do not name another', async () => {
    vote(1n, begin + 3 * day);
    const window = await start();
    await add(window, proposal(1n));
    await pass(minute);
    window.watch.settingsChanged();
    assert.equal(await asked(minute), 0);
    assert.deepEqual([chain.opened, chain.disposed], [1, 0]);
  });

  it('tells nothing of an entry that was removed and added again', async () => {
    vote(1n, begin + hour);
    const window = await start();
    await add(window, proposal(1n));
    await pass(minute);
    await window.list.remove(window.watch.entries);
    await pass(2 * hour);
    await add(window, proposal(1n));
    await pass(minute);
    assert.deepEqual([words(), statusOf(window, 1n)], [[], 'passed']);
  });

  it('tells deadlines of an endpoint that is down, asks it rarely, and recovers by itself', async () => {
    vote(1n, begin + 26 * hour);
    const window = await start();
    await add(window, proposal(1n));
    await pass(minute);
    chain.outages.push({ from: world.time, to: world.time + 3 * hour });
    const count = await asked(130 * minute);
    assert.ok(window.watch.outage(url));
    assert.ok(count < 30, `${count} requests in two hours`);
    assert.deepEqual(words(), ['1 ends']);
    await pass(2 * hour);
    assert.equal(window.watch.outage(url), undefined);
    assert.deepEqual(words(), ['1 ends']);
  });

  it('tells a change of supply', async () => {
    chain.supplyAmount = (time) => (time < begin + hour ? 1_000_000n : 1_020_000n);
    const window = await start();
    await add(window, { kind: 'denom', sourceId: url, denom: 'uoak' });
    await pass(3 * hour);
    assert.deepEqual(words(), ['uoak supply']);
  });

  it('never asks a source that is no endpoint here, and keeps what another workspace shares', async () => {
    vote(1n, begin + 20 * day);
    const window = await open(5 * minute, [{ source: url, proposal: '1' }]);
    user.focus(window);
    await add(window, { kind: 'proposal', sourceId: 'https://elsewhere.test', id: 1n });
    await pass(minute);
    assert.equal(statusOf(window, 1n), 'voting');
    const other = await start();
    await add(other, { kind: 'denom', sourceId: url, denom: 'uoak' });
    await pass(8 * minute);
    user.focus(window);
    assert.equal(await asked(2 * second), 0);
    assert.equal(statusOf(window, 1n), 'voting');
  });

  it('goes on where the disk refuses', async () => {
    vote(1n, begin + hour);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'no folder');
    const window = await start();
    await add(window, proposal(1n));
    await pass(hour + minute);
    assert.deepEqual(words(), ['1 passed']);
    assert.ok(user.errors.length > 0);
    user.errors.length = 0;
  });
});
