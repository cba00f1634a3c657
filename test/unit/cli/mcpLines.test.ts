import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { LineTransport } from '../../../src/cli/mcp/lineTransport.ts';
import { stateFileOf } from '../../node/recording.ts';
import { serve } from '../../support/servers.ts';
import { program } from './runHere.ts';

interface Line {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly progressToken?: unknown; readonly message?: string };
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
}

const start = (...args: readonly string[]) => spawn(process.execPath, [program, 'mcp', ...args]);

/** The output until the process ends. */
async function ended(child: ChildProcessWithoutNullStreams) {
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const lines: Line[] = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { lines, error, code, answer: (id: unknown) => lines.find((line) => line.id === id && !line.method) };
}

const call = (id: number, name: string, input: object = {}) => {
  const params = { name, arguments: input, _meta: { progressToken: `token ${id}` } };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
};

describe('chain-inspector mcp, given lines', () => {
  for (const [line, id, code, message] of [
    ['no JSON', null, -32700, /^The line is not JSON: no JSON\. Send one JSON-RPC request per line$/],
    ['[1]', null, -32600, /^Multiple requests on one line are not supported\. Send one per line$/],
    ['7', null, -32600, /^The line is not a JSON-RPC 2\.0 request\. Send an object with "jsonrpc": "2\.0"/],
    ['{"id":3}', 3, -32600, /^The line is not a JSON-RPC 2\.0 request/],
    ['{"jsonrpc":"2.0","id":3,"method":"tools/call"}', 3, -32602, /needs "name", the name of a tool$/],
    [
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_supply","arguments":[1]}}',
      3,
      -32602,
      /^"arguments" of get_supply must be an object$/,
    ],
    [call(3, 'vote'), 3, -32602, /^Unknown tool: vote\. Call one of list_proposals, get_proposal, /],
  ] as const)
    it(`answers ${line.slice(0, 70)} with an error that says what is wrong, and hears the next line`, async () => {
      const child = start();
      child.stdin.end(`${line}\n${call(4, 'get_supply', { limit: 1 })}\n`);
      const { answer, error } = await ended(child);
      assert.equal(answer(id)?.error?.code, code);
      assert.match(answer(id)?.error?.message ?? '', message);
      assert.ok(answer(4)?.result);
      // No library lists its checks there.
      assert.equal(error, '');
    });

  it('answers all that was asked before the input ended, the last line without a line end too', async () => {
    const child = start('--state', stateFileOf('0.53.8'));
    child.stdin.end([1, 2, 3].map((id) => call(id, 'list_validators')).join('\n'));
    const { answer, code } = await ended(child);
    for (const id of [1, 2, 3]) assert.match(answer(id)?.result?.content?.[0]?.text ?? '', /"operator_address"/);
    assert.equal(code, 0);
  });

  it('answers with an error what is not known 20 s after the input ended, and shows until then that it lives', async function () {
    this.timeout(60_000);
    const silent = await serve(createServer(() => undefined));
    const child = start('--endpoint', `http://127.0.0.1:${silent.port}`, '--state', stateFileOf('0.53.8'));
    const begun = performance.now();
    child.stdin.end(`${call(1, 'get_supply')}\n${call(2, 'get_supply', { source: '0.53.8.state.json.gz' })}\n`);
    const { lines, answer } = await ended(child);
    const seconds = (performance.now() - begun) / 1000;
    assert.ok(seconds >= 20 && seconds < 30, `${seconds} s`);
    assert.ok(answer(1)?.result?.isError);
    assert.match(answer(1)?.result?.content?.[0]?.text ?? '', /^There is no answer yet, and the input ended 20 s ago/);
    assert.ok(!answer(2)?.result?.isError);
    const said = lines.flatMap(({ params }) => (params?.progressToken === 'token 1' ? [params.message ?? ''] : []));
    assert.deepEqual(said.slice(0, 3), [
      'Still waiting after 5 s',
      'Still waiting after 10 s',
      'Still waiting after 15 s',
    ]);
    await silent.dispose();
  });

  it('reports with the token of a call what is read for this call, and for no other', async () => {
    const server = createServer(() => undefined);
    const silent = await serve(server);
    const child = start('--endpoint', `http://127.0.0.1:${silent.port}`, '--state', stateFileOf('0.53.8'));
    const asked = once(server, 'request');
    child.stdin.write(`${call(1, 'get_supply')}\n`);
    await asked;
    child.stdin.write(`${call(2, 'get_supply', { source: '0.53.8.state.json.gz' })}\n`);
    const said: Line[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(JSON.parse(line));
      if (said.at(-1)?.id === 2) break;
    }
    const tokens = said.flatMap(({ params }) => params?.progressToken ?? []);
    assert.deepEqual(new Set(tokens), new Set(['token 2']));
    child.kill('SIGTERM');
    await once(child, 'exit');
    await silent.dispose();
  });
});

describe('the lines of a client that does not read', () => {
  it('are not read any more once 4 MiB wait for it, and all are answered when it reads', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const transport = new LineTransport(input, output);
    const [count, result] = [30_000, { content: [{ type: 'text', text: 'x'.repeat(1000) }] }];
    let heard = 0;
    transport.onmessage = (message) => {
      heard++;
      if ('id' in message && message.id !== undefined) void transport.send({ jsonrpc: '2.0', id: message.id, result });
    };
    await transport.start();
    for (let id = 0; id < count; id++) input.write(`${call(id, 'get_supply')}\n`);
    input.end();
    for (let before = -1; before !== heard; await turn()) before = heard;
    assert.ok(heard > 3000 && heard < 6000, `${heard} heard`);
    let answers = 0;
    for await (const _line of createInterface({ input: output })) if (++answers === count) break;
    assert.equal(heard, count);
    await transport.whenAnswered();
  });
});
