import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';
import { activateExtension, readUntil, showSource } from '../support/hostApi.ts';
import { type EchoServer, startEchoServer } from '../support/servers.ts';

describe('the row of an endpoint', () => {
  let api: ExtensionApi;
  const settings = () => vscode.workspace.getConfiguration('chainInspector');
  before(async () => {
    api = await activateExtension();
  });
  after(async () => {
    await settings().update('endpoints', undefined, vscode.ConfigurationTarget.Global);
    await showSource(api, undefined);
  });
  const add = ({ origin }: EchoServer) =>
    settings().update('endpoints', [{ name: 'Cellar', url: origin }], vscode.ConfigurationTarget.Global);
  const row = async () => {
    const [, second] = (await api.endpointsTree.getChildren()) ?? [];
    assert.ok(second);
    const { label, description, iconPath } = await api.endpointsTree.getTreeItem(second);
    return `${label} | ${description} | ${iconPath instanceof vscode.ThemeIcon ? iconPath.id : ''}`;
  };

  it('is not green after a test in which the node stopped answering', async () => {
    const json = { 'content-type': 'application/json' };
    const server = await startEchoServer(({ url = '', socket }, response) => {
      if (/\/supply\?/.test(url)) response.writeHead(200, json).end('{"supply": [], "pagination": null}');
      else if (/\/node_info/.test(url)) response.writeHead(200, json).end('{}');
      else socket.destroy();
    });
    try {
      await add(server);
      const given = { kind: 'endpoint', sourceId: server.origin };
      await vscode.commands.executeCommand('chainInspector.testConnection', given);
      const shown = /^Cellar \| Connection closed early \| warning$/;
      assert.match(await readUntil(api.endpointsTree.onDidChangeTreeData, row, (text) => shown.test(text)), shown);
    } finally {
      await server.dispose();
    }
  });

  it('says nothing of a silent node that is left before it has answered', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await startEchoServer(() => asked.resolve());
    try {
      await add(server);
      const session = await showSource(api, server.origin);
      const reading = session.node().then((node) => node.supply({ limit: 1 }));
      await asked.promise;
      await showSource(api, undefined);
      await assert.rejects(reading, { name: 'AbortError' });
      assert.ok(api.requests.lines.some(({ url, status }) => url.startsWith(server.origin) && status === undefined));
      assert.equal(await row(), 'Cellar | not contacted yet | circle-outline');
    } finally {
      await server.dispose();
    }
  });
});
