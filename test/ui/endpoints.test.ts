import { strict as assert } from 'node:assert';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Editor, startEditor } from '../support/editor.ts';
import { startEchoServer } from '../support/servers.ts';

const secret = 'S3CRET-1f8e0c';

describe('a credential header', () => {
  let editor: Editor;
  const servers: Awaited<ReturnType<typeof startEchoServer>>[] = [];
  /** A service of one denom that keeps what it was sent, and repeats the credential in an error. */
  const start = async (denom: string) => {
    const server = await startEchoServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (/\/supply\?/.test(request.url ?? ''))
        response.end(JSON.stringify({ supply: [{ denom, amount: '5' }], pagination: { next_key: null } }));
      else {
        response.statusCode = 500;
        response.end(JSON.stringify({ code: 13, message: `not with ${request.headers['x-api-key']}`, details: [] }));
      }
    });
    servers.push(server);
    return server;
  };
  let first: Awaited<ReturnType<typeof start>>;
  let second: Awaited<ReturnType<typeof start>>;
  const headersSent = (server: typeof first) => server.seen.map(({ headers }) => headers['x-api-key']);
  const show = async (url: string, row: RegExp) => {
    await editor.setSettings({ 'chainInspector.baseUrl': url });
    await editor.tree('Supply').waitForText(row);
  };

  before(async () => {
    [first, second] = [await start('first'), await start('second')];
    const endpoint = { name: 'First', url: first.origin, headerName: 'X-Api-Key' };
    editor = await startEditor();
    await editor.setSettings({ 'chainInspector.baseUrl': first.origin, 'chainInspector.endpoints': [endpoint] });
    await editor.openContainer('Chain Inspector');
    await editor.tree('Supply').waitForText(/^first {2}5/m);
  });
  after(async () => {
    await editor?.dispose();
    for (const server of servers) await server.dispose();
  });

  it('is not sent before it is set', () => {
    assert.ok(first.seen.length > 0);
    assert.ok(headersSent(first).every((value) => value === undefined));
  });

  it('is sent to its endpoint from the moment it is set, under the name that the setting gives', async () => {
    await editor.runCommand('Chain Inspector: Set Header…');
    await editor.until(
      'the name of the setting',
      () => editor.quickInput.value(),
      (name) => name === 'X-Api-Key',
    );
    await editor.quickInput.accept();
    await editor.until(
      'the second question',
      () => editor.quickInput.title(),
      (title) => title.includes('2 of 2'),
    );
    await editor.quickInput.type(secret);
    await editor.screenshot('set-header');
    await editor.quickInput.accept();
    await editor.notification(/is sent to http:\/\/127\.0\.0\.1:\d+ from now on/);
    // Requests that had begun before may arrive until then, and are repeated as they were begun.
    const supplyHeaders = () =>
      first.seen.flatMap(({ url, headers }) => (/\/supply\?/.test(url ?? '') ? [headers['x-api-key']] : []));
    await editor.runCommand('Chain Inspector: Refresh Supply');
    const sent = await editor.until(
      'a request with the header',
      async () => supplyHeaders(),
      (headers) => headers.includes(secret),
    );
    assert.deepEqual([...new Set(sent.slice(sent.indexOf(secret)))], [secret]);
  });

  it('stays out of reports, errors and commands that are copied', async () => {
    await editor.runCommand('Chain Inspector: Test Connection');
    const report = await editor.until(
      'the report',
      () => editor.text(),
      (text) => /header +x-api-key \(its value is kept secret\)/.test(text),
    );
    assert.match(report, /FAIL .*not with/);
    assert.doesNotMatch(report, new RegExp(secret));
    await editor.screenshot('test-connection');
    await editor.tree('Proposals').expand('Passed');
    const rows = await editor.tree('Proposals').waitForText(/not with/);
    assert.doesNotMatch(rows, new RegExp(secret));
    await (await editor.tree('Supply').row('first')).click();
    await editor.runCommand('Chain Inspector: Copy as cURL');
    const copied = await editor.until(
      'the command',
      () => editor.clipboard(),
      (text) => text.startsWith('curl '),
    );
    assert.doesNotMatch(copied, new RegExp(secret));
  });

  it('is never sent to another origin because the setting changed', async () => {
    await show(second.origin, /^second {2}5/m);
    assert.ok(second.seen.length > 0);
    assert.ok(headersSent(second).every((value) => value === undefined));
    const from = first.seen.length;
    await show(first.origin, /^first {2}5/m);
    const without = first.seen.slice(from).filter(({ headers }) => headers['x-api-key'] !== secret);
    assert.ok(first.seen.length > from);
    assert.deepEqual(
      without.map(({ url }) => url),
      [],
    );
  });

  it('is in no file that the editor keeps', () => {
    const files = globSync('**/*', { cwd: editor.userData })
      .map((name) => join(editor.userData, name))
      .filter((path) => statSync(path).isFile());
    assert.ok(files.some((path) => path.endsWith('settings.json')));
    const holding = files.filter((path) => readFileSync(path, 'latin1').includes(secret));
    assert.deepEqual(holding, []);
  });

  it('goes with its endpoint', async () => {
    await editor.runCommand('Chain Inspector: Remove Endpoint…');
    await editor.quickInput.choose(/First/);
    await editor.notification(/Removed First/);
    await show(second.origin, /^second {2}5/m);
    const from = first.seen.length;
    await show(first.origin, /^first {2}5/m);
    assert.ok(first.seen.length > from);
    assert.deepEqual([...new Set(headersSent(first).slice(from))], [undefined]);
  });
});
