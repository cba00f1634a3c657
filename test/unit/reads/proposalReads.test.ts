import assert from 'node:assert/strict';
import { bech32 } from '@scure/base';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { openNode } from '../../../src/api/open.ts';
import { readDeposits, type VotersProgress, WhoVoted } from '../../../src/reads/proposalReads.ts';
import { versions } from '../../node/build.ts';
import { stateFileOf } from '../../node/recording.ts';
import { chainReplies, notImplemented } from '../../support/chainReplies.ts';
import { startSampleNode } from '../../support/nodes.ts';
import { startReplies } from '../../support/servers.ts';

const address = (prefix: string, number: number) => {
  const bytes = new Uint8Array(20);
  new DataView(bytes.buffer).setUint32(0, number);
  return bech32.encode(prefix, bech32.toWords(bytes));
};
const yes = [{ option: 'VOTE_OPTION_YES', weight: '1.000000000000000000' }];
const page = (nextKey: string | null, total: number) => ({ next_key: nextKey, total: String(total) });

/** A node with validators 0 to `validators` - 1, of which the even ones have voted, and with votes of `others` accounts behind them. */
async function startVotes(validators: number, others: number) {
  const voters = Array.from({ length: validators + others }, (_, at) => at).filter(
    (at) => at >= validators || at % 2 === 0,
  );
  const service = await startReplies(({ pathname, searchParams }) => {
    const body = (value: unknown) => ({ body: JSON.stringify(value) });
    if (pathname.endsWith('/validators')) {
      const rows = Array.from({ length: validators }, (_, at) => ({
        operator_address: address('cosmosvaloper', at),
        tokens: `${at + 1}000000`,
        description: { moniker: `node ${at}` },
      }));
      return body({ validators: rows, pagination: page(null, 0) });
    }
    const [, voter] = /\/votes\/(\w+)$/.exec(pathname) ?? [];
    if (voter !== undefined) {
      if (voters.some((at) => at < validators && address('cosmos', at) === voter))
        return body({ vote: { voter, options: yes } });
      return { status: 400, body: `{"code":3,"message":"voter: ${voter} not found for proposal: 7","details":[]}` };
    }
    if (pathname.endsWith('/votes')) {
      const from = Number(atob(searchParams.get('pagination.key') ?? 'MA=='));
      const next = from + Number(searchParams.get('pagination.limit'));
      // The validators are the last ones in the list.
      const rows = voters
        .toReversed()
        .slice(from, next)
        .map((at) => ({ voter: address('cosmos', at), options: yes }));
      const total = searchParams.get('pagination.count_total') === 'true' ? voters.length : 0;
      return body({ votes: rows, pagination: page(next < voters.length ? btoa(String(next)) : null, total) });
    }
    if (pathname.endsWith('/gov/v1/proposals')) return body({ proposals: [], pagination: page(null, 0) });
    if (pathname.endsWith('/supply')) return body({ supply: [], pagination: page(null, 0) });
    return notImplemented;
  });
  const node = openNode({ baseUrl: parseBaseUrl(service.url), segment: 'cosmos' });
  return {
    whoVoted: new WhoVoted(async () => node, 7n),
    requests: () => service.requests.filter((path) => /validators|votes/.test(path)),
    async stop() {
      await node.dispose();
      await service.stop();
    },
  };
}

describe('the votes of the validators', () => {
  it('are read by pages where these are fewer than the validators', async () => {
    const chain = await startVotes(180, 5_000);
    await chain.whoVoted.readValidators();
    const state = chain.whoVoted.validators;
    assert(state.kind === 'read');
    assert.equal(state.validators.length, 180);
    assert.deepEqual(state.validators[0], {
      operator: address('cosmosvaloper', 179),
      moniker: 'node 179',
      power: 180_000_000n,
      vote: undefined,
    });
    assert.deepEqual(state.validators[1]?.vote, [{ option: 'yes', weight: '1.000000000000000000' }]);
    assert.equal(state.validators.filter(({ vote }) => vote).length, 90);
    assert.deepEqual(chain.requests().length, 1 + 6, 'the validators, and 5,090 votes a thousand at a time');
    await chain.stop();
  });

  it('are asked for one by one where the pages would be more', async () => {
    const chain = await startVotes(10, 30_000);
    const steps: VotersProgress[] = [];
    chain.whoVoted.onDidChange(() => {
      if (chain.whoVoted.validators.kind === 'reading') steps.push(chain.whoVoted.validators.progress);
    });
    await chain.whoVoted.readValidators();
    const state = chain.whoVoted.validators;
    assert(state.kind === 'read');
    assert.equal(state.validators.filter(({ vote }) => vote).length, 5);
    assert.deepEqual(chain.requests().length, 1 + 1 + 10, 'the validators, one page with the count, and each of them');
    assert.deepEqual(steps.at(-1), { step: 'votes', done: 10, of: 10 });
    await chain.stop();
  });

  it('stop when they are cancelled, and can be read again', async () => {
    const chain = await startVotes(10, 30_000);
    const listener = chain.whoVoted.onDidChange(() => {
      const { validators } = chain.whoVoted;
      if (validators.kind === 'reading' && validators.progress.step === 'votes') chain.whoVoted.stop();
    });
    await chain.whoVoted.readValidators();
    assert.equal(chain.whoVoted.validators.kind, 'idle');
    const asked = chain.requests().length;
    assert(asked < 12, `${asked} requests`);
    listener.dispose();
    await chain.whoVoted.readValidators();
    assert.equal(chain.whoVoted.validators.kind, 'read');
    await chain.stop();
  });

  it('are not there where the source does not list them, and say so', async () => {
    const service = await startReplies(chainReplies({ proposals: [] }));
    const node = openNode({ baseUrl: parseBaseUrl(service.url), segment: 'cosmos' });
    const whoVoted = new WhoVoted(async () => node, 7n);
    await whoVoted.readValidators();
    assert.deepEqual(whoVoted.validators, { kind: 'failed', reason: 'This source does not list validators' });
    await assert.rejects(whoVoted.votes.loadMore(), { message: 'This source does not list votes' });
    await assert.rejects(whoVoted.find(address('cosmos', 1)), { message: 'This source does not list votes' });
    assert.equal(whoVoted.found, undefined, 'never that the account has not voted');
    await node.dispose();
    await service.stop();
  });

  it('of the sample chain add up to its staking pool, split votes included', async () => {
    const sample = await startSampleNode();
    const whoVoted = new WhoVoted(async () => sample.node, 713n);
    await whoVoted.readValidators();
    const state = whoVoted.validators;
    assert(state.kind === 'read');
    const power = state.validators.reduce((sum, validator) => sum + validator.power, 0n);
    assert.equal(power, (await sample.node.votingPower())?.total);
    await whoVoted.votes.loadMore();
    assert.equal(whoVoted.votes.rows.length, 6);
    const first = whoVoted.votes.rows.find(({ vote }) => vote.length > 1);
    assert.deepEqual(first?.vote, [
      { option: 'yes', weight: '0.700000000000000000' },
      { option: 'abstain', weight: '0.300000000000000000' },
    ]);
    await whoVoted.find(first?.voter ?? '');
    assert.deepEqual(whoVoted.found, first);
    await sample.dispose();
  });

  it('are listed with what validators are called, by one more request', async () => {
    const chain = await startVotes(3, 150);
    await chain.whoVoted.readVotes();
    await chain.whoVoted.readVotes();
    assert.equal(chain.whoVoted.votes.rows.length, 152);
    assert.equal(chain.whoVoted.monikers.get(address('cosmos', 2)), 'node 2');
    assert.equal(chain.whoVoted.monikers.get(address('cosmos', 4)), undefined);
    assert.equal(chain.requests().filter((path) => path.includes('/validators')).length, 1);
    await chain.stop();
  });

  // Its validators are answered as the node answered them: test/unit/service/nodes.test.ts.
  for (const version of versions)
    it(`of the state that a node of SDK ${version} exported add up to its staking pool`, async () => {
      const { node, dispose } = await startSampleNode(stateFileOf(version));
      const whoVoted = new WhoVoted(async () => node, 1n);
      await whoVoted.readValidators();
      const state = whoVoted.validators;
      assert(state.kind === 'read');
      assert(state.validators.length > 0);
      const power = state.validators.reduce((sum, validator) => sum + validator.power, 0n);
      assert.equal(power, (await node.votingPower())?.total);
      await dispose();
    });
});

describe('the deposits on a proposal', () => {
  it('of the sample chain add up to what the proposal states', async () => {
    const sample = await startSampleNode();
    try {
      const { signal } = new AbortController();
      const { rows, total } = (await readDeposits(sample.node, 713n, signal)) ?? {};
      assert.ok(rows && rows.length > 1);
      assert.equal(total, BigInt(rows.length));
      const sum = rows.flatMap(({ coins }) => coins).reduce((all, { amount }) => all + amount, 0n);
      const { totalDeposit } = await proposalOf(sample.node, 713n);
      assert.deepEqual(totalDeposit, [{ denom: 'usample', amount: sum }]);
      assert.deepEqual((await readDeposits(sample.node, 673n, signal))?.rows, [], 'an ended proposal');
    } finally {
      await sample.dispose();
    }
  });
});

async function proposalOf(node: ChainNode, id: bigint) {
  const row = await node.proposal(id);
  assert(row.kind === 'proposal');
  return row;
}
