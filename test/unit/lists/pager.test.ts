import assert from 'node:assert/strict';
import { emptyPage, type Page, type PageRequest, type ReplyInfo } from '../../../src/api/pages.ts';
import { type LoadPage, readPages } from '../../../src/api/readPages.ts';
import { Pager } from '../../../src/lists/pager.ts';

/** A loader whose pages are answered by hand, so that the order of events is the test's. */
function handLoader() {
  const asked: {
    key: string | undefined;
    signal: AbortSignal;
    give: (page: Page<string>) => void;
    fail: (error: Error) => void;
  }[] = [];
  const load: LoadPage<string> = ({ key }, signal) =>
    new Promise((give, fail) => {
      assert.ok(signal);
      asked.push({ key, signal, give, fail });
      signal.addEventListener('abort', () => fail(signal.reason));
    });
  return { load, asked };
}

/** A loader over a fixed list of pages, by key. */
function pages(byKey: Record<string, Page<string>>): { load: LoadPage<string>; keys: string[] } {
  const keys: string[] = [];
  const load: LoadPage<string> = async ({ key }) => {
    keys.push(key ?? '');
    const page = byKey[key ?? ''];
    if (!page) throw new Error(`no page ${key}`);
    return page;
  };
  return { load, keys };
}

const page = (rows: string[], nextKey?: string, total?: bigint): Page<string> => ({ rows, nextKey, total, info: {} });
const same = (row: string) => row;
const pageSize = () => 2;

describe('pager', () => {
  it('gives the same promise while one load flies', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same, pageSize);
    const first = pager.loadMore();
    assert.equal(pager.loadMore(), first);
    asked[0]?.give(page(['a']));
    await first;
    assert.equal(asked.length, 1);
  });

  it('keeps rows and key after a failure, so that retry is the same call', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same, pageSize);
    const first = pager.loadMore();
    asked[0]?.give(page(['a', 'b'], 'k1'));
    await first;
    const second = pager.loadMore();
    asked[1]?.fail(new Error('reset'));
    await assert.rejects(second, /reset/);
    assert.deepEqual([pager.rows, pager.state, pager.hasMore], [['a', 'b'], 'stale', true]);
    const third = pager.loadMore();
    asked[2]?.give(page(['c']));
    await third;
    assert.deepEqual(
      asked.map(({ key }) => key),
      [undefined, 'k1', 'k1'],
    );
    assert.deepEqual([pager.rows, pager.state, pager.error], [['a', 'b', 'c'], 'loaded', undefined]);
  });

  it('drops a late answer after a reset', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same, pageSize);
    const old = pager.loadMore();
    pager.reset();
    assert.equal(asked[0]?.signal.aborted, true);
    asked[0]?.give(page(['late']));
    await old.catch(() => undefined);
    assert.deepEqual([pager.rows, pager.state], [[], 'empty']);
  });

  it('goes on after short and empty pages, and ends only without a next key', async () => {
    const { load, keys } = pages({ '': page([], 'x'), x: page(['a'], 'y'), y: page([], 'z'), z: page(['b']) });
    const pager = new Pager(load, same, pageSize);
    await pager.loadAll({ signal: new AbortController().signal, limit: 100 });
    assert.deepEqual([pager.rows, keys, pager.hasMore], [['a', 'b'], ['', 'x', 'y', 'z'], false]);
    await pager.loadMore();
    assert.equal(keys.length, 4);
  });

  it('shows a row once, however often it comes', async () => {
    const { load } = pages({ '': page(['a', 'b'], 'x'), x: page(['b', 'c']) });
    const pager = new Pager(load, same, pageSize);
    await pager.loadMore();
    await pager.loadMore();
    assert.deepEqual(pager.rows, ['a', 'b', 'c']);
  });

  it('stops at a key that repeats, and says so', async () => {
    const { load, keys } = pages({ '': page(['a'], 'x'), x: page(['b'], 'y'), y: page(['c'], 'x') });
    const pager = new Pager(load, same, pageSize);
    const work = pager.loadAll({ signal: new AbortController().signal, limit: 100 });
    await assert.rejects(work, { kind: 'paging', code: 'repeatedKey' });
    assert.deepEqual([pager.rows, keys, pager.hasMore, pager.state], [['a', 'b', 'c'], ['', 'x', 'y'], false, 'stale']);
  });

  it('stops at a key that is its own next key', async () => {
    const { load, keys } = pages({ '': page(['a'], 'x'), x: page(['b'], 'x') });
    const pager = new Pager(load, same, pageSize);
    await assert.rejects(
      pager.loadAll({ signal: new AbortController().signal, limit: 100 }),
      /repeated the next key x/,
    );
    assert.deepEqual(keys, ['', 'x']);
  });

  it('knows a total only where the node counted', async () => {
    const { load } = pages({ '': page(['a'], 'x', 3n), x: page(['b'], 'y'), y: page(['c']) });
    const pager = new Pager(load, same, pageSize);
    assert.equal(pager.total, undefined);
    await pager.loadMore();
    await pager.loadMore();
    assert.equal(pager.total, 3n);
  });

  it('swaps rows on a refresh only when all of it has come', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same, pageSize);
    const first = pager.loadMore();
    asked[0]?.give(page(['a', 'b'], 'k'));
    await first;
    const refresh = pager.refresh();
    assert.deepEqual(pager.rows, ['a', 'b']);
    asked[1]?.give(page(['z'], 'k2'));
    while (asked.length < 3) await Promise.resolve();
    assert.deepEqual([pager.rows, asked[2]?.key], [['a', 'b'], 'k2']);
    asked[2]?.give(page(['y'], 'k3'));
    await refresh;
    assert.deepEqual([pager.rows, pager.hasMore], [['z', 'y'], true]);
  });

  it('keeps the old rows when a refresh fails', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same, pageSize);
    const first = pager.loadMore();
    asked[0]?.give(page(['a']));
    await first;
    const refresh = pager.refresh();
    asked[1]?.fail(new Error('down'));
    await assert.rejects(refresh, /down/);
    assert.deepEqual([pager.rows, pager.state], [['a'], 'stale']);
  });

  it('keeps what was loaded when Load all is cancelled', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same, pageSize);
    const cancel = new AbortController();
    const work = pager.loadAll({ signal: cancel.signal, limit: 100 });
    asked[0]?.give(page(['a'], 'x'));
    while (asked.length < 2) await Promise.resolve();
    cancel.abort();
    await work;
    assert.deepEqual([pager.rows, pager.hasMore, pager.error], [['a'], true, undefined]);
    const more = pager.loadMore();
    asked[2]?.give(page(['b']));
    await more;
    assert.deepEqual(pager.rows, ['a', 'b']);
  });

  it('stops Load all at its limit of rows', async () => {
    const { load } = pages({ '': page(['a', 'b'], 'x'), x: page(['c', 'd'], 'y'), y: page(['e']) });
    const pager = new Pager(load, same, pageSize);
    await pager.loadAll({ signal: new AbortController().signal, limit: 3 });
    assert.deepEqual([pager.rows.length, pager.hasMore], [4, true]);
  });

  describe('load all', () => {
    /** 20,000 rows of a node that gives at most `most` a page. */
    const counted = (most: number, info: ReplyInfo = {}) => {
      const asked: PageRequest[] = [];
      const load: LoadPage<string> = async (request) => {
        asked.push(request);
        const from = Number(request.key ?? 0);
        const rows = Array.from({ length: Math.min(request.limit, most, 20_000 - from) }, (_, at) => `${from + at}`);
        const next = from + rows.length;
        return { ...emptyPage, rows, nextKey: next < 20_000 ? `${next}` : undefined, info };
      };
      return { load, asked, limits: () => asked.map(({ limit }) => limit) };
    };
    const signal = new AbortController().signal;

    it('asks for larger and larger pages, and never for more rows than it may show', async () => {
      const { load, limits } = counted(100_000);
      const pager = new Pager(load, same, () => 50);
      await pager.loadAll({ signal, limit: 12_000 });
      assert.deepEqual(limits(), [50, 200, 800, 3200, 5000, 2750]);
      assert.deepEqual([pager.rows.length, pager.hasMore], [12_000, true]);
    });

    it('does not ask a node for more than it gives', async () => {
      const { load, limits } = counted(100);
      const pager = new Pager(load, same, () => 50);
      await pager.loadAll({ signal, limit: 450 });
      assert.deepEqual(limits(), [50, 200, 200, 200, 100]);
    });

    it('lets pages be when they are large already', async () => {
      const { load, limits } = counted(100_000, { characters: 8 * 1024 * 1024 });
      const pager = new Pager(load, same, () => 50);
      await pager.loadAll({ signal, limit: 150 });
      assert.deepEqual(limits(), [50, 50, 50]);
    });

    it('stays at the height of the first page', async () => {
      const { load, asked } = counted(100_000, { height: 7n });
      const pager = new Pager(load, same, () => 50);
      await pager.loadMore();
      await pager.loadAll({ signal, limit: 1000 });
      assert.deepEqual(
        asked.map(({ height }) => height),
        [undefined, 7n, 7n, 7n],
      );
      assert.deepEqual([pager.height, pager.unpinnedReason], [7n, undefined]);
    });

    it('goes on without the height where the node cannot keep it, and says why', async () => {
      const { load, asked } = counted(100_000, { height: 7n, unpinnedReason: 'pruned' });
      const pager = new Pager(load, same, () => 50);
      await pager.loadAll({ signal, limit: 1000 });
      assert.deepEqual(
        asked.map(({ height }) => height),
        [undefined, undefined, undefined],
      );
      assert.equal(pager.unpinnedReason, 'pruned');
    });

    it('is refreshed with as few pages', async () => {
      const { load, limits } = counted(100_000);
      const pager = new Pager(load, same, () => 50);
      await pager.loadAll({ signal, limit: 1000 });
      const from = limits().length;
      await pager.refresh();
      assert.deepEqual(limits().slice(from), [50, 200, 750]);
      assert.equal(pager.rows.length, 1000);
    });
  });

  describe('pages without a new row', () => {
    /** A node that always gives the same row and a key that it has not given before. */
    const endless = () => {
      const limits: number[] = [];
      const load: LoadPage<string> = async ({ limit }) => {
        limits.push(limit);
        return { ...emptyPage, rows: ['a'], nextKey: `${limits.length}` };
      };
      return { load, limits };
    };

    it('are asked for with larger and larger limits, pause the list, and loadMore goes on', async () => {
      const { load, limits } = endless();
      const pager = new Pager(load, same, () => 50);
      await pager.loadMore();
      assert.deepEqual([pager.rows, pager.paused, pager.hasMore, pager.error], [['a'], true, true, undefined]);
      assert.deepEqual(limits.slice(0, 7), [50, 50, 200, 800, 3200, 5000, 5000]);
      assert.equal(limits.length, 21);
      await pager.loadMore();
      assert.deepEqual([pager.rows, pager.paused, limits.length], [['a'], true, 41]);
    });

    it('end a refresh and Load all', async () => {
      const { load, limits } = endless();
      const pager = new Pager(load, same, () => 1);
      await pager.loadMore();
      assert.deepEqual([pager.paused, limits.length], [false, 1]);
      await pager.loadAll({ signal: new AbortController().signal, limit: 100 });
      assert.deepEqual([pager.paused, limits.length], [true, 21]);
      await pager.refresh();
      assert.deepEqual([pager.paused, limits.length], [false, 22]);
    });

    it('are no longer asked for after a stop', async () => {
      const { load, asked } = handLoader();
      const pager = new Pager(load, same, () => 50);
      const work = pager.loadMore();
      asked[0]?.give(page(['a'], 'x'));
      while (asked.length < 2) await Promise.resolve();
      pager.stop();
      await work;
      assert.equal(asked[1]?.signal.aborted, true);
      assert.deepEqual([pager.rows, pager.loading, pager.error, pager.hasMore], [['a'], false, undefined, true]);
    });
  });

  it('puts a row that came from elsewhere in its place, only where the list was read that far', async () => {
    const { load } = pages({ '': page(['9', '7', '5'], 'x'), x: page(['3']) });
    const pager = new Pager(load, same, pageSize);
    pager.insert('8', () => true);
    assert.deepEqual(pager.rows, []);
    await pager.loadMore();
    pager.insert('8', (other) => Number(other) < 8);
    pager.insert('4', (other) => Number(other) < 4);
    assert.deepEqual(pager.rows, ['9', '8', '7', '5']);
    assert.equal(pager.remove('7'), true);
    assert.deepEqual(pager.rows, ['9', '8', '5']);
  });

  /** A pager of rows with a text; `tells` says whether a change was told. */
  function textPager() {
    const { load, asked } = handLoader();
    const pager = new Pager<{ id: string; text: string }>(
      async (request, signal) => {
        const { rows, ...rest } = await load(request, signal);
        return { ...rest, rows: rows.map((id) => ({ id, text: 'read' })) };
      },
      ({ id }) => id,
      pageSize,
    );
    let told = 0;
    pager.onDidChange(() => {
      told += 1;
    });
    const tells = (change: () => void) => {
      const before = told;
      change();
      return told > before;
    };
    return { pager, asked, tells };
  }

  it('tells what was read, with its faults and its time', async () => {
    const { pager, asked } = textPager();
    let told = 0;
    pager.onDidChange(() => {
      told += 1;
    });
    const first = pager.loadMore();
    assert.deepEqual([pager.loading, pager.state], [true, 'loading']);
    const info = { faults: [{ row: 'x', reason: 'broken' }] };
    asked[0]?.give({ ...page(['a', 'b', 'c'], 'k'), info });
    await first;
    assert.deepEqual([pager.loading, pager.faults, told > 0], [false, info.faults, true]);
    assert.ok(pager.asOf && Math.abs(pager.asOf.getTime() - Date.now()) < 60_000);
  });

  it('tells of a row that is replaced, removed or inserted', async () => {
    const { pager, asked, tells } = textPager();
    const first = pager.loadMore();
    asked[0]?.give(page(['a', 'b', 'c'], 'k'));
    await first;
    assert.equal(pager.replace({ id: 'z', text: 'other' }), false);
    assert.ok(tells(() => assert.equal(pager.replace({ id: 'a', text: 'newer' }), true)));
    assert.equal(pager.rows[0]?.text, 'newer');
    assert.equal(pager.remove('z'), false);
    assert.ok(tells(() => assert.equal(pager.remove('a'), true)));
    const a = { id: 'a', text: 'back' };
    assert.ok(tells(() => pager.insert(a, ({ id }) => id === 'b')));
    assert.ok(!tells(() => pager.insert(a, ({ id }) => id === 'c')), 'it is there');
    assert.deepEqual(
      pager.rows.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
  });

  it('tells of a stop and a reset, and of nothing after its end', async () => {
    const { pager, asked, tells } = textPager();
    const first = pager.loadMore();
    asked[0]?.give(page(['a', 'b', 'c'], 'k'));
    await first;
    const second = pager.loadMore();
    assert.ok(tells(() => pager.stop()));
    assert.ok(!tells(() => pager.stop()), 'nothing flies');
    await second;
    assert.ok(tells(() => pager.reset()));
    assert.deepEqual([pager.rows, pager.started, pager.asOf], [[], false, undefined]);
    const third = pager.loadMore();
    const flight = asked.at(-1);
    pager.dispose();
    assert.equal(flight?.signal.aborted, true);
    await third;
    assert.ok(!tells(() => pager.reset()));
  });

  it('asks for nothing at its end, at its limit, or after an abort', async () => {
    const { load, keys } = pages({ '': page(['a', 'b'], 'k'), k: page(['c']) });
    const pager = new Pager(load, same, pageSize);
    const { signal } = new AbortController();
    await pager.loadMore();
    await pager.loadAll({ signal, limit: 2 });
    await pager.loadAll({ signal: AbortSignal.abort(), limit: 9 });
    assert.deepEqual(keys, ['']);
    await pager.loadAll({ signal, limit: 9 });
    assert.deepEqual(pager.rows, ['a', 'b', 'c']);
    await pager.loadMore();
    await pager.loadAll({ signal, limit: 9 });
    assert.deepEqual(keys, ['', 'k']);
    pager.insert('z', () => false);
    assert.deepEqual(pager.rows, ['a', 'b', 'c', 'z'], 'the list was read to its end');
  });

  it('waits for the page that is under way before it loads all, and rejects as the loader does', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same, pageSize);
    const first = pager.loadMore();
    const all = pager.loadAll({ signal: new AbortController().signal, limit: 9 });
    assert.equal(asked.length, 1);
    asked[0]?.give(page(['a'], 'k'));
    await first;
    await new Promise(setImmediate);
    asked[1]?.fail(new Error('no more'));
    await assert.rejects(all, /no more/);
    assert.match(String(pager.error), /no more/);
    const refresh = pager.refresh();
    const again = pager.refresh();
    assert.equal(asked[2]?.signal.aborted, true);
    asked[3]?.give(page(['b']));
    await Promise.all([refresh, again]);
    assert.deepEqual([pager.rows, pager.error], [['b'], undefined]);
  });

  it('goes on with one reading where a listener asks for more while Load all waits', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same, () => 1);
    const first = pager.loadMore();
    const all = pager.loadAll({ limit: 9 });
    const subscription = pager.onDidChange(() => {
      if (pager.loading || pager.rows.length !== 1) return;
      subscription.dispose();
      void pager.loadMore();
    });
    asked[0]?.give(page(['a'], 'k1'));
    await first;
    await new Promise(setImmediate);
    assert.deepEqual(
      asked.map(({ key }) => key),
      [undefined, 'k1'],
    );
    asked[1]?.give(page(['b'], 'k2'));
    await new Promise(setImmediate);
    asked[2]?.give(page(['c']));
    await all;
    assert.deepEqual([pager.rows, pager.error, asked.length], [['a', 'b', 'c'], undefined, 3]);
  });

  it('is read once by two that load all', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same, () => 1);
    const first = pager.loadMore();
    const all = [pager.loadAll({ limit: 9 }), pager.loadAll({ limit: 9 })];
    asked[0]?.give(page(['a'], 'k1'));
    await first;
    await new Promise(setImmediate);
    assert.equal(asked.length, 2);
    asked[1]?.give(page(['b']));
    await Promise.all(all);
    assert.deepEqual([pager.rows, pager.error, pager.hasMore], [['a', 'b'], undefined, false]);
  });

  it('is empty, not paused and without faults before it is read', () => {
    const pager = new Pager(handLoader().load, same, pageSize);
    assert.deepEqual([pager.state, pager.paused, pager.faults, pager.silence], ['empty', false, [], 0]);
  });

  it('has no faults after a page without any', async () => {
    const { load } = pages({ '': page(['a']) });
    const pager = new Pager(load, same, pageSize);
    await pager.loadMore();
    assert.deepEqual(pager.faults, []);
  });

  it('gives a cursor from which others read on without adding rows', async () => {
    const { load, keys } = pages({ '': page(['a'], 'x'), x: page(['b'], 'y') });
    const pager = new Pager(load, same, () => 1);
    await pager.loadMore();
    for await (const { rows } of readPages(load, { idOf: same, limit: 1, cursor: pager.cursor, enough: 1 }))
      assert.deepEqual(rows, ['b']);
    assert.deepEqual([pager.rows, pager.cursor.nextKey, keys], [['a'], 'x', ['', 'x']]);
  });

  it('is silent from the start of its first request until that is answered', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same, pageSize);
    const { now } = performance;
    try {
      performance.now = () => 1000;
      const first = pager.loadMore();
      performance.now = () => 1700;
      assert.equal(pager.silence, 700);
      asked[0]?.give(page(['a', 'b'], 'x'));
      await first;
      assert.equal(pager.silence, 0);
      void pager.loadMore();
      performance.now = () => 9000;
      assert.equal(pager.silence, 0, 'rows were read before');
    } finally {
      performance.now = now;
      pager.dispose();
    }
  });

  it('stays failed at the end where no more can be read', async () => {
    const { load } = pages({ '': page(['a'], 'x'), x: page(['b'], 'x') });
    const pager = new Pager(load, same, () => 1);
    await assert.rejects(pager.loadAll({ limit: 9 }), /repeated the next key/);
    await pager.loadMore();
    await pager.loadAll({ limit: 9 });
    assert.deepEqual([pager.state, pager.hasMore], ['stale', false]);
  });

  it('is not ended by the signal of a Load all that is over', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same, pageSize);
    const over = new AbortController();
    const all = pager.loadAll({ signal: over.signal, limit: 2 });
    asked[0]?.give(page(['a', 'b'], 'x'));
    await all;
    const more = pager.loadMore();
    over.abort();
    assert.equal(asked[1]?.signal.aborted, false);
    asked[1]?.give(page(['c']));
    await more;
    assert.deepEqual(pager.rows, ['a', 'b', 'c']);
  });

  it('does not tell Load all of a failure after its signal', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same, pageSize);
    const first = pager.loadMore();
    const all = pager.loadAll({ signal: AbortSignal.abort(), limit: 9 });
    asked[0]?.fail(new Error('down'));
    await assert.rejects(first, /down/);
    await all;
  });

  describe('tells listeners', () => {
    /** The rows that are seen at each event. */
    function watched(pager: Pager<string>) {
      const seen: string[] = [];
      pager.onDidChange(() => seen.push(`${pager.rows.join('')} ${pager.state}${pager.loading ? ' loading' : ''}`));
      return seen;
    }

    it('of each page and of the end', async () => {
      const { load } = pages({ '': page(['a'], 'x'), x: page(['b']) });
      const pager = new Pager(load, same, pageSize);
      const seen = watched(pager);
      await pager.loadAll({ limit: 9 });
      assert.deepEqual(seen, ['a loaded loading', 'ab loaded loading', 'ab loaded']);
    });

    it('of nothing new until a refresh is whole', async () => {
      const { load, asked } = handLoader();
      const pager = new Pager(load, same, pageSize);
      const first = pager.loadMore();
      asked[0]?.give(page(['a', 'b']));
      await first;
      const seen = watched(pager);
      const refresh = pager.refresh();
      asked[1]?.give(page(['c'], 'x'));
      await new Promise(setImmediate);
      assert.deepEqual(seen, []);
      asked[2]?.give(page(['d']));
      await refresh;
      assert.deepEqual(seen, ['cd loaded']);
    });

    it('of a try after a failure, when it begins', async () => {
      const { load, asked } = handLoader();
      const pager = new Pager(load, same, pageSize);
      const first = pager.loadMore();
      asked[0]?.fail(new Error('down'));
      await assert.rejects(first, /down/);
      const seen = watched(pager);
      const second = pager.loadMore();
      assert.deepEqual(seen, [' failed loading']);
      asked[1]?.give(page(['a']));
      await second;
      assert.deepEqual(seen.slice(1), ['a stale loading', 'a loaded']);
    });

    it('of nothing where Load all has nothing to read', async () => {
      const { load } = pages({ '': page(['a', 'b'], 'x') });
      const pager = new Pager(load, same, pageSize);
      await pager.loadMore();
      const seen = watched(pager);
      await pager.loadAll({ limit: 2 });
      await pager.loadAll({ limit: 1 });
      assert.deepEqual(seen, []);
    });
  });
});
