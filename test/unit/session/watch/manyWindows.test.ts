import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../../../../src/session/watch/fileLock.ts';
import { FileLease } from '../../../../src/session/watch/lease.ts';
import { WatchFiles } from '../../../../src/session/watch/watchFiles.ts';
import { WatchStore } from '../../../../src/session/watch/watchStore.ts';

const window = join(import.meta.dirname, 'watchProcess.ts');
const run = promisify(execFile);

describe('several windows over one stored list', function () {
  this.timeout(60_000);
  let folder = '';
  let store: WatchStore;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watch-windows-'));
    store = new WatchStore(new WatchFiles(folder, () => assert.fail('kept aside')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('loses no entry and tells no event twice when three processes write at once', async () => {
    const events = Array.from({ length: 30 }, (_, index) => ({
      id: `event ${index}`,
      key: 'x',
      what: { kind: 'quorum' } as const,
      at: 0,
      state: 'pending' as const,
    }));
    await store.update((data) => ({ ...data, log: { ...data.log, events } }));
    const windows = await Promise.all(
      [100, 200, 300].map((first) => run(process.execPath, [window, folder, `${first}`, '20'])),
    );
    await store.follow();
    assert.equal(store.list.entries.length, 60);
    const told: unknown[] = windows.flatMap(({ stdout }) => JSON.parse(stdout));
    assert.equal(told.length, 30);
    assert.equal(new Set(told).size, 30);
    assert.deepEqual(readdirSync(folder).sort(), ['list.json', 'log.json']);
  });

  it('takes over the lock of a process that died, at once', async () => {
    writeFileSync(join(folder, 'lock'), `${await deadPid()} token ${hostname()}`);
    const before = performance.now();
    assert.equal(await withLock(join(folder, 'lock'), async () => 'done'), 'done');
    assert.ok(performance.now() - before < 2000);
  });

  it('takes over a lock of another machine only when it is old', async () => {
    const lock = join(folder, 'lock');
    writeFileSync(lock, '1 token elsewhere');
    const old = new Date(Date.now() - 60_000);
    utimesSync(lock, old, old);
    assert.equal(await withLock(lock, async () => 'done'), 'done');
  });

  it('has one leader; the lead passes on when it is given up and when its process dies', async () => {
    const files = new WatchFiles(folder, () => assert.fail('kept aside'));
    const lease = () => new FileLease(folder, (work) => files.locked(work));
    const [one, two] = [lease(), lease()];
    assert.deepEqual(await one.hold(false), { leads: true, focused: false });
    assert.deepEqual(await two.hold(true), { leads: false, focused: true });
    assert.equal((await one.hold(false)).focused, true, 'the leader knows that somebody looks at another window');
    await one.release();
    assert.equal((await two.hold(false)).leads, true);
    assert.equal((await one.hold(false)).leads, false);
    writeFileSync(join(folder, 'lease'), `${await deadPid()} token ${hostname()}`);
    assert.equal((await one.hold(false)).leads, true);
  });

  it('follows what another window wrote', async () => {
    await store.follow();
    await run(process.execPath, [window, folder, '7', '1']);
    await store.follow();
    assert.deepEqual(
      store.list.entries.map(({ target }) => target),
      [{ kind: 'proposal', sourceId: 'https://a.test', id: 7n }],
    );
  });
});

/** The id of a process that has just ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}
