import assert from 'node:assert/strict';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow } from '../../../src/api/decode/readReply.ts';
import {
  isRunning,
  isText,
  ownWords,
  type Proposal,
  periodEnd,
  recordedTally,
} from '../../../src/chain/gov/proposal.ts';
import { groupOf, isStatusGroup } from '../../../src/chain/gov/proposalGroups.ts';

/** A proposal of gov v1 with this status, such as `VOTING_PERIOD`. */
function proposal(status: string, more: Readonly<Record<string, unknown>> = {}): Proposal {
  const row = toProposalRow(
    readProposalRow('v1', { id: '7', status: `PROPOSAL_STATUS_${status}`, messages: [], ...more }),
  );
  assert.ok(row.kind === 'proposal');
  return row;
}

const times = { voting_end_time: '2026-03-02T00:00:00Z', deposit_end_time: '2026-02-01T00:00:00Z' };
const votingEnd = new Date(times.voting_end_time);
const depositEnd = new Date(times.deposit_end_time);

describe('the end of the current period', () => {
  it('is that of the deposit or of the vote, and none once the proposal is decided', () => {
    assert.deepEqual(periodEnd(proposal('DEPOSIT_PERIOD', times)), depositEnd);
    assert.deepEqual(periodEnd(proposal('VOTING_PERIOD', times)), votingEnd);
    for (const status of ['PASSED', 'REJECTED', 'FAILED', 'OTHER'])
      assert.equal(periodEnd(proposal(status, times)), undefined, status);
  });

  it('lies ahead until the moment itself', () => {
    const voting = proposal('VOTING_PERIOD', times);
    assert.equal(isRunning(voting, new Date(votingEnd.getTime() - 1)), true);
    assert.equal(isRunning(voting, votingEnd), false);
    assert.equal(isRunning(voting, new Date(votingEnd.getTime() + 1)), false);
    assert.equal(isRunning(proposal('VOTING_PERIOD'), votingEnd), false, 'without a time');
    assert.equal(isRunning(proposal('PASSED', times), new Date(0)), false, 'of a decided one');
  });

  it('is within some hours where less than these are left', () => {
    const voting = proposal('VOTING_PERIOD', times);
    const hoursBefore = (hours: number) => new Date(votingEnd.getTime() - hours * 3_600_000);
    assert.equal(isRunning(voting, hoursBefore(23.9), 24), true);
    assert.equal(isRunning(voting, hoursBefore(24), 24), false);
    assert.equal(isRunning(voting, votingEnd, 24), false);
  });
});

describe('a text proposal', () => {
  it('is one of gov v1 without messages, if these could be read', () => {
    assert.equal(isText(proposal('PASSED')), true);
    assert.equal(isText(proposal('PASSED', { messages: [{ '@type': '/a.b.MsgC' }] })), false);
    assert.equal(isText({ ...proposal('PASSED'), faults: [{ field: 'messages', reason: 'no list' }] }), false);
    assert.equal(isText({ ...proposal('PASSED'), form: 'v1beta1' }), false);
  });
});

describe('the words of a content', () => {
  const wordsOf = (title: string, description: string) => {
    const { contents } = proposal('PASSED', {
      messages: [{ '@type': '/cosmos.gov.v1beta1.TextProposal', title, description }],
    });
    assert.ok(contents[0]);
    return ownWords({ title: ' Title\n', description: 'Description' }, contents[0]);
  };

  it('are told where they differ from those of the proposal in more than space around them', () => {
    assert.deepEqual(wordsOf('Title', '\nDescription '), { title: undefined, description: undefined });
    assert.deepEqual(wordsOf('Other', 'Title'), { title: 'Other', description: 'Title' });
  });

  it('are none where they are blank, or where there are none', () => {
    assert.deepEqual(wordsOf('', ' \n'), { title: undefined, description: undefined });
    const [content] = proposal('PASSED', { messages: [{ '@type': '/a.b.MsgC' }] }).contents;
    assert.ok(content);
    assert.deepEqual(ownWords({ title: 'T', description: 'D' }, content), { title: undefined, description: undefined });
  });

  it('are told of a proposal that has none', () => {
    const [content] = proposal('PASSED', {
      messages: [{ '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'T', description: 'D' }],
    }).contents;
    assert.ok(content);
    const none = { title: undefined, description: undefined };
    assert.deepEqual(ownWords(none, content), { title: 'T', description: 'D' });
  });
});

describe('the recorded tally', () => {
  const none = { yes_count: '0', abstain_count: '0', no_count: '0', no_with_veto_count: '0' };
  const tallyOf = (status: string, yes: string) =>
    recordedTally(proposal(status, { final_tally_result: { ...none, yes_count: yes } }))?.yes;

  it('is the one that the chain counted to the end', () => {
    for (const status of ['PASSED', 'FAILED', 'REJECTED']) assert.equal(tallyOf(status, '5'), 5n, status);
    for (const status of ['VOTING_PERIOD', 'DEPOSIT_PERIOD', 'OTHER'])
      assert.equal(tallyOf(status, '5'), undefined, status);
  });

  it('is unknown where a proposal passed without votes, and zero where nobody voted', () => {
    assert.deepEqual([tallyOf('PASSED', '0'), tallyOf('FAILED', '0')], [undefined, undefined]);
    assert.equal(tallyOf('REJECTED', '0'), 0n);
    assert.equal(recordedTally(proposal('PASSED')), undefined);
  });
});

describe('the group of a proposal', () => {
  it('is its status, other where no list can be asked for, and unreadable', () => {
    const names = ['VOTING_PERIOD', 'DEPOSIT_PERIOD', 'PASSED', 'REJECTED', 'FAILED', 'UNSPECIFIED', 'SOMETHING'];
    assert.deepEqual(
      names.map((name) => groupOf(proposal(name))),
      ['voting', 'deposit', 'passed', 'rejected', 'failed', 'other', 'other'],
    );
    assert.equal(groupOf({ kind: 'unreadable', id: 7n, reason: 'no status' }), 'unreadable');
    assert.deepEqual([isStatusGroup('failed'), isStatusGroup('other')], [true, false]);
  });
});
