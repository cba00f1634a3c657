import { strict as assert } from 'node:assert';
import type { ChainNode } from '../../../../src/api/node.ts';
import type { AnyList } from '../../../../src/lists/lists.ts';
import { Crawl, toMatcher } from '../../../../src/reads/search.ts';
import { Session } from '../../../../src/session/session.ts';
import { startSampleNode } from '../../../support/nodes.ts';

describe('a crawl of all pages', () => {
  let sample: Awaited<ReturnType<typeof startSampleNode>>;
  before(async () => {
    sample = await startSampleNode();
  });
  after(() => sample.dispose());

  const items = (list: AnyList, row: unknown) => (list.name === 'proposals' ? `#${list.keyOf(row)}` : list.keyOf(row));
  const { signal } = new AbortController();
  const open = (node: ChainNode = sample.node) =>
    new Session(
      { kind: 'sample', id: '', name: 'Sample chain' },
      {
        open: async () => ({ node, notices: [], dispose: async () => undefined }),
        pageSize: () => 10,
        knownUnits: async () => new Map(),
      },
    );
  const all = async () => {
    const { rows } = await sample.node.proposals({}, { limit: 1000 });
    const { rows: coins } = await sample.node.supply({ limit: 1000 });
    return { rows, coins };
  };

  it('finds what a reading of everything finds, counts what was searched, and loads no list', async () => {
    const session = open();
    const { rows, coins } = await all();
    const wanted = rows.filter((row) =>
      JSON.stringify(
        row.kind === 'proposal' && [row.title, row.description, row.contents.map(({ typeUrl }) => typeUrl)],
      )
        .toLowerCase()
        .includes('upgrade'),
    );
    const crawl = new Crawl({ session, node: sample.node, toItem: items });
    const sizes: number[] = [];
    await crawl.read(signal, () => sizes.push(crawl.size));
    assert.ok(wanted.length > 0 && sizes.length > 5);
    assert.deepEqual(crawl.find('UPGRADE').sort(), wanted.map(({ id }) => `#${id}`).sort());
    assert.deepEqual(
      [Object.fromEntries(crawl.counts), crawl.failures],
      [{ proposals: rows.length, supply: coins.length, validators: 21 }, []],
    );
    assert.equal(session.lists.proposals.pager('voting').started, false);
    assert.equal(session.lists.supply.pager.started, false);
    await session.dispose();
  });

  it('searches all proposals also while the view is filtered', async () => {
    const session = open();
    session.lists.proposals.setFilter({ voter: 'nobody', statuses: ['failed'] });
    const crawl = new Crawl({ session, node: sample.node, toItem: items });
    await crawl.read(signal, () => undefined);
    assert.equal(crawl.counts.get('proposals'), (await all()).rows.length);
    await session.dispose();
  });

  it('stops after a page, goes on there later, and asks for no page twice', async () => {
    const asked: string[] = [];
    const node = new Proxy(sample.node, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]) => {
          if (name === 'proposals' || name === 'supply') asked.push(JSON.stringify([name, ...args.slice(0, 2)]));
          return Reflect.apply(value, target, args);
        };
      },
    });
    const session = open(node);
    const crawl = new Crawl({ session, node, toItem: items });
    const abort = new AbortController();
    await crawl.read(abort.signal, () => abort.abort());
    const { rows, coins } = await all();
    const [size, requests] = [crawl.size, asked.length];
    assert.ok(!crawl.isDone && size > 0 && size < rows.length + coins.length);
    await crawl.read(signal, () => undefined);
    assert.ok(crawl.isDone && asked.length > requests);
    assert.equal(crawl.size, rows.length + coins.length + (crawl.counts.get('validators') ?? 0));
    assert.equal(new Set(asked).size, asked.length);
    await crawl.read(signal, () => assert.fail('nothing is left to read'));
    await session.dispose();
  });

  it('finds in the rows behind a place only those behind it', async () => {
    const session = open();
    const crawl = new Crawl({ session, node: sample.node, toItem: items });
    await crawl.read(signal, () => undefined);
    const everything = crawl.find('');
    assert.deepEqual(crawl.find('', 10), everything.slice(10));
    assert.deepEqual(crawl.find('', crawl.size), []);
    await session.dispose();
  });

  it('takes a text as it is, whatever it means in a pattern', () => {
    for (const text of ['(', '[a', 'a\\', 'a-b', '.*', '$^', '{1}', '😀', '\ud800'])
      assert.equal(toMatcher(text)(`x${text}y`), true, text);
    assert.equal(toMatcher('.')('uatom'), false);
  });
});
