import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { CallQueue } from '../../../src/cli/mcp/callQueue.ts';
import { runs } from '../../support/random.ts';
import { serve } from '../../support/servers.ts';
import { program } from './runHere.ts';

/** The server of agents, and the answers that it writes, by their ids. */
async function startAgentServer(...args: readonly string[]) {
  const child = spawn(process.execPath, [program, 'mcp', ...args]);
  const lines = createInterface({ input: child.stdout });
  const answers = new Map<unknown, string>();
  lines.on('line', (line) => answers.set(JSON.parse(line).id, line));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const answered = async (count: number) => {
    while (answers.size < count) await once(lines, 'line');
  };
  const clientInfo = { name: 'test', version: '1' };
  send({ id: 'begin', method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  await answered(1);
  answers.clear();
  const call = (id: number | string, input: object = { limit: 1 }, name = 'get_supply') =>
    send({ id, method: 'tools/call', params: { name, arguments: input } });
  const dispose = async () => {
    // It would wait for the answers to what is under way.
    child.kill();
    await once(child, 'exit');
  };
  return { child, send, call, answers, answered, dispose };
}

describe('chain-inspector mcp, asked too much', () => {
  for (const [count, name, input] of [
    [4000, 'get_supply', { limit: 1 }],
    [runs(6000, 30_000), 'list_validators', { limit: 20 }],
  ] as const)
    it(`answers each of ${count} calls of ${name} at once: 1,008, and the others with an error that says so`, async () => {
      const server = await startAgentServer();
      for (let id = 0; id < count; id++) server.call(id, input, name);
      await server.answered(count);
      const refused = [...server.answers.values()].filter((line) => line.includes('Too many calls at once: 8 are'));
      // Some of those that run may have been answered before the last call came.
      assert.ok(refused.length > 0 && refused.length <= count - 1008, `${refused.length} refused`);
      assert.ok(refused.every((line) => line.includes('"isError":true')));
      await server.dispose();
    });

  it('goes on with the calls that wait when those before them are cancelled', async () => {
    const held: ServerResponse[] = [];
    const silent = createServer((_request, response) => held.push(response));
    const { port, dispose } = await serve(silent);
    const server = await startAgentServer('--endpoint', `http://127.0.0.1:${port}`);
    const asked = once(silent, 'request');
    for (let id = 0; id < 20; id++) server.call(id, { denom: `denom${id}` });
    await asked;
    server.send({ method: 'notifications/cancelled', params: { requestId: 15 } });
    for (let id = 0; id < 15; id++) server.send({ method: 'notifications/cancelled', params: { requestId: id } });
    // It waits behind those that are held, until they are cancelled.
    server.call('last', { limit: 0 });
    await server.answered(1);
    assert.deepEqual([...server.answers.keys()], ['last']);
    await server.dispose();
    await dispose();
  });

  for (const [place, line] of [
    ['first', (text: string) => `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"text":"${text}"}}`],
    ['last', (text: string) => `{"method":"tools/call","params":{"text":"${text}"},"jsonrpc":"2.0","id":7}`],
  ] as const)
    it(`answers a line over 10 MiB with an error, its id ${place}, and hears the next line`, async () => {
      const server = await startAgentServer();
      server.child.stdin.write(`${line('x'.repeat(10 * 1024 * 1024))}\n`);
      server.call(8);
      await server.answered(2);
      assert.match(server.answers.get(7) ?? '', /"error":.*The line is longer than 10485760 bytes/);
      assert.match(server.answers.get(8) ?? '', /"result":/);
      await server.dispose();
    });

  it('reads a line of just under 10 MiB', async () => {
    const server = await startAgentServer();
    server.call(1, { source: 'x'.repeat(10 * 1024 * 1024 - 300) });
    await server.answered(1);
    assert.match(server.answers.get(1) ?? '', /is not a source that can be queried/);
    await server.dispose();
  });
});

describe('a queue of calls', () => {
  it('runs so many at once, in order, refuses the next beyond its places, and frees the place of a canceled one', async () => {
    const queue = new CallQueue(1, 2);
    const { signal } = new AbortController();
    const begun: string[] = [];
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const first = queue.run(signal, async () => held);
    const cancelling = new AbortController();
    const second = queue.run(cancelling.signal, async () => void begun.push('second'));
    const third = queue.run(signal, async () => void begun.push('third'));
    await assert.rejects(
      queue.run(signal, async () => undefined),
      /^Error: Too many calls at once: 1 are/,
    );
    cancelling.abort(new Error('enough'));
    await assert.rejects(second, /enough/);
    const fourth = queue.run(signal, async () => void begun.push('fourth'));
    end();
    await Promise.all([first, third, fourth]);
    assert.deepEqual(begun, ['third', 'fourth']);
  });
});
