import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toAccount } from '../../../src/chain/address.ts';
import { addressOf } from '../../fixtures/nodeSimulator/coinNode.ts';
import { chainAt, startVotingNode } from '../../fixtures/nodeSimulator/votingNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { notImplemented } from '../../support/chainReplies.ts';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { startReplies } from '../../support/servers.ts';
import { startToolHost } from './toolHost.ts';

interface CastVote {
  readonly proposal_id: string;
  readonly voter: string;
  readonly options: readonly { readonly option: string; readonly weight: string }[];
}

interface Row {
  readonly tokens: string;
}

interface Delegation {
  readonly delegator_address: string;
  readonly validator_address: string;
  readonly shares: string;
}

function accountOf(operator: string): unknown {
  return valueAt(toAccount(operator), 'address');
}

const { gov, staking } = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state;
const votes: readonly CastVote[] = gov.votes;

describe('what get_proposal says of who deposited and voted', () => {
  const { ask, dispose } = startToolHost(['']);
  after(dispose);

  it('is the votes of accounts and operators that are named, weighted, and who has not voted', async () => {
    const weighted = votes.find(({ options }) => options.length > 1);
    assert.ok(weighted);
    const { proposal_id: id, voter, options } = weighted;
    const cast = new Set(votes.filter((vote) => vote.proposal_id === id).map((vote) => vote.voter));
    const operators: readonly string[] = staking.validators.map(
      (one: { operator_address: string }) => one.operator_address,
    );
    const own = operators.find((operator) => cast.has(String(accountOf(operator)))) ?? '';
    const absent = addressOf('nobody', 20, 'sample');
    const { votes_of: found } = await ask('get_proposal', { id, votes_of: `${voter}, ${own},${absent}` });
    const words = { VOTE_OPTION_YES: 'yes', VOTE_OPTION_NO: 'no', VOTE_OPTION_ABSTAIN: 'abstain' };
    assert.deepEqual(
      valueAt(found, '0.vote'),
      options.map(({ option, weight }) => ({ option: valueAt(words, option), weight })),
    );
    assert.deepEqual(valueAt(found, '*.address'), [voter, own, absent]);
    assert.ok(Array.isArray(valueAt(found, '1.vote')));
    assert.equal(valueAt(found, '2.vote'), 'not voted');
  });

  it('is who of the validators voted, a count of the others, and the largest other votes', async () => {
    const { proposal_id: id } = votes[0] ?? {};
    const cast = votes.filter((vote) => vote.proposal_id === id).map(({ voter }) => voter);
    const answer = await ask('get_proposal', { id, votes: true });
    const rows = valueAt(answer, 'validator_votes');
    assert.ok(Array.isArray(rows) && rows.every(({ vote }) => Array.isArray(vote)));
    const bonded = staking.validators.filter((one: { status: string }) => one.status === 'BOND_STATUS_BONDED');
    assert.equal(Number(valueAt(answer, 'validators_not_voted.validators')) + rows.length, bonded.length);
    assert.match(String(valueAt(answer, 'validators_not_voted.power')), /^[1-9]\d*$/);
    const silent = bonded.filter(
      (one: { operator_address: string }) => !cast.includes(String(accountOf(one.operator_address))),
    );
    const [{ description }] = silent.toSorted((a: Row, b: Row) => Number(b.tokens) - Number(a.tokens));
    assert.equal(valueAt(answer, 'validators_not_voted.largest.0.untrusted_moniker'), description.moniker);
    const named = valueAt(answer, 'validators_not_voted.largest.*.untrusted_moniker');
    assert.deepEqual(
      new Set(Object(named)),
      new Set(silent.map((one: { description: { moniker: string } }) => one.description.moniker)),
    );
    assert.match(String(valueAt(answer, 'validators_not_voted.largest.0.power')), /^[1-9]\d*$/);
    assert.equal(answer.votes_cast, cast.length);
    const others = valueAt(answer, 'largest_other_votes');
    assert.ok(Array.isArray(others) && others.length > 0 && others.length <= 10);
    const powers = others.map(({ power }) => Number(power));
    assert.deepEqual(
      powers,
      powers.toSorted((a, b) => b - a),
    );
    for (const { address, vote } of others) assert.ok(cast.includes(address) && Array.isArray(vote), address);
    // Without "fields", only the tally is beside the votes.
    assert.deepEqual(
      [answer.verdict, answer.contents, answer.untrusted_description],
      [undefined, undefined, undefined],
    );
    assert.ok(valueAt(answer, 'tally.yes') && JSON.stringify(answer).length / 4 < 1600);
  });

  it('is only what "fields" names, beside the votes of validators by their monikers', async () => {
    const { proposal_id: id } = votes[0] ?? {};
    const [{ operator_address: operator, description }] = staking.validators;
    const byAddress = await ask('get_proposal', { id, votes_of: operator });
    const answer = await ask('get_proposal', { id, votes_of: description.moniker.toUpperCase(), fields: 'tally' });
    assert.deepEqual(valueAt(answer, 'votes_of.0.vote'), valueAt(byAddress, 'votes_of.0.vote'));
    assert.deepEqual(answer.tally, byAddress.tally);
    const names = ['source', 'chain_id', 'height', 'time', 'status', 'tally', 'votes_of', 'id', 'expedited'];
    assert.deepEqual(
      Object.keys(answer).filter((name) => !names.includes(name)),
      [],
    );
    await assert.rejects(ask('get_proposal', { id, fields: 'votes' }), /"fields" has no "votes"\..*verdict, tally/);
  });

  it('is every depositor of an open proposal with all digits, the largest first', async () => {
    const [{ proposal_id: id }] = gov.deposits;
    const own = gov.deposits.filter((one: { proposal_id: string }) => one.proposal_id === id);
    const expected = own.map((one: { depositor: string; amount: readonly { amount: string }[] }) => [
      one.depositor,
      one.amount[0]?.amount,
    ]);
    const { depositors } = await ask('get_proposal', { id });
    assert.ok(Array.isArray(depositors) && depositors.length > 1);
    const found = depositors.map((row) => [valueAt(row, 'address'), valueAt(row, 'deposit.0.amount')]);
    assert.deepEqual(
      found,
      expected.toSorted((a: string[], b: string[]) => Number(b[1]) - Number(a[1])),
    );
  });

  it('is unknown with the reason of a proposal that has ended', async () => {
    const ended = gov.proposals.find(({ status }: { status: string }) => status.endsWith('PASSED'));
    const input = { id: ended.id ?? ended.proposal_id, votes_of: votes[0]?.voter, fields: 'depositors' };
    const answer = await ask('get_proposal', input);
    assert.deepEqual([answer.depositors, answer.votes_of], [null, null]);
    assert.match(String(valueAt(answer, 'unknown.depositors')), /returned or burned/);
    assert.match(String(valueAt(answer, 'unknown.votes_of')), /only while voting is open/);
  });

  it('is an error that says which addresses it takes', async () => {
    await assert.rejects(
      ask('get_proposal', { id: 1, votes_of: 'alice' }),
      /not an account address, operator address or moniker.*Use operator addresses from list_validators\.$/,
    );
    const many = Array.from({ length: 21 }, (_, n) => addressOf(`${n}`)).join(',');
    await assert.rejects(ask('get_proposal', { id: 1, votes_of: many }), /at most 20 addresses/);
  });
});

describe('the power of a validator whose delegator voted too', () => {
  const folder = startFolder('overruled');
  after(() => folder.dispose());

  it('is what its vote counts in the tally, beside its gross power', async () => {
    const state = JSON.parse(readFileSync(sampleFile, 'utf8'));
    const id = votes[0]?.proposal_id;
    const isCast = (account: unknown) => votes.some((one) => one.proposal_id === id && one.voter === account);
    const all: readonly Delegation[] = staking.delegations;
    // A share of the sample chain is a token.
    const taken = all.find((one) => isCast(accountOf(one.validator_address)) && !isCast(one.delegator_address));
    assert.ok(taken);
    const { validator_address: operator, delegator_address: voter } = taken;
    const kept = all.find((one) => one.validator_address === operator && one.delegator_address !== voter);
    const options = [{ option: 'VOTE_OPTION_NO_WITH_VETO', weight: '1.000000000000000000' }];
    state.app_state.gov.votes.push({ proposal_id: id, voter, options, metadata: '' });
    const file = join(folder.path, 'overruled.json');
    writeFileSync(file, JSON.stringify(state));
    const host = startToolHost([pathToFileURL(file).href]);
    const answer = await host.ask('get_proposal', { id, votes: true });
    await host.dispose();
    const rows = valueAt(answer, 'validator_votes');
    assert.ok(Array.isArray(rows) && kept);
    const { power, gross_power: gross, own_stake: own } = rows.find((row) => row.operator_address === operator);
    const tokens = ({ shares }: Delegation) => BigInt(shares.replace(/\..*/, ''));
    assert.deepEqual([power, gross], [`${tokens(kept)}`, `${tokens(kept) + tokens(taken)}`]);
    // The operator has delegated the rest itself.
    assert.equal(own, power);
    // Rows and others add up to the tally.
    const powers = [...rows, ...Object.values(valueAt(answer, 'largest_other_votes') ?? {})];
    const sum = powers.reduce((total, row) => total + Number(row.power), 0);
    const counts = ['yes', 'no', 'abstain', 'no_with_veto'].map((one) => valueAt(answer, `tally.${one}.amount`));
    assert.equal(
      sum,
      counts.reduce((total: number, one) => total + Number(one), 0),
    );
  });
});

describe('what get_proposal says of votes on a node', () => {
  it('is of the height of the tally, where validators vote otherwise in each block', async () => {
    const server = await startVotingNode();
    const host = startToolHost([server.url]);
    const operator = chainAt(1).validators[0]?.operator;
    const { height, votes_of: found } = await host.ask('get_proposal', { id: 1, votes_of: operator });
    const [expected] = chainAt(Number(height)).validators;
    const option = expected?.option === 'VOTE_OPTION_YES' ? 'yes' : 'no';
    assert.deepEqual(valueAt(found, '0.vote.0.option'), option);
    await host.dispose();
    await server.stop();
  });

  it('has no depositors where there are more than are read', async () => {
    const rows = Array.from({ length: 1001 }, (_, n) => ({
      proposal_id: '1',
      depositor: addressOf(`${n}`),
      amount: [{ denom: 'uatom', amount: '1' }],
    }));
    const proposal = { id: '1', status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD', messages: [], title: 'T', total_deposit: [] };
    const node = await startReplies(({ pathname, searchParams }) => {
      if (pathname.endsWith('/gov/v1/proposals/1')) return { body: JSON.stringify({ proposal }) };
      if (pathname === '/cosmos/bank/v1beta1/supply') return { body: '{"supply":[],"pagination":{}}' };
      if (!pathname.endsWith('/deposits')) return notImplemented;
      const from = Number(Buffer.from(searchParams.get('pagination.key') ?? '', 'base64').toString() || '0');
      const end = from + Number(searchParams.get('pagination.limit'));
      const next_key = end < rows.length ? Buffer.from(`${end}`).toString('base64') : null;
      return { body: JSON.stringify({ deposits: rows.slice(from, end), pagination: { next_key, total: '0' } }) };
    });
    const host = startToolHost([node.url]);
    const answer = await host.ask('get_proposal', { id: 1 });
    assert.equal(answer.depositors, null);
    assert.match(String(valueAt(answer, 'unknown.depositors')), /more than 1000/);
    await host.dispose();
    await node.stop();
  });
});
