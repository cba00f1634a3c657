import assert from 'node:assert/strict';
import { isFields } from '../../../src/chain/fields.ts';
import { chainAt, startVotingNode } from '../../fixtures/nodeSimulator/votingNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { startToolHost } from './toolHost.ts';

describe('what get_proposal answers of a simulated node with votes in every block', () => {
  async function ask(ways?: Parameters<typeof startVotingNode>[0]) {
    const server = await startVotingNode(ways);
    const host = startToolHost([server.url]);
    try {
      return await host.ask('get_proposal', { id: 1, votes: true, fields: 'tally,contents' });
    } finally {
      await host.dispose();
      await server.stop();
    }
  }

  it('is of the height that it states: the tally, the power and the votes of validators', async () => {
    const { height, tally, validator_votes: votes, ...others } = await ask();
    const { yes, bonded } = chainAt(Number(height));
    assert.ok(isFields(tally) && isFields(tally.yes) && Array.isArray(votes));
    assert.equal(tally.yes.amount, `${yes}`);
    assert.equal(
      votes.reduce((sum, { gross_power: power }) => sum + BigInt(power), 0n),
      bonded,
    );
    assert.deepEqual(['tally_height' in others, 'validator_votes_height' in others], [false, false]);
    assert.match(String(valueAt(others, 'unknown.power')), /do not report how much of gross_power/);
  });

  it('is of that height for the values that it would change', async () => {
    const { height, contents } = await ask({ setsParams: true });
    assert.equal(valueAt(contents, '0.changes.0.untrusted_now'), height);
  });

  it('says where it is of no height, of a node that ignores heights', async () => {
    const { tally_height: tally, validator_votes_height: votes, unknown } = await ask({ ignored: true });
    assert.deepEqual([tally, votes], [null, null]);
    assert.ok(isFields(unknown));
    assert.match(`${unknown.tally_height}, ${unknown.validator_votes_height}`, /different heights.*different heights/);
  });
});
