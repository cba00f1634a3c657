import { strict as assert } from 'node:assert';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { serveFile } from '../../src/service/serve.ts';
import { type Editor, startEditor } from '../support/editor.ts';
import { actUntil } from '../support/editorWait.ts';
import { sampleFile } from '../support/folders.ts';
import { startEchoServer } from '../support/servers.ts';

const secret = 'S3CRET-1f8e0c';

describe('endpoints', () => {
  let editor: Editor;
  let service: Awaited<ReturnType<typeof serveFile>>;

  before(async () => {
    service = await serveFile({ file: sampleFile, rebase: new Date() });
    editor = await startEditor();
  });

  after(async () => {
    await editor?.dispose();
    await service?.dispose();
  });

  const items = (what: string, accept: (items: readonly string[]) => boolean) =>
    editor.until(what, () => editor.quickInput.items(), accept);
  const inStatusBar = (name: RegExp) =>
    editor.until(
      `${name} in the status bar`,
      () => editor.statusBar(),
      (texts) => texts.some((text) => name.test(text)),
    );

  it('tests an address in its box, which takes no key from anything else, and Escape ends the test', async () => {
    const asked = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const hanging = await startEchoServer((request) => {
      request.socket.once('close', () => closed.resolve());
      asked.resolve();
    });
    await editor.runCommand('Chain Inspector: Add Endpoint…');
    await editor.quickInput.type(hanging.origin);
    await items('the address', ([first = '']) => first.trim() === `Use ${hanging.origin}`);
    await editor.quickInput.accept();
    await editor.quickInput.waitFor(/^Testing .* \(Escape to cancel\)$/);
    await editor.screenshot('add-endpoint-testing');
    await asked.promise;
    await editor.page.keyboard.press('Escape');
    await closed.promise;
    await editor.quickInput.waitFor(/^Add endpoint$/);
    await editor.quickInput.cancel();
    await editor.execute('workbench.action.files.newUntitledFile');
    await editor.page.locator('.monaco-editor.focused').waitFor();
    await editor.page.keyboard.type('typed on');
    await editor.until(
      'what was typed',
      () => editor.text(),
      (text) => text === 'typed on',
    );
    assert.equal(await editor.quickInput.widget.isVisible(), false);
    await editor.execute('editorDriver.closeEditors');
    await hanging.dispose();
  });

  it('offers public chains as they are typed, whose data they are, and their providers behind a button', async () => {
    // The page of a panel may take the focus, and a box closes without it.
    await editor.execute('editorDriver.closeEditors');
    await editor.runCommand('Chain Inspector: Add Endpoint…');
    await items('the list', (all) => all.length > 5);
    await editor.screenshot('add-endpoint');
    await editor.quickInput.widget.locator('input.input:focus').waitFor();
    await editor.page.keyboard.type('osmo');
    await items('Osmosis first', ([found = '', ...others]) => found.trim() === 'Osmosis' && others.length < 9);
    assert.equal((await editor.quickInput.title()).trim(), 'Add endpoint');
    await items('what was searched', (all) => all.some((one) => /^\s*Type to search \d+ public chains/.test(one)));
    assert.match(
      (await editor.quickInput.widget.textContent()) ?? '',
      /Chain data: Cosmos chain registry \(CC-BY-4\.0/,
    );
    await editor.quickInput.type('cosmoshub-4');
    await items('Cosmos Hub alone', ([found = '', ...others]) => /Cosmos Hub/i.test(found) && others.length === 1);
    for (const key of ['ArrowDown', 'ArrowUp']) await editor.page.keyboard.press(key);
    const another = editor.quickInput.widget.getByRole('button', { name: 'Choose Another Provider' }).first();
    const isOfHub = async () => /Choose a provider for Cosmos Hub/.test(await editor.quickInput.title());
    // A click on a row that is drawn again is lost.
    await actUntil(editor.page, () => another.click(), 'the providers of Cosmos Hub', isOfHub);
    await items('the providers', (all) => all.length > 1);
    await editor.setTheme('dark');
    await editor.screenshot('add-endpoint-providers');
    await editor.quickInput.widget.getByRole('button', { name: 'Back' }).click();
    await items('the chain again', ([found = '']) => /Cosmos Hub/i.test(found));
    assert.equal(await editor.quickInput.value(), 'cosmoshub-4');
    await editor.quickInput.cancel();
  });

  it('goes back one step with Escape, and closes with the next', async () => {
    const titled = (title: RegExp) => editor.quickInput.waitFor(title);
    const goBack = () => editor.page.keyboard.press('Escape');
    await editor.runCommand('Chain Inspector: Add Endpoint…');
    await editor.quickInput.type('cosmoshub-4');
    await items('Cosmos Hub', ([found = '']) => /Cosmos Hub/i.test(found));
    const another = editor.quickInput.widget.getByRole('button', { name: 'Choose Another Provider' }).first();
    const isOfHub = async () => /Choose a provider for Cosmos Hub/.test(await editor.quickInput.title());
    await actUntil(editor.page, () => another.click(), 'the providers of Cosmos Hub', isOfHub);
    await goBack();
    await titled(/^Add endpoint$/);
    assert.equal(await editor.quickInput.value(), 'cosmoshub-4');
    await editor.quickInput.cancel();
    for (const [command, first, choice, second] of [
      ['Filter Proposals…', /^Filter proposals$/, 'Status', /^Show proposals with status$/],
      ['New Proposal Draft…', /^New proposal draft$/, 'Software upgrade', /^Time of the upgrade$/],
    ] as const) {
      await editor.runCommand(`Chain Inspector: ${command}`);
      await titled(first);
      await editor.quickInput.choose(new RegExp(`${choice}$`));
      await titled(second);
      await goBack();
      await titled(first);
      await editor.quickInput.cancel();
    }
  });

  it('says why a source fails where its rows would be, and repairs the address from there', async () => {
    await editor.openContainer('Chain Inspector');
    await editor.setSettings({ 'chainInspector.baseUrl': 'http://127.0.0.1:1' });
    const proposals = editor.tree('Proposals');
    const ways = ['Retry', 'Edit Address…', 'Test Connection', 'Switch Endpoint…'].map((way) => `  ${way}`).join('\n');
    await proposals.waitForText(`Connection refused\n${ways}`);
    await editor.screenshot('dead-endpoint');
    await proposals.click('Edit Address…');
    await editor.until(
      'the address',
      () => editor.quickInput.value(),
      (value) => value === 'http://127.0.0.1:1',
    );
    await editor.quickInput.type(service.baseUrl);
    await editor.quickInput.accept();
    await proposals.waitForText(/^Voting period/);
    const endpoints = editor.tree('Endpoints');
    await endpoints.open();
    await endpoints.waitForText(/^127\.0\.0\.1:\d+ {2}sample-1 · \d+ ms · current$/m);
    await endpoints.header.click();
    await editor.setSettings({ 'chainInspector.baseUrl': null });
    await inStatusBar(/Sample chain/);
    await editor.tree('Supply').waitForText(/^SAMPLE {2}413/m);
  });

  describe('with a credential header', () => {
    const servers: Awaited<ReturnType<typeof startEchoServer>>[] = [];
    /** A service of one denom that keeps what it was sent, and repeats the credential in an error. */
    const start = async (denom: string) => {
      const server = await startEchoServer((request, response) => {
        response.setHeader('content-type', 'application/json');
        if (/\/supply\?/.test(request.url ?? ''))
          response.end(JSON.stringify({ supply: [{ denom, amount: '5' }], pagination: { next_key: null } }));
        else {
          // The first rows wait for what is behind them, which is asked again where the node fails.
          response.statusCode = /\/gov\//.test(request.url ?? '') ? 500 : 501;
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
      await editor.setSettings({ 'chainInspector.baseUrl': first.origin, 'chainInspector.endpoints': [endpoint] });
      await editor.openContainer('Chain Inspector');
      await editor.tree('Supply').waitForText(/^first {2}5/m);
    });
    after(async () => {
      for (const server of servers) await server.dispose();
    });

    it('is not sent before it is set', () => {
      assert.ok(first.seen.length > 0);
      assert.ok(headersSent(first).every((value) => value === undefined));
    });

    it('is sent to its endpoint from the moment it is set, under the name that the setting gives', async () => {
      await editor.runCommand('Chain Inspector: Set API Key…');
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
      await editor.notification(/is now sent to http:\/\/127\.0\.0\.1:\d+/);
      // Requests that had begun before may arrive until then, and are repeated as they were begun.
      const supplyHeaders = () =>
        first.seen.flatMap(({ url, headers }) => (/\/supply\?/.test(url ?? '') ? [headers['x-api-key']] : []));
      await editor.runCommand('Chain Inspector: Refresh');
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
      await editor.tree('Supply').click('first');
      // The extension host knows of the selected row before it opens the page of that row.
      await editor.until(
        'the page of the row',
        () => editor.tabs(),
        (tabs) => tabs.some((tab) => tab.startsWith('first')),
      );
      // The row that is selected; the palette has no Copy, which needs one.
      await editor.execute('chainInspector.copyCurl');
      const copied = await editor.until(
        'the command',
        () => editor.clipboard(),
        (text) => text.startsWith('curl '),
      );
      assert.doesNotMatch(copied, new RegExp(secret));
    });

    it('is never sent to another origin because the setting changed', async () => {
      // The page of a denom keeps what its source has told.
      await editor.execute('editorDriver.closeEditors');
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

    it('goes with its endpoint, and comes back with Undo', async () => {
      const remove = async () => {
        await editor.runCommand('Chain Inspector: Remove Endpoint…');
        await editor.quickInput.choose(/First/);
        return editor.notification(/Removed First/);
      };
      const before = first.seen.length;
      await (await remove()).getByRole('button', { name: 'Undo' }).click();
      await editor.tree('Supply').waitForText(/^first {2}5/m);
      assert.deepEqual([...new Set(headersSent(first).slice(before))], [secret]);
      await remove();
      await show(second.origin, /^second {2}5/m);
      const from = first.seen.length;
      await show(first.origin, /^first {2}5/m);
      assert.ok(first.seen.length > from);
      assert.deepEqual([...new Set(headersSent(first).slice(from))], [undefined]);
    });
  });
});
