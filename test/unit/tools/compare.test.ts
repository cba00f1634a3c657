import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serveFile } from '../../../src/service/serve.ts';
import { addressOf, startCoinNode } from '../../fixtures/nodeSimulator/coinNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { serve } from '../../support/servers.ts';
import { startToolHost } from './toolHost.ts';

describe('what compare_sources answers', () => {
  const folder = startFolder('compare');
  const file = join(folder.path, 'other.json');
  const state = JSON.parse(readFileSync(sampleFile, 'utf8'));
  const { bank, gov, staking, distribution } = state.app_state;
  for (const coin of bank.supply) coin.amount = `${BigInt(coin.amount) + 1n}`;
  const [first, second] = staking.validators;
  first.tokens = '1';
  second.jailed = true;
  staking.params.max_validators += 1;
  distribution.params.community_tax = '0.5';
  gov.params.quorum = '0.99';
  writeFileSync(file, JSON.stringify(state));
  const right = pathToFileURL(file).href;
  const { ask, dispose } = startToolHost([pathToFileURL(sampleFile).href, right]);
  const sides = { left: pathToFileURL(sampleFile).href, right };
  after(async () => {
    await dispose();
    folder.dispose();
  });

  it('is every difference, page by page', async () => {
    const whole = await ask('compare_sources', { ...sides, limit: 200 });
    const found: unknown[] = [];
    let key: unknown;
    do {
      const answer = await ask('compare_sources', { ...sides, limit: 7, key });
      const rows = valueAt(answer, 'differences');
      assert.ok(Array.isArray(rows) && rows.length <= 7);
      for (const row of rows) found.push(row);
      key = valueAt(answer, 'metadata.next_key');
    } while (key !== null);
    assert.equal(found.length, bank.supply.length + 5);
    assert.equal(new Set(found.map((row) => valueAt(row, 'untrusted_key'))).size, found.length);
    assert.deepEqual([valueAt(whole, 'metadata.total'), valueAt(whole, 'metadata.truncated')], [found.length, true]);
  });

  it('says that what it does not hold was not compared, where two states differ in nothing else', async () => {
    const voted = JSON.parse(readFileSync(sampleFile, 'utf8'));
    assert.ok(voted.app_state.gov.votes.length > 0 && voted.app_state.bank.balances.length > 1);
    voted.app_state.gov.votes = [];
    const other = join(folder.path, 'voted.json');
    writeFileSync(other, JSON.stringify(voted));
    const host = startToolHost([sides.left, pathToFileURL(other).href]);
    const answer = await host.ask('compare_sources', { left: sides.left, right: pathToFileURL(other).href });
    assert.deepEqual(answer.differences, []);
    assert.deepEqual(answer.not_compared, [
      'votes, tallies and deposits of proposals, and what they would do',
      'balances, delegations and vesting of accounts',
    ]);
    await host.dispose();
  });

  it('is the parameters of all modules, each in one form', async () => {
    const answer = await ask('compare_sources', { ...sides, what: 'params' });
    const rows = valueAt(answer, 'differences');
    assert.ok(Array.isArray(rows));
    assert.deepEqual(
      rows.map((row) => [row.untrusted_key, row.untrusted_right]),
      [
        ['distribution.community_tax', '0.5'],
        ['gov.quorum', '0.99'],
        ['staking.max_validators', `${staking.params.max_validators}`],
      ],
    );
  });

  it('is only the parameters of modules that are named', async () => {
    const answer = await ask('compare_sources', { ...sides, module: 'Gov, staking' });
    assert.deepEqual(valueAt(answer, 'differences.*.untrusted_key'), ['gov.quorum', 'staking.max_validators']);
    assert.deepEqual(Object.keys(Object(answer.counts)), ['params']);
    await assert.rejects(
      ask('compare_sources', { ...sides, module: 'gov', what: 'supply' }),
      /"module" applies only to param/,
    );
  });

  it('is the community pool, and proposals by the words of other answers', async () => {
    const other = JSON.parse(readFileSync(sampleFile, 'utf8'));
    const { distribution: funds, gov: votes } = other.app_state;
    const [coin] = funds.fee_pool.community_pool;
    const before = coin.amount.replace(/\..*/, '');
    coin.amount = `${BigInt(before) + 7n}.250000000000000000`;
    votes.proposals[0].status = 'PROPOSAL_STATUS_VOTING_PERIOD';
    const path = join(folder.path, 'funded.json');
    writeFileSync(path, JSON.stringify(other));
    const host = startToolHost([sides.left, pathToFileURL(path).href]);
    const input = { left: sides.left, right: pathToFileURL(path).href };
    const pool = await host.ask('compare_sources', { ...input, what: 'community_pool' });
    const proposals = await host.ask('compare_sources', { ...input, what: 'proposals' });
    await host.dispose();
    assert.equal(valueAt(pool, 'differences.0.difference'), '7');
    assert.deepEqual(valueAt(pool, 'differences.*.untrusted_left'), [before]);
    assert.deepEqual(valueAt(proposals, 'differences.*.untrusted_right'), ['voting']);
  });

  it('is the validators that differ, with how much more they have', async () => {
    const rows = valueAt(await ask('compare_sources', { ...sides, what: 'validators' }), 'differences');
    assert.ok(Array.isArray(rows));
    const by = new Map(rows.map((row) => [row.untrusted_key, row]));
    assert.deepEqual([...by.keys()].sort(), [first.operator_address, second.operator_address].sort());
    assert.match(by.get(first.operator_address).difference, /^-\d+$/);
    assert.match(by.get(second.operator_address).untrusted_right, /, jailed, /);
    assert.equal(by.get(second.operator_address).difference, '0');
  });

  it('is the same of a node, at the heights that both pages state', async () => {
    const served = await serveFile({ file });
    await served.ready;
    const host = startToolHost([`${served.baseUrl}/chain`, pathToFileURL(sampleFile).href]);
    const input = { left: sides.left, right: `${served.baseUrl}/chain`, limit: 60 };
    const ofNode = await host.ask('compare_sources', input);
    const expected = await ask('compare_sources', { ...sides, limit: 60 });
    assert.deepEqual(ofNode.counts, expected.counts);
    assert.deepEqual(ofNode.differences, expected.differences);
    await host.dispose();
    await served.dispose();
  });

  it('is what changed on a node between two of its blocks', async () => {
    const node = await startCoinNode((height) => ({
      balances: new Map([[addressOf('a'), new Map([['uatom', BigInt(height)]])]]),
    }));
    const host = startToolHost([node.url]);
    const input = { left: `${node.url}#height=800`, right: `${node.url}#height=900`, what: 'supply' };
    const answer = await host.ask('compare_sources', input);
    assert.deepEqual([valueAt(answer, 'left.height'), valueAt(answer, 'right.height')], ['800', '900']);
    assert.equal(valueAt(answer, 'differences.0.difference'), '100');
    const named = { left: node.url, left_height: 800, right_height: 900, what: 'supply' };
    const same = await host.ask('compare_sources', named);
    assert.deepEqual(same, answer);
    await assert.rejects(host.ask('compare_sources', { left: node.url }), /needs "right", or two different heights/);
    await host.dispose();
    await node.stop();
    await assert.rejects(
      ask('compare_sources', { ...sides, right_height: 7 }),
      /^ToolError: "right_height" is only for nodes\. other\.json has one height.* Leave it out\.$/,
    );
  });

  it('is an error that names the side that failed', async () => {
    const broken = await serve(createServer((request) => request.socket.destroy()));
    const bad = `http://127.0.0.1:${broken.port}`;
    const host = startToolHost([bad, '']);
    for (const what of [undefined, 'validators'])
      for (const input of [
        { left: bad, right: 'Sample chain', what },
        { left: 'Sample chain', right: bad, what },
      ])
        await assert.rejects(host.ask('compare_sources', input), {
          name: 'ToolError',
          message: new RegExp(`^Could not read 127\\.0\\.0\\.1:${broken.port}`),
        });
    await host.dispose();
    await broken.dispose();
  });
});
