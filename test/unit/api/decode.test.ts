import assert from 'node:assert/strict';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow, type WireProposalRow } from '../../../src/api/decode/readReply.ts';
import { mergeRows, type Proposal, readProposalMetadata } from '../../../src/chain/gov/proposal.ts';

function read(row: WireProposalRow): Proposal {
  const read = toProposalRow(row);
  assert.ok(read.kind === 'proposal');
  return read;
}

const v1 = (more: Readonly<Record<string, unknown>> = {}) =>
  read(readProposalRow('v1', { id: '7', status: 'PROPOSAL_STATUS_VOTING_PERIOD', messages: [], ...more }));
const v1beta1 = (more: Readonly<Record<string, unknown>> = {}) =>
  read(
    readProposalRow('v1beta1', {
      proposal_id: '7',
      status: 'PROPOSAL_STATUS_VOTING_PERIOD',
      content: null,
      ...more,
    }),
  );

describe('metadata', () => {
  const text = { title: 'T', summary: 'S', details: 'D', proposal_forum_url: 'https://f', vote_option_context: 'V' };
  const stated = { title: 'T', summary: 'S', details: 'D', forumUrl: 'https://f', voteContext: 'V' };

  it('is read in the template of the SDK, with authors as a text or as a list', () => {
    for (const [authors, expected] of [
      ['A', ['A']],
      [
        ['A', 'B', 7, ''],
        ['A', 'B'],
      ],
      [undefined, []],
    ] as const) {
      const json = JSON.stringify({ ...text, authors });
      assert.deepEqual(readProposalMetadata(json), { kind: 'json', text: json, ...stated, authors: expected });
    }
    const odd = JSON.stringify({ title: 7, summary: '', more: [] });
    assert.deepEqual(readProposalMetadata(odd), {
      kind: 'json',
      text: odd,
      ...{ title: undefined, summary: undefined, details: undefined, forumUrl: undefined, voteContext: undefined },
      authors: [],
    });
  });

  it('is a link, a placeholder or a text otherwise, and none where it is empty', () => {
    const kinds = {
      'ipfs://CID': 'placeholder',
      'ipfs://bafkrei': 'link',
      'https://example.org/metadata.json': 'link',
      'http://example.org': 'link',
      'https://example.org and more': 'text',
      'javascript:alert(1)': 'text',
      '[1]': 'text',
      'just words': 'text',
    };
    for (const [metadata, kind] of Object.entries(kinds))
      assert.equal(readProposalMetadata(metadata)?.kind, kind, metadata);
    assert.deepEqual([readProposalMetadata(''), readProposalMetadata(' \n')], [undefined, undefined]);
  });

  it('gives the title where the proposal has none, as in SDK 0.46', () => {
    const metadata = JSON.stringify(text);
    assert.deepEqual([v1({ metadata }).title, v1({ metadata }).description], ['T', 'S']);
    assert.deepEqual(
      [v1({ metadata, title: 'own' }).title, v1({ metadata, summary: 'own' }).description],
      ['own', 'own'],
    );
  });
});

describe('a proposal that was read again', () => {
  const rich = v1({
    title: 'T',
    summary: 'S',
    metadata: 'ipfs://CID',
    proposer: 'cosmos1p',
    expedited: true,
    failed_reason: 'why',
  });

  it('keeps what gov v1beta1 has no field for, and takes everything else', () => {
    const newer = v1beta1({ status: 'PROPOSAL_STATUS_REJECTED', voting_end_time: '2026-01-02T00:00:00Z' });
    const merged = mergeRows(rich, newer);
    assert.ok(merged.kind === 'proposal');
    assert.deepEqual(
      [merged.title, merged.description, merged.metadata?.kind, merged.proposer, merged.expedited],
      ['T', 'S', 'placeholder', 'cosmos1p', true],
    );
    assert.deepEqual([merged.status, merged.votingEndTime, merged.form], ['rejected', newer.votingEndTime, 'v1beta1']);
    assert.equal(merged.failedReason, undefined);
    assert.equal(merged.raw, newer.raw);
    const again = mergeRows(merged, v1beta1({ status: 'PROPOSAL_STATUS_REJECTED' }));
    assert.deepEqual(
      again.kind === 'proposal' && [again.title, again.metadata?.kind, again.proposer, again.expedited],
      ['T', 'placeholder', 'cosmos1p', true],
      'also when it is read a third time',
    );
    const same = mergeRows(rich, v1beta1());
    assert.equal(same.kind === 'proposal' && same.failedReason, 'why');
  });

  it('is a regular one where its first round failed meanwhile', () => {
    const tally = { yes: '5', abstain: '0', no: '9', no_with_veto: '0' };
    const merged = mergeRows(rich, v1beta1({ final_tally_result: tally }));
    assert.equal(merged.kind === 'proposal' && merged.expedited, false);
    const still = mergeRows(rich, v1beta1({ final_tally_result: { ...tally, yes: '0', no: '0' } }));
    assert.equal(still.kind === 'proposal' && still.expedited, true);
    const ended = mergeRows(rich, v1beta1({ status: 'PROPOSAL_STATUS_PASSED', final_tally_result: tally }));
    assert.equal(ended.kind === 'proposal' && ended.expedited, true);
    // Sei states it in v1beta1.
    const stated = mergeRows(v1beta1({ is_expedited: true }), v1beta1({ is_expedited: false }));
    assert.equal(stated.kind === 'proposal' && stated.expedited, false);
  });

  it('is another proposal where it was submitted at another time, on a chain that began anew', () => {
    const first = v1({ title: 'T', submit_time: '2026-01-01T00:00:00Z' });
    const other = v1beta1({ submit_time: '2026-01-01T00:00:01Z' });
    assert.equal(mergeRows(first, other), other);
    for (const [before, after] of [
      [first, v1beta1({ submit_time: '2026-01-01T00:00:00Z' })],
      [first, v1beta1()],
      [v1({ title: 'T' }), other],
    ] as const) {
      const merged = mergeRows(before, after);
      assert.equal(merged.kind === 'proposal' && merged.title, 'T');
    }
  });

  it('stays an emergency, a law that is endorsed, and one whose kind of vote is known', () => {
    const merged = mergeRows(v1({ emergency: true, endorsed: true }), v1beta1());
    assert.ok(merged.kind === 'proposal');
    assert.deepEqual([merged.emergency, merged.endorsed, merged.statesExpedited], [true, true, true]);
    assert.equal(merged.expedited, false);
  });

  it('keeps contents that the newer read could not have', () => {
    const content = { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'T' };
    const before = v1beta1({ content });
    const after = mergeRows(before, v1beta1({ content: null }));
    assert.ok(before.kind === 'proposal' && after.kind === 'proposal');
    assert.deepEqual([after.title, after.contents], ['T', before.contents]);
    const other = mergeRows(before, v1beta1({ content: { ...content, '@type': '/a.b.C' } }));
    assert.equal(other.kind === 'proposal' && other.contents[0]?.typeUrl, '/a.b.C');
  });

  it('is the newer one where that is as rich, or where one of them is unreadable', () => {
    const newer = v1({ title: 'new' });
    assert.equal(mergeRows(rich, newer), newer);
    assert.equal(mergeRows(v1beta1(), newer), newer);
    assert.equal(mergeRows(undefined, newer), newer);
    const unreadable = toProposalRow({ form: 'unreadable', id: 7n, reason: 'r' });
    assert.equal(mergeRows(rich, unreadable), unreadable);
    const older = v1beta1();
    for (const after of [newer, older]) assert.equal(mergeRows(unreadable, after), after);
  });
});

describe('contents', () => {
  it('are decoded once, and only when they are asked for', () => {
    const wire = readProposalRow('v1', {
      id: '7',
      status: 'PROPOSAL_STATUS_PASSED',
      title: 'T',
      summary: 'S',
      messages: [],
    });
    assert.ok(wire.form === 'v1');
    let reads = 0;
    const message = {
      get '@type'(): string {
        reads += 1;
        return '/a.b.C';
      },
    };
    const row = read({ ...wire, proposal: { ...wire.proposal, messages: [message] } });
    assert.deepEqual([row.title, row.description, reads], ['T', 'S', 0]);
    assert.equal(row.contents[0]?.typeUrl, '/a.b.C');
    const once = reads;
    assert.equal(row.contents, row.contents);
    assert.deepEqual([once > 0, reads], [true, once]);
  });
});
