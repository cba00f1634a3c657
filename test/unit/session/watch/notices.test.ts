import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NoticeLevel, Notices } from '../../../../src/session/watch/notices.ts';
import type { WatchEvent } from '../../../../src/session/watch/watchEvent.ts';
import { WatchFiles } from '../../../../src/session/watch/watchFiles.ts';
import { WatchStore } from '../../../../src/session/watch/watchStore.ts';
import { World } from './fakeClock.ts';

describe('notifications of the watch list', () => {
  let folder = '';
  const world = new World(0);
  let store: WatchStore;
  let told: string[][] = [];
  let resolve: () => void = () => {};
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watch-notices-'));
    store = new WatchStore(new WatchFiles(folder, () => assert.fail('kept aside')));
    told = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const event = (id: string): WatchEvent => ({
    id,
    key: `key ${id}`,
    what: { kind: 'quorum' },
    at: 0,
    state: 'pending',
  });
  const happen = (...ids: string[]) =>
    store.update((data) => ({ ...data, log: { ...data.log, events: [...data.log.events, ...ids.map(event)] } }));
  const start = (level: NoticeLevel = 'all') =>
    new Notices({
      store,
      clock: world.clock(),
      level: () => level,
      show: (events) => {
        told.push(events.map(({ id }) => id));
        return new Promise((done) => {
          resolve = done;
        });
      },
    });

  it('wait for the first minute to pass, unless somebody asks', async () => {
    const notices = start();
    await happen('a', 'b');
    await notices.beat(true, true);
    assert.deepEqual(told, []);
    assert.equal(notices.dueIn(true, true), 60_000);
    world.time += 60_000;
    await notices.beat(true, true);
    assert.deepEqual(told, [['a', 'b']]);
  });

  it('come at once when they are asked for', async () => {
    const notices = start();
    notices.ask();
    await happen('a');
    await notices.beat(true, true);
    assert.deepEqual(told, [['a']]);
  });

  it('are one at a time: what comes meanwhile waits, and is told as one', async () => {
    const notices = start();
    notices.ask();
    await happen('a');
    await notices.beat(true, true);
    await happen('b');
    await happen('c');
    await notices.beat(true, true);
    assert.deepEqual(told, [['a']]);
    assert.deepEqual(
      notices.pending.map(({ id }) => id),
      ['b', 'c'],
    );
    resolve();
    await new Promise(setImmediate);
    await notices.beat(true, true);
    assert.deepEqual(told, [['a'], ['b', 'c']]);
  });

  it('are left to the window that somebody looks at, for a moment', async () => {
    const notices = start();
    notices.ask();
    await happen('a');
    await notices.beat(false, true);
    await notices.beat(false, false);
    assert.deepEqual(told, []);
    world.time += 2500;
    await notices.beat(false, false);
    assert.deepEqual(told, []);
    await notices.beat(false, true);
    assert.deepEqual(told, [['a']]);
  });

  it('stay in the status bar until somebody looks, or are dropped, as the setting says', async () => {
    const quiet = start('statusBar');
    quiet.ask();
    await happen('a');
    await quiet.beat(true, true);
    assert.equal(quiet.pending.length, 1);
    await quiet.markTold();
    assert.equal(quiet.pending.length, 0);
    await happen('b');
    const silent = start('none');
    await silent.beat(true, true);
    assert.deepEqual([silent.pending.length, told.length], [0, 0]);
  });

  it('are not made of entries that were muted meanwhile', async () => {
    const notices = start();
    notices.ask();
    await happen('a', 'b');
    await store.updateList((list) => ({ ...list, mutes: new Map([['key a', 'forGood' as const]]) }));
    await notices.beat(true, true);
    assert.deepEqual(told, [['b']]);
  });
});
