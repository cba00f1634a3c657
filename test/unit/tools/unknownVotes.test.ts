import assert from 'node:assert/strict';
import { valueAt } from '../../fixtures/questions.ts';
import { startReplies } from '../../support/servers.ts';
import { startToolHost } from './toolHost.ts';

describe('an open vote in a list of a node that does not give its tally', () => {
  it('has an unknown outcome, with what is needed and what was not read', async () => {
    const proposal = { id: '1', status: 'PROPOSAL_STATUS_VOTING_PERIOD', messages: [], title: 'T', total_deposit: [] };
    const open = { ...proposal, voting_end_time: '2099-01-04T00:00:00Z' };
    const pagination = { next_key: null, total: '1' };
    const node = await startReplies(({ pathname }) => {
      if (pathname === '/cosmos/bank/v1beta1/supply') return { body: '{"supply":[],"pagination":{}}' };
      if (pathname === '/cosmos/gov/v1/proposals') return { body: JSON.stringify({ proposals: [open], pagination }) };
      if (pathname === '/cosmos/gov/v1/proposals/1') return { body: JSON.stringify({ proposal: open }) };
      const isTally = pathname.endsWith('/tally');
      return { status: isTally ? 500 : 501, body: `{"code":${isTally ? 2 : 12},"message":"no"}` };
    });
    const host = startToolHost([node.url]);
    const answer = await host.ask('list_proposals', { outcome: 'unknown' });
    assert.equal(valueAt(answer, 'proposals.0.outcome'), 'unknown');
    assert.deepEqual(valueAt(answer, 'proposals.0.outcome_needs.1'), 'tally');
    assert.deepEqual(valueAt(answer, 'proposals.0.not_read'), ['tally']);
    assert.equal(valueAt(answer, 'proposals.0.turnout'), null);
    assert.deepEqual(valueAt(await host.ask('list_proposals', { outcome: 'would_pass' }), 'proposals'), []);
    await host.dispose();
    await node.stop();
  });
});
