import { strict as assert } from 'node:assert';
import { serveFile } from '../../src/service/serve.ts';
import { type Editor, startEditor } from '../support/editor.ts';
import { sampleFile } from '../support/folders.ts';

describe('opening a chain', () => {
  let editor: Editor;
  let service: Awaited<ReturnType<typeof serveFile>>;

  before(async () => {
    service = await serveFile({ file: sampleFile, rebase: new Date() });
    editor = await startEditor();
  });

  const refused = (reason: RegExp) =>
    editor.until(
      `the reason ${reason}`,
      () => editor.quickInput.message(),
      (text) => reason.test(text),
    );

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
    await editor.quickInput.choose(/^\s*Proposal #999999$/);
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
    await editor.quickInput.choose(/^\s*Supply of ACORN$/);
    const shown = await editor.notification(/ACORN/);
    await shown.getByRole('button', { name: 'Copy Amount' }).click();
    await editor.until(
      'the amount on the clipboard',
      () => editor.clipboard(),
      (text) => text === '2',
    );
  });

  it('shows the sample chain by name, with the ways on', async () => {
    await editor.openContainer('Chain Inspector');
    await editor.page.getByRole('button', { name: 'Add Endpoint…' }).waitFor();
    assert.ok((await editor.statusBar()).some((text) => text.includes('Sample chain')));
  });

  it('loads more by keyboard, and keeps what was there', async () => {
    const supply = editor.tree('Supply');
    await supply.waitForText(/Load more$/m);
    const before = (await supply.rows()).length;
    await (await supply.row('Load more')).click();
    await supply.waitForText((text) => text.split('\n').length > before);
    const more = await supply.row('Load more');
    await more.focus();
    await editor.page.keyboard.press('End');
    await editor.page.keyboard.press('Enter');
    await supply.waitForText((text) => text.split('\n').length >= 150);
  });

  it('keeps expansion through a refresh', async () => {
    const proposals = editor.tree('Proposals');
    await proposals.expand('Deposit period');
    const text = await proposals.waitForText(/^ {2}#\d+/m);
    await editor.runCommand('Chain Inspector: Refresh Proposals');
    await proposals.waitForText((now) => now.replace(/ \d.*left/g, '') === text.replace(/ \d.*left/g, ''));
  });

  it('adds an endpoint, switches to it and back, and names it in the status bar', async () => {
    await editor.runCommand('Chain Inspector: Add Endpoint…');
    await editor.quickInput.choose(/Enter a URL/);
    await editor.quickInput.type('example.org');
    await refused(/https:/);
    await editor.quickInput.type(`${service.baseUrl}/chain/`);
    await editor.quickInput.accept();
    await editor.until(
      'the second question',
      () => editor.quickInput.title(),
      (title) => title.includes('2 of 2'),
    );
    await editor.quickInput.type('Local copy');
    await editor.quickInput.accept();
    await editor.until(
      'the endpoint in the status bar',
      () => editor.statusBar(),
      (texts) => texts.some((text) => text.includes('Local copy')),
    );
    await editor.tree('Supply').waitForText(/^ACORN {2}2$/m);
    await editor.runCommand('Chain Inspector: Switch Endpoint…');
    await editor.screenshot('switch-endpoint');
    await editor.quickInput.choose(/Sample chain/);
    await editor.until(
      'the sample chain in the status bar',
      () => editor.statusBar(),
      (texts) => texts.some((text) => text.includes('Sample chain')),
    );
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

  describe('picking a public chain', () => {
    // The page of a panel may take the focus, and a box closes without it.
    before(() => editor.execute('workbench.action.closeAllEditors'));

    const found = (first: RegExp) =>
      editor.until(
        `${first} as the first`,
        () => editor.quickInput.items(),
        ([label]) => first.test(label ?? ''),
      );

    it('finds chains by name, chain ID and denom, and says whose data it is', async () => {
      await editor.runCommand('Chain Inspector: Add Endpoint…');
      await editor.screenshot('add-endpoint');
      await editor.quickInput.choose(/Pick a public chain/);
      await editor.until(
        'the list of chains',
        () => editor.quickInput.items(),
        (items) => items.length > 5,
      );
      await editor.screenshot('public-chain-all');
      await editor.quickInput.type('osmosis');
      await found(/Osmosis/i);
      assert.match(await editor.quickInput.title(), /chain registry, CC-BY-4\.0/);
      await editor.quickInput.type('cosmoshub-4');
      await found(/Cosmos Hub/i);
      await editor.quickInput.type('uatom');
      await found(/Cosmos Hub/i);
      await editor.screenshot('public-chain-by-denom');
    });

    it('offers the addresses of a chain by who runs them', async () => {
      await editor.quickInput.accept();
      await editor.until(
        'the addresses',
        () => editor.quickInput.title(),
        (title) => /address/i.test(title),
      );
      const providers = await editor.quickInput.items();
      assert.ok(providers.length > 1, providers.join());
      await editor.setTheme('dark');
      await editor.screenshot('public-chain-addresses');
      await editor.quickInput.cancel();
    });
  });
});
