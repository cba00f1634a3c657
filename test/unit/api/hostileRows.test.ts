import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { readProposalRow, readProposalRows, readRows } from '../../../src/api/decode/readReply.ts';
import { openNode } from '../../../src/api/open.ts';
import { faultName, idKey } from '../../../src/api/pages.ts';
import { coinSchema, denomMetadataSchema, voteSchema } from '../../../src/api/replySchemas.ts';
import { Proposals } from '../../../src/lists/proposals.ts';
import { startReplies } from '../../support/servers.ts';
import { withReply } from './withReply.ts';

/** A value in so many lists. */
function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

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
    for (const allowed of [read({ messages: [many(10_000)] }), read(many(9997))])
      assert.ok(allowed.form === 'v1' && allowed.faults.length === 0);
  });

  it('keep a list of any length inside a message', () => {
    const row = readProposalRow('v1', { id: '7', status: 2, messages: [{ codes: new Array(10_001).fill(1) }] });
    assert.ok(row.form === 'v1');
    assert.deepEqual(row.faults, []);
  });

  it('lose what is nested too deep, also behind what is not', () => {
    const row = readProposalRow('v1', { id: '7', status: 2, title: 'T', messages: [{ a: 1, b: deep(198) }] });
    assert.ok(row.form === 'v1');
    assert.deepEqual(row.faults, [{ field: 'messages', reason: 'nested more than 200 levels deep' }]);
    assert.deepEqual(row.raw, { id: '7', status: 2, title: 'T' });
  });

  it('are read as long as at most 10,000 of a reply are faulty', () => {
    const url = 'http://node/secret';
    const mask = (text: string) => text.replaceAll('secret', '*');
    const coins = (faulty: number) => [...new Array(faulty).fill({ denom: 'secret' }), { denom: 'ua', amount: '1' }];
    assert.equal(readRows(coins(10_000), coinSchema, 'denom', { url, mask }).rows.length, 1);
    assert.throws(() => readRows(coins(10_001), coinSchema, 'denom', { url, mask }), {
      kind: 'reply',
      code: 'shape',
      message:
        'GET http://node/*: more than 10000 of 10002 rows cannot be read. The last one: ' +
        'amount: expected a string, got nothing',
    });
  });

  it('count as faulty with one faulty field, without a status and without an id', () => {
    const kinds = [{ id: '7', status: 2, title: 7 }, { id: '7' }, { status: 2 }];
    for (const faulty of kinds) {
      const rows = (count: number) => [...new Array(count).fill(faulty), ...new Array(9).fill({ id: '8', status: 2 })];
      const read = readProposalRows('v1', rows(10_000), {});
      assert.equal(read.rows.length + read.faults.length, 10_009);
      assert.throws(() => readProposalRows('v1', rows(10_001), {}), /more than 10000 of 10010 rows cannot be read/);
    }
  });

  it('are named by their position where the name is empty, and by the first 200 characters of a long one', () => {
    const mask = (text: string) => text.replaceAll('key', '*');
    const names = ['', 'key', 'a'.repeat(201)];
    const { faults } = readRows(
      names.map((denom) => ({ denom })),
      coinSchema,
      'denom',
      { mask },
    );
    assert.deepEqual(
      faults.map(({ row }) => row),
      [0, '*', 'a'.repeat(200)],
    );
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
    const faulty = (length: number) => {
      const fields = Object.fromEntries(Array.from({ length }, (_, at) => [`field${at}`, deep(300)]));
      const row = readProposalRow('v1', { id: '7', status: 2, ...fields });
      assert.ok(row.form === 'v1');
      assert.deepEqual(Object.keys(row.raw), ['id', 'status']);
      return row.faults;
    };
    const faults = faulty(2000);
    assert.equal(faults.length, 101);
    assert.equal(faults[99]?.field, 'field99');
    assert.deepEqual(faults.at(-1), { field: '', reason: 'and 1900 more fields' });
    assert.equal(faulty(100).at(-1)?.field, 'field99');
  });
});
