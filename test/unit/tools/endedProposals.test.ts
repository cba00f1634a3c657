import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { valueAt } from '../../fixtures/questions.ts';
import { startFolder } from '../../support/folders.ts';
import { startToolHost } from './toolHost.ts';

const noReason = 'the chain reports none';

describe('what get_proposal says of a proposal that is not voted on', () => {
  const folder = startFolder('ended');
  const file = join(folder.path, 'state.json');
  const params = { unbonding_time: '1814400s', max_validators: 100, bond_denom: 'stake' };
  const common = { title: 'T', summary: 'S', total_deposit: [], submit_time: '2026-01-01T00:00:00Z' };
  const many = Array.from({ length: 25 }, (_, n) => ({ denom: `denom${n}`, amount: '1' }));
  const update = { '@type': '/cosmos.staking.v1beta1.MsgUpdateParams', authority: 'gov', params };
  const proposals = [
    { id: '1', messages: [update], status: 'PROPOSAL_STATUS_PASSED', ...common },
    { id: '2', messages: [], status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD', ...common },
    { id: '3', messages: [], status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD', ...common, total_deposit: many },
    { id: '4', messages: [], status: 'PROPOSAL_STATUS_FAILED', ...common, failed_reason: 'out of gas' },
    { id: '5', messages: [], status: 'PROPOSAL_STATUS_FAILED', ...common },
  ];
  const gov = { proposals, params: { quorum: '0.334', threshold: '0.5', veto_threshold: '0.334' } };
  const bank = { supply: [{ denom: 'stake', amount: '10' }], balances: [], params: {}, denom_metadata: [] };
  const staking = { params, validators: [], delegations: [] };
  writeFileSync(file, JSON.stringify({ chain_id: 'ended-1', app_state: { bank, gov, staking } }));
  const source = pathToFileURL(file).href;
  const { ask, dispose } = startToolHost([source]);
  after(async () => {
    await dispose();
    folder.dispose();
  });

  it('is every value that it set', async () => {
    const text = JSON.stringify(await ask('get_proposal', { source, id: '1' }));
    assert.match(text, /"untrusted_name":"max_validators".*?"untrusted_proposed":"100"/);
    assert.match(text, /"untrusted_name":"unbonding_time"/);
  });

  it('is that the values which it set are in effect, not that it changes nothing', async () => {
    const { contents } = await ask('get_proposal', { source, id: '1' });
    assert.deepEqual(valueAt(contents, '0.in_effect.1.untrusted_name'), 'max_validators');
    assert.deepEqual([valueAt(contents, '0.changes'), valueAt(contents, '0.unchanged')], [undefined, undefined]);
  });

  it('is whether it is expedited, where the chain says so', async () => {
    assert.equal((await ask('get_proposal', { source, id: '2' })).expedited, false);
  });

  it('is how many amounts of a deposit are left out', async () => {
    const { deposit } = await ask('get_proposal', { source, id: '3' });
    const total = valueAt(deposit, 'total');
    assert.ok(Array.isArray(total));
    assert.deepEqual([total.length, total.at(-1)], [21, { more_amounts: 5 }]);
  });

  it('is that voting has not started, with the limits alone', async () => {
    const text = JSON.stringify(await ask('get_proposal', { source, id: '2' }));
    assert.match(text, /Voting has not started\./);
    assert.doesNotMatch(text, /once voting has ended|What this status/);
    assert.match(text, /"rule":"quorum","formula":"[^"]*","limit":"0\.334/);
  });

  it('is why its execution failed, also in a list, or that the chain does not say', async () => {
    const { proposals: listed } = await ask('list_proposals', { source, status: 'failed', fields: 'status' });
    assert.deepEqual(listed, [
      { id: '5', status: 'failed', untrusted_failed_reason: null, unknown: { untrusted_failed_reason: noReason } },
      { id: '4', status: 'failed', untrusted_failed_reason: 'out of gas' },
    ]);
    const answers = await Promise.all(['4', '5'].map((id) => ask('get_proposal', { source, id, fields: 'verdict' })));
    const said = answers.map((answer) => [valueAt(answer, 'verdict.sentence'), answer.untrusted_failed_reason]);
    assert.deepEqual(said, [
      ['Passed, but execution failed.', 'out of gas'],
      ['Passed, but execution failed: no reason given.', null],
    ]);
    assert.equal(valueAt(answers[1], 'unknown.untrusted_failed_reason'), noReason);
  });
});
