import { strict as assert } from 'node:assert';
import { type Editor, startEditor } from '../support/editor.ts';

describe('the sidebar', () => {
  let editor: Editor;

  before(async () => {
    editor = await startEditor();
    await editor.openContainer('Chain Inspector');
  });

  after(() => editor?.dispose());

  it('shows the supply of the sample chain, a page at a time', async () => {
    const supply = editor.tree('Supply');
    await supply.open();
    await supply.waitForText(/Load more/i);
    const rows = await supply.rows();
    // A page of 50, and the row that loads more.
    assert.equal(rows.length, 51);
  });

  for (const theme of ['light', 'dark'] as const) {
    it(`wears the ${theme} theme`, async () => {
      await editor.setTheme(theme);
      await editor.screenshot(`sidebar-${theme}`);
    });
  }
});
