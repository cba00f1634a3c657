import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import type { Proposal } from '../../../src/chain/gov/proposal.ts';
import { Validators } from '../../../src/lists/validators.ts';
import { ProposalModel } from '../../../src/page/proposalModel.ts';
import { Judge, type Judgement } from '../../../src/reads/judge.ts';
import { readValidatorVotes } from '../../../src/reads/proposalReads.ts';
import { Kept, maxAges } from '../../../src/session/kept.ts';
import { Session } from '../../../src/session/session.ts';
import { toSource } from '../../../src/session/source.ts';
import { systemClock } from '../../../src/watch/clock.ts';
import { chainAt, startVotingNode } from '../../fixtures/nodeSimulator/votingNode.ts';
import { judge } from '../../support/judge.ts';

const ids = Array.from({ length: 10 }, (_, at) => BigInt(at + 1));

/** The only height of the simulated chain at which this is bonded. */
function heightOf(bonded: bigint | undefined): number {
  return Number(bonded ?? 0n) / Number(chainAt(1).bonded);
}

/** Whether the tally is the one of the height of the bonded total. */
function isOfOneHeight({ inputs }: Judgement): boolean {
  const { yes, no } = chainAt(heightOf(inputs.votingPower));
  return inputs.liveTally?.yes === yes && inputs.liveTally.no === no;
}

describe('answers of one height, of a simulated node with votes in every block', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function start(ways?: Parameters<typeof startVotingNode>[0]) {
    const server = await startVotingNode(ways);
    const node = openNode({ baseUrl: parseBaseUrl(server.url), segment: 'cosmos' });
    ends.push(server.stop, () => node.dispose());
    const read = async (id: bigint): Promise<Proposal> => {
      const row = await node.proposal(id);
      assert.ok(row.kind === 'proposal');
      return row;
    };
    return { node, server, read };
  }

  it('judges ten proposals, each by the tally and the bonded total of one height', async () => {
    const { node, read, server } = await start();
    const proposals = await Promise.all(ids.map(read));
    const before = server.seen.length;
    const many = new Judge(node, new Kept(), { maxAge: maxAges.screen });
    const judged = await Promise.all(proposals.map((proposal) => many.judge(proposal, new Date())));
    assert.equal(judged.filter((one) => !isOfOneHeight(one)).length, 0);
    for (const { height, inputs } of judged) assert.equal(Number(height), heightOf(inputs.votingPower));
    // Beside the tallies: the proposal that tells the height, power, parameters and version.
    assert.ok(server.seen.length - before <= ids.length + 5, `${server.seen.length - before} requests`);
  });

  it('judges at one height for ten seconds, and at a newer one after that', async () => {
    const { node, read } = await start();
    const proposals = await Promise.all(ids.slice(0, 3).map(read));
    const clock = { now: Date.now() };
    const kept = new Kept(() => clock.now);
    const heights: (bigint | undefined)[] = [];
    for (const [proposal, passed] of [
      [proposals[0], 0],
      [proposals[1], 9_999],
      [proposals[2], 1],
    ] as const) {
      clock.now += passed;
      assert.ok(proposal);
      const judge = new Judge(node, kept, { maxAge: maxAges.screen });
      heights.push((await judge.judge(proposal, new Date())).height);
    }
    const [first, second, third] = heights;
    assert.ok(first !== undefined && first === second && third !== undefined && third > first, `${heights}`);
  });

  it('judges by the height at which the proposal was read, where that is given', async () => {
    const { node, read } = await start();
    const proposal = await read(1n);
    const judgement = await new Judge(node, new Kept(), { maxAge: maxAges.screen }).judge(
      proposal,
      new Date(),
      proposal.height,
    );
    assert.equal(judgement.height, proposal.height);
    assert.ok(isOfOneHeight(judgement));
  });

  for (const ways of [{ ignored: true }, { oldest: 1_000_000 }])
    it(`says that it is of no height of a node that is ${Object.keys(ways)}`, async () => {
      const { node, read } = await start(ways);
      const judgement = await judge(node, await read(1n), new Date());
      assert.equal(judgement.height, undefined);
      assert.match(judgement.unpinnedReason ?? '', /height/);
      assert.deepEqual(judgement.faults, []);
      assert.deepEqual(judgement.verdict.missing, []);
    });

  for (const ignored of [false, true])
    it(`calls an expedited vote what it became, where it was decided since (heights ignored: ${ignored})`, async () => {
      const said = new Set<string>();
      for (let decidedAt = 1002; decidedAt < 1014; decidedAt++) {
        const { node, read } = await start({ ignored, decidedAt });
        const proposals = await Promise.all([1n, 2n].map(read));
        const many = new Judge(node, new Kept(), { maxAge: maxAges.screen });
        for (const proposal of proposals) {
          const { proposal: judged, inputs } = await many.judge(proposal, new Date());
          const isZero = inputs.liveTally?.yes === 0n && inputs.liveTally.no === 0n;
          said.add(`expedited ${judged.expedited}, votes ${isZero ? 'deleted' : 'counted'}`);
        }
      }
      assert.deepEqual([...said].sort(), ['expedited false, votes deleted', 'expedited true, votes counted']);
    });

  it('gives ten times the votes of validators, with power and votes of the height of the tally', async () => {
    const { node, read } = await start();
    for (const id of ids) {
      const { inputs, height } = await judge(node, await read(id), new Date());
      const options = { height, onProgress: () => undefined, signal: new AbortController().signal };
      const { validators, height: found } = await readValidatorVotes(node, id, options);
      const votedFor = (option: string) =>
        validators.filter(({ vote }) => vote?.[0]?.option === option).reduce((sum, { power }) => sum + power, 0n);
      assert.deepEqual([votedFor('yes'), votedFor('no')], [inputs.liveTally?.yes, inputs.liveTally?.no]);
      assert.equal(found, height);
    }
  });

  for (const ways of [{ ignored: true }, { oldest: 1_000_000 }])
    it(`says that votes of validators are of no height of a node that is ${Object.keys(ways)}`, async () => {
      const { node, read } = await start(ways);
      await read(1n);
      const options = { height: 900n, onProgress: () => undefined, signal: new AbortController().signal };
      const { validators, height } = await readValidatorVotes(node, 1n, options);
      assert.deepEqual([validators.length, height], [4, undefined]);
    });

  for (const pageSize of [2, 4])
    it(`gives ten times shares of the stake that its rows are of (${pageSize} of 4 rows a page)`, async () => {
      for (const _ of ids) {
        const { node } = await start();
        const store = new Validators({ node: async () => node, pageSize: () => pageSize, kept: new Kept() });
        const sumOfShares = () => store.shown.reduce((sum, row) => sum + (store.share(row) ?? 0n), 0n);
        await store.pager.loadMore();
        await store.loadBonded({ maxAge: maxAges.screen });
        // The validators have a tenth, two, three and four of the stake.
        assert.equal(sumOfShares(), 10n ** (pageSize === 2 ? 17n : 18n) * (pageSize === 2 ? 3n : 1n));
        await store.pager.loadMore();
        assert.equal(sumOfShares(), 10n ** 18n);
        await store.pager.refresh();
        assert.equal(sumOfShares(), 10n ** 18n);
        assert.equal(
          store.shown.reduce((sum, row) => sum + (store.sharePoints(row) ?? 0), 0),
          10_000,
        );
        store.dispose();
      }
    });

  for (const ways of [{ ignored: true }, { oldest: 1_000_000 }])
    it(`gives shares of a node that is ${Object.keys(ways)}, which add up`, async () => {
      const { node } = await start(ways);
      const store = new Validators({ node: async () => node, pageSize: () => 4, kept: new Kept() });
      await store.pager.loadMore();
      await store.loadBonded({ maxAge: maxAges.screen });
      const sum = store.shown.reduce((all, row) => all + (store.share(row) ?? 0n), 0n);
      assert.equal(sum, 10n ** 18n);
      store.dispose();
    });

  it('shows in the panel votes of validators that add up to the tally, also when they are read again', async () => {
    const { node, server } = await start();
    const session = new Session(toSource(server.url, new Map(), 'Sample chain'), {
      open: async () => ({ node, notices: [], dispose: async () => {} }),
      pageSize: () => 50,
      knownUnits: async () => new Map(),
    });
    ends.push(() => session.dispose());
    const options = { clock: systemClock, registryChain: async () => undefined };
    const model = new ProposalModel({ sourceId: server.url, id: 1n }, { session, release: async () => {} }, options);
    await model.start();
    for (let reading = 0; reading < 10; reading++) {
      await model.readValidators();
      const { validators } = model.whoVoted;
      assert.ok(validators.kind === 'read');
      const yes = validators.validators.filter(({ vote }) => vote?.[0]?.option === 'yes');
      const sum = yes.reduce((all, { power }) => all + power, 0n);
      assert.equal(sum, model.facts?.inputs?.liveTally?.yes);
    }
    model.dispose();
  });
});
