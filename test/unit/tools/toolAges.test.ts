import assert from 'node:assert/strict';
import { isFields } from '../../../src/chain/fields.ts';
import { addressOf, startCoinNode } from '../../fixtures/nodeSimulator/coinNode.ts';
import { startToolHost } from './toolHost.ts';

const gov = addressOf('gov');

/** The only row of a split. */
function amountIn(split: unknown): string {
  const rows = isFields(split) && Array.isArray(split.rows) ? split.rows : [];
  assert.equal(rows.length, 1);
  return rows[0].amount;
}

describe('the age of what tools answer', () => {
  it('is one for a supply and its split, however many blocks lie between two questions', async () => {
    // With each block gov holds one more.
    const server = await startCoinNode((height) => ({
      modules: [['gov', gov]],
      balances: new Map([[gov, new Map([['uatom', BigInt(height)]])]]),
    }));
    const { ask, dispose } = startToolHost([server.url]);
    try {
      for (const denom of ['uatom', 'uosmo', 'uatom']) {
        const { amount, height, split } = await ask('get_supply', { denom, split: true });
        if (denom === 'uatom') assert.deepEqual([amount, amountIn(split)], [height, height]);
      }
    } finally {
      await dispose();
      await server.stop();
    }
  });
});
