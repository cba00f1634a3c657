import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFileOf } from '../../node/recording.ts';
import { notImplemented } from '../../support/chainReplies.ts';
import { projectFolder, startFolder } from '../../support/folders.ts';
import { startEchoServer } from '../../support/servers.ts';
import { draft } from '../draft/exampleDrafts.ts';
import { startToolHost } from '../tools/toolHost.ts';
import { runHere } from './runHere.ts';

const state = stateFileOf('0.53.8');

describe('the command line', () => {
  it('exits with 1 for a denom that there is not, with the answer that says so', async () => {
    for (const from of [[], ['--state', state]]) {
      const { out, error, code } = await runHere(['supply', 'nosuch', ...from]);
      assert.deepEqual([code, error], [1, '']);
      assert.match(out, /^Notice: There are no coins of this denom on the chain\.$/m);
      const json = await runHere(['supply', 'nosuch', '--json', ...from]);
      assert.deepEqual([json.code, JSON.parse(json.out).amount], [1, '0']);
    }
    assert.equal((await runHere(['supply', 'stake', '--state', state])).code, 0);
  });

  const wrong: readonly (readonly [args: readonly string[], sentence: RegExp])[] = [
    [['proposals', '--voter', 'abc'], /^"voter" is not an address, and no validator has this moniker\.\n/],
    [['proposals', '--key', 'garbage'], /^"key" must be the "next_key" of the previous answer, unchanged\.\n/],
    [['supply', '--key', 'garbage'], /^"key" must be the "next_key"/],
    [['validators', '--key', 'garbage'], /^"key" must be the "next_key"/],
    [['proposals', '--key', '1.zzz'], /^"key" must be the "next_key"/],
    [['proposal', '0'], /^"id" must be a proposal ID, such as "42"\.\n/],
    [['proposal', '9'.repeat(30)], /^"id" must be a proposal ID/],
    [
      ['proposals', '--text', 'x'.repeat(201)],
      /^"text" of list_proposals must be a string of at most 200 characters\.\n/,
    ],
    [
      ['validators', '--text', 'x'.repeat(201)],
      /^"text" of list_validators must be a string of at most 200 characters\.\n/,
    ],
  ];
  for (const [args, sentence] of wrong)
    it(`exits with 64 and the usage for ${args.join(' ').slice(0, 40)}`, async () => {
      for (const from of [[], ['--state', state]]) {
        const { out, error, code } = await runHere([...args, ...from]);
        assert.deepEqual([out, code], ['', 64], error);
        assert.match(error, sentence);
        assert.match(error, /^Usage: chain-inspector /m);
      }
    });

  it('takes no empty endpoint or file for the sample chain', async () => {
    for (const command of [
      ...[
        ['proposals'],
        ['proposal', '1'],
        ['votes', '1'],
        ['supply'],
        ['holders', 'stake'],
        ['validators'],
        ['params'],
      ],
      ...[['check', 'x.json'], ['mcp']],
    ])
      for (const option of ['endpoint', 'state'])
        for (const value of ['', ' ']) {
          const { out, error, code } = await runHere([...command, `--${option}`, value]);
          assert.deepEqual([out, code], ['', 64]);
          assert.match(error, new RegExp(`^--${option} is empty\\.\\nUsage: chain-inspector ${command[0]} `));
        }
  });
});

describe('a redirect to an origin that was not given', () => {
  const folder = startFolder('redirects');
  let other: Awaited<ReturnType<typeof startEchoServer>>;
  let given: Awaited<ReturnType<typeof startEchoServer>>;
  before(async () => {
    other = await startEchoServer();
    given = await startEchoServer(({ url = '/' }, response) => {
      const isInside = url.startsWith('/inside');
      const location = isInside ? url.replace('/inside', '/answer') : `${other.origin}${url}`;
      if (url.startsWith('/answer')) response.writeHead(501).end(notImplemented.body);
      else response.writeHead(307, { location }).end();
    });
  });
  after(async () => {
    await given.dispose();
    await other.dispose();
    folder.dispose();
  });

  it('is an error of every command that names the origin, and nothing is asked there', async () => {
    const file = join(folder.path, 'draft.json');
    writeFileSync(file, draft({}));
    const commands = [
      ['proposals'],
      ['proposal', '1'],
      ['supply'],
      ['supply', 'stake'],
      ['validators'],
      ['params'],
      ['votes', '1'],
      ['holders', 'stake'],
      ['check', file],
    ];
    for (const command of commands) {
      const { out, error, code } = await runHere([...command, '--endpoint', given.origin]);
      assert.deepEqual([out, code], ['', 2], error);
      const said = `It redirects to another address, ${other.origin}. Only configured addresses are contacted`;
      assert.ok(error.includes(said), `${command.join(' ')}: ${error}`);
    }
    assert.deepEqual(other.seen.length, 0);
  });

  it('is followed where it stays at the origin', async () => {
    const { error, code } = await runHere(['supply', '--endpoint', `${given.origin}/inside`]);
    assert.equal(code, 2);
    assert.doesNotMatch(error, /redirects/);
    assert.ok(given.seen.some(({ url }) => url?.startsWith('/answer')));
  });

  it('is followed in the editor as before', async () => {
    const host = startToolHost([given.origin]);
    await host.ask('get_supply').catch(() => undefined);
    await host.dispose();
    assert.ok(other.seen.length > 0);
  });
});

describe('npm run cli', () => {
  it('hands its input to the server of agents, which answers and ends with it', async function () {
    if (process.platform === 'win32') this.skip();
    const child = spawn(process.execPath, [join(projectFolder, 'test/support/run.mjs'), 'cli', 'mcp']);
    const ended = once(child, 'exit');
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const [line]: unknown[] = await Promise.race([once(child.stdout, 'data'), ended]);
    assert.match(String(line), /^\{"jsonrpc":"2.0","id":1,"result"|"serverInfo"/);
    child.stdin.end();
    assert.deepEqual(await ended, [0, null]);
  });
});
