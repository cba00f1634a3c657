import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { toAccount } from '../../../src/chain/address.ts';
import { addressOf } from '../../fixtures/nodeSimulator/coinNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { sampleFile } from '../../support/folders.ts';
import { startToolHost } from './toolHost.ts';

type Row = Readonly<Record<string, string>>;

const { gov, staking } = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state;
const validators: readonly Row[] = staking.validators;
const delegations: readonly Row[] = staking.delegations;
const operators = new Map(validators.map((one) => [valueAt(toAccount(one.operator_address ?? ''), 'address'), one]));

describe('the votes of accounts in get_proposal', () => {
  const { ask, dispose } = startToolHost(['']);
  after(dispose);
  /** A voter that is no validator, and has delegated to several. */
  const vote = gov.votes.find(
    ({ voter }: Row) =>
      !operators.has(voter) && delegations.filter((one) => one.delegator_address === voter).length > 1,
  );

  it('have their power, and its validators with their votes', async () => {
    const own = delegations.filter((one) => one.delegator_address === vote.voter);
    const { votes_of: found } = await ask('get_proposal', { id: vote.proposal_id, votes_of: vote.voter });
    const shares = own.map((one) => BigInt((one.shares ?? '').replace(/\.0+$/, '')));
    assert.equal(valueAt(found, '0.power'), `${shares.reduce((sum, one) => sum + one, 0n)}`);
    const listed: readonly Row[] = Object(valueAt(found, '0.validators'));
    assert.deepEqual(
      listed.map((one) => [one.operator_address, one.power]),
      own
        .toSorted((a, b) => Number(b.shares) - Number(a.shares))
        .map((one) => [one.validator_address, `${BigInt((one.shares ?? '').replace(/\.0+$/, ''))}`]),
    );
    for (const { operator_address: operator, vote: cast } of listed) {
      const other = await ask('get_proposal', { id: vote.proposal_id, votes_of: operator });
      assert.deepEqual(cast, valueAt(other, 'votes_of.0.vote'));
    }
  });

  it('have the operator address and the power of a validator that is named by its moniker', async () => {
    const { proposal_id: id } = gov.votes.find(({ voter }: Row) => operators.has(voter));
    const { validator_votes: all } = await ask('get_proposal', { id, votes: true });
    const [first]: readonly Row[] = Object(all);
    const { votes_of: found } = await ask('get_proposal', { id, votes_of: first?.untrusted_moniker });
    const { operator_address: address, ...others } = first ?? {};
    assert.deepEqual(found, [{ address, ...others }]);
  });

  it('have no power where too many are named to search their stake', async () => {
    const names = Array.from({ length: 4 }, (_, n) => addressOf(`n${n}`, 20, 'sample'));
    const { votes_of: found } = await ask('get_proposal', { id: vote.proposal_id, votes_of: names.join() });
    assert.deepEqual(valueAt(found, '*.power'), [null, null, null, null]);
    assert.match(String(valueAt(found, '0.unknown.power')), /at most 3 accounts at once/);
    const { votes_of: alone } = await ask('get_proposal', { id: vote.proposal_id, votes_of: names[0] });
    assert.deepEqual(alone, [{ address: names[0], vote: 'not voted', power: '0' }]);
  });
});
