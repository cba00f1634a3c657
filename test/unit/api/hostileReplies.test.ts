import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { readProposalRow, readRows } from '../../../src/api/decode/readReply.ts';
import { isReplyError } from '../../../src/api/errors.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { openNode } from '../../../src/api/open.ts';
import { faultName, idKey } from '../../../src/api/pages.ts';
import { coinSchema, denomMetadataSchema, voteSchema } from '../../../src/api/replySchemas.ts';
import { Pager } from '../../../src/lists/pager.ts';
import { Proposals } from '../../../src/lists/proposals.ts';
import { startReplies } from '../../support/servers.ts';
import { slowness } from '../growth.ts';

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

/** Asks a node that answers every request with `body`. */
async function withReply<T>(body: string, ask: (node: ChainNode) => Promise<T>): Promise<T> {
  const replies = await startReplies(() => ({ body }));
  const node = openNode({ baseUrl: parseBaseUrl(replies.url), segment: 'cosmos', preferredForm: async () => 'v1' });
  try {
    return await ask(node);
  } finally {
    await node.dispose();
    await replies.stop();
  }
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
    // What stands inside texts is no value.
    const text = `{"supply":[{"denom":"u${',[{\\"'.repeat(1_000_000)}","amount":"1"}]}`;
    assert.equal((await withReply(text, (node) => node.supply({ limit: 100 }))).rows.length, 1);
  });

  it('of too many faulty rows are refused, of any list', async () => {
    const refused = shapeError(/more than 10000 of 20000 rows cannot be read, the last of them: /);
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
      );
      await pager.loadMore();
      assert.equal(pager.rows.length, 200_000);
    });
  });
});

describe('rows of a hostile reply', () => {
  it('lose a list with more members than are read, and nothing else', async () => {
    const body = `{"proposals":[{"id":"7","status":"PROPOSAL_STATUS_PASSED","messages":[${'1,'.repeat(129_999)}1]}]}`;
    const [row] = (await withReply(body, (node) => node.proposals({}, { limit: 10 }))).rows;
    assert.ok(row?.kind === 'proposal' && row.id === 7n && row.contents.length === 0);
    assert.deepEqual(row.faults, [
      { field: 'messages', reason: 'messages: expected at most 10000 members, got an array of 130000' },
    ]);
  });

  it('lose an object with more members than are read, wherever it stands', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]));
    const proposal = { id: '7', status: 2, title: 'T' };
    const read = (more: object) => readProposalRow('v1', { ...proposal, ...more });
    const reason = 'expected an object of at most 10000 members';
    const row = read({ messages: [{ params: [many(10_001)] }] });
    assert.ok(row.form === 'v1' && row.proposal.messages === undefined && row.proposal.title === 'T');
    assert.deepEqual(row.faults, [{ field: 'messages', reason }]);
    assert.deepEqual(row.raw, proposal);
    assert.deepEqual(read(many(10_001)), { form: 'unreadable', id: 7n, reason });
    const allowed = read({ messages: [many(10_000)] });
    assert.ok(allowed.form === 'v1' && allowed.faults.length === 0);
  });

  it('have no id but their own, on any page', async () => {
    const pages = [
      [{ id: '3', status: 3 }, { status: 3 }, { id: -4, status: 3 }],
      [{ id: '2', status: 3 }, { status: 3 }],
    ];
    const replies = await startReplies(({ searchParams }) => {
      const at = searchParams.has('pagination.key') ? 1 : 0;
      return { body: JSON.stringify({ proposals: pages[at], pagination: { next_key: at === 0 ? idKey(2n) : null } }) };
    });
    const node = openNode({ baseUrl: parseBaseUrl(replies.url), segment: 'cosmos', preferredForm: async () => 'v1' });
    try {
      const store = new Proposals({ node: async () => node, pageSize: () => 50 });
      await store.pager('passed').loadMore();
      assert.deepEqual(
        [...store.loaded].map(({ id }) => id),
        [3n, 2n],
      );
      assert.deepEqual(
        store.pager('passed').faults.map((fault) => `${faultName(fault)} ${fault.reason}`),
        [
          '[1] id: expected a string of 1 to 20 digits, got nothing',
          '[2] id: expected a string of 1 to 20 digits, got a number',
          '[4] id: expected a string of 1 to 20 digits, got nothing',
        ],
      );
      assert.equal(store.count('passed'), 5n);
      store.dispose();
    } finally {
      await node.dispose();
      await replies.stop();
    }
  });

  it('name the first faulty member of a list', () => {
    const row = { id: '7', status: 2, messages: [{}, ...Array.from({ length: 9000 }, () => 1)], total_deposit: [{}] };
    const read = readProposalRow('v1', row);
    assert.ok(read.form === 'v1');
    assert.deepEqual(
      read.faults.map(({ reason }) => reason),
      ['messages[1]: expected an object, got a number', 'total_deposit[0].denom: expected a string, got nothing'],
    );
    const vote = readRows([{ voter: 'a', options: [{ option: 1, weight: '1' }, { option: 1 }] }], voteSchema, 'voter');
    assert.equal(vote.faults[0]?.reason, 'options[1].weight: expected a string, got nothing');
    const units = { base: 'ua', denom_units: [{ denom: 'ua', exponent: 0, aliases: ['a'] }] };
    assert.deepEqual(readRows([units], denomMetadataSchema, 'base').rows, [units]);
  });

  it('tell at most a hundred faults and the number of the others', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 300; level++) deep = [deep];
    const fields = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`field${at}`, deep]));
    const row = readProposalRow('v1', { id: '7', status: 2, ...fields });
    assert.ok(row.form === 'v1');
    assert.equal(row.faults.length, 101);
    assert.equal(row.faults.at(-1)?.reason, 'and 1900 more fields');
    assert.deepEqual(Object.keys(row.raw), ['id', 'status']);
  });
});

describe('block times that are no times', () => {
  const body = (time: unknown) => JSON.stringify({ block: { header: { chain_id: 'c', height: '5', time } } });

  it('are refused where the block is read', async () => {
    const none = ['', '2026-13-01T00:00:00Z', '2026-01-01', '2026-02-30T25:00:00Z', '9'.repeat(30), 5, null, undefined];
    for (const time of none)
      await assert.rejects(
        withReply(body(time), (node) => node.block('latest')),
        shapeError(/block\.header\.time: expected a (?:time of RFC 3339|string)/),
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
