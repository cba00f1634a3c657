import { strict as assert } from 'node:assert';
import { type Editor, startEditor } from '../support/editor.ts';

describe('picking a public chain', () => {
  let editor: Editor;
  before(async () => {
    editor = await startEditor();
    await editor.openContainer('Chain Inspector');
  });
  after(() => editor?.dispose());

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
