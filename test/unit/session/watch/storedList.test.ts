import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addTargets } from '../../../../src/session/watch/listChanges.ts';
import { emptyList, isFault, readList, writeList } from '../../../../src/session/watch/listFormat.ts';
import { applyChanges, readMirror, type SyncedKeys, writeMirror } from '../../../../src/session/watch/mirror.ts';
import { entryKey, type Mute, type WatchTarget } from '../../../../src/session/watch/watchEntry.ts';
import { type KeptAside, WatchFiles } from '../../../../src/session/watch/watchFiles.ts';
import { WatchStore } from '../../../../src/session/watch/watchStore.ts';

const proposal = (id: bigint, sourceId = 'https://a.test'): WatchTarget => ({ kind: 'proposal', sourceId, id });
const listOf = (...targets: WatchTarget[]) => addTargets(emptyList, targets);
const keysOf = (list: ReturnType<typeof listOf>) => list.entries.map(({ target }) => entryKey(target));

describe('the stored watch list', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watch-list-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is read as it was written', () => {
    const denom: WatchTarget = { kind: 'denom', sourceId: 'file:///g.json', denom: 'ibc/ABC' };
    const list = {
      ...listOf(proposal(18446744073709551615n), denom, proposal(1n, '')),
      everything: [{ sourceId: 'https://a.test', skipped: [3n] }],
      mutes: new Map<string, Mute>([
        ['x', 'forGood'],
        ['y', 5],
      ]),
    };
    assert.deepEqual(readList(writeList(list)), list);
  });

  it('leaves out entries that it cannot read and keeps the others', () => {
    const entries = [
      { source: 'https://a.test', proposal: 42 },
      { source: 'ftp://x', proposal: '1' },
      { proposal: '1' },
      null,
      { source: '', proposal: '-1' },
    ];
    const read = readList(JSON.stringify({ version: 1, entries }));
    assert.ok(!isFault(read));
    assert.deepEqual(keysOf(read), [entryKey(proposal(42n))]);
  });

  for (const [what, text, name] of [
    ['a damaged', '{"version":1,"entries":[{"so', /^list\.damaged-\w+\.json$/],
    ['a future', '{"version":7,"entries":[]}', /^list\.version-7-\w+\.json$/],
    ['a foreign', '[1,2]', /^list\.damaged-\w+\.json$/],
  ] as const) {
    it(`keeps ${what} list aside, says so once, and goes on`, async () => {
      writeFileSync(join(folder, 'list.json'), text);
      const kept: KeptAside[] = [];
      const store = new WatchStore(new WatchFiles(folder, (one) => kept.push(one)));
      await store.follow();
      await store.updateList((list) => addTargets(list, [proposal(1n)]));
      await store.follow();
      assert.equal(kept.length, 1);
      const aside = readdirSync(folder).find((file) => name.test(file));
      assert.ok(aside);
      assert.equal(readFileSync(join(folder, aside), 'utf8'), text);
      assert.deepEqual(keysOf(store.list), [entryKey(proposal(1n))]);
    });
  }

  it('begins anew with a damaged log, without losing the list', async () => {
    const store = new WatchStore(new WatchFiles(folder, () => assert.fail('kept aside')));
    await store.updateList((list) => addTargets(list, [proposal(1n)]));
    writeFileSync(join(folder, 'log.json'), '{"version":1,"readings":{"x":{"kind":"proposal"}},"events":7');
    await store.follow();
    assert.equal(store.list.entries.length, 1);
    assert.equal(store.log.readings.size, 0);
  });
});

describe('the synced keys', () => {
  /** The state of one machine, as settings sync sees it. */
  function machine(): SyncedKeys & { readonly values: Map<string, unknown> } {
    const values = new Map<string, unknown>();
    return {
      values,
      keys: () => [...values.keys()],
      get: (key) => values.get(key),
      set: async (key, value) => void (value === undefined ? values.delete(key) : values.set(key, value)),
    };
  }

  /** What settings sync does: everything that is declared goes to the other machine. */
  function carry(from: Map<string, unknown>, to: Map<string, unknown>): void {
    for (const key of [...to.keys()].filter((one) => one.startsWith('watch.'))) if (!from.has(key)) to.delete(key);
    for (const [key, value] of from) if (key.startsWith('watch.')) to.set(key, structuredClone(value));
  }

  const look = async (list: ReturnType<typeof listOf>, keys: SyncedKeys) => {
    const merged = applyChanges(list, readMirror(list, keys));
    await writeMirror(merged, keys);
    return merged;
  };

  it('carry additions and removals to the other machine, both ways', async () => {
    const [here, there] = [machine(), machine()];
    let mine = await look(listOf(proposal(1n), proposal(2n)), here);
    carry(here.values, there.values);
    let theirs = await look(emptyList, there);
    assert.deepEqual(keysOf(theirs).sort(), keysOf(mine).sort());
    theirs = await look(addTargets({ ...theirs, entries: theirs.entries.slice(1) }, [proposal(3n)]), there);
    carry(there.values, here.values);
    mine = await look(mine, here);
    assert.deepEqual(keysOf(mine).sort(), keysOf(theirs).sort());
  });

  it('keep what both machines added at the same time', async () => {
    const [here, there] = [machine(), machine()];
    const mine = await look(listOf(proposal(1n)), here);
    carry(here.values, there.values);
    const theirs = await look(emptyList, there);
    const more = await look(addTargets(theirs, [proposal(2n)]), there);
    for (const [key, value] of there.values) if (key.startsWith('watch.')) here.values.set(key, value);
    const merged = await look(addTargets(mine, [proposal(3n)]), here);
    assert.deepEqual(keysOf(merged).sort(), [1n, 2n, 3n].map((id) => entryKey(proposal(id))).sort());
    assert.equal(more.entries.length, 2);
  });

  it('never hold a state file, a reading or what "everything" found', async () => {
    const here = machine();
    const list = listOf(proposal(1n, 'file:///home/me/genesis.json'), proposal(2n));
    const found = {
      target: proposal(9n),
      rules: listOf(proposal(9n)).entries[0]?.rules,
      origin: 'everything' as const,
    };
    assert.ok(found.rules);
    await look({ ...list, entries: [...list.entries, { ...found, rules: found.rules }] }, here);
    const synced = [...here.values].filter(([key]) => key.startsWith('watch.'));
    assert.deepEqual(
      synced.map(([key]) => key),
      [`watch.${entryKey(proposal(2n))}`],
    );
    assert.doesNotMatch(JSON.stringify([...here.values]), /genesis/);
  });

  it('restore the list when its file was lost', async () => {
    const here = machine();
    await look(listOf(proposal(1n)), here);
    assert.deepEqual(keysOf(await look(emptyList, here)), [entryKey(proposal(1n))]);
  });
});
