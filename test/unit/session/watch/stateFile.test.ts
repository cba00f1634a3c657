import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addTargets } from '../../../../src/session/watch/listChanges.ts';
import { mergeEntries } from '../../../../src/session/watch/mergeEntries.ts';
import { RequestMeter } from '../../../../src/session/watch/requestMeter.ts';
import { StateFileWatch } from '../../../../src/session/watch/stateFileWatch.ts';
import { WatchFiles } from '../../../../src/session/watch/watchFiles.ts';
import { WatchStore } from '../../../../src/session/watch/watchStore.ts';
import { World } from './fakeClock.ts';
import { SimulatedChain } from './simulatedChain.ts';

describe('watching a state file', () => {
  let folder = '';
  let path = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watch-file-'));
    path = join(folder, 'genesis.json');
    writeFileSync(path, '{}');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('opens it only when it is newer than what is known, and says why when it is gone', async () => {
    const world = new World(Date.now());
    const clock = world.clock();
    const sourceId = pathToFileURL(path).href;
    const chain = new SimulatedChain(world, sourceId);
    const submitted = world.time - 1000;
    chain.fates.push({
      id: 1n,
      submitted,
      depositEnd: submitted,
      voteStart: submitted,
      voteEnd: world.time + 1e9,
      result: 'passed',
    });
    const store = new WatchStore(new WatchFiles(join(folder, 'watch'), () => assert.fail('kept aside')));
    await store.updateList((list) =>
      addTargets(
        list,
        [1n, 404n].map((id) => ({ kind: 'proposal', sourceId, id }) as const),
      ),
    );
    let opened = 0;
    let released = 0;
    const open = () => {
      opened += 1;
      const release = async () => {
        released += 1;
      };
      return { node: async () => chain, learn() {}, learnSupply() {}, release };
    };
    const context = {
      clock,
      store,
      meter: new RequestMeter(clock),
      entries: () => mergeEntries(store.list, []),
      interval: () => 300_000,
      focused: () => true,
      visible: () => new Set<string>(),
      onDidChange() {},
    };
    const watch = () => new StateFileWatch(sourceId, { kind: 'file', name: 'genesis.json', path, open }, context);
    world.time += 5000;
    const first = watch();
    assert.equal(first.dueIn(), 0);
    await first.refresh();
    assert.deepEqual([opened, released, store.log.readings.size], [1, 1, 2]);
    first.replan();
    assert.ok(first.dueIn() > 0, 'an entry that is not in it does not make it read again');
    await watch().refresh();
    assert.equal(opened, 1, 'a new window does not open what is known');
    const later = new Date(world.time + 60_000);
    utimesSync(path, later, later);
    world.time += 120_000;
    await first.refresh();
    assert.equal(opened, 2);
    unlinkSync(path);
    await first.refresh();
    assert.match(first.state.kind === 'down' ? first.state.reason : '', /ENOENT/);
    assert.equal(opened, released);
  });
});
