import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import { type EraRules, eraRules, eras } from '../../fixtures/nodeSimulator/eras.ts';
import { type Quirks, startNode } from '../../fixtures/nodeSimulator/simulatedNode.ts';
import {
  type SimulatorProposal,
  sampleCoins,
  textProposal,
  wordlessProposal,
} from '../../fixtures/nodeSimulator/simulatorState.ts';
import { Random } from '../../support/random.ts';
import { idsOf, readAllCoins, readAllProposals, statusAt } from './allRows.ts';

const seeds = process.env.TEST_FULL ? 600 : 30;

function someProposals(random: Random, wordless: boolean): SimulatorProposal[] {
  const all: SimulatorProposal[] = [];
  const poison = random.below(2) === 0 ? 0 : 1 + random.below(30);
  let id = BigInt(1 + random.below(1100));
  for (let count = random.below(160); count > 0; count--) {
    const status = 1 + random.below(5);
    const bad = random.below(100) < poison;
    if (!bad) all.push(textProposal(id, status));
    else if (wordless && random.below(2) === 0) all.push(wordlessProposal(id, status, random.below(2) === 0 ? 0 : 2));
    else all.push(textProposal(id, status, { unregistered: true }));
    id += BigInt(random.below(4) === 0 ? 1 + random.below(9) : 1);
  }
  return all;
}

function someQuirks(random: Random, rules: EraRules): Quirks {
  const maybe = (quirk: Quirks): Quirks => (random.below(4) === 0 ? quirk : {});
  return {
    ...maybe({ noNodeInfo: true }),
    ...maybe({ govV1: false }),
    ...maybe({ statusNames: random.below(2) === 0 }),
    ...(rules.abci ? {} : maybe({ maxMessage: 6000 + random.below(20_000) })),
    ...maybe({ noHeights: true }),
  };
}

describe('nodes of any era and any quirks', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    it(`lose nothing, repeat nothing and keep the order: seed ${seed}`, async () => {
      const random = new Random(seed * 7919);
      const era = eras[random.below(eras.length)] ?? '0.53';
      const proposals = someProposals(random, eraRules[era].govV1);
      const coins = sampleCoins(random.below(300));
      const quirks = someQuirks(random, eraRules[era]);
      const simulated = await startNode({ era, state: { chainId: 's', height: 50n, coins, proposals }, quirks });
      const node = openNode({ baseUrl: parseBaseUrl(simulated.url) });
      try {
        for (let list = 0; list < 5; list++) {
          const status = random.below(6);
          const reverse = random.below(3) > 0;
          const page = { limit: 1 + random.below(40), reverse, countTotal: random.below(2) === 0 };
          const rows = await readAllProposals(node, { status: statusAt(status) }, page);
          const asked = proposals.filter((one) => status === 0 || one.status === status);
          const what = `era ${era}, ${JSON.stringify(quirks)}, status ${status}, ${JSON.stringify(page)}`;
          const ids = idsOf(rows.filter((row) => row.kind !== 'unreadable'));
          const readable = asked.map((one) => String(one.id)).filter((id) => !idsOf(rows).includes(`${id}!`));
          assert.deepEqual(reverse ? ids.toReversed() : ids, readable, what);
          const all = idsOf(rows).map((id) => Number(id.replace('!', '')));
          assert.deepEqual(
            all,
            [...new Set(all)].sort((a, b) => (reverse ? b - a : a - b)),
            what,
          );
          for (const one of asked) {
            const sayable =
              !one.unregistered && (one.messages.length === 1 || (eraRules[era].govV1 && quirks.govV1 !== false));
            assert.equal(ids.includes(String(one.id)), sayable, `${what}, id ${one.id}`);
          }
        }
        const held = await readAllCoins(node, { limit: 1 + random.below(90) });
        assert.deepEqual(held.map((coin) => coin.denom).sort(), coins.map((coin) => coin.denom).sort());
        assert.ok(simulated.requests.length < 2500, `${simulated.requests.length} requests`);
      } finally {
        await node.dispose();
        await simulated.stop();
      }
    });
  }
});
