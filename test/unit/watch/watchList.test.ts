import assert from 'node:assert/strict';
import {
  addTargets,
  defaultRules,
  keyOf,
  muteItems,
  setRules,
  toEntries,
  uniteLists,
  WatchList,
  type WatchTarget,
  writeRules,
} from '../../../src/watch/watchList.ts';
import { slowness } from '../growth.ts';

const url = 'https://a.test';
const proposal = (id: bigint): WatchTarget => ({ kind: 'proposal', sourceId: url, id });
const labels = (value: unknown, workspace?: unknown) =>
  uniteLists(value, workspace).map((item) =>
    item.target.kind === 'everything' ? 'everything' : item.key.split(' ')[1],
  );

/** The setting of a user, with what the editor may do to it. */
class FakeSetting {
  value: unknown;
  shared: unknown;
  refusal: Error | undefined;
  /** Whether `user` answers with the old value for a while after a write. */
  isSlow = false;
  #old: unknown;
  writes = 0;

  open(): WatchList {
    return new WatchList(
      () => ({ user: this.isSlow ? this.#old : this.value, workspace: this.shared }),
      async (value) => {
        if (this.refusal) throw this.refusal;
        await Promise.resolve();
        this.writes += 1;
        this.#old = this.value;
        this.value = structuredClone(value);
      },
    );
  }
}

describe('the setting of the watch list', () => {
  it('is read element by element; what cannot be read is left out', () => {
    const value = [
      { source: url, proposal: 42 },
      { source: url, proposal: '18446744073709551615', rules: { hoursBefore: [48] }, muted: true },
      { source: 'ftp://x', proposal: '1' },
      { proposal: '1' },
      null,
      { source: '', proposal: '-1' },
      { source: 'https://A.test', denom: 'ibc/ABC', muted: '2026-03-02T08:00:00.000Z' },
      { source: url, everything: true, skip: ['7', 8, 'x'] },
    ];
    assert.deepEqual(
      uniteLists(value, undefined).map((item) => [item.key, item.muted]),
      [
        [`proposal 42 of ${url}`, undefined],
        [`proposal 18446744073709551615 of ${url}`, true],
        [`denom ibc/ABC of ${url}`, Date.UTC(2026, 2, 2, 8)],
        [`everything of ${url}`, undefined],
      ],
    );
    assert.deepEqual(uniteLists('nonsense', { a: 1 }), []);
  });

  it('is read and edited as far as 1,000 entries, and says how many more there are', async () => {
    const setting = new FakeSetting();
    setting.value = Array.from({ length: 100_000 }, (_, at) => ({ source: url, proposal: at + 1 }));
    setting.shared = [{ source: url, denom: 'uoak' }];
    const list = setting.open();
    assert.deepEqual([list.items.length, list.unread], [1_001, 99_000]);
    assert.deepEqual(list.items.at(-2)?.target, proposal(1000n));
    await assert.rejects(list.remove(list.items.slice(0, 1)), /100,000 entries, but only 1,000 are read/);
    setting.value = [setting.value].flat().slice(0, 1_000);
    list.reload();
    assert.deepEqual([list.items.length, list.unread], [1_001, 0]);
    await assert.rejects(list.edit(addTargets([proposal(5000n)])), /1,001 entries, but only 1,000 are read/);
    assert.equal(setting.writes, 0);
    await list.remove(list.items.slice(0, 1));
    assert.equal(setting.writes, 1);
    list.dispose();
  });

  it('is united with that of the workspace: own order and own rules first', () => {
    const user = [
      { source: url, proposal: '2' },
      { source: url, proposal: '1', rules: { status: false } },
    ];
    const workspace = [
      { source: url, proposal: '1', muted: true },
      { source: url, denom: 'uoak' },
    ];
    assert.deepEqual(
      uniteLists(user, workspace).map(({ key, own, shared, muted }) => [key.split(' ')[1], own, shared, muted]),
      [
        ['2', true, false, undefined],
        ['1', true, true, true],
        ['uoak', false, true, undefined],
      ],
    );
  });

  it('has the proposals that "everything" found in its place, except those it skips or names', () => {
    const items = uniteLists(
      [
        { source: url, proposal: '9' },
        { source: url, everything: true, skip: ['3'] },
        { source: url, denom: 'uoak' },
      ],
      undefined,
    );
    const entries = toEntries(items, () => [1n, 3n, 9n]);
    assert.deepEqual(
      entries.map(({ key, found }) => [key.split(' ')[1], found]),
      [
        ['9', false],
        ['1', true],
        ['uoak', false],
      ],
    );
  });

  it('keeps what it cannot read where it stands, through every edit', async () => {
    const setting = new FakeSetting();
    const unknown = { source: url, proposal: 'x', future: [1] };
    setting.value = [unknown, { source: url, proposal: '1', note: 'mine' }, 5, { source: url, proposal: '2' }];
    const list = setting.open();
    const [one, two] = toEntries(list.items, () => []);
    assert.ok(one && two);
    await list.edit(addTargets([proposal(1n), proposal(3n)]));
    await list.edit(muteItems([one], Date.UTC(2030, 0, 1)));
    await list.edit(setRules([two], { ...defaultRules, quorum: true }));
    assert.deepEqual(setting.value, [
      unknown,
      { source: url, proposal: '1', note: 'mine', muted: '2030-01-01T00:00:00.000Z' },
      5,
      { source: url, proposal: '2', rules: { quorum: true } },
      { source: url, proposal: '3' },
    ]);
    await list.edit(muteItems([one], undefined));
    await list.edit(setRules([two], defaultRules));
    assert.deepEqual(setting.value, [
      unknown,
      { source: url, proposal: '1', note: 'mine' },
      5,
      { source: url, proposal: '2' },
      { source: url, proposal: '3' },
    ]);
  });

  it('gives removed entries back where they stood, whatever was done meanwhile', async () => {
    const setting = new FakeSetting();
    setting.value = [1, 2, 3, 4].map((id) => ({ source: url, proposal: `${id}` }));
    const list = setting.open();
    const pick = (...ids: bigint[]) =>
      toEntries(list.items, () => []).filter(({ key }) => ids.some((id) => key === keyOf(proposal(id))));
    const first = await list.remove(pick(2n, 3n));
    const second = await list.remove(pick(1n));
    await list.edit(addTargets([proposal(5n)]));
    assert.deepEqual(labels(setting.value), ['4', '5']);
    await first();
    assert.deepEqual(labels(setting.value), ['4', '2', '3', '5']);
    await second();
    assert.deepEqual(labels(setting.value), ['1', '4', '2', '3', '5']);
  });

  it('skips what was found by "everything" and removed, until that is undone', async () => {
    const setting = new FakeSetting();
    const list = setting.open();
    await list.edit(addTargets([{ kind: 'everything', sourceId: url }]));
    const entries = () => toEntries(list.items, () => [1n, 2n]);
    const undo = await list.remove(entries().slice(0, 1));
    assert.deepEqual(setting.value, [{ source: url, everything: true, skip: ['1'] }]);
    assert.deepEqual(
      entries().map(({ key }) => key),
      [keyOf(proposal(2n))],
    );
    await undo();
    assert.deepEqual(setting.value, [{ source: url, everything: true }]);
    await list.remove(list.items);
    assert.equal(setting.value, undefined);
  });

  it('mutes what the workspace shares by an entry of the user', async () => {
    const setting = new FakeSetting();
    setting.shared = [
      { source: url, denom: 'uoak', rules: { supply: '5' } },
      { source: url, everything: true },
    ];
    const list = setting.open();
    await list.edit(muteItems(list.items, true));
    assert.deepEqual(setting.value, [
      { source: url, denom: 'uoak', rules: { supply: '5' }, muted: true },
      { source: url, everything: true, muted: true },
    ]);
    assert.deepEqual(
      list.items.map(({ muted, shared }) => [muted, shared]),
      [
        [true, true],
        [true, true],
      ],
    );
    setting.shared = [{ source: url, denom: 'uoak', muted: true }];
    list.reload();
    await list.edit(muteItems(list.items, undefined));
    assert.equal(list.items[0]?.muted, false);
  });

  it('is written one edit at a time, also where the editor announces a write late', async () => {
    const setting = new FakeSetting();
    const list = setting.open();
    setting.isSlow = true;
    await Promise.all([1n, 2n, 3n].map((id) => list.edit(addTargets([proposal(id)]))));
    assert.deepEqual(labels(setting.value), ['1', '2', '3']);
    assert.equal(setting.writes, 3);
    await list.edit(addTargets([proposal(1n)]));
    assert.equal(setting.writes, 3, 'an edit that changes nothing is not written');
  });

  it('stays as it is when a write is refused, and takes the next one', async () => {
    const setting = new FakeSetting();
    setting.value = [{ source: url, proposal: '1' }];
    const list = setting.open();
    setting.refusal = new Error('the file has unsaved changes');
    await assert.rejects(list.edit(addTargets([proposal(2n)])), /unsaved/);
    assert.deepEqual(
      list.items.map(({ key }) => key),
      [keyOf(proposal(1n))],
    );
    setting.refusal = undefined;
    await list.edit(addTargets([proposal(2n)]));
    assert.deepEqual(labels(setting.value), ['1', '2']);
    setting.value = { not: 'a list' };
    list.reload();
    await assert.rejects(list.edit(addTargets([proposal(2n)])), /not an array/);
  });
});

describe('rules', () => {
  for (const [value, written] of [
    [undefined, {}],
    [5, {}],
    [{ status: false, quorum: 'x' }, { status: false }],
    [{ hoursBefore: [1, 'x', 48, 1, -3] }, { hoursBefore: [48, 1] }],
    [{ hoursBefore: [] }, { hoursBefore: [] }],
    [{ supply: null }, { supply: null }],
    [{ supply: 'nonsense' }, { supply: null }],
    [{ supply: '1000000' }, { supply: '1000000' }],
    [{ supply: ' 2.5 %' }, { supply: '2.5%' }],
    [{ supply: '1%' }, {}],
  ] as const) {
    it(`${JSON.stringify(value)} are written as ${JSON.stringify(written)}`, () => {
      const [item] = uniteLists([{ source: url, proposal: '1', rules: value }], undefined);
      assert.ok(item);
      assert.deepEqual(writeRules(item.rules), written);
    });
  }
});

describe('a list of as many items as are read', () => {
  it('loses half of them in the time of a few readings', async () => {
    const setting = new FakeSetting();
    setting.value = Array.from({ length: 1000 }, (_, at) => ({ source: url, proposal: `${at + 1}` }));
    const list = setting.open();
    const cpuOf = async (work: () => unknown) => {
      const start = process.threadCpuUsage();
      await work();
      const { user, system } = process.threadCpuUsage(start);
      return user + system;
    };
    const reading = await cpuOf(() => list.reload());
    const removal = await cpuOf(() => list.remove(list.items.slice(0, 500)));
    assert.equal(list.items.length, 500);
    assert.ok(removal < 12 * reading * slowness, `${removal} µs, read in ${reading} µs`);
  });
});
