import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addressOf } from '../../fixtures/nodeSimulator/coinNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { startFolder } from '../../support/folders.ts';
import { startToolHost } from './toolHost.ts';

describe('a hundred holders in the answer of get_supply', () => {
  const amounts = Array.from({ length: 150 }, (_, at) => `${10n ** 60n - BigInt(at)}`);
  const balances = amounts.map((amount, at) => ({ address: addressOf(`h${at}`), coins: [{ denom: 'ua', amount }] }));
  const folder = startFolder('holders');
  const file = join(folder.path, 'state.json');
  writeFileSync(file, JSON.stringify({ app_state: { bank: { balances, supply: [] } } }));
  const { ask, dispose } = startToolHost([pathToFileURL(file).href]);
  after(async () => {
    await dispose();
    folder.dispose();
  });

  it('are as many as fit, and a key to the others', async () => {
    const first = await ask('get_supply', { denom: 'ua', holders: 100 });
    assert.equal(first.left_out, undefined);
    assert.ok(JSON.stringify(first).length <= 24_000);
    const shown: readonly unknown[] = Object(valueAt(first, 'largest_holders.*.amount'));
    assert.ok(shown.length > 20 && shown.length < 100, `${shown.length} holders`);
    assert.deepEqual(
      ['total', 'returned', 'truncated'].map((name) => valueAt(first, `metadata.${name}`)),
      [100, shown.length, true],
    );
    const key = valueAt(first, 'metadata.next_key');
    const second = await ask('get_supply', { denom: 'ua', holders: 100, key });
    assert.deepEqual([...shown, ...Object(valueAt(second, 'largest_holders.*.amount'))], amounts.slice(0, 100));
    assert.deepEqual([valueAt(second, 'metadata.next_key'), second.split], [null, undefined]);
  });

  it('say nothing of pages where they fit', async () => {
    const { metadata, largest_holders: holders } = await ask('get_supply', { denom: 'ua', holders: 20 });
    assert.deepEqual([metadata, Object(holders).length], [undefined, 20]);
  });
});
