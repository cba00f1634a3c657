import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { readStateFile, writeStateFile } from '../../../src/watch/storedState.ts';
import { temporaryFolder } from '../service/serveText.ts';

describe('the stored state of the watch list', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder.remove());

  it('comes back as it was written', async () => {
    const path = folder.path('state.json');
    const sources = new Map([['http://127.0.0.1:1', { polledAt: now, found: ['1', '18446744073709551615'] }]]);
    await writeStateFile(path, { snapshots: new Map(), sources, events: [] });
    assert.deepEqual((await readStateFile(path, now))?.sources, sources);
  });

  it('is given up where an id of a proposal is none', async () => {
    for (const id of ['abc', '', '0', '-1', '1.5', '1e3', '9'.repeat(21), '9'.repeat(5_000_000)]) {
      const path = folder.path('damaged.json');
      const sources = [['http://127.0.0.1:1', { polledAt: now, found: [id] }]];
      await writeFile(path, JSON.stringify({ version: 1, snapshots: [], sources, events: [] }));
      assert.equal(await readStateFile(path, now), undefined, id.slice(0, 30));
    }
  });
});
