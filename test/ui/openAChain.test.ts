import { strict as assert } from 'node:assert';
import { serveFile } from '../../src/service/serve.ts';
import { type Editor, startEditor } from '../support/editor.ts';
import { sampleFile } from '../support/folders.ts';
import { startEchoServer } from '../support/servers.ts';

describe('opening a chain', () => {
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

  it('looks up a proposal by palette with no view open', async () => {
    await editor.runCommand('Chain Inspector: Go to Proposal or Denom…');
    await editor.quickInput.type('#992');
    await editor.quickInput.choose(/^\s*(Proposal )?#992\b/);
    await editor.webview().getByRole('heading', { level: 1, name: /#992/ }).waitFor();
    assert.match((await editor.tabs()).join(), /#992/);
    await editor.screenshot('panel-by-palette');
  });

  it('says that a proposal is not there, and keeps working', async () => {
    await editor.runCommand('Chain Inspector: Go to Proposal or Denom…');
    await editor.quickInput.type('999999');
    await editor.quickInput.choose(/^\s*999999$/);
    await editor
      .webview()
      .getByText(/doesn't exist/)
      .first()
      .waitFor();
  });

  it('looks up a denom by palette', async () => {
    // A panel that has just been drawn may still take the focus, and a question that loses it is closed.
    await editor.execute('workbench.action.closeAllEditors');
    await editor.until(
      'the panel to be closed',
      () => editor.tabs(),
      (tabs) => tabs.length === 0,
    );
    await editor.runCommand('Chain Inspector: Go to Proposal or Denom…');
    await editor.quickInput.type('ACORN');
    await editor.quickInput.choose(/^\s*ACORN$/);
    const text = await editor.until(
      'the page of the denom',
      () => editor.text(),
      (shown) => /Base units +2$/m.test(shown),
    );
    assert.match(text, /^ACORN$/m);
  });

  it('shows the sample chain by name, with the ways on', async () => {
    await editor.openContainer('Chain Inspector');
    const endpoints = editor.tree('Endpoints');
    await endpoints.open();
    await endpoints.waitForText(/^Sample chain {2}shown · works offline$/);
    await endpoints.section.getByText('You see made-up state, to look around offline.').waitFor();
    await endpoints.header.hover();
    await endpoints.header.getByRole('button', { name: 'Add Endpoint…' }).waitFor();
    await editor.screenshot('endpoints-view');
    await endpoints.header.click();
    assert.ok((await editor.statusBar()).some((text) => text.includes('Sample chain')));
  });

  it('loads more by keyboard, and keeps what was there', async () => {
    await editor.setSettings({ 'chainInspector.pageSize': 10 });
    const proposals = editor.tree('Proposals');
    await proposals.expand('Passed');
    const before = (await proposals.rows()).length;
    await (await proposals.row('Load more')).click();
    await proposals.waitForText((text) => text.split('\n').length > before);
    const more = await proposals.row('Load more');
    await more.focus();
    await editor.page.keyboard.press('Enter');
    await proposals.waitForText((text) => text.split('\n').length >= before + 20);
    await proposals.collapse('Passed');
    await editor.setSettings({ 'chainInspector.pageSize': null });
  });

  it('reads the whole supply by itself, and opens a denom by keyboard', async () => {
    const supply = editor.tree('Supply');
    await supply.waitForText(/^SAMPLE {2}413\.4 M\n[\s\S]*^Other Denoms {2}1\d\d$/m);
    const star = await supply.row('SAMPLE');
    assert.match((await star.getAttribute('aria-label')) ?? '', /^usample, 413,437,623\.\d+ SAMPLE .*, staked/);
    await star.click();
    await editor.page.keyboard.press('Enter');
    const text = await editor.until(
      'the page of the denom',
      () => editor.text(),
      (shown) => /^Base units +413,437,623,720,153$/m.test(shown),
    );
    assert.match(text, /^usample$/m);
    await editor.screenshot('denom-page');
    await editor.execute('workbench.action.closeAllEditors');
  });

  it('keeps expansion through a refresh', async () => {
    const proposals = editor.tree('Proposals');
    await proposals.expand('Deposit period');
    const text = await proposals.waitForText(/^ {2}#\d+/m);
    await editor.runCommand('Chain Inspector: Refresh Proposals');
    await proposals.waitForText((now) => now.replace(/ {2}[<\d].*$/gm, '') === text.replace(/ {2}[<\d].*$/gm, ''));
  });

  const items = (what: string, accept: (items: readonly string[]) => boolean) =>
    editor.until(what, () => editor.quickInput.items(), accept);
  const inStatusBar = (name: RegExp) =>
    editor.until(
      `${name} in the status bar`,
      () => editor.statusBar(),
      (texts) => texts.some((text) => name.test(text)),
    );

  it('adds a typed address after a test, named by its chain, and switches back', async () => {
    await editor.runCommand('Chain Inspector: Add Endpoint…');
    await editor.quickInput.type('https://me:secret@example.org');
    await items('why it is refused', ([first = '']) => /holds a user name or a password/.test(first));
    const address = service.baseUrl.replace('http://', '');
    await editor.quickInput.type(`${address}/chain/`);
    await items('the address', ([first = '']) => first.trim() === `Use ${service.baseUrl}`);
    await editor.screenshot('add-endpoint-typed');
    await editor.quickInput.accept();
    await inStatusBar(/^sample-1$/);
    await editor.tree('Supply').waitForText(/^SAMPLE {2}413/m);
    await editor.tree('Proposals').waitForText(/^Deposit period {2}\d+\n {2}#\d+/m);
    await editor.runCommand('Chain Inspector: Switch Endpoint…');
    await items('the shown one first', ([first, second]) => first?.trim() === 'sample-1' && second === 'Sample chain');
    await editor.screenshot('switch-endpoint');
    await editor.quickInput.choose(/Sample chain/);
    await inStatusBar(/Sample chain/);
  });

  it('tests an address in its box, which takes no key from anything else, and Escape ends the test', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const hanging = await startEchoServer((request) => request.socket.once('close', () => resolve()));
    await editor.runCommand('Chain Inspector: Add Endpoint…');
    await editor.quickInput.type(hanging.origin);
    await items('the address', ([first = '']) => first.trim() === `Use ${hanging.origin}`);
    await editor.quickInput.accept();
    await editor.quickInput.waitFor(/^Testing .* \(Escape to cancel\)$/);
    await editor.screenshot('add-endpoint-testing');
    await editor.quickInput.cancel();
    await closed;
    await editor.execute('workbench.action.files.newUntitledFile');
    await editor.page.keyboard.type('typed on');
    await editor.until(
      'what was typed',
      () => editor.text(),
      (text) => text === 'typed on',
    );
    assert.equal(await editor.quickInput.widget.isVisible(), false);
    await editor.execute('workbench.action.revertAndCloseActiveEditor');
    await hanging.dispose();
  });

  it('says why an address does not answer, and adds it only when told to', async () => {
    await editor.runCommand('Chain Inspector: Add Endpoint…');
    await editor.quickInput.type('127.0.0.1:1');
    await items('the address', ([first = '']) => first.trim() === 'Use http://127.0.0.1:1');
    await editor.quickInput.accept();
    await items('the reason', (all) =>
      /^Try Again,Add Anyway,Refuses connections/.test(all.map((item) => item.trim()).join()),
    );
    await editor.screenshot('add-endpoint-failed');
    assert.match(await editor.quickInput.title(), /^http:\/\/127\.0\.0\.1:1 was not added$/);
    assert.ok((await editor.statusBar()).some((text) => text.includes('Sample chain')));
    await editor.quickInput.widget.getByRole('button', { name: 'Back' }).click();
    await items('the address again', ([first = '']) => first.trim() === 'Use http://127.0.0.1:1');
    await editor.quickInput.accept();
    await editor.quickInput.choose(/Add Anyway/);
    await inStatusBar(/127\.0\.0\.1:1$/);
    await editor.setSettings({ 'chainInspector.baseUrl': null });
    await inStatusBar(/Sample chain/);
    await editor.tree('Supply').waitForText(/^SAMPLE {2}413/m);
  });

  it('says why a source fails where its rows would be, and repairs the address from there', async () => {
    await editor.setSettings({ 'chainInspector.baseUrl': 'http://127.0.0.1:1' });
    const proposals = editor.tree('Proposals');
    const ways = ['Retry', 'Edit Address…', 'Test Connection', 'Switch Endpoint…'].map((way) => `  ${way}`).join('\n');
    await proposals.waitForText(`Refuses connections: nothing listens there\n${ways}`);
    await editor.screenshot('dead-endpoint');
    await (await proposals.row('Retry')).click();
    await editor.page.keyboard.press('ArrowDown');
    await editor.page.keyboard.press('Enter');
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
    await endpoints.waitForText(/^sample-1 {2}shown · 127\.0\.0\.1:\d+$/m);
    await endpoints.header.click();
    await editor.setSettings({ 'chainInspector.baseUrl': null });
    await inStatusBar(/Sample chain/);
    await editor.tree('Supply').waitForText(/^SAMPLE {2}413/m);
  });

  for (const theme of ['light', 'dark'] as const) {
    it(`wears the ${theme} theme`, async () => {
      await editor.setTheme(theme);
      const proposals = editor.tree('Proposals');
      await proposals.expand('Voting period');
      await (await proposals.row(/^#992/)).click();
      await editor.webview().getByRole('heading', { level: 1, name: /#992/ }).waitFor();
      await editor.screenshot(`open-a-chain-${theme}`);
    });
  }

  it('selects the row of what the panel shows', async () => {
    const selected = (id: string) =>
      editor.until(
        `the row ${id} to be selected`,
        () => editor.tree('Proposals').rows(),
        (rows) => rows.some((row) => row.selected && row.label.startsWith(id)),
      );
    await editor.runCommand('Chain Inspector: Go to Proposal or Denom…');
    await editor.quickInput.type('961');
    await editor.quickInput.choose(/961/);
    await editor.webview().getByRole('heading', { level: 1, name: /#961/ }).waitFor();
    await selected('#961');
    await editor.runCommand('Chain Inspector: Next Proposal');
    await editor.webview().getByRole('heading', { level: 1, name: /#986/ }).waitFor();
    await selected('#986');
  });

  describe('a public chain', () => {
    // The page of a panel may take the focus, and a box closes without it.
    before(() => editor.execute('workbench.action.closeAllEditors'));

    const first = (label: RegExp) => items(`${label} as the first`, ([found]) => label.test(found ?? ''));

    it('is found by name, chain ID and token, in the list of all, and whose data it is stands above', async () => {
      await editor.runCommand('Chain Inspector: Add Endpoint…');
      await items('the list', (all) => all.length > 5);
      await editor.screenshot('add-endpoint');
      await editor.page.keyboard.type('osmo');
      await items('Osmosis first', ([found = '', ...others]) => found.trim() === 'Osmosis' && others.length < 8);
      await editor.screenshot('add-endpoint-osmo');
      assert.match(await editor.quickInput.title(), /chain registry, CC-BY-4\.0/);
      await editor.quickInput.type('uatom');
      await first(/Cosmos Hub/i);
      await editor.quickInput.type('cosmoshub-4');
      await first(/Cosmos Hub/i);
    });

    it('offers its providers behind a button, and leads back', async () => {
      // A click on a row that is drawn again is lost.
      await items('Cosmos Hub alone', (all) => all.length === 1);
      await editor.page.keyboard.press('ArrowDown');
      await editor.quickInput.widget.getByRole('button', { name: 'Choose Another Provider' }).first().click();
      await editor.quickInput.waitFor(/Choose a provider of Cosmos Hub/);
      const providers = await items('the providers', (all) => all.length > 1);
      assert.ok(providers.length > 1, providers.join());
      await editor.setTheme('dark');
      await editor.screenshot('add-endpoint-providers');
      await editor.quickInput.widget.getByRole('button', { name: 'Back' }).click();
      await first(/Cosmos Hub/i);
      assert.equal(await editor.quickInput.value(), 'cosmoshub-4');
      await editor.quickInput.cancel();
    });
  });
});
