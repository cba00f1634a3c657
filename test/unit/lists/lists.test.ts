import { strict as assert } from 'node:assert';
import { type AnyList, listOfOwner, listOfRow } from '../../../src/lists/lists.ts';
import { maxAges } from '../../../src/session/kept.ts';
import { Session } from '../../../src/session/session.ts';
import { startSampleNode } from '../../support/nodes.ts';

const young = { maxAge: maxAges.screen };

describe('the lists of a source', () => {
  let sample: Awaited<ReturnType<typeof startSampleNode>>;
  let session: Session;
  const { signal } = new AbortController();
  before(async () => {
    sample = await startSampleNode();
    session = new Session(
      { kind: 'sample', id: '', name: 'Sample chain' },
      {
        open: async () => ({ node: sample.node, notices: [], dispose: async () => undefined }),
        pageSize: () => 50,
        knownUnits: async () => new Map(),
      },
    );
  });
  after(async () => {
    await session.dispose();
    await sample.dispose();
  });

  async function rowsOf(pages: AsyncIterable<{ readonly rows: readonly unknown[] }>): Promise<unknown[]> {
    const all: unknown[] = [];
    for await (const { rows } of pages) all.push(...rows);
    return all;
  }

  for (const name of ['proposals', 'supply', 'validators'] as const)
    it(`describe ${name}: what is read whole is what is found by its key, has a cell for each column, and is searched`, async () => {
      const { lists } = session;
      const list: AnyList = lists[name];
      assert.equal(list.name, name);
      const read = await rowsOf(list.readAll(sample.node, signal));
      assert.ok(read.length > 20, `${read.length}`);
      assert.deepEqual(await rowsOf(list.readShown()), []);
      for (const pager of list.pagers) await pager.loadAll({ signal, limit: 10_000 });
      const find = list.finder();
      for (const row of await rowsOf(list.readShown())) {
        const key = list.keyOf(row);
        assert.equal(find(key), row);
        assert.equal(list.table.cells(row).length, list.table.columns.length);
        assert.ok(list.table.cells(row).includes(key));
      }
      assert.equal(list.shown.length, list.loaded.length);
      assert.equal(list.loaded.length, new Set(read.map((row) => list.keyOf(row))).size);
      assert.equal(find('no such key'), undefined);
      assert.deepEqual([list.isFiltered, list.isChanged], [false, false]);
      assert.equal(listOfRow(lists, list.rowKind), list);
      for (const owner of list.owners) assert.equal(listOfOwner(lists, owner), list);
    });

  it('read the validators of every status, bonded ones first, and filter them by moniker', async () => {
    const { validators } = session.lists;
    const { rows } = await sample.node.validators({ limit: 100 }).then((page) => page ?? { rows: [] });
    const bonded = await sample.node.validators({ limit: 100, status: 'bonded' });
    assert.ok(bonded && bonded.rows.length < rows.length);
    const shown = validators.shown.map(({ status }) => status);
    assert.deepEqual(shown.slice(0, bonded.rows.length), Array<string>(bonded.rows.length).fill('bonded'));
    assert.ok(!shown.slice(bonded.rows.length).includes('bonded'));
    const total = bonded.rows.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n);
    await validators.loadBonded(young);
    const [first] = validators.shown;
    assert.ok(first);
    assert.equal(validators.share(first), (first.tokens * 10n ** 18n + total / 2n) / total);
    assert.equal(
      validators.shown.reduce((sum, row) => sum + (validators.sharePoints(row) ?? 0), 0),
      10_000,
    );
    validators.arrange({ text: first.moniker.toUpperCase(), order: 'moniker' });
    assert.deepEqual(validators.shown, [first]);
    const matching = await rowsOf(validators.readMatching(sample.node, signal));
    assert.deepEqual(matching, [first]);
    assert.deepEqual([validators.isFiltered, validators.isChanged], [true, true]);
  });
});
