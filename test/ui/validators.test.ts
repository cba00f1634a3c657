import { strict as assert } from 'node:assert';
import { type Editor, startEditor } from '../support/editor.ts';

describe('the Validators view', () => {
  let editor: Editor;

  before(async () => {
    editor = await startEditor();
    await editor.openContainer('Chain Inspector');
  });

  after(() => editor?.dispose());

  it('is closed at first', async () => {
    const validators = editor.tree('Validators');
    await validators.section.waitFor();
    assert.equal(await validators.header.getAttribute('aria-expanded'), 'false');
    await validators.open();
    const text = await validators.waitForText(/ M · \d+\.\d\d % · .*commission/);
    assert.match(text, /jailed/);
  });

  for (const theme of ['light', 'dark'] as const)
    it(`wears the ${theme} theme`, async () => {
      await editor.setTheme(theme);
      await editor.tree('Validators').waitForText(/ M · \d+\.\d\d % · .*commission/);
      await editor.screenshot(`validators-${theme}`);
    });
});
