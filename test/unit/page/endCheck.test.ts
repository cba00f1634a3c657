import assert from 'node:assert/strict';
import { EndCheck } from '../../../src/page/endCheck.ts';
import { type FakeClock, World } from '../watch/fakeClock.ts';

const day = 86_400_000;

describe('looking when a period has ended', () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  const end = start + 30 * day;
  let world: World;
  let clock: FakeClock;
  let looks: number[];
  let check: EndCheck;
  const runTo = (until: number) => world.run(until, async () => {});
  /** Seconds after the end at which it was looked. */
  const seen = () => looks.map((at) => (at - end) / 1000);

  beforeEach(() => {
    world = new World(start);
    clock = world.clock();
    looks = [];
    check = new EndCheck(clock, async () => {
      looks.push(clock.now());
    });
  });

  afterEach(() => check.dispose());

  it('waits longer than one timer can, looks once, then at growing distances', async () => {
    check.set(end);
    await runTo(end + 1_999);
    assert.deepEqual(seen(), []);
    await runTo(end + 2_000);
    assert.deepEqual(seen(), [2]);
    await runTo(end + 60_000);
    assert.deepEqual(seen(), [2, 5, 8, 11, 16, 21, 26, 31, 36, 41, 46, 51, 56]);
    const before = looks.length;
    await runTo(end + 600_000);
    assert(looks.length - before < 20, seen().join(' '));
    await runTo(end + day);
    const distances = looks.slice(1).map((at, index) => at - (looks[index] ?? 0));
    assert.deepEqual(
      distances,
      distances.toSorted((a, b) => a - b),
    );
  });

  it('stops when there is no end any more, and begins anew with another', async () => {
    check.set(end);
    await runTo(end + 2_000);
    check.set(undefined);
    await runTo(end + day);
    assert.deepEqual(seen(), [2]);
    check.set(end + 2 * day);
    await runTo(end + 2 * day + 2_000);
    assert.deepEqual(seen(), [2, 2 * 86_400 + 2]);
  });

  it('asks nothing while it is paused, and at once afterwards what was missed', async () => {
    check.pause(true);
    check.set(end);
    await runTo(end + 3_600_000);
    assert.deepEqual(seen(), []);
    check.pause(false);
    await runTo(end + 3_600_000);
    assert.deepEqual(seen(), [3_600]);
  });

  it('notices a sleep of the machine, and a clock that was set, within a minute', async () => {
    check.set(end);
    await runTo(start + day);
    clock.sleep();
    await runTo(end + 3_600_000);
    clock.wake();
    await runTo(end + 3_660_000);
    assert.equal(looks.length, 1);
    check.set(end + 10 * day);
    clock.offset = 20 * day;
    await runTo(end + 3_720_000);
    assert.equal(looks.length, 2);
  });

  it('does not look again while it looks, nor after its end', async () => {
    const gate = Promise.withResolvers<void>();
    let open = 0;
    const slow = new EndCheck(clock, async () => {
      open++;
      await gate.promise;
    });
    slow.set(end);
    await runTo(end + day);
    assert.equal(open, 1);
    slow.dispose();
    gate.resolve();
    await gate.promise;
    await runTo(end + 2 * day);
    assert.equal(open, 1);
  });
});
