import { strict as assert } from 'node:assert';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { serveFile } from '../../src/service/serve.ts';
import { sampleFile } from '../support/folders.ts';
import { activateExtension, type HostApi, pollUntil, settled, showSource, treeText } from '../support/hostApi.ts';
import { startReplies } from '../support/servers.ts';

describe('switching endpoints', () => {
  let api: HostApi;
  let service: Awaited<ReturnType<typeof serveFile>>;
  before(async () => {
    api = await activateExtension();
    service = await serveFile({ file: sampleFile, rebase: new Date() });
  });
  after(async () => {
    await showSource(api, undefined);
    await service.dispose();
  });

  it('reads the same rows over HTTP from a base URL', async () => {
    const loaded = async () => {
      const { supply } = api.active.session.lists;
      if (!supply.pager.started) await supply.pager.loadMore();
      await supply.loadUnits({ maxAge: 0 });
      return treeText(api.trees.supply);
    };
    const sample = await loaded();
    const session = await showSource(api, `${service.baseUrl}/`);
    assert.equal(session.source.kind, 'http');
    assert.equal(await loaded(), sample);
  });

  it('understands a base URL that was pasted with the segment', async () => {
    await showSource(api, `${service.baseUrl}/cosmos`);
    assert.match(await treeText(api.trees.supply), /^(ACORN|SAMPLE) \| /);
    await showSource(api, '');
  });

  it('refuses a bad base URL with the reason, before anything is sent', async () => {
    await showSource(api, 'ftp://example.org');
    assert.match(await treeText(api.trees.supply), /ftp/);
    assert.deepEqual(
      api.requests.lines.filter(({ url }) => url.includes('example.org')),
      [],
    );
    await showSource(api, '');
  });

  it('shows another chain at the address in all views once one of them is refreshed', async () => {
    const chain = { name: 'Old', genesis: Date.UTC(2026, 0, 1) };
    const { url, requests, stop } = await startReplies(({ pathname }) => {
      const { name, genesis } = chain;
      const [, block] = /\/blocks\/(\w+)$/.exec(pathname) ?? [];
      // As high as the chain before, and of its id.
      const height = Number(block?.replace('latest', '1000') ?? 0);
      const header = {
        chain_id: 'local-1',
        height: `${height}`,
        time: new Date(genesis + height * 6000).toISOString(),
      };
      const row = { id: '7', title: name, messages: [], status: 'PROPOSAL_STATUS_VOTING_PERIOD' };
      const ok = (body: unknown) => ({ body: JSON.stringify(body) });
      if (block !== undefined) return ok({ block: { header } });
      if (pathname.endsWith('/supply')) return ok({ supply: [{ denom: `u${name}`, amount: '1' }], pagination: {} });
      if (pathname.endsWith('/gov/v1/proposals')) return ok({ proposals: [row], pagination: {} });
      return { status: 501, body: '{"code":12,"message":"Not Implemented","details":[]}' };
    });
    const { lists } = await showSource(api, url);
    await Promise.all([lists.supply.pager.loadMore(), lists.proposals.pager('voting').loadMore()]);
    const proposals = () => treeText(api.trees.proposals, (label) => label === 'Voting period');
    assert.match(await proposals(), /#7 Old/);
    await pollUntil('the block that the views note', () => requests.some((path) => path.includes('/blocks/')), Boolean);
    Object.assign(chain, { name: 'New', genesis: Date.UTC(2026, 5, 1) });
    await vscode.commands.executeCommand('chainInspector.refreshSupply');
    await pollUntil('the rows of the new chain', proposals, (text) => /#7 New/.test(text) && !/Old/.test(text));
    await showSource(api, '');
    await stop();
  });

  it('never shows a late answer of the old endpoint under the new one', async () => {
    const held = await startHeldServer();
    const old = await showSource(api, held.url);
    const load = old.lists.supply.pager.loadMore().catch(() => undefined);
    await held.asked;
    await showSource(api, '');
    held.answer({ supply: [{ denom: 'late', amount: '1' }], pagination: { next_key: null, total: '1' } });
    await load;
    assert.deepEqual(old.lists.supply.pager.rows, []);
    assert.doesNotMatch(await treeText(api.trees.supply), /late/);
    await held.close();
  });

  it('shows a failure as a row, and Retry reads it', async () => {
    const held = await startHeldServer();
    const { lists } = await showSource(api, held.url);
    const { supply } = lists;
    const [port, url] = [held.port, held.url];
    await held.close();
    await treeText(api.trees.supply);
    await settled(supply.pager);
    // A message of the view of proposals is not repeated.
    assert.match(await treeText(api.trees.supply), /is not reachable$|connection refused/i);
    const again = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ supply: [{ denom: 'back', amount: '7' }], pagination: { next_key: null } }));
    });
    await new Promise<void>((resolve) => again.listen(port, '127.0.0.1', resolve));
    await vscode.commands.executeCommand('chainInspector.retry', {
      kind: 'notice',
      owner: 'supply',
      notice: 'failed',
      text: '',
    });
    assert.equal(await treeText(api.trees.supply), 'back | 7', url);
    await closed(again);
    await showSource(api, '');
  });

  it('leaves one session, whatever was switched', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      await showSource(api, turn % 2 === 0 ? service.baseUrl : `${service.baseUrl}/chain`);
      await treeText(api.trees.supply);
    }
    await showSource(api, '');
    assert.equal(api.sessions.size, 1);
  });
});

/** A server that answers when the test says so. */
async function startHeldServer() {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<unknown>();
  const server = createServer((_request, response) => {
    asked.resolve();
    void answered.promise.then((body) => response.end(JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = portOf(server);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    asked: asked.promise,
    answer: answered.resolve,
    close: () => closed(server),
  };
}

function portOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen');
  return address;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
