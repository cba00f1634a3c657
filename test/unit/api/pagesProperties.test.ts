import assert from 'node:assert/strict';
import fc from 'fast-check';
import { HttpError } from '../../../src/api/errors.ts';
import { emptyPage } from '../../../src/api/pages.ts';
import { Cursor, isPagingError, type LoadPage, maxRowsOfList, readPages } from '../../../src/api/readPages.ts';

const runs = { numRuns: process.env.TEST_FULL ? 50_000 : 2000, seed: 20261121 };
const { signal } = new AbortController();

/** The way in which a node pages one list (docs/nodes.md#pagination). */
interface Node {
  /** Rows by place; `match` tells whether a filter lets them through. */
  readonly rows: readonly { readonly id: number; readonly match: boolean }[];
  /** Rows of the largest page that the node gives. */
  readonly cap: number;
  /** Rows of the largest page that fits into a message. */
  readonly fits: number;
  /** SDK 0.50: a page counts the rows that the filter leaves out, too. */
  readonly countsMisses: boolean;
  /** Each page begins with rows of the one before. */
  readonly overlap: number;
  /** Requests that fail, by number. */
  readonly failures: ReadonlySet<number>;
}

const node: fc.Arbitrary<Node> = fc.record({
  rows: fc
    .array(fc.boolean(), { maxLength: 300 })
    .map((matches) => matches.map((match, at) => ({ id: at * 3 + 1, match }))),
  cap: fc.integer({ min: 1, max: 200 }),
  fits: fc.integer({ min: 1, max: 400 }),
  countsMisses: fc.boolean(),
  overlap: fc.nat({ max: 2 }),
  failures: fc.uniqueArray(fc.nat({ max: 30 }), { maxLength: 4 }).map((numbers) => new Set(numbers)),
});

/** A loader over the node; `limits` are those that were asked for. */
function loaderOf({ rows, cap, fits, countsMisses, overlap, failures }: Node) {
  const limits: number[] = [];
  const load: LoadPage<number> = async ({ key, limit, height }) => {
    limits.push(limit);
    if (failures.has(limits.length)) throw new HttpError('http://node', 503);
    if (limit > fits) throw new HttpError('http://node', 429, 8, 'grpc: received message larger than max (9 vs. 8)');
    assert.equal(height, undefined);
    const from = key === undefined ? 0 : Number(key);
    const found: number[] = [];
    let at = from;
    for (let count = 0; at < rows.length && count < Math.min(limit, cap); at++) {
      const row = rows[at];
      if (row?.match) found.push(row.id);
      if (row?.match || countsMisses) count += 1;
    }
    // The place goes forward even where rows of the last page come again.
    const again = rows.slice(Math.max(0, from - overlap), from).filter(({ match }) => match);
    return {
      ...emptyPage,
      rows: [...again.map(({ id }) => id), ...found],
      nextKey: at < rows.length ? `${at}` : undefined,
    };
  };
  return { load, limits };
}

const idOf = (row: number) => `${row}`;

describe('reading pages of any node', () => {
  it('gives every row once, in order, whatever the pages are like and however often reading fails or is paused', async () => {
    const property = fc.asyncProperty(
      node,
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 1, max: 120 }),
      async (model, limit, largest, enough) => {
        const { load, limits } = loaderOf(model);
        const cursor = new Cursor();
        const read: number[] = [];
        let attempts = 0;
        while (cursor.hasMore) {
          attempts += 1;
          assert.ok(attempts < 700);
          try {
            for await (const page of readPages(load, { idOf, signal, cursor, limit, largest, enough })) {
              read.push(...page.rows);
            }
          } catch (error) {
            // Failures and pauses lose nothing: reading goes on from the cursor.
            assert.ok((error instanceof HttpError && error.status === 503) || isPagingError(error, 'emptyPages'));
          }
        }
        assert.deepEqual(
          read,
          model.rows.filter(({ match }) => match).map(({ id }) => id),
        );
        assert.ok(limits.every((asked) => asked >= 1 && asked <= Math.max(5000, limit)));
      },
    );
    await fc.assert(property, runs);
  });

  it('ends at a key that comes again, with all rows up to it', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 }),
      async (keys) => {
        let asked = 0;
        const load: LoadPage<number> = async () => {
          const nextKey = keys[asked % keys.length];
          asked += 1;
          return { ...emptyPage, rows: [asked], nextKey: `${nextKey}` };
        };
        const read: number[] = [];
        const end = async () => {
          for await (const { rows } of readPages(load, { idOf, signal, limit: 1 })) read.push(...rows);
        };
        await assert.rejects(end, { kind: 'paging', code: 'repeatedKey' });
        // Ten different keys at most, and the page without one.
        assert.ok(asked <= 11);
        assert.equal(read.length, asked);
      },
    );
    await fc.assert(property, runs);
  });

  it('refuses a list that never ends at its limit, with the number, and gives no part of the page beyond', async () => {
    for (const maxRows of [1, 100, 101]) {
      let asked = 0;
      const load: LoadPage<number> = async () => {
        asked += 1;
        const rows = Array.from({ length: 10 }, (_, at) => asked * 10 + at);
        return { ...emptyPage, rows, nextKey: `${asked}` };
      };
      const read: number[] = [];
      const end = async () => {
        for await (const { rows } of readPages(load, { idOf, signal, limit: 10, maxRows })) read.push(...rows);
      };
      const message = `The list has more rows than the limit of ${maxRows}`;
      await assert.rejects(end, { kind: 'paging', code: 'tooManyRows', message });
      assert.equal(read.length, Math.floor(maxRows / 10) * 10);
    }
  });

  it('refuses a list that never ends without a limit of the caller, too', async () => {
    let asked = 0;
    const load: LoadPage<number> = async () => {
      asked += 1;
      const rows = Array.from({ length: 200_000 }, (_, at) => asked * 200_000 + at);
      return { ...emptyPage, rows, nextKey: `${asked}` };
    };
    const end = async () => {
      for await (const _page of readPages(load, { idOf, signal, limit: 200_000 }));
    };
    await assert.rejects(end, {
      code: 'tooManyRows',
      message: new RegExp(`more rows than the limit of ${maxRowsOfList}`),
    });
    assert.equal(asked, maxRowsOfList / 200_000 + 1);
  });

  it('asks for at most twenty pages without a new row, and for none after an abort', async () => {
    const property = fc.asyncProperty(fc.nat({ max: 40 }), fc.integer({ min: 1, max: 100 }), async (stopAt, limit) => {
      const abort = new AbortController();
      let asked = 0;
      const load: LoadPage<number> = async () => {
        asked += 1;
        if (asked === stopAt) abort.abort();
        return { ...emptyPage, rows: [1], nextKey: `${asked}` };
      };
      const read = async () => {
        for await (const _page of readPages(load, { idOf, signal: abort.signal, limit }));
      };
      await assert.rejects(read);
      assert.equal(asked, stopAt > 0 && stopAt < 21 ? stopAt : 21);
    });
    await fc.assert(property, { ...runs, numRuns: 200 });
  });
});
