import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type ServedState, serveFile } from '../../../src/service/serve.ts';
import { startQuestions, valueAt } from '../../fixtures/questions.ts';
import { stateFileOf } from '../../node/recording.ts';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { serve } from '../../support/servers.ts';
import { smallState } from '../service/smallState.ts';
import { startToolHost } from '../tools/toolHost.ts';
import { program } from './runHere.ts';

const state = stateFileOf('0.53.8');

async function connect(...args: readonly string[]) {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', ...args] });
  await client.connect(transport);
  // The client drops a notification that it reads together with the answer.
  const received: JSONRPCMessage[] = [];
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    received.push(message);
    onmessage?.(message);
  };
  /** The answer of a tool: its JSON, or the sentence of an error. */
  const ask = async (name: string, input: Record<string, unknown> = {}, options = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: input }, options);
    assert.equal(content.length, 1);
    const [part] = content;
    assert.equal(part?.type, 'text');
    const written = part?.type === 'text' ? part.text : '';
    if (isError) return written;
    const answer: Readonly<Record<string, unknown>> = JSON.parse(written);
    return answer;
  };
  return { client, ask, received, pid: transport.pid, [Symbol.asyncDispose]: () => client.close() };
}

/** The parameters of each progress notification. */
function progressIn(received: readonly JSONRPCMessage[]): readonly Readonly<Record<string, unknown>>[] {
  return received.flatMap((message) =>
    'method' in message && message.method === 'notifications/progress' ? [message.params ?? {}] : [],
  );
}

/** An endpoint that takes requests and never answers. */
async function startSilent() {
  const server = createServer((request) => {
    server.emit('asked', request.url);
    request.socket.once('close', () => server.emit('left'));
  });
  const { port, dispose } = await serve(server);
  return { server, origin: `http://127.0.0.1:${port}`, dispose };
}

describe('chain-inspector mcp', () => {
  let shared: Awaited<ReturnType<typeof connect>>;
  let silent: Awaited<ReturnType<typeof startSilent>>;
  let served: ServedState;
  before(async () => {
    silent = await startSilent();
    served = await serveFile({ file: state });
    await served.ready;
    const endpoints = ['--endpoint', silent.origin, '--endpoint', served.baseUrl];
    shared = await connect('--state', state, '--state', sampleFile, ...endpoints);
  });
  after(async () => {
    await shared.client.close();
    await served.dispose();
    await silent.dispose();
  });

  // Before any other question, as the file is read once.
  it('reports first how much of a state file was read', async () => {
    await shared.ask('get_supply', {}, { onprogress: () => undefined });
    const said = progressIn(shared.received.splice(0)).map(({ message }) => String(message));
    assert.match(said[0] ?? '', /^[1-9]\d* % of 0\.53\.8\.state\.json\.gz read$/);
    assert.match(said.at(-1) ?? '', /^\d+ rows read$/);
  });

  it('lists the tools with their schemas, all of them read-only', async () => {
    const { tools } = await shared.client.listTools();
    const names = [
      'list_proposals',
      'get_proposal',
      'get_supply',
      'list_validators',
      'get_params',
      'compare_sources',
      'check_draft',
      'list_sources',
    ];
    assert.deepEqual(
      tools.map(({ name }) => name),
      names,
    );
    for (const { annotations, inputSchema, description } of tools) {
      assert.equal(annotations?.readOnlyHint, true);
      assert.equal(inputSchema.type, 'object');
      assert.ok(description && description.length > 50);
    }
    assert.match(shared.client.getServerVersion()?.version ?? '', /^\d+\.\d+\.\d+$/);
    assert.match(shared.client.getInstructions() ?? '', /untrusted_/);
  });

  it('answers as the tools do, of the first source where none is named', async () => {
    const host = startToolHost([pathToFileURL(state).href, pathToFileURL(sampleFile).href]);
    try {
      for (const [name, input] of [
        ['list_proposals', { status: 'passed' }],
        ['get_supply', { denom: 'stake' }],
        ['get_supply', { source: 'sampleChain.json', limit: 3 }],
        ['compare_sources', { left: '0.53.8.state.json.gz', right: 'sampleChain.json', what: 'supply' }],
      ] as const)
        assert.deepEqual(await shared.ask(name, input), JSON.parse(JSON.stringify(await host.ask(name, input))));
    } finally {
      await host.dispose();
    }
  });

  for (const name of ['list_proposals', 'list_validators', 'get_supply'])
    it(`states height and time with its first answer of a file whose keys are sorted: ${name}`, async () => {
      const folder = startFolder('sorted');
      const file = join(folder.path, 'state.json');
      const balances = Array.from({ length: 50_000 }, (_, at) => ({ address: `a${at}`, coins: [] }));
      const { app_state } = smallState();
      const { bank, gov, staking } = app_state;
      const modules = { bank: { ...bank, balances: [...balances, ...bank.balances] }, gov, staking };
      const header = { chain_id: 'c', genesis_time: '2024-01-09T00:00:00Z', initial_height: '9' };
      writeFileSync(file, JSON.stringify({ app_state: modules, ...header }));
      try {
        await using sorted = await connect('--state', file);
        const { height, time, time_estimated_from: from } = Object(await sorted.ask(name));
        assert.deepEqual([height, time, from], ['8', '2024-01-09T00:00:00.000Z', 'genesis_time']);
      } finally {
        folder.dispose();
      }
    });

  it('answers questions as they stand in the sources, of a second client', async () => {
    const { addresses, questions, dispose } = await startQuestions();
    try {
      // The sample chain is asked where nothing is given; beside others it is given as its file.
      const given = addresses.map((address) =>
        address === ''
          ? `--state=${sampleFile}`
          : address.startsWith('file:')
            ? `--state=${fileURLToPath(address)}`
            : `--endpoint=${address}`,
      );
      await using one = await connect(...given);
      for (const { text, tool, input, path, expected } of questions)
        assert.deepEqual(valueAt(await one.ask(tool, input), path), expected, text);
      assert.ok(questions.length >= 44);
      // Two clients are served by two processes.
      assert.notEqual(one.pid, shared.pid);
      assert.notDeepEqual(...(await Promise.all([one.ask('get_supply'), shared.ask('get_supply')])));
    } finally {
      await dispose();
    }
  });

  it('says what is wrong with a question, and what to ask instead', async () => {
    assert.match(String(await shared.ask('list_proposals', { limit: 0 })), /"limit" of list_proposals must be/);
    assert.match(
      String(await shared.ask('get_proposal', { id: '99999' })),
      /has no proposal 99999\. To see which exist, call list_proposals/,
    );
    await assert.rejects(shared.client.callTool({ name: 'vote' }), /Unknown tool: vote/);
  });

  it('asks no address that was not given', async () => {
    const other = await startSilent();
    let asked = 0;
    other.server.on('request', () => asked++);
    const refused = await shared.ask('get_supply', { source: other.origin });
    assert.match(String(refused), /is not a source that can be queried\. Use one of these as "source": /);
    assert.match(String(await shared.ask('get_supply', { source: pathToFileURL(program).href })), /is not a source/);
    await other.dispose();
    assert.equal(asked, 0);
  });

  it('reports how many rows were read to a client that asks for it', async () => {
    const input = { left: '0.53.8.state.json.gz', right: 'sampleChain.json' };
    await shared.ask('compare_sources', input, { onprogress: () => undefined });
    const reported = progressIn(shared.received).map(({ progress }) => Number(progress));
    assert.ok(reported.length > 1, `${reported}`);
    assert.deepEqual(
      reported,
      [...new Set(reported)].sort((a, b) => a - b),
    );
  });

  it('ends what is asked of a source when the client cancels, and goes on', async () => {
    const stopping = new AbortController();
    const asked = once(silent.server, 'asked');
    const left = once(silent.server, 'left');
    const asking = shared.ask('list_proposals', { source: silent.origin }, { signal: stopping.signal });
    asking.catch(() => undefined);
    await asked;
    stopping.abort(new Error('enough'));
    await assert.rejects(asking);
    await left;
    assert.equal(typeof (await shared.ask('get_supply')), 'object');
  });

  it('answers with an error when a source dies, and of the others as before', async () => {
    const source = served.baseUrl;
    assert.equal(typeof (await shared.ask('get_supply', { source })), 'object');
    await served.dispose();
    const refused = await shared.ask('get_supply', { source });
    assert.match(String(refused), /^Could not read .*: Connection refused\./);
    assert.equal(typeof (await shared.ask('get_supply')), 'object');
  });

  // At the end of the input it goes on until what was asked is answered: mcpLines.test.ts.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`ends by itself on ${signal}, whatever is under way`, async function () {
      if (process.platform === 'win32') this.skip();
      const silent = await startSilent();
      const child = spawn(process.execPath, [program, 'mcp', '--endpoint', silent.origin, '--state', state]);
      const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      const asked = once(silent.server, 'asked');
      const request = (id: number, method: string, params: object) =>
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      const clientInfo = { name: 'test', version: '1' };
      request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
      child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\nno JSON\n');
      request(2, 'tools/call', { name: 'get_supply', arguments: {} });
      await asked;
      child.kill(signal);
      const [out, , [code]] = await ended;
      assert.equal(code, 0);
      // Nothing but messages goes to stdout.
      for (const line of out.trimEnd().split('\n')) assert.equal(JSON.parse(line).jsonrpc, '2.0');
      await silent.dispose();
    });
});
