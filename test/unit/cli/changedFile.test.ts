import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isFields } from '../../../src/chain/fields.ts';
import { sampleFile, startFolder } from '../../support/folders.ts';
import { program } from './runHere.ts';

function writeState(file: string, chainId: string): void {
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(sampleFile, 'utf8')), chain_id: chainId }));
}

/** The program in a process of its own, with a state file of the chain `old-1`, and the lines that it writes. */
function startProgram(args: (file: string) => readonly string[]) {
  const folder = startFolder('changed');
  const file = join(folder.path, 'state.json');
  writeState(file, 'old-1');
  const child = spawn(process.execPath, [program, ...args(file)]);
  const [out, errors] = [createInterface(child.stdout), createInterface(child.stderr)];
  const firstError = once(errors, 'line').then(([line]: string[]) => line);
  /** Resolves with the line that says so. */
  const change = () => {
    writeState(file, 'new-1');
    return firstError;
  };
  const end = async () => {
    child.kill();
    await once(child, 'close');
    folder.dispose();
  };
  return { child, out: out[Symbol.asyncIterator](), change, end };
}

const said = /state\.json changed on disk\. Answers now come from the new file$/;

describe('a state file that changes while it is answered from', () => {
  it('is noticed by serve, which says so and answers from the new file', async () => {
    const { out, change, end } = startProgram((file) => ['serve', file]);
    try {
      const { value } = await out.next();
      const address = /http:\/\/\S+/.exec(String(value))?.[0];
      const chainId = async () => {
        const reply: unknown = await (await fetch(`${address}/../cosmos/base/tendermint/v1beta1/node_info`)).json();
        const info = isFields(reply) ? reply.default_node_info : undefined;
        return isFields(info) ? info.network : reply;
      };
      assert.equal(await chainId(), 'old-1');
      assert.match((await change()) ?? '', said);
      assert.equal(await chainId(), 'new-1');
    } finally {
      await end();
    }
  });

  it('is noticed by mcp, which says so and answers from the new file', async () => {
    const { child, out, change, end } = startProgram((file) => ['mcp', '--state', file]);
    try {
      const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      const clientInfo = { name: 'test', version: '1' };
      send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
      await out.next();
      const chainId = async () => {
        send({ id: 1, method: 'tools/call', params: { name: 'get_supply', arguments: { denom: 'usample' } } });
        const { value } = await out.next();
        const answer = JSON.parse(String(value));
        return JSON.parse(answer.result.content[0].text).chain_id;
      };
      assert.equal(await chainId(), 'old-1');
      assert.match((await change()) ?? '', said);
      assert.equal(await chainId(), 'new-1');
    } finally {
      await end();
    }
  });
});
