import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { withPrefix } from '../../../src/chain/address.ts';
import { isFields } from '../../../src/chain/fields.ts';
import { serveFile } from '../../../src/service/serve.ts';
import { sampleOperator, sampleVoter } from '../../fixtures/addresses.ts';
import { addressOf } from '../../fixtures/nodeSimulator/coinNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { sampleFile } from '../../support/folders.ts';
import { startToolHost } from './toolHost.ts';

describe('what list_proposals answers', () => {
  const { ask, dispose } = startToolHost(['']);
  after(dispose);

  const rowsOf = async (input: object) => {
    const rows = valueAt(await ask('list_proposals', { limit: 200, ...input }), 'proposals');
    assert.ok(Array.isArray(rows) && rows.every(isFields));
    return rows;
  };
  const column = async (input: object, name: string) => (await rowsOf(input)).map((row) => String(row[name] ?? ''));

  it('is in one call which votes would pass now, as get_proposal says of each', async () => {
    const expected: string[] = [];
    for (const id of await column({ status: 'voting' }, 'id'))
      if (valueAt(await ask('get_proposal', { id }), 'verdict.outcome') === 'would_pass') expected.push(id);
    assert.ok(expected.length > 1);
    assert.deepEqual(await column({ outcome: 'would_pass' }, 'id'), expected);
  });

  it('has the rule that fails, turnout and missing deposit of each row as get_proposal has them', async () => {
    for (const row of [...(await rowsOf({ status: 'voting' })), ...(await rowsOf({ status: 'deposit' }))].slice(
      8,
      18,
    )) {
      const one = await ask('get_proposal', { id: row.id });
      if (row.status === 'deposit') assert.deepEqual(row.missing_deposit, valueAt(one, 'deposit.missing'));
      else
        assert.deepEqual(
          [row.outcome, row.rule, row.turnout],
          ['outcome', 'rule', 'turnout'].map((name) => valueAt(one, `verdict.${name}`)),
        );
    }
  });

  it('is what ends before a time, soonest first', async () => {
    const all = await rowsOf({ sort: 'ends' });
    const endOf = (row: object) => String(valueAt(row, 'voting_end_time') ?? valueAt(row, 'deposit_end_time'));
    const ends = all.map(endOf);
    assert.deepEqual(ends, ends.toSorted());
    const time = ends[9] ?? '';
    assert.equal((await rowsOf({ ends_before: time })).length, 9);
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set(['voting', 'deposit']));
  });

  it('is what ends before a time in any order, of both open statuses', async () => {
    const ends_before = '2100-01-01';
    const ids = await column({ ends_before }, 'id');
    assert.ok(new Set(await column({ ends_before }, 'status')).size === 2);
    const newest = ids.toSorted((a, b) => Number(b) - Number(a));
    assert.deepEqual(await column({ ends_before, sort: 'newest' }, 'id'), newest);
    assert.deepEqual(await column({ ends_before, sort: 'oldest' }, 'id'), newest.toReversed());
  });

  it('is of one type, or in an order of its own', async () => {
    const types = await column({ type: 'softwareupgrade' }, 'untrusted_types');
    assert.ok(types.length > 2 && types.every((type) => /SoftwareUpgrade/.test(type)), `${types}`);
    const ids = (await column({ sort: 'oldest' }, 'id')).map(Number);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    const turnouts = (await column({ sort: 'turnout' }, 'turnout')).map(Number);
    assert.deepEqual(
      turnouts,
      turnouts.toSorted((a, b) => b - a),
    );
  });

  it('has plan and height of upgrades and the amounts of spends in fields, as get_proposal has them', async () => {
    const upgrades = await rowsOf({ type: '.SoftwareUpgrade,MsgSoftwareUpgrade', fields: 'upgrades' });
    assert.ok(upgrades.length > 1);
    for (const row of upgrades) {
      const one = await ask('get_proposal', { id: row.id });
      assert.deepEqual(Object.keys(row), ['id', 'upgrades']);
      assert.equal(valueAt(row, 'upgrades.0.untrusted_name'), valueAt(one, 'contents.0.untrusted_name'));
      assert.equal(valueAt(row, 'upgrades.0.upgrade_height'), valueAt(one, 'contents.0.upgrade_height'));
    }
    const spends = await rowsOf({ type: 'CommunityPoolSpend', fields: 'spends' });
    assert.ok(spends.length > 1);
    for (const row of spends) {
      const one = await ask('get_proposal', { id: row.id });
      assert.deepEqual(row.spends, valueAt(one, 'contents.0.spends'));
    }
    const [text] = await rowsOf({ type: 'TextProposal', fields: 'upgrades,spends', limit: 1 });
    assert.deepEqual(Object.keys(text ?? {}), ['id']);
  });

  it('is narrowed to the fields that are named, and judges nothing for others', async () => {
    const served = await serveFile({ file: sampleFile, rebase: new Date() });
    await served.ready;
    const node = startToolHost([`${served.baseUrl}/chain`]);
    const answer = await node.ask('list_proposals', { status: 'voting', fields: 'id, title,ends' });
    assert.deepEqual(Object.keys(Object(valueAt(answer, 'proposals.0'))), ['id', 'untrusted_title', 'voting_end_time']);
    const tallies = () => new Set(node.asked.flatMap((url) => /(\d+)\/tally\b/.exec(url)?.[1] ?? [])).size;
    assert.equal(tallies(), 0);
    const judged = await node.ask('list_proposals', { outcome: 'would_pass', fields: 'verdict' });
    assert.equal(valueAt(judged, 'proposals.0.outcome'), 'would_pass');
    assert.equal(tallies(), (await rowsOf({ status: 'voting' })).length);
    await node.dispose();
    await served.dispose();
  });

  it('says of proposals that wait for deposits that they are in deposit period', async () => {
    const [row] = await rowsOf({ status: 'deposit', fields: 'verdict', limit: 1 });
    assert.deepEqual(row?.unknown, { outcome: 'in the deposit period' });
    assert.equal(valueAt(await ask('get_proposal', { id: row?.id }), 'unknown.tally'), 'in the deposit period');
  });

  it('has every named field of ended proposals, or why it is not there', async () => {
    const [row] = await rowsOf({ status: 'passed', fields: 'deposit,missing_deposit,verdict', limit: 1 });
    assert.ok(row);
    const one = await ask('get_proposal', { id: row.id });
    assert.deepEqual(row.deposit, valueAt(one, 'deposit.total'));
    assert.deepEqual([row.missing_deposit, row.outcome], [null, null]);
    assert.deepEqual(row.unknown, {
      missing_deposit: 'the deposit period has ended',
      outcome: 'voting has ended: see the status',
    });
  });

  it('is what the account of an operator has voted on, with a notice where ended proposals are asked for', async () => {
    const own = await ask('list_proposals', { voter: sampleVoter, status: 'voting', limit: 100 });
    assert.ok(Number(valueAt(own, 'metadata.total')) > 0);
    assert.equal(own.notice, undefined);
    const same = await ask('list_proposals', { voter: sampleOperator, status: 'voting', limit: 100 });
    assert.deepEqual(same.proposals, own.proposals);
    for (const status of ['passed', undefined])
      assert.match(
        String((await ask('list_proposals', { voter: sampleVoter, status })).notice),
        /delete votes when voting ends/,
      );
  });

  it('is those with one of several types', async () => {
    const idsOf = async (type: string) =>
      valueAt(await ask('list_proposals', { type, limit: 200, fields: 'status' }), 'proposals.*.id');
    const [spends, upgrades, both] = await Promise.all(
      ['CommunityPoolSpend', 'Upgrade', 'CommunityPoolSpend, Upgrade'].map(idsOf),
    );
    assert.ok(Array.isArray(spends) && Array.isArray(upgrades) && Array.isArray(both));
    assert.ok(spends.length > 0 && upgrades.length > 0);
    assert.deepEqual(new Set(both), new Set([...spends, ...upgrades]));
  });

  it('is what a validator has voted on, by its moniker, with its votes', async () => {
    const { gov, staking } = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state;
    const found = staking.validators.find((one: { operator_address: string }) =>
      gov.votes.some((vote: { voter: string }) => vote.voter === withPrefix(one.operator_address, 'sample')),
    );
    const voter = withPrefix(found.operator_address, 'sample');
    const own = gov.votes.filter((vote: { voter: string }) => vote.voter === voter);
    const answer = await ask('list_proposals', { voter: found.description.moniker, fields: 'title', limit: 100 });
    assert.deepEqual(
      new Set(Object(valueAt(answer, 'proposals.*.id'))),
      new Set(own.map((vote: { proposal_id: string }) => vote.proposal_id)),
    );
    const [{ id, vote }] = Object(answer.proposals);
    const [{ option, weight }] = own.find((one: { proposal_id: string }) => one.proposal_id === id).options;
    assert.deepEqual([`VOTE_OPTION_${vote[0].option.toUpperCase()}`, vote[0].weight], [option, weight]);
    await assert.rejects(ask('list_proposals', { voter: 'Nobody' }), /"voter" is not an address, and no validator/);
  });

  it('is an error that names the prefix where an address is of another chain', async () => {
    const address = addressOf('somebody', 20, 'osmo');
    const fault = /is from another chain\. .*osmo1… \(expected sample1…\)/;
    await assert.rejects(ask('list_proposals', { voter: address }), fault);
    await assert.rejects(ask('get_supply', { denom: 'usample', holder: address }), fault);
    await assert.rejects(ask('get_proposal', { id: 1, votes_of: address }), fault);
  });

  it('is an error that says what goes together', async () => {
    await assert.rejects(
      ask('list_proposals', { outcome: 'would_pass', status: 'passed' }),
      /"outcome" is only for open votes/,
    );
    await assert.rejects(ask('list_proposals', { ends_before: 'soon' }), /must be a time in UTC/);
    await assert.rejects(
      ask('list_proposals', { fields: 'id,votes' }),
      /"fields" has no "votes". Use any of these, separated by commas: status/,
    );
    await assert.rejects(
      ask('list_proposals', { sort: 'ends', status: 'passed' }),
      /have ended\. Set "status" to "voting" or "deposit"/,
    );
  });
});
