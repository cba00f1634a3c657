import assert from 'node:assert/strict';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalId, readProposalRow, readProposalRows, readRows } from '../../../src/api/decode/readReply.ts';
import { coinSchema, denomMetadataSchema } from '../../../src/api/replySchemas.ts';

const v1beta1 = {
  proposal_id: '7',
  content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'A title', description: 'What it is about' },
  status: 'PROPOSAL_STATUS_PASSED',
  final_tally_result: { yes: '5', abstain: '1', no: '2', no_with_veto: '0' },
  submit_time: '2026-01-02T03:04:05.123456789Z',
  deposit_end_time: '2026-01-16T03:04:05Z',
  total_deposit: [{ denom: 'ua', amount: '10' }],
  voting_start_time: '2026-01-03T00:00:00Z',
  voting_end_time: '2026-01-17T00:00:00Z',
};
const v1 = {
  id: '7',
  messages: [{ '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content: v1beta1.content, authority: 'cosmos1gov' }],
  status: 'PROPOSAL_STATUS_PASSED',
  final_tally_result: { yes_count: '5', abstain_count: '1', no_count: '2', no_with_veto_count: '0' },
  submit_time: '2026-01-02T03:04:05Z',
  voting_start_time: null,
  total_deposit: [{ denom: 'ua', amount: '10' }],
  metadata: 'ipfs://CID',
  title: 'A title',
  summary: 'What it is about',
  proposer: 'cosmos1p',
  expedited: true,
  failed_reason: '',
};

function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = { in: value };
  return value;
}

describe('a proposal on the wire', () => {
  it('has no faults where it is what the contract says', () => {
    for (const [form, wire] of [
      ['v1beta1', v1beta1],
      ['v1', v1],
    ] as const) {
      const row = readProposalRow(form, wire);
      assert.ok(row.form === form && row.id === 7n);
      assert.deepEqual(row.faults, []);
      assert.equal(row.raw, wire);
    }
  });

  const faults = [
    [
      'v1beta1',
      { final_tally_result: { ...v1beta1.final_tally_result, yes: '12.5' } },
      'final_tally_result',
      /"12\.5"/,
    ],
    ['v1beta1', { total_deposit: [{ denom: 'ua', amount: '1.0' }] }, 'total_deposit', /total_deposit\[0\]\.amount/],
    ['v1beta1', { content: 'a text' }, 'content', /expected an object, got "a text"/],
    ['v1beta1', { submit_time: 1_700_000_000 }, 'submit_time', /got a number/],
    ['v1beta1', { voting_end_time: 'tomorrow' }, 'voting_end_time', /expected an RFC 3339 time, got "tomorrow"/],
    ['v1', { final_tally_result: { option_one_count: '5' } }, 'final_tally_result', /yes_count/],
    ['v1', { messages: [v1.messages[0], 'x'] }, 'messages', /messages\[1\]/],
    ['v1', { expedited: 'yes' }, 'expedited', /boolean/],
    ['v1', { total_deposit: [{ denom: 'ua', amount: '9'.repeat(101) }] }, 'total_deposit', /1 to 100 digits/],
    ['v1', { messages: [nested(199)] }, 'messages', /more than 200 levels deep/],
  ] as const;
  for (const [form, change, field, reason] of faults) {
    it(`loses nothing but ${field} when that is ${JSON.stringify(change[Object.keys(change)[0] as never]).slice(0, 40)}`, () => {
      const row = readProposalRow(form, { ...(form === 'v1' ? v1 : v1beta1), ...change });
      assert.ok(row.form === form);
      assert.deepEqual(
        row.faults.map((fault) => fault.field),
        [field],
      );
      assert.match(row.faults[0]?.reason ?? '', reason);
      const read = toProposalRow(row);
      assert.ok(read.kind === 'proposal' && read.id === 7n && read.status === 'passed');
      if (field !== 'content') assert.equal(read.title, 'A title');
      if (field === 'final_tally_result') assert.equal(read.finalTally, undefined);
      else assert.equal(read.finalTally?.yes, 5n);
    });
  }

  it('is unreadable where its status is, and has no id but its own', () => {
    assert.deepEqual(readProposalRow('v1', { ...v1, status: true }), {
      form: 'unreadable',
      id: 7n,
      reason: 'status: expected a string or a number, got a boolean',
    });
    const nameless = [7, null, 'x', '-5', '1'.repeat(21), undefined].map((id) => ({ ...v1, id }));
    for (const value of nameless) assert.match(String(readProposalId('v1', value)), /^id: expected a string/);
    for (const value of [null, [], 'x', 5]) assert.match(String(readProposalId('v1', value)), /^expected an object/);
    for (const value of [...nameless, null]) assert.throws(() => readProposalRow('v1', value), /has no ID/);
    const { rows, faults } = readProposalRows('v1', [v1, ...nameless, null, { ...v1, id: '8' }], {});
    assert.deepEqual(
      rows.map(({ id }) => id),
      [7n, 8n],
    );
    assert.deepEqual(
      faults.map(({ row }) => row),
      [1, 2, 3, 4, 5, 6, 7],
    );
  });

  it('of more than 8 MiB keeps id, status and title', () => {
    const code = 'A'.repeat(9 * 1024 * 1024);
    const content = { ...v1beta1.content, wasm_byte_code: code };
    for (const row of [
      readProposalRow('v1beta1', { ...v1beta1, content }, { characters: Number.POSITIVE_INFINITY }),
      readProposalRow('v1', { ...v1, messages: [content] }, { characters: Number.POSITIVE_INFINITY }),
    ]) {
      assert.ok(row.form !== 'unreadable');
      assert.match(row.faults[0]?.reason ?? '', /larger than 8 MiB/);
      assert.ok(JSON.stringify(row.raw).length < 5000);
      const read = toProposalRow(row);
      assert.ok(read.kind === 'proposal' && read.title === 'A title' && read.status === 'passed');
    }
  });
});

describe('a proposal of a long reply', () => {
  const characters = Number.POSITIVE_INFINITY;
  const code = 'A'.repeat(8 * 1024 * 1024);

  function rawOf(wire: object) {
    const row = readProposalRow('v1beta1', { ...v1beta1, ...wire }, { characters });
    assert.ok(row.form === 'v1beta1');
    return row.raw;
  }

  it('is whole if it is itself no longer than 8 MiB', () => {
    const content = { ...v1beta1.content, description: 'A'.repeat(5000) };
    assert.deepEqual(rawOf({ content }), { ...v1beta1, content });
  });

  it('is whole up to exactly 8 MiB', () => {
    const wire = { ...v1beta1, more: '' };
    const more = code.slice(JSON.stringify(wire).length);
    assert.deepEqual(rawOf({ more }), { ...v1beta1, more });
    assert.deepEqual(rawOf({ more: `${more}A` }), v1beta1);
  });

  it('keeps each field of at most 4096 characters, and its content', () => {
    const short = 'A'.repeat(4094);
    assert.deepEqual(rawOf({ code, short }), { ...v1beta1, short });
    assert.deepEqual(rawOf({ code, long: `${short}A` }), v1beta1);
  });

  it('keeps type and title of a long content, if the title is a short text', () => {
    const { '@type': type } = v1beta1.content;
    const title = 'T'.repeat(4096);
    assert.deepEqual(rawOf({ content: { ...v1beta1.content, title, code } }).content, { '@type': type, title });
    for (const title of ['T'.repeat(4097), ['T'], 7])
      assert.deepEqual(rawOf({ content: { ...v1beta1.content, title, code } }).content, { '@type': type });
  });
});

describe('coins and metadata on the wire', () => {
  it('are read one by one', () => {
    const coin = { denom: 'ua', amount: '1' };
    const { rows, faults } = readRows(
      [coin, { denom: 'ub', amount: 5 }, { denom: 7, amount: '5' }, null, coin],
      coinSchema,
      'denom',
    );
    assert.deepEqual(rows, [coin, coin]);
    assert.deepEqual(
      faults.map(({ row }) => row),
      ['ub', 2, 3],
    );
    assert.match(faults[0]?.reason ?? '', /^amount: expected a string, got a number$/);
    for (const amount of ['-5', '1e21', '', '1'.repeat(101)]) {
      assert.equal(readRows([{ denom: 'ub', amount }], coinSchema, 'denom').faults.length, 1);
    }
    const metadata = readRows([{ base: 'ua' }, { base: 'ub', denom_units: 'x' }], denomMetadataSchema, 'base');
    assert.deepEqual(metadata.rows, [{ base: 'ua' }]);
    assert.equal(metadata.faults[0]?.row, 'ub');
  });
});
