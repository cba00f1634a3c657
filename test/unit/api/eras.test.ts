import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import type { ChainNode } from '../../../src/api/node.ts';
import { openNode } from '../../../src/api/open.ts';
import { type Era, eraRules, eras } from '../../fixtures/nodeSimulator/eras.ts';
import { type Quirks, type SimulatedNode, startNode } from '../../fixtures/nodeSimulator/simulatedNode.ts';
import {
  type SimulatorProposal,
  type SimulatorState,
  sampleCoins,
  textProposal,
  wordlessProposal,
} from '../../fixtures/nodeSimulator/simulatorState.ts';
import { formOf, idsOf, readAllCoins, readAllProposals, statusAt } from './allRows.ts';

const voter = 'cosmos1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnrujsuw';

/** Ids 900 to 1040 with gaps, over 992 and 1018, whose page keys hold `+` and `/`. */
function proposalsOf(era: Era): SimulatorProposal[] {
  const poisonIds = [905n, 906n, 950n, 992n, 1018n, 1039n];
  const all: SimulatorProposal[] = [];
  for (let id = 900n; id <= 1040n; id++) {
    if (id % 17n === 0n) continue;
    const status = id > 1030n ? (id % 2n === 0n ? 2 : 1) : Number(3n + (id % 3n));
    if (poisonIds.includes(id)) {
      all.push(
        eraRules[era].govV1
          ? wordlessProposal(id, status, id % 2n === 0n ? 0 : 2)
          : textProposal(id, status, { unregistered: true }),
      );
    } else all.push(textProposal(id, status, { voters: id % 5n === 0n ? [voter] : [], depositors: [voter] }));
  }
  return all;
}

function stateOf(era: Era, poisoned: boolean): SimulatorState {
  const proposals = proposalsOf(era);
  const sane = (one: SimulatorProposal) => !one.unregistered && one.messages.length === 1;
  const state = { chainId: `sim-${era}`, height: 5000n, coins: sampleCoins(430) };
  return { ...state, proposals: poisoned ? proposals : proposals.filter(sane) };
}

/** A node of the simulated one, and the end of both. */
async function open(era: Era, poisoned: boolean, quirks: Quirks = {}) {
  const simulated = await startNode({ era, state: stateOf(era, poisoned), quirks });
  const node = openNode({ baseUrl: parseBaseUrl(simulated.url) });
  return { simulated, node };
}

function expectedIds(state: SimulatorState, status: number): string[] {
  return state.proposals.filter((one) => status === 0 || one.status === status).map((one) => String(one.id));
}

const statuses = [1, 2, 3, 4, 5];

for (const era of eras) {
  describe(`a node of SDK ${era}`, () => {
    let simulated: SimulatedNode;
    let node: ChainNode;

    before(async () => {
      ({ simulated, node } = await open(era, false));
    });
    after(async () => {
      await node.dispose();
      await simulated.stop();
    });

    it('gives the whole supply, every denom once', async () => {
      const coins = await readAllCoins(node, { limit: 70 });
      const expected = simulated.state.coins.map((coin) => `${coin.denom} ${coin.amount}`).sort();
      assert.deepEqual(coins.map((coin) => `${coin.denom} ${coin.amount}`).sort(), expected);
    });

    it('gives one denom of every shape, and 0 for one that it does not hold', async () => {
      for (const { denom, amount } of simulated.state.coins.slice(100, 108)) {
        assert.deepEqual({ ...(await node.supplyOf(denom)) }, { denom, amount });
      }
      for (const denom of ['unheld', 'ibc/00', 'factory/nobody/none']) {
        assert.equal((await node.supplyOf(denom)).amount, 0n);
      }
    });

    it('lists every status to its end, oldest and newest first', async () => {
      for (const status of [0, ...statuses]) {
        const filter = { status: statusAt(status) };
        const expected = expectedIds(simulated.state, status);
        assert.deepEqual(idsOf(await readAllProposals(node, filter, { limit: 7, countTotal: true })), expected);
        const down = await readAllProposals(node, filter, { limit: 7, reverse: true, countTotal: true });
        assert.deepEqual(idsOf(down), expected.toReversed());
      }
    });

    it('counts only what it counts right', async () => {
      const all = await node.proposals({}, { limit: 2, countTotal: true });
      assert.equal(all.total, BigInt(simulated.state.proposals.length));
      const passed = await node.proposals({ status: 'passed' }, { limit: 2, countTotal: true });
      const right = BigInt(expectedIds(simulated.state, 3).length);
      assert.equal(passed.total, ['0.40', '0.45'].includes(era) ? undefined : right);
      const uncounted = await node.proposals({}, { limit: 2 });
      assert.equal(uncounted.total, undefined);
    });

    it('gives what a voter and a depositor have to do with', async () => {
      const live = simulated.state.proposals.filter((one) => one.status === 2);
      const voted = live.filter((one) => one.voters.includes(voter)).map((one) => String(one.id));
      assert.deepEqual(idsOf(await readAllProposals(node, { voter }, { limit: 3 })), voted);
      const filter = { depositor: voter, status: 'voting' } as const;
      const expected = live.map((one) => String(one.id)).toReversed();
      assert.deepEqual(idsOf(await readAllProposals(node, filter, { limit: 3, reverse: true })), expected);
    });

    it('says of a missing proposal that it is not there', async () => {
      assert.equal(formOf(await node.proposal(904n)), eraRules[era].govV1 ? 'v1' : 'v1beta1');
      await assert.rejects(node.proposal(918n), { kind: 'http', status: 404, grpcCode: 5 });
    });

    it('pins a crawl to one height', async () => {
      const coins = await node.supply({ limit: 5, height: 4990n });
      assert.equal(coins.info.height, 4990n);
      assert.equal(coins.info.unpinnedReason, undefined);
      const pruned = await node.supply({ limit: 5, height: 12n });
      assert.equal(pruned.info.height, 5000n);
      assert.match(pruned.info.unpinnedReason ?? '', /failed to load state at height 12/);
    });
  });

  describe(`a node of SDK ${era} with proposals that v1beta1 cannot say`, () => {
    let simulated: SimulatedNode;
    let node: ChainNode;

    before(async () => {
      ({ simulated, node } = await open(era, true));
    });
    after(async () => {
      await node.dispose();
      await simulated.stop();
    });

    it('hides no other proposal, in any list', async () => {
      for (const status of [0, ...statuses]) {
        const asked = simulated.state.proposals.filter((one) => status === 0 || one.status === status);
        const filter = { status: statusAt(status) };
        for (const reverse of [true, false]) {
          const rows = await readAllProposals(node, filter, { limit: 7, reverse });
          const readable = asked.filter((one) => !one.unregistered).map((one) => String(one.id));
          const said = idsOf(rows.filter((row) => row.kind !== 'unreadable'));
          assert.deepEqual(reverse ? said.toReversed() : said, readable);
          // Their status is not known, so those of other lists may stand here, too.
          const lost = idsOf(rows.filter((row) => row.kind === 'unreadable'));
          for (const one of asked) assert.equal(lost.includes(`${one.id}!`), one.unregistered);
        }
      }
    });

    it('names the ids that nothing can say, with the reason of the node', async () => {
      const rows = await readAllProposals(node, {}, { limit: 50 });
      const lost = rows.flatMap((row) => (row.kind === 'unreadable' ? [row] : []));
      const expected = simulated.state.proposals.filter((one) => one.unregistered).map((one) => one.id);
      assert.deepEqual(
        lost.map(({ id }) => id),
        expected,
      );
      for (const { reason } of lost) assert.match(reason, /no concrete type registered/);
      const one = await node.proposal(950n);
      assert.equal(formOf(one), eraRules[era].govV1 ? 'v1' : 'unreadable');
    });

    it('gives what an address has to do with', async () => {
      const expected = simulated.state.proposals
        .filter((one) => (one.status === 2 || one.status === 1) && one.depositors.includes(voter))
        .map((one) => String(one.id));
      const rows = await readAllProposals(node, { depositor: voter }, { limit: 4 });
      assert.deepEqual(idsOf(rows.filter((row) => row.kind !== 'unreadable')), expected);
    });
  });
}
