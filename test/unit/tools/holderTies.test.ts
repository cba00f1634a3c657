import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addressOf, startCoinNode } from '../../fixtures/nodeSimulator/coinNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { startFolder } from '../../support/folders.ts';
import { runHere } from '../cli/runHere.ts';
import { startToolHost } from './toolHost.ts';

describe('the largest holders of which several hold as much as the last one', () => {
  /** 9, 8, 7 and six times 5, then 1. */
  const amounts = [9n, 8n, 7n, 5n, 5n, 5n, 5n, 5n, 5n, 1n];
  const held = amounts.map((amount, at) => [addressOf(`holder ${at}`), amount] as const);
  const folder = startFolder('ties');
  const file = join(folder.path, 'state.json');
  const balances = held.map(([address, amount]) => ({ address, coins: [{ denom: 'ua', amount: `${amount}` }] }));
  writeFileSync(file, JSON.stringify({ app_state: { bank: { balances } } }));
  after(() => folder.dispose());

  const tiesOf = async (source: string, holders: number) => {
    const { ask, dispose } = startToolHost([source]);
    const answer = await ask('get_supply', { denom: 'ua', holders });
    await dispose();
    return [Object(valueAt(answer, 'largest_holders')).length, answer.more_holders_with_last_amount];
  };

  it('are followed by the number of the others, of a state and of a node', async () => {
    const coins = new Map(held.map(([address, amount]) => [address, new Map([['ua', amount]])]));
    const node = await startCoinNode({ balances: coins, listsOwners: true });
    for (const source of [pathToFileURL(file).href, node.url]) {
      assert.deepEqual(await tiesOf(source, 4), [4, 5]);
      assert.deepEqual(await tiesOf(source, 8), [8, 1]);
      assert.deepEqual(await tiesOf(source, 3), [3, undefined]);
      assert.deepEqual(await tiesOf(source, 9), [9, undefined]);
    }
    await node.stop();
  });

  it('are counted where there are hundreds', async () => {
    const many = Array.from({ length: 450 }, (_, at) => ({
      address: addressOf(`one of many ${at}`),
      coins: [{ denom: 'ua', amount: '5' }],
    }));
    const large = join(folder.path, 'large.json');
    writeFileSync(large, JSON.stringify({ app_state: { bank: { balances: [...many, ...balances] } } }));
    assert.deepEqual(await tiesOf(pathToFileURL(large).href, 10), [10, 450 + 6 - 7]);
  });

  it('are said by the command line, too', async () => {
    const { out } = await runHere(['holders', 'ua', '--limit', '4', '--state', file]);
    assert.match(out, /^Notice: 5 more hold the same amount as the last one\.$/m);
  });
});
