import { strict as assert } from 'node:assert';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseBaseUrl } from '../../../src/api/baseUrl.ts';
import { openNode } from '../../../src/api/open.ts';
import { type ReportContext, testConnection } from '../../../src/reads/testConnection.ts';
import { serveFile } from '../../../src/service/serve.ts';
import { type Source, toSource } from '../../../src/session/source.ts';
import { causeText } from '../../../src/words/errorWords.ts';
import { plainEnglish } from '../../../src/words/language.ts';
import { startNode } from '../../fixtures/nodeSimulator/simulatedNode.ts';
import { sampleCoins, textProposal } from '../../fixtures/nodeSimulator/simulatorState.ts';
import { notImplemented } from '../../support/chainReplies.ts';
import { sampleFile } from '../../support/folders.ts';
import { startEchoServer } from '../../support/servers.ts';

/** The text that Test Connection shows for what is open at `baseUrl`. */
async function tested(baseUrl: string, source: Source, more: Partial<ReportContext> = {}): Promise<string> {
  const node = openNode({ baseUrl: parseBaseUrl(baseUrl), limits: { request: 20_000 } });
  try {
    const rest = { credential: undefined, notices: [], extension: 'chain-inspector 1, VS Code 2', ...more };
    return (await testConnection({ source, node, ...rest }, new AbortController().signal)).text;
  } finally {
    await node.dispose();
  }
}

describe('Test Connection', () => {
  it('says what was found of a node', async () => {
    const state = {
      chainId: 'sim-1',
      height: 500n,
      coins: sampleCoins(5),
      proposals: [textProposal(1n, 3), textProposal(2n, 2)],
    };
    const node = await startNode({ era: '0.47', state });
    const text = await tested(node.url, toSource(node.url, new Map(), ''), {
      credential: { name: 'x-api-key', value: 'sim-1' },
    });
    await node.stop();
    for (const line of [
      `Connection to ${node.url}`,
      'header           x-api-key (its value is kept secret)',
      'path segment     cosmos',
      'chain id         ***',
      'SDK version      v0.47.5',
      'height           500',
      'supply of denom  byDenom',
      'status filter    number',
      'height pinning   yes',
    ])
      assert.ok(text.split('\n').includes(line), `${line}\n\n${text}`);
    assert.match(text, /^answered {9}11 of 11 requests$/m);
    assert.match(text, /^latency {10}\d+ ms \(median\)$/m);
    assert.match(text, /^ok {3,}\d+ ms {2}total supply: 1 row$/m);
    assert.match(text, /^ok {3,}\d+ ms {2}total supply at height 500: the same height$/m);
    assert.match(text, /^ok {3,}\d+ ms {2}staking pool: not available$/m);
  });

  it('says of a web page that it is no node', async () => {
    const server = await startEchoServer((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' });
      response.end('<html><h1>404 Not Found</h1></html>');
    });
    const text = await tested(server.origin, toSource(server.origin, new Map(), ''));
    await server.dispose();
    assert.match(text, /^result {11}not a node: neither supply nor proposals could be read$/m);
    assert.match(text, /^answered {9}0 of 2 requests$/m);
    assert.doesNotMatch(text, /^ok/m);
  });

  it('names a state file without its folder or a port, and says unknown of what it does not know', async () => {
    const service = await serveFile({ file: sampleFile });
    await service.ready;
    const source = toSource('file:///home/somebody/exported/genesis.json', new Map(), '');
    const text = await tested(service.baseUrl, source, { notices: ['balances differ'] });
    await service.dispose();
    assert.match(text, /^Connection to the state file genesis\.json$/m);
    assert.match(text, /^notice {11}balances differ$/m);
    assert.match(text, /^SDK version {6}unknown$/m);
    assert.doesNotMatch(text, /somebody|127\.0\.0\.1/);
  });

  it('asks an endpoint that is not there once, and says so', async () => {
    const server = await startEchoServer();
    await server.dispose();
    const text = await tested(server.origin, toSource(server.origin, new Map(), ''));
    assert.match(text, /^answered {9}0 of 1 requests$/m);
    assert.match(text, /^FAIL .*node info: 127\.0\.0\.1:\d+ refuses connections.*\n {15}GET http:\S+node_info$/m);
  });
});

describe('the result of Test Connection', () => {
  const json = { 'content-type': 'application/json' };
  const supply = '{"supply": [{"denom": "stake", "amount": "1"}], "pagination": null}';
  const nodeInfo = '{"default_node_info": {"network": "chain-1"}}';
  /** The result for a server that answers its node info and the supply, and everything else by `answer`. */
  const result = async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
    const server = await startEchoServer((request, response) => {
      if (/\/supply\?/.test(request.url ?? '')) response.writeHead(200, json).end(supply);
      else if (/\/node_info/.test(request.url ?? '')) response.writeHead(200, json).end(nodeInfo);
      else answer(request, response);
    });
    const node = openNode({ baseUrl: parseBaseUrl(server.origin), limits: { request: 20_000 } });
    const source = toSource(server.origin, new Map(), '');
    const rest = { credential: undefined, notices: [], extension: 'chain-inspector 1, VS Code 2' };
    const { error } = await testConnection({ source, node, ...rest }, new AbortController().signal);
    await node.dispose();
    await server.dispose();
    return error === undefined ? 'passed' : causeText(error, plainEnglish);
  };

  it('is a failure where the node stops answering', async () => {
    assert.equal(await result(({ socket }) => socket.destroy()), 'Connection closed early');
  });

  it('is a failure where one of the two lists fails', async () => {
    const failing = '{"code": 2, "message": "the store is damaged"}';
    assert.match(await result((_, response) => response.writeHead(500, json).end(failing)), /the store is damaged$/i);
  });

  it('is none where the chain does not offer proposals', async () => {
    assert.equal(await result((_, response) => response.writeHead(501, json).end(notImplemented.body)), 'passed');
  });
});
