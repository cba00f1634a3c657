import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRows } from '../../../src/api/decode/readReply.ts';
import { isReplyError } from '../../../src/api/errors.ts';
import { coinSchema } from '../../../src/api/replySchemas.ts';
import { Pager } from '../../../src/lists/pager.ts';
import { slowness } from '../growth.ts';
import { withReply } from './withReply.ts';

const coins = (count: number) =>
  `{"supply":[${Array.from({ length: count }, (_, at) => `{"denom":"u${at}","amount":"1"}`).join(',')}]}`;
const emptyRows = (count: number, list = 'supply') => `{"${list}":[${'{},'.repeat(count - 1)}{}]}`;

/** Milliseconds of this thread. */
async function cpuOf(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

function shapeError(reason: RegExp) {
  return (error: unknown) => {
    assert.ok(isReplyError(error) && error.code === 'shape', String(error));
    assert.match(error.message, reason);
    return true;
  };
}

describe('replies without end', () => {
  it('are refused with their number before their rows are read', async () => {
    const body = emptyRows(1_000_000);
    const parse = await cpuOf(() => {
      for (let round = 0; round < 3; round++) JSON.parse(body);
    });
    const taken = await cpuOf(() =>
      assert.rejects(
        withReply(body, (node) => node.supply({ limit: 100 })),
        shapeError(/supply: expected at most 200000 rows, got an array of 1000000$/),
      ),
    );
    assert.ok(taken < parse * 3 * slowness, `${taken} ms; parsed three times in ${parse} ms`);
  });

  it('of more values than memory is spent on are refused before they are parsed', async () => {
    const body = emptyRows(4_000_000);
    await assert.rejects(
      withReply(body, (node) => node.supply({ limit: 100 })),
      (error) =>
        isReplyError(error) && error.code === 'tooLarge' && /at most 6000000 values, got \d+$/.test(error.message),
    );
    // A sign inside a text is no value.
    const text = `{"supply":[{"denom":"u${',[{\\"'.repeat(1_000_000)}","amount":"1"}]}`;
    assert.equal((await withReply(text, (node) => node.supply({ limit: 100 }))).rows.length, 1);
  });

  it('of too many faulty rows are refused, of any list', async () => {
    const refused = shapeError(/more than 10000 of 20000 rows cannot be read. The last one: /);
    const body = emptyRows(20_000);
    await assert.rejects(
      withReply(body, (node) => node.supply({ limit: 100 })),
      refused,
    );
    await assert.rejects(
      withReply(body.replace('supply', 'proposals'), (node) => node.proposals({}, { limit: 100 })),
      refused,
    );
    const rows: unknown[] = Array.from({ length: 10_000 }, () => ({}));
    assert.equal(readRows(rows, coinSchema, 'denom').faults.length, 10_000);
  });

  it('are read whole up to the limit, into the pager too', async () => {
    const body = coins(200_000);
    await withReply(body, async (node) => {
      const pager = new Pager(
        (request, signal) => node.supply(request, signal),
        ({ denom }) => denom,
        () => 50,
      );
      await pager.loadMore();
      assert.equal(pager.rows.length, 200_000);
    });
  });
});

describe('block times that are no times', () => {
  const body = (time: unknown) => JSON.stringify({ block: { header: { chain_id: 'c', height: '5', time } } });

  it('are refused where the block is read', async () => {
    const none = ['', '2026-13-01T00:00:00Z', '2026-01-01', '2026-02-30T25:00:00Z', '9'.repeat(30), 5, null, undefined];
    for (const time of none)
      await assert.rejects(
        withReply(body(time), (node) => node.block('latest')),
        shapeError(/block\.header\.time: expected (?:an RFC 3339 time|a string)/),
      );
    const found = await withReply(body('2026-01-02T03:04:05.123456789Z'), (node) => node.block('latest'));
    assert.equal(found?.time.toISOString(), '2026-01-02T03:04:05.123Z');
  });
});

describe('lists of any length', () => {
  it('are never spread into the arguments of a call', () => {
    const root = join(import.meta.dirname, '../../../src');
    const calls = /(?:\.(?:push|unshift|splice|toSpliced)|Math\.(?:max|min))\((?:[^(){}[\]]|\([^()]*\))*\.\.\.[^()]*/g;
    const found = globSync('**/*.ts', { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(calls)].map(([call]) => `${file}: ${call}`),
    );
    // Lists of ours, whose length is known.
    const known = [
      'extension.ts',
      'ui/lists/listTree.ts',
      'ui/watch/watchTree.ts',
      'session/registry.ts',
      'service/state.ts',
    ];
    assert.deepEqual(
      found.filter((one) => !known.some((file) => one.startsWith(file))),
      [],
    );
  });
});
