import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serveFile } from '../../../src/service/serve.ts';
import { addressOf, startCoinNode } from '../../fixtures/nodeSimulator/coinNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { runHere } from '../cli/runHere.ts';
import { startToolHost } from './toolHost.ts';

describe('what get_supply says of the stake of a holder', () => {
  it('is in display units, if these are known, with no hint that they are not', async () => {
    const { staking } = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state;
    const [{ delegator_address: holder }] = staking.delegations;
    const { ask, dispose } = startToolHost(['']);
    const answer = await ask('get_supply', { denom: 'usample', holder });
    await dispose();
    const [first] = Object(valueAt(answer, 'holder.delegations'));
    assert.equal(Number(first.display_amount) * 1e6, Number(first.amount));
    assert.equal(valueAt(answer, 'unknown.display_amount'), undefined);
  });
});

describe('what get_supply says of a holder without a denom', () => {
  const { bank } = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state;
  const owner = bank.balances.find(({ coins }: { coins: unknown[] }) => coins.length > 25);
  const held: readonly string[] = owner.coins.map(({ denom, amount }: Record<string, string>) => `${denom} ${amount}`);
  const coinsIn = (rows: unknown): readonly string[] =>
    Object(rows).map(({ untrusted_denom: denom, amount }: Record<string, string>) => `${denom} ${amount}`);
  const folder = startFolder('holder');
  after(() => folder.dispose());

  it('is every denom that it holds, of a state and of what serves it, page by page', async () => {
    const served = await serveFile({ file: sampleFile });
    const url = `http://127.0.0.1:${served.port}/chain`;
    const { ask, dispose } = startToolHost(['', url]);
    for (const source of ['Sample chain', url]) {
      const first = await ask('get_supply', { source, holder: owner.address });
      assert.deepEqual([valueAt(first, 'metadata.total'), first.supply], [held.length, undefined]);
      const key = valueAt(first, 'metadata.next_key');
      const second = await ask('get_supply', { source, holder: owner.address, key });
      const all = [first, second].flatMap(({ balances }) => coinsIn(balances));
      assert.deepEqual(all.toSorted(), held.toSorted());
      assert.match(String(first.notice), /Balances only/);
    }
    await dispose();
    await served.dispose();
  });

  it('is found by text and sorted like the supply', async () => {
    const { ask, dispose } = startToolHost(['']);
    const input = { holder: owner.address, text: 'factory', sort: 'amount', limit: 100 };
    const { balances } = await ask('get_supply', input);
    await dispose();
    const amounts = held.filter((coin) => coin.startsWith('factory')).map((coin) => BigInt(coin.split(' ')[1] ?? ''));
    const found = coinsIn(balances).map((coin) => BigInt(coin.split(' ')[1] ?? ''));
    assert.ok(found.length > 2);
    assert.deepEqual(
      found,
      amounts.toSorted((a, b) => (a < b ? 1 : -1)),
    );
  });

  it('is asked of a node by its own list', async () => {
    const address = addressOf('a');
    const node = await startCoinNode(() => ({ balances: new Map([[address, new Map([['uatom', 5n]])]]) }));
    const { ask, dispose } = startToolHost([node.url]);
    assert.deepEqual(coinsIn((await ask('get_supply', { holder: address })).balances), ['uatom 5']);
    await dispose();
    await node.stop();
  });

  it('is an error where the state lists no balances', async () => {
    const file = join(folder.path, 'bare.json');
    writeFileSync(file, JSON.stringify({ app_state: { bank: { supply: [{ denom: 'ua', amount: '1' }] } } }));
    const { ask, dispose } = startToolHost([pathToFileURL(file).href]);
    await assert.rejects(ask('get_supply', { holder: addressOf('a') }), /does not list account balances\./);
    await dispose();
  });

  it('is what the command line lists with --of alone', async () => {
    const { out, code } = await runHere(['supply', '--of', owner.address, '--all', '--tsv', '--state', sampleFile]);
    assert.equal(code, 0);
    assert.equal(out.trimEnd().split('\n').length, held.length + 1);
  });
});
