import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';
import { serveFile } from '../../src/service/serve.ts';
import { addEndpoint, switchEndpoint } from '../../src/ui/endpoints/endpointBox.ts';
import { sourcesByUse } from '../../src/ui/endpoints/sourceItems.ts';
import { Settings } from '../../src/ui/settings.ts';
import { sampleFile, startFolder } from '../support/folders.ts';
import { activateExtension, itemsUntil, overhear, pollUntil, showSource } from '../support/hostApi.ts';
import { startEchoServer, startReplies } from '../support/servers.ts';

/** Accepts the item that is marked, again until that was taken. */
async function acceptUntil(isTaken: () => boolean): Promise<void> {
  const accept = () => vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem').then(isTaken);
  await pollUntil('the marked item to be taken', accept, Boolean);
}

describe('the box that adds endpoints', () => {
  const folder = startFolder('presets');
  const settings = new Settings();
  let api: ExtensionApi;
  let page: Awaited<ReturnType<typeof startReplies>>;
  let other: Awaited<ReturnType<typeof startReplies>>;
  let service: Awaited<ReturnType<typeof serveFile>>;

  before(async () => {
    api = await activateExtension();
    page = await startReplies(() => ({ status: 404, body: '<html><h1>404 Not Found</h1></html>' }));
    const info = { default_node_info: { network: 'other-1' }, application_version: {} };
    other = await startReplies(({ pathname }) =>
      pathname.endsWith('/node_info')
        ? { body: JSON.stringify(info) }
        : { body: '{"supply":[],"pagination":{"next_key":null}}' },
    );
    service = await serveFile({ file: sampleFile, rebase: new Date() });
    writePresets();
  });
  after(async () => {
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration('chainInspector').update('endpoints', undefined, Global);
    await showSource(api, undefined);
    settings.dispose();
    for (const server of [page, other]) await server.stop();
    await service.dispose();
    folder.dispose();
  });

  function writePresets(): void {
    const rest = [page.url, other.url, service.baseUrl].map((url) => ({ url }));
    const chain = {
      name: 'Sample',
      chainId: 'sample-1',
      network: 'mainnet',
      rest,
      stakingTokens: [{ denom: 'usample' }],
    };
    writeFileSync(join(folder.path, 'presets.json'), JSON.stringify({ attribution: 'Made up', chains: [chain] }));
  }

  /** Opens the box with a text, and accepts its first item as soon as it can. */
  async function add(typed: string): Promise<void> {
    let ended = false;
    const done = addEndpoint(api.active, folder.path, typed).finally(() => {
      ended = true;
    });
    await acceptUntil(() => ended);
    await done;
  }

  it('tries the addresses of a chain in their order, and saves the first node of that chain under its id', async () => {
    await add('usam');
    assert.ok(page.requests.length > 0 && other.requests.length > 0);
    assert.deepEqual(
      settings.endpoints.map(({ name, url, chain }) => ({ name, url, chain })),
      [{ name: 'sample-1', url: service.baseUrl, chain: 'sample-1' }],
    );
    assert.equal(api.active.session.source.name, 'sample-1');
  });

  it('refuses a typed address with the reason, adds another after a test, and lists what was shown last first', async () => {
    const { opened, stop } = overhear();
    const done = addEndpoint(api.active, folder.path, 'https://me:secret@example.org');
    const box = await opened;
    stop();
    await itemsUntil(box, ([first = '']) => /contains a user name or password/.test(first));
    for (const [typed, why] of [
      ['ftp://somewhere/else', /^ftp is not supported\. Start the address with https/],
      ['folder/export', /^Not a host or a full path/],
      ['nosuchchain', /^No matching chain\. A host must contain a dot/],
      ['/no/such/genesis.json', /^File not found: \/no\/such\/genesis\.json$/],
      [`https://example.org/${'x'.repeat(300)}`, /^At most 300 characters$/],
    ] as const) {
      box.value = typed;
      await itemsUntil(box, ([first = '']) => why.test(first));
    }
    box.value = `${service.baseUrl.replace('http://', '')}/chain/`;
    await itemsUntil(box, ([first]) => first === `Use ${service.baseUrl}`);
    let ended = false;
    void done.then(() => {
      ended = true;
    });
    await acceptUntil(() => ended);
    assert.equal(api.active.session.source.name, 'sample-1');
    const known = overhear();
    const switching = switchEndpoint(api.active, folder.path);
    const list = await known.opened;
    known.stop();
    await itemsUntil(list, ([first, second]) => first === 'sample-1' && second === 'Sample chain');
    list.hide();
    await switching;
  });

  it('says why an address does not answer, and adds it only when told to', async () => {
    const url = 'http://127.0.0.1:1';
    const shown = api.active.session.source.id;
    const { opened, stop } = overhear();
    const done = addEndpoint(api.active, folder.path, '127.0.0.1:1');
    const box = await opened;
    stop();
    await itemsUntil(box, ([first]) => first === `Use ${url}`);
    await acceptUntil(() => /^Testing | was not added$/.test(box.title ?? ''));
    const ways = await itemsUntil(box, ([first, ...others]) => first === 'Try Again' && others.length === 2);
    assert.match(ways.join(), /^Try Again,Add Anyway,Connection refused/);
    assert.equal(box.title, `${url} was not added`);
    assert.deepEqual([api.active.session.source.id, settings.endpoints.some((one) => one.url === url)], [shown, false]);
    let ended = false;
    void done.then(() => {
      ended = true;
    });
    while (!box.activeItems[0]?.label.endsWith('Add Anyway'))
      await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
    await acceptUntil(() => ended);
    assert.equal(api.active.session.source.id, url);
    assert.ok(settings.endpoints.some((one) => one.url === url));
  });

  it('stays open while it tests an address, and ends the test when it is left', async () => {
    const asked = Promise.withResolvers<IncomingMessage>();
    const hanging = await startEchoServer((request) => asked.resolve(request));
    const before = settings.endpoints;
    const done = addEndpoint(api.active, folder.path, hanging.origin);
    let isAsked = false;
    void asked.promise.then(() => {
      isAsked = true;
    });
    await acceptUntil(() => isAsked);
    const { socket } = await asked.promise;
    const closed = once(socket, 'close');
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await Promise.all([done, closed]);
    await hanging.dispose();
    assert.deepEqual(settings.endpoints, before);
  });

  it('keeps the name and the options that settings have for an address', async () => {
    const { Global } = vscode.ConfigurationTarget;
    const endpoint = { name: 'Mine', url: service.baseUrl, headerName: 'x-key' };
    await vscode.workspace.getConfiguration('chainInspector').update('endpoints', [endpoint], Global);
    await add(service.baseUrl);
    assert.deepEqual(
      settings.endpoints.map(({ name, headerName }) => [name, headerName]),
      [['Mine', 'x-key']],
    );
  });

  it('orders sources by last use', async () => {
    const { Global } = vscode.ConfigurationTarget;
    const endpoints = ['http://127.0.0.1:1', 'http://127.0.0.1:2'].map((url) => ({ name: url.slice(-1), url }));
    await vscode.workspace.getConfiguration('chainInspector').update('endpoints', endpoints, Global);
    for (const { url } of endpoints) await showSource(api, url);
    await showSource(api, '');
    const names = sourcesByUse(api.active).map(({ name }) => name);
    assert.deepEqual(names, ['Sample chain', '2', '1']);
  });
});
