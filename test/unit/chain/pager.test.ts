import assert from 'node:assert/strict';
import { type LoadedPage, type LoadPage, Pager, RepeatedKeyError } from '../../../src/chain/pager.ts';

/** A loader whose pages are answered by hand, so that the order of events is the test's. */
function handLoader() {
  const asked: {
    key: string | undefined;
    signal: AbortSignal;
    give: (page: LoadedPage<string>) => void;
    fail: (error: Error) => void;
  }[] = [];
  const load: LoadPage<string> = (key, signal) =>
    new Promise((give, fail) => {
      asked.push({ key, signal, give, fail });
      signal.addEventListener('abort', () => fail(signal.reason));
    });
  return { load, asked };
}

/** A loader over a fixed list of pages, by key. */
function pages(byKey: Record<string, LoadedPage<string>>): { load: LoadPage<string>; keys: string[] } {
  const keys: string[] = [];
  const load: LoadPage<string> = async (key) => {
    keys.push(key ?? '');
    const page = byKey[key ?? ''];
    if (!page) throw new Error(`no page ${key}`);
    return page;
  };
  return { load, keys };
}

const page = (rows: string[], nextKey?: string, total?: bigint): LoadedPage<string> => ({ rows, nextKey, total });
const same = (row: string) => row;

describe('pager', () => {
  it('gives the same promise while one load flies', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same);
    const first = pager.loadMore();
    assert.equal(pager.loadMore(), first);
    asked[0]?.give(page(['a']));
    await first;
    assert.equal(asked.length, 1);
  });

  it('keeps rows and key after a failure, so that retry is the same call', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same);
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
    const pager = new Pager(load, same);
    const old = pager.loadMore();
    pager.reset();
    assert.equal(asked[0]?.signal.aborted, true);
    asked[0]?.give(page(['late']));
    await old.catch(() => undefined);
    assert.deepEqual([pager.rows, pager.state], [[], 'empty']);
  });

  it('goes on after short and empty pages, and ends only without a next key', async () => {
    const { load, keys } = pages({ '': page([], 'x'), x: page(['a'], 'y'), y: page([], 'z'), z: page(['b']) });
    const pager = new Pager(load, same);
    await pager.loadAll({ signal: new AbortController().signal, limit: 100 });
    assert.deepEqual([pager.rows, keys, pager.hasMore], [['a', 'b'], ['', 'x', 'y', 'z'], false]);
    await pager.loadMore();
    assert.equal(keys.length, 4);
  });

  it('shows a row once, however often it comes', async () => {
    const { load } = pages({ '': page(['a', 'b'], 'x'), x: page(['b', 'c']) });
    const pager = new Pager(load, same);
    await pager.loadMore();
    await pager.loadMore();
    assert.deepEqual(pager.rows, ['a', 'b', 'c']);
  });

  it('stops at a key that repeats, and says so', async () => {
    const { load, keys } = pages({ '': page(['a'], 'x'), x: page(['b'], 'y'), y: page(['c'], 'x') });
    const pager = new Pager(load, same);
    const work = pager.loadAll({ signal: new AbortController().signal, limit: 100 });
    await assert.rejects(work, RepeatedKeyError);
    assert.deepEqual([pager.rows, keys, pager.hasMore], [['a', 'b', 'c'], ['', 'x', 'y'], false]);
  });

  it('stops at a key that is its own next key', async () => {
    const { load, keys } = pages({ '': page(['a'], 'x'), x: page(['b'], 'x') });
    const pager = new Pager(load, same);
    await assert.rejects(
      pager.loadAll({ signal: new AbortController().signal, limit: 100 }),
      /repeated the next key x/,
    );
    assert.deepEqual(keys, ['', 'x']);
  });

  it('knows a total only where the node counted', async () => {
    const { load } = pages({ '': page(['a'], 'x', 3n), x: page(['b'], 'y'), y: page(['c']) });
    const pager = new Pager(load, same);
    assert.equal(pager.total, undefined);
    await pager.loadMore();
    await pager.loadMore();
    assert.equal(pager.total, 3n);
  });

  it('swaps rows on a refresh only when all of it has come', async () => {
    const { load, asked } = handLoader();
    const pager = new Pager(load, same);
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
    const pager = new Pager(load, same);
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
    const pager = new Pager(load, same);
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
    const pager = new Pager(load, same);
    await pager.loadAll({ signal: new AbortController().signal, limit: 3 });
    assert.deepEqual([pager.rows.length, pager.hasMore], [4, true]);
  });

  it('puts a row that came from elsewhere in its place, only where the list was read that far', async () => {
    const { load } = pages({ '': page(['9', '7', '5'], 'x'), x: page(['3']) });
    const pager = new Pager(load, same);
    pager.insert('8', () => true);
    assert.deepEqual(pager.rows, []);
    await pager.loadMore();
    pager.insert('8', (other) => Number(other) < 8);
    pager.insert('4', (other) => Number(other) < 4);
    assert.deepEqual(pager.rows, ['9', '8', '7', '5']);
    assert.equal(pager.remove('7'), true);
    assert.deepEqual(pager.rows, ['9', '8', '5']);
  });
});
