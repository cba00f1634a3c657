import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateOldList } from '../../../src/watch/storedState.ts';
import { World } from './fakeClock.ts';
import { SimulatedUser } from './simulatedWindow.ts';

const a = 'https://a.test';
const b = 'https://b.test';
const now = Date.UTC(2026, 5, 1);
const oldRules = { status: true, hoursBefore: [24, 1], quorum: true, verdict: false, supply: '1%' };
/** As version 0.1.0 wrote it. */
const oldFile = {
  version: 1,
  entries: [
    { source: a, proposal: '1', rules: oldRules },
    { source: a, proposal: '2', rules: oldRules },
    { source: a, proposal: '3', rules: oldRules, origin: 'everything' },
    { source: 'file:///home/me/genesis.json', proposal: '4', rules: oldRules },
    { source: '', denom: 'uoak', rules: oldRules },
    'nonsense',
  ],
  everything: [{ source: b, skipped: ['7'] }],
  mutes: { [`proposal 1 of ${a}`]: 'forGood', [`proposal 2 of ${a}`]: now - 1, 'denom uoak of ': now + 1000 },
};
const oldKeys = {
  [`watch.proposal 2 of ${a}`]: { source: a, proposal: '2', rules: oldRules },
  [`watch.proposal 9 of ${b}`]: { source: b, proposal: '9', rules: oldRules },
  [`watch.everything of ${b}`]: { source: b, skipped: ['7'], everything: true },
  watchMirrored: { x: 'y' },
  watchInUse: true,
};

describe('taking over the list of an older version', () => {
  let folder = '';
  let user: SimulatedUser;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'watch-takeover-'));
    const world = new World(now);
    user = new SimulatedUser(world, folder, []);
    for (const [key, value] of Object.entries(oldKeys)) await user.state.update(key, value);
    await user.state.update('other', 1);
    for (const name of ['log.json', 'lease', 'focus']) writeFileSync(join(folder, name), '{}');
    writeFileSync(join(folder, 'list.json'), JSON.stringify(oldFile));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const rules = { quorum: true };
  const expected = [
    { source: a, proposal: '1', rules, muted: true },
    { source: a, proposal: '2', rules },
    { source: '', denom: 'uoak', rules, muted: new Date(now + 1000).toISOString() },
    { source: b, everything: true, skip: ['7'] },
    { source: b, proposal: '9', rules },
  ];
  const run = async () => {
    const window = user.open(new World(now).clock());
    const taken = await migrateOldList(window.list, folder, user.state, now).finally(() => user.close(window));
    return taken;
  };

  it('unites file and synced keys by target, without state files, ended mutes and what "everything" found', async () => {
    assert.equal(await run(), 5);
    assert.deepEqual(user.list, expected);
    assert.deepEqual(readdirSync(folder), ['list.migrated.json']);
    assert.deepEqual(user.state.keys(), ['other']);
    assert.equal(await run(), 0);
    assert.deepEqual(user.list, expected);
  });

  it('keeps what the setting has already', async () => {
    user.list = [{ source: b, proposal: 9, note: 'mine' }, 'unknown'];
    await run();
    assert.deepEqual(user.list, [{ source: b, proposal: 9, note: 'mine' }, 'unknown', ...expected.slice(0, 4)]);
  });

  it('leaves everything in place while the setting cannot be written, and is tried again', async () => {
    user.refusal = new Error('the file has unsaved changes');
    await assert.rejects(run(), /unsaved/);
    assert.ok(readdirSync(folder).includes('list.json'));
    assert.deepEqual(user.state.keys().length, 6);
    user.refusal = undefined;
    assert.equal(await run(), 5);
  });

  it('migrates the synced keys alone where the file is damaged', async () => {
    writeFileSync(join(folder, 'list.json'), '{"version":1,"entries":[{"so');
    assert.equal(await run(), 3);
    assert.ok(readdirSync(folder).includes('list.migrated.json'));
  });

  it('does nothing where there is none', async () => {
    rmSync(folder, { recursive: true });
    for (const key of Object.keys(oldKeys)) await user.state.update(key, undefined);
    assert.equal(await run(), 0);
    assert.equal(user.writes, 0);
    writeFileSync(folder, '');
  });
});
