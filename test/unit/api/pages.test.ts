import assert from 'node:assert/strict';
import { HttpError, InputError } from '../../../src/api/errors.ts';
import {
  emptyPage,
  faultName,
  faultsFrom,
  idOfKey,
  type Page,
  pageQuery,
  type ReplyInfo,
  toPage,
} from '../../../src/api/pages.ts';
import { Cursor, isPagingError, PagingError, type ReadOptions, readPages } from '../../../src/api/readPages.ts';
import type { WirePage } from '../../../src/api/replySchemas.ts';

const idOf = (row: string) => row;
const tooLarge = new HttpError('http://node', 429, 8, 'grpc: received message larger than max (9 vs. 8)');

/** A page, or the error that the node answers with instead. `ms` is how long the node takes. */
type Answer = (Partial<Page<string>> & { readonly ms?: number }) | Error;

describe('pages', () => {
  const { now } = performance;
  let time = 0;

  beforeEach(() => {
    time = 0;
    performance.now = () => time;
  });
  afterEach(() => {
    performance.now = now;
  });

  /** Reads pages that a node gives in this order. Gives what was read and asked, and why reading ended. */
  async function read(answers: readonly Answer[], options: Partial<ReadOptions<string>> = {}) {
    const asked: { readonly key: string | undefined; readonly limit: number; readonly height: bigint | undefined }[] =
      [];
    const given: Page<string>[] = [];
    const load = async ({ key, limit, height }: { key?: string; limit: number; height?: bigint }) => {
      const answer = answers[asked.length] ?? new Error(`page ${asked.length} was asked for`);
      asked.push({ key, limit, height });
      if (answer instanceof Error) throw answer;
      const { ms = 0, ...page } = answer;
      time += ms;
      return { ...emptyPage, ...page };
    };
    const error = await (async () => {
      for await (const page of readPages(load, { idOf, limit: 2, ...options })) given.push(page);
    })().catch((error: unknown) => error);
    return { given, rows: given.map(({ rows }) => rows), asked, limits: asked.map(({ limit }) => limit), error };
  }

  /** Full pages of a list, each of as many rows as are asked for. */
  const full = (limits: readonly number[], more: { readonly ms?: number; readonly info?: ReplyInfo } = {}) =>
    limits.map((limit, at) => ({
      rows: Array.from({ length: limit }, (_, row) => `${at} ${row}`),
      nextKey: at < limits.length - 1 ? `${at}` : undefined,
      ...more,
    }));

  describe('are asked for', () => {
    it('by a key, else by an offset, and counted only without a key', () => {
      assert.deepEqual(pageQuery({}), { limit: '100' });
      assert.deepEqual(pageQuery({ limit: 7, offset: 0, countTotal: false, reverse: false }), { limit: '7' });
      assert.deepEqual(pageQuery({ offset: 3, countTotal: true, reverse: true }), {
        offset: '3',
        limit: '100',
        countTotal: 'true',
        reverse: 'true',
      });
      assert.deepEqual(pageQuery({ key: 'a', offset: 3, countTotal: true }), { key: 'a', limit: '100' });
    });

    it('until enough rows are new, and the last page is no larger than needed', async () => {
      const pages = full([4, 4, 3, 9]);
      const { limits, rows } = await read(pages, { limit: 2, largest: 4, enough: 9 });
      assert.deepEqual(limits, [2, 4, 2]);
      assert.equal(rows.flat().length, 11);
    });

    it('at the height of the first one where that is wanted and known', async () => {
      const heights = async (info: ReplyInfo, pinned?: boolean) => {
        const { asked } = await read(full([1, 1, 1], { info }), { pinned });
        return asked.map(({ height }) => height);
      };
      assert.deepEqual(await heights({ height: 7n }, true), [undefined, 7n, 7n]);
      assert.deepEqual(await heights({ height: 7n }), [undefined, undefined, undefined]);
      assert.deepEqual(await heights({ height: 0n }, true), [undefined, undefined, undefined]);
      const unpinned = { height: 7n, unpinnedReason: 'pruned' };
      assert.deepEqual(await heights(unpinned, true), [undefined, undefined, undefined]);
    });
  });

  describe('grow', () => {
    const large = 6 * 1024 * 1024;

    it('four times as large while they are full, quick and small', async () => {
      for (const more of [{ ms: 1500 }, { info: { characters: large } }, {}]) {
        const { limits } = await read(full([2, 8, 32, 100, 100], more), { largest: 100 });
        assert.deepEqual(limits, [2, 8, 32, 100, 100]);
      }
    });

    it('not after a page that took long, was large or was not full', async () => {
      for (const more of [{ ms: 1501 }, { info: { characters: large + 1 } }])
        assert.deepEqual((await read(full([2, 2], more), { largest: 100 })).limits, [2, 2]);
      assert.deepEqual((await read(full([1, 1]), { largest: 100 })).limits, [2, 2]);
    });

    it('not without a largest size, and never beyond it', async () => {
      assert.deepEqual((await read(full([2, 2]))).limits, [2, 2]);
      assert.deepEqual((await read(full([5, 5]), { limit: 5, largest: 3 })).limits, [5, 5]);
    });

    it('not again once they took more than six seconds: they shrink to half, but not below the first', async () => {
      const slow = { ms: 6001 };
      const pages = full([2, 8, 32, 16, 8, 4, 2]).map((page, at) => (at < 2 ? page : { ...page, ...slow }));
      const { limits } = await read(pages, { largest: 100 });
      assert.deepEqual(limits, [2, 8, 32, 16, 8, 4, 2]);
      assert.deepEqual((await read(full([2, 2], slow), { largest: 100 })).limits, [2, 2]);
      assert.deepEqual((await read(full([2, 8, 8], { ms: 1000 }), { largest: 8 })).limits, [2, 8, 8]);
    });
  });

  describe('without a new row', () => {
    const none = (nextKey?: string) => ({ rows: [], nextKey });

    it('are left out, except the last one and those with faults', async () => {
      const faults = [{ row: 'x', reason: 'broken' }];
      const total = 3n;
      const { given } = await read([none('1'), { ...none('2'), info: { faults } }, { ...none(), total }]);
      assert.deepEqual(
        given.map(({ info, total }) => [info.faults, total]),
        [
          [faults, undefined],
          [undefined, total],
        ],
      );
    });

    it('make the next page larger, up to 5000 rows, even where fewer rows would be enough', async () => {
      const pages = ['1', '2', '3', '4', '5', '6', '7'].map(none);
      const { limits } = await read([...pages, none()], { enough: 1 });
      assert.deepEqual(limits, [2, 8, 32, 128, 512, 2048, 5000, 5000]);
      assert.deepEqual((await read([none('1'), none()], { limit: 6000 })).limits, [6000, 6000]);
    });

    it('end reading after twenty in a row, and not at the end of the list', async () => {
      const keys = Array.from({ length: 40 }, (_, at) => `${at}`);
      const { error, asked } = await read(keys.map(none));
      assert.ok(isPagingError(error, 'emptyPages'));
      assert.equal(asked.length, 20);
      assert.match(String(error), /20 pages in a row had no new rows/);
      const others = [...keys.slice(0, 19).map(none), { rows: ['a'], nextKey: 'x' }, ...keys.slice(20, 39).map(none)];
      assert.equal((await read([...others, none()])).error, undefined);
    });
  });

  describe('that are too large for the node', () => {
    it('are asked for with half as many rows, and then a little more', async () => {
      const rows = (count: number, key?: string) => ({
        rows: Array.from({ length: count }, () => key ?? 'z'),
        nextKey: key,
      });
      const answers = [tooLarge, tooLarge, rows(25, 'a'), rows(32, 'b'), rows(1)];
      assert.deepEqual((await read(answers, { limit: 100 })).limits, [100, 50, 25, 32, 40]);
    });

    it('are an error where one row is too large, and where reading was ended', async () => {
      const { error, limits } = await read([tooLarge, tooLarge], { limit: 2 });
      assert.deepEqual([error, limits], [tooLarge, [2, 1]]);
      const abort = new AbortController();
      const late = readPages(
        async () => {
          abort.abort();
          throw tooLarge;
        },
        { idOf, limit: 2, signal: abort.signal },
      );
      await assert.rejects(late.next(), tooLarge);
    });

    it('are told from other errors', async () => {
      const other = new InputError('no');
      const { error, limits } = await read([other], { limit: 100 });
      assert.deepEqual([error, limits], [other, [100]]);
    });
  });

  describe('of checked replies', () => {
    const request = { countTotal: true };
    const rows = ['a', 'b'];
    const page = (pagination: WirePage | null | undefined, faults?: Page<string>['info']['faults'], more = request) =>
      toPage({ reply: { pagination }, info: { height: 7n } }, faults ? { rows, faults } : { rows }, more);

    it('have a total that the node was asked for and that is not less than the rows', () => {
      const totals = ['2', '3', '1', 'x2', '2x', '1'.repeat(20), '1'.repeat(21), 5, undefined];
      assert.deepEqual(
        totals.map((total) => page({ total }).total),
        [2n, 3n, ...new Array(3).fill(undefined), BigInt('1'.repeat(20)), ...new Array(3).fill(undefined)],
      );
      assert.equal(page({ total: '5' }, [], { countTotal: false }).total, undefined);
      assert.equal(page(null).total, undefined);
    });

    it('have a next key unless that is empty', () => {
      const pages = [{ next_key: 'k' }, { next_key: '' }, { next_key: null }, {}, null, undefined];
      assert.deepEqual(
        pages.map((pagination) => page(pagination).nextKey),
        ['k', ...new Array(5).fill(undefined)],
      );
    });

    it('have the facts of the reply, and faults if there are any', () => {
      const faults = [{ row: 1, reason: 'r' }];
      assert.deepEqual(page({}, faults).info, { height: 7n, faults });
      for (const none of [[], undefined]) assert.deepEqual(page({}, none).info, { height: 7n });
    });
  });

  describe('have faulty rows', () => {
    const faults = [
      { row: 2, reason: 'r' },
      { row: 'ua', reason: 's' },
    ];

    it('by their name, or by their position in the list', () => {
      assert.deepEqual(faults.map(faultName), ['[2]', 'ua']);
      assert.deepEqual(faultsFrom(10, { ...emptyPage, info: { faults } }), [
        { row: 12, reason: 'r' },
        { row: 'ua', reason: 's' },
      ]);
      assert.deepEqual(faultsFrom(10, emptyPage), []);
    });

    it('whose position counts every row before: read, unreadable, or twice', async () => {
      const info = { height: 7n, faults };
      const { given } = await read([
        { rows: ['a', 'b'], nextKey: '1', info },
        { rows: ['b'], nextKey: '2' },
        { rows: ['c'], info },
      ]);
      assert.deepEqual(
        given.map(({ info }) => info),
        [info, { height: 7n, faults: [{ row: 7, reason: 'r' }, faults[1]] }],
      );
    });
  });

  describe('leave a cursor', () => {
    it('with the first height, the last total and why later pages have other heights', async () => {
      const cursor = new Cursor();
      assert.equal(cursor.hasMore, true);
      await read(
        [
          { rows: ['a'], nextKey: '1', total: 9n, info: { height: 7n } },
          { rows: ['b'], nextKey: '2', info: { height: 8n, unpinnedReason: 'pruned' } },
          { rows: ['c'], info: { unpinnedReason: 'again' } },
        ],
        { cursor },
      );
      const { height, total, unpinnedReason, hasMore, place } = cursor;
      assert.deepEqual([height, total, unpinnedReason, hasMore, place], [7n, 9n, 'pruned', false, 3]);
    });

    it('whose copy is read on without moving it', async () => {
      const cursor = new Cursor();
      await read([{ rows: ['a'], nextKey: '1' }], { cursor, enough: 1 });
      const copy = new Cursor(cursor);
      const { rows, asked } = await read([{ rows: ['a', 'b'], nextKey: '2' }, { rows: ['c'] }], { cursor: copy });
      assert.deepEqual([rows, asked[0]?.key], [[['b'], ['c']], '1']);
      assert.deepEqual([cursor.nextKey, [...cursor.ids], [...cursor.keys]], ['1', ['a'], []]);
    });

    it('that does not go back to a key', async () => {
      const { error, rows } = await read([
        { rows: ['a'], nextKey: '1' },
        { rows: ['b'], nextKey: '1' },
      ]);
      assert.ok(isPagingError(error, 'repeatedKey'));
      assert.deepEqual(rows, [['a'], ['b']]);
    });
  });

  it('may be as many as the limit of rows allows', async () => {
    assert.equal((await read(full([2, 2]), { maxRows: 4 })).error, undefined);
    const { error, rows } = await read(full([2, 2]), { maxRows: 3 });
    assert.ok(isPagingError(error, 'tooManyRows'));
    assert.equal(rows.length, 1);
  });

  it('fail with an error that is known by its code', () => {
    const error = new PagingError('emptyPages', 'm');
    assert.deepEqual([isPagingError(error, 'emptyPages'), isPagingError(error, 'repeatedKey')], [true, false]);
    const stranger = Object.assign(new Error('m'), { code: 'emptyPages' });
    assert.equal(isPagingError(stranger, 'emptyPages'), false);
    assert.equal(isPagingError(Object.assign(new InputError('m'), { code: 'emptyPages' }), 'emptyPages'), false);
  });

  it('have keys of ids with eight bytes and nothing after them', () => {
    assert.deepEqual(['AAAAAAAAAGU=', 'AAAAAAAAAGU', 'AAAAAAAAAGU=!', 'AAAAAAAAZQ==', 'AAAAAAAAAABl'].map(idOfKey), [
      101n,
      101n,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
