import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { isFields } from '../../../src/chain/fields.ts';
import { serveFile } from '../../../src/service/serve.ts';
import { addressOf, startCoinNode } from '../../fixtures/nodeSimulator/coinNode.ts';
import { chainAt, startVotingNode } from '../../fixtures/nodeSimulator/votingNode.ts';
import { valueAt } from '../../fixtures/questions.ts';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { program } from '../cli/runHere.ts';
import { startToolHost } from './toolHost.ts';

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

describe('when an answer is of', () => {
  const folder = startFolder('moments');
  after(() => folder.dispose());

  // Height and genesis time stand behind all modules then.
  const file = join(folder.path, 'sorted.json');
  const state = JSON.parse(readFileSync(sampleFile, 'utf8'));
  const { bank } = state.app_state;
  for (let n = 0; n < 20_000; n++) bank.balances.push({ address: addressOf(`${n}`, 20, 'sample'), coins: [] });
  // Latest of all that it names as past.
  const last_applied = '2026-01-01T00:00:00.123Z';
  state.app_state.inflation = { assets: { last_applied } };
  writeFileSync(file, JSON.stringify(sorted(state)));

  const inputs = {
    list_proposals: { limit: 1 },
    get_proposal: { id: 713 },
    get_supply: { limit: 1 },
    list_validators: { limit: 1 },
    get_params: { module: 'gov' },
    check_draft: { text: '{"messages": [], "deposit": "1usample"}' },
  };
  for (const [name, input] of Object.entries(inputs))
    it(`stands in the first answer of ${name} over MCP, of a state with sorted keys`, async () => {
      const client = new Client({ name: 'test', version: '1' });
      const args = [program, 'mcp', '--state', file];
      await client.connect(new StdioClientTransport({ command: process.execPath, args }));
      const { content } = await client.callTool({ name, arguments: input });
      await client.close();
      const [part] = content;
      const answer = JSON.parse(part?.type === 'text' ? part.text : '');
      assert.deepEqual([answer.height, answer.chain_id], ['4821338', 'sample-1']);
      assert.deepEqual([answer.time, answer.time_estimated_from], [last_applied, 'inflation.assets.last_applied']);
      assert.match(answer.estimated, /^the latest time in the state that is not in the future$/);
    });
});

describe('an endpoint that serves a state', () => {
  const file = startToolHost([pathToFileURL(sampleFile).href]);
  const questions = {
    list_sources: [{}, 'sources.0.time'],
    get_params: [{ module: 'staking' }, 'time'],
    get_supply: [{ denom: 'usample' }, 'height'],
    get_proposal: [{ id: 801 }, 'verdict.sentence'],
    list_validators: [{ limit: 1 }, 'time'],
  } as const;
  let served: Awaited<ReturnType<typeof serveFile>>;
  let node: ReturnType<typeof startToolHost>;
  before(async () => {
    served = await serveFile({ file: sampleFile });
    await served.ready;
    node = startToolHost([`${served.baseUrl}/chain`]);
  });
  after(async () => {
    await Promise.all([file.dispose(), node.dispose()]);
    await served.dispose();
  });

  for (const [tool, [input, path]] of Object.entries(questions))
    it(`has its height and its time in ${tool}, as the file has`, async () => {
      const expected = valueAt(await file.ask(tool, input), path);
      assert.ok(typeof expected === 'string' && !expected.includes('Voting ended'), String(expected));
      assert.equal(valueAt(await node.ask(tool, input), path), expected);
    });

  it('counts the time of an upgrade from its own time', async () => {
    const input = { id: 801, fields: 'contents' };
    const path = 'contents.0.expected_time';
    const expected = valueAt(await file.ask('get_proposal', input), path);
    assert.match(String(expected), /^2026-01-/);
    assert.equal(valueAt(await node.ask('get_proposal', input), path), expected);
  });
});

describe('a state that states little of when it is of', () => {
  const folder = startFolder('undated');
  after(() => folder.dispose());
  const askWith = async (header: object) => {
    const file = join(folder.path, 'undated.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(sampleFile, 'utf8')), ...header }));
    const host = startToolHost([pathToFileURL(file).href]);
    const answer = await host.ask('list_proposals', { status: 'voting', limit: 1 });
    await host.dispose();
    return answer;
  };

  it('is said to have no height once, and not as a node', async () => {
    const answer = await askWith({ initial_height: undefined });
    assert.equal(answer.untrusted_height_notice, undefined);
    assert.match(String(valueAt(answer, 'unknown.height')), /does not report the height/);
  });

  it('has its time also without a gov module', async () => {
    const { bank } = JSON.parse(readFileSync(sampleFile, 'utf8')).app_state;
    const file = join(folder.path, 'ungoverned.json');
    writeFileSync(file, JSON.stringify({ genesis_time: '2020-11-04T13:00:00Z', app_state: { bank, gov: null } }));
    const host = startToolHost([pathToFileURL(file).href]);
    assert.equal((await host.ask('get_supply', { limit: 1 })).time, '2020-11-04T13:00:00.000Z');
    await host.dispose();
  });

  it('has its genesis_time, if that is later than all that it names as past', async () => {
    const answer = await askWith({ genesis_time: '2099-01-01T00:00:00Z' });
    assert.deepEqual([answer.time_estimated_from, answer.time], ['genesis_time', '2099-01-01T00:00:00.000Z']);
    assert.match(String(answer.estimated), /that is not in the future: the state may be later$/);
  });
});

describe('the height that a node is asked at', () => {
  it('is the one that is named, for the tally and the supply', async () => {
    const voting = await startVotingNode();
    const coins = await startCoinNode((height) => ({
      balances: new Map([[addressOf('a'), new Map([['uatom', BigInt(height)]])]]),
    }));
    const host = startToolHost([voting.url, coins.url]);
    const proposal = await host.ask('get_proposal', { id: 1, height: 900 });
    assert.deepEqual([proposal.height, valueAt(proposal, 'tally.yes.amount')], ['900', `${chainAt(900).yes}`]);
    const supply = await host.ask('get_supply', { denom: 'uatom', source: coins.url, height: 800 });
    assert.deepEqual([supply.height, supply.amount], ['800', '800']);
    // The name of the source in an answer is asked at the same height again.
    const again = await host.ask('get_supply', { denom: 'uatom', source: supply.source });
    assert.equal(again.amount, '800');
    await Promise.all([host.dispose(), voting.stop(), coins.stop()]);
  });

  it('is refused of a state, which has one', async () => {
    const host = startToolHost([pathToFileURL(sampleFile).href]);
    const { height } = await host.ask('get_params', { module: 'gov' });
    assert.match(String(height), /^\d+$/);
    const refusal = new RegExp(`"height" is only for nodes\\. .* has one height, ${height}\\. Leave it out\\.$`);
    await assert.rejects(host.ask('get_params', { height: 5 }), refusal);
    await host.dispose();
  });
});
