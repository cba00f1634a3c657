import assert from 'node:assert/strict';
import { valueAt } from '../../fixtures/questions.ts';
import { startToolHost } from './toolHost.ts';

describe('what get_proposal says of the rules of a vote', () => {
  const { ask, dispose } = startToolHost(['']);
  after(dispose);

  const ruleOf = async (id: string, name: string) => {
    const { verdict } = await ask('get_proposal', { id, fields: 'verdict' });
    const rules: readonly Record<string, string>[] = Object(valueAt(verdict, 'rules'));
    return rules.find(({ rule }) => rule === name) ?? {};
  };

  it('is by which comparison each one decides', async () => {
    const { verdict } = await ask('get_proposal', { id: '232', fields: 'verdict' });
    assert.deepEqual(valueAt(verdict, 'rules.*.formula'), [
      'bonded tokens > 0',
      'all votes / bonded tokens ≥ limit',
      'Abstain / all votes < 1',
      'No with veto / all votes ≤ limit',
      'Yes / (all votes − Abstain) > limit',
    ]);
  });

  it('is how many further NoWithVeto votes would veto an open one, exactly', async () => {
    const { part = '', of = '', limit, more_no_with_veto_for_veto: more = '' } = await ruleOf('1047', 'veto');
    assert.equal(limit, '0.334');
    const isVetoedBy = (votes: bigint) => (BigInt(part) + votes) * 1000n > (BigInt(of) + votes) * 334n;
    assert.deepEqual([isVetoedBy(BigInt(more) - 1n), isVetoedBy(BigInt(more))], [false, true]);
  });

  it('has no number of votes for a veto that is met already, or of an ended vote', async () => {
    for (const id of ['724', '232']) assert.equal((await ruleOf(id, 'veto')).more_no_with_veto_for_veto, undefined, id);
  });

  it('rounds the share in its sentence like all shares', async () => {
    const { verdict } = await ask('get_proposal', { id: '880', fields: 'verdict' });
    assert.match(String(valueAt(verdict, 'sentence')), /: 53\.25 % Yes excluding Abstain, more than 66\.70 % needed\./);
  });
});
