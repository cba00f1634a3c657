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

  it('expands a group of proposals', async () => {
    const proposals = editor.tree('Proposals');
    await proposals.expand('Voting period');
    await proposals.waitForText(/^ {2}#\d+ /m);
  });

  it('loads the next page', async () => {
    const supply = editor.tree('Supply');
    await (await supply.row(/^Load more/i)).click();
    await editor.until(
      'a second page',
      () => supply.rows(),
      (rows) => rows.length === 101,
    );
  });

  for (const theme of ['light', 'dark'] as const) {
    it(`wears the ${theme} theme`, async () => {
      await editor.setTheme(theme);
      await editor.screenshot(`sidebar-${theme}`);
    });
  }
});
