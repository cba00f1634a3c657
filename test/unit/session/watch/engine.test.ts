import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addTargets, removeKeys, setEverything } from '../../../../src/session/watch/listChanges.ts';
import { entryKey, type WatchTarget } from '../../../../src/session/watch/watchEntry.ts';
import { type FakeClock, World } from './fakeClock.ts';
import { SimulatedChain } from './simulatedChain.ts';
import { SharedLease, type SimulatedWindow, startWindow, type Told } from './simulatedWindow.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const begin = Date.UTC(2026, 5, 1, 9);
const url = 'https://a.test';
const proposal = (id: bigint): WatchTarget => ({ kind: 'proposal', sourceId: url, id });

describe('keeping the watch list current', function () {
  this.timeout(30_000);
  let folder = '';
  let world: World;
  let clock: FakeClock;
  let chain: SimulatedChain;
  let told: Told[];
  let open: SimulatedWindow[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watch-engine-'));
    world = new World(begin);
    clock = world.clock();
    chain = new SimulatedChain(world, url);
    told = [];
    open = [];
  });
  afterEach(async () => {
    for (const { engine, errors } of open) {
      await engine.dispose();
      assert.deepEqual(errors, []);
    }
    rmSync(folder, { recursive: true });
  });

  const start = (interval = 5 * minute) => {
    const chains = new Map([[url, chain]]);
    const made = startWindow({ world, clock, folder, lease: new SharedLease(), chains, told, interval });
    open.push(made);
    made.engine.start(true);
    return made;
  };
  const close = async (one: SimulatedWindow) => {
    open.splice(open.indexOf(one), 1);
    await one.engine.dispose();
    assert.deepEqual(one.errors, []);
  };
  const pass = (time: number) =>
    world.run(world.time + time, async () => {
      for (const { engine } of open) await engine.settled();
    });
  const vote = (id: bigint, end: number, begun = begin - day) => {
    chain.fates.push({
      id,
      submitted: begun - day,
      depositEnd: begun + day,
      voteStart: begun,
      voteEnd: end,
      result: 'passed',
    });
  };
  const words = () =>
    told.map(({ event: { key, what } }) => `${key.split(' ')[1]} ${what.kind === 'status' ? what.to : what.kind}`);

  it('tells at the next start, once, what happened while no window was open', async () => {
    vote(1n, begin + 3 * day);
    let window = start();
    await window.store.updateList((list) => addTargets(list, [proposal(1n)]));
    await pass(minute);
    await close(window);
    world.time += 5 * day;
    for (let again = 0; again < 3; again++) {
      window = start();
      await pass(5 * minute);
      await close(window);
    }
    assert.deepEqual(words(), ['1 passed']);
  });

  for (const again of ['rejected', 'passed'] as const)
    it(`follows a chain that was wound back after its word and says ${again} in the end`, async () => {
      vote(1n, begin + hour);
      let window = start();
      const key = entryKey(proposal(1n));
      const status = () => {
        const reading = window.store.log.readings.get(key);
        return reading?.kind === 'proposal' ? reading.status : undefined;
      };
      await window.store.updateList((list) => addTargets(list, [proposal(1n)]));
      await pass(hour + minute);
      assert.deepEqual([words(), status()], [['1 passed'], 'passed']);
      chain.lies.push({ id: 1n, from: world.time, to: begin + 3 * hour, status: 'voting' });
      const [fate] = chain.fates;
      assert.ok(fate);
      chain.fates[0] = { ...fate, result: again };
      await pass(hour);
      assert.deepEqual([words(), status()], [['1 passed'], 'voting']);
      await pass(hour + 10 * minute);
      const told = again === 'passed' ? ['1 passed'] : ['1 passed', '1 rejected'];
      assert.deepEqual([words(), status()], [told, again]);
      await close(window);
      window = start();
      await pass(hour);
      assert.deepEqual([words(), status()], [told, again]);
    });

  it('reads many proposals by one page of each status, and denoms one by one', async () => {
    for (let id = 1n; id <= 60n; id++) vote(id, begin + 20 * day);
    const window = start();
    const denoms = ['uoak', 'uelm'].map((denom) => ({ kind: 'denom', sourceId: url, denom }) as const);
    await window.store.updateList((list) =>
      addTargets(list, [...chain.fates.map(({ id }) => proposal(id)), ...denoms]),
    );
    await pass(minute);
    assert.equal(window.store.log.readings.size, 62);
    assert.ok(chain.asked.length <= 4, `${chain.asked.length} requests`);
  });

  it('looks every five minutes while somebody is there, not at all otherwise, and not with an interval of 0', async () => {
    vote(1n, begin + 20 * day);
    chain.fates.push({
      id: 2n,
      submitted: begin,
      depositEnd: begin + 9 * day,
      voteStart: begin + 8 * day,
      voteEnd: begin + 20 * day,
      result: 'passed',
    });
    const window = start();
    await window.store.updateList((list) => addTargets(list, [proposal(1n), proposal(2n)]));
    await pass(minute);
    const during = async (time: number) => {
      const before = chain.asked.length;
      await pass(time);
      return chain.asked.length - before;
    };
    const busy = await during(2 * hour);
    assert.ok(busy >= 24 && busy <= 29, `${busy} requests in two hours`);
    window.engine.setFocused(false);
    await pass(minute);
    assert.equal(await during(10 * hour), 0);
    window.engine.setFocused(true);
    assert.ok((await during(minute)) >= 1, 'catches up');
    await close(window);
    start(0);
    await pass(minute);
    assert.equal(await during(10 * hour), 0);
  });

  it('follows a vote that ends in two months without a request or a timer out of bounds', async () => {
    vote(1n, begin + 60 * day);
    const window = start(0);
    await window.store.updateList((list) => addTargets(list, [proposal(1n)]));
    await pass(minute);
    const before = chain.asked.length;
    await pass(30 * day);
    assert.equal(chain.asked.length, before);
  });

  it('follows everything in voting: what is there in silence, what comes with a word, what was taken off never again', async () => {
    vote(1n, begin + 20 * day);
    vote(2n, begin + 20 * day);
    vote(3n, begin + 20 * day, begin + hour);
    const window = start();
    await window.store.updateList((list) => setEverything(list, url, true));
    await pass(30 * minute);
    assert.deepEqual(
      window.engine.entries.map(({ key }) => key).sort(),
      [1n, 2n].map((id) => entryKey(proposal(id))),
    );
    await window.store.updateList((list) => removeKeys(list, new Set([entryKey(proposal(2n))])));
    await pass(2 * hour);
    assert.deepEqual(
      window.engine.entries.map(({ key }) => key).sort(),
      [1n, 3n].map((id) => entryKey(proposal(id))),
    );
    assert.deepEqual(words(), ['3 voting']);
  });

  it('says nothing of an endpoint that is down but a mark, and recovers by itself', async () => {
    vote(1n, begin + 20 * day);
    const window = start();
    await window.store.updateList((list) => addTargets(list, [proposal(1n)]));
    await pass(minute);
    chain.outages.push({ from: world.time, to: world.time + 3 * hour });
    const before = chain.asked.length;
    await pass(2 * hour);
    assert.equal(window.engine.stateOf(url)?.kind, 'down');
    assert.ok(chain.asked.length - before < 30, `${chain.asked.length - before} requests in two hours`);
    await pass(2 * hour);
    assert.equal(window.engine.stateOf(url)?.kind, 'answering');
    assert.deepEqual(told, []);
  });

  it('tells a change of supply', async () => {
    chain.supplyAmount = (time) => (time < begin + hour ? 1_000_000n : 1_020_000n);
    const window = start();
    await window.store.updateList((list) => addTargets(list, [{ kind: 'denom', sourceId: url, denom: 'uoak' }]));
    await pass(3 * hour);
    assert.deepEqual(words(), ['uoak supply']);
  });
});
