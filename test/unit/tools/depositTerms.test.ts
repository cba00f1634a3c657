import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { valueAt } from '../../fixtures/questions.ts';
import { startFolder } from '../../support/folders.ts';
import { startToolHost } from './toolHost.ts';

describe('what get_proposal says of a deposit', () => {
  const folder = startFolder('terms');
  const file = join(folder.path, 'state.json');
  const named = { title: 'T', summary: 'S', proposer: 'cosmos1' };
  const common = { messages: [], ...named, submit_time: '2026-01-01T00:00:00Z', total_deposit: [] };
  const proposals = [
    { id: '1', status: 'PROPOSAL_STATUS_VOTING_PERIOD', voting_end_time: '2027-01-01T00:00:00Z', ...common },
    { id: '2', status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD', ...common },
  ];
  const params = { quorum: '0.334', threshold: '0.5', veto_threshold: '0.334' };
  const min_deposit = [
    { denom: 'stake', amount: '1050' },
    { denom: 'uatom', amount: '9' },
  ];
  const write = (own: object) => {
    const gov = { proposals, votes: [], params: { ...params, min_deposit, ...own } };
    const staking = { params: { bond_denom: 'stake' }, validators: [], delegations: [] };
    writeFileSync(file, JSON.stringify({ chain_id: 'terms-1', app_state: { gov, staking } }));
  };
  const depositOf = async (id: string, own: object = {}) => {
    write(own);
    const { ask, dispose } = startToolHost([pathToFileURL(file).href]);
    const { deposit } = await ask('get_proposal', { id, fields: 'deposit' });
    await dispose();
    return deposit;
  };
  after(() => folder.dispose());

  it('is on which missing parameter its effect rests', async () => {
    const missing = await depositOf('1');
    assert.deepEqual(
      [valueAt(missing, 'effect'), valueAt(missing, 'by_parameter'), valueAt(missing, 'by_missing_parameter')],
      ['returned', undefined, 'burn_vote_quorum is not in this source and counts as false'],
    );
    const stated = await depositOf('1', { burn_vote_quorum: false });
    assert.deepEqual(
      [valueAt(stated, 'by_parameter'), valueAt(stated, 'by_missing_parameter')],
      ['burn_vote_quorum', undefined],
    );
  });

  it('is the smallest one that the chain takes now, in each denom', async () => {
    const smallest = valueAt(await depositOf('2', { min_deposit_ratio: '0.01' }), 'smallest_accepted');
    // The chain cuts the product (x/gov/keeper/deposit.go): 10.5 becomes 10, and 0.09 nothing, which any unit reaches.
    assert.deepEqual(smallest, [
      { amount: '10', untrusted_denom: 'stake' },
      { amount: '1', untrusted_denom: 'uatom' },
    ]);
  });

  it('has no smallest one where the chain has no limit for it', async () => {
    for (const own of [{}, { min_deposit_ratio: '0.000000000000000000' }])
      assert.equal(valueAt(await depositOf('2', own), 'smallest_accepted'), undefined);
  });
});
