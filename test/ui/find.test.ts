import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sampleOperator, sampleVoter as voter } from '../fixtures/addresses.ts';
import { type Editor, startEditor } from '../support/editor.ts';
import { sampleFile } from '../support/folders.ts';

describe('find, filter and export', () => {
  let editor: Editor;

  before(async () => {
    editor = await startEditor();
    await editor.page.locator('.activitybar .action-label[aria-label^="Chain Inspector"]').waitFor({ timeout: 60_000 });
  });

  after(() => editor?.dispose());

  const command = (title: string) => editor.runCommand(`Chain Inspector: ${title}`);
  const items = (accept: (items: readonly string[]) => boolean) =>
    editor.until('the choices', () => editor.quickInput.items(), accept);

  const goTo = () => command('Go to Proposal or Denom…');
  const tab = (id: string) =>
    editor.until(
      'a tab',
      () => editor.tabs(),
      (tabs) => tabs.some((title) => title.includes(id)),
    );

  it('goes to a proposal by three digits and Enter, with no view open', async () => {
    await goTo();
    await editor.quickInput.widget.locator('input.input').waitFor();
    await editor.page.keyboard.type('705');
    await items(([first = '']) => first.trim() === '705');
    await editor.screenshot('go-to-705');
    await editor.page.keyboard.press('Enter');
    await tab('#705');
  });

  it('goes to a pasted page, and offers it again', async () => {
    await goTo();
    await editor.quickInput.type('https://explorer.example/chain/proposals/992');
    await items(([first = '']) => /#992\b/.test(first));
    await editor.quickInput.accept();
    await tab('#992');
    await goTo();
    await items(([first = '']) => /#992 Light the first beacon/.test(first));
    await editor.screenshot('go-to-recent');
  });

  it('searches all pages from three characters on, once, and says how much was searched', async () => {
    await editor.quickInput.type('up');
    await items((all) => all.every((item) => !/earch/.test(item)));
    await editor.quickInput.type('upgrade');
    const searched = await items((all) => all.some((item) => /All were searched/.test(item)));
    assert.match(searched.at(-1) ?? '', /All were searched \(proposals: 7\d, denoms: 18\d, validators: 21\)/);
    await editor.screenshot('go-to-all');
    await editor.quickInput.type('no such text');
    await items(([first = '', ...others]) => /All were searched/.test(first) && others.length === 0);
    await editor.quickInput.type('upgrade');
    await items((all) => all.length > 2);
    await editor.quickInput.accept();
    await editor.until(
      'another tab',
      () => editor.tabs(),
      (tabs) => tabs.length > 0 && !tabs.some((title) => title.includes('#992')),
    );
  });

  it('offers the supply of a denom or symbol only where the chain has it', async () => {
    await goTo();
    await editor.quickInput.type('ACORN');
    await items(([first = '']) => first.trim() === 'ACORN');
    await editor.quickInput.type('nosuchdenom');
    await items(([first = '', ...others]) => /All were searched/.test(first) && others.length === 0);
    await editor.quickInput.cancel();
  });

  it('has the exact id first and active among all that is loaded', async () => {
    await editor.openContainer('Chain Inspector');
    const tree = editor.tree('Proposals');
    await tree.open();
    await tree.expand('Passed');
    await editor.tree('Supply').open();
    await editor.tree('Supply').waitForText(/^SAMPLE/m);
    await goTo();
    await editor.quickInput.widget.locator('input.input').waitFor();
    await editor.page.keyboard.type('705');
    await items(([first = '', ...others]) => first.trim() === '705' && others.length > 0);
    const active = editor.quickInput.widget.locator('.monaco-list-row.focused');
    assert.equal(await active.getAttribute('data-index'), '0');
    await editor.screenshot('go-to-705-loaded');
    await editor.page.keyboard.press('Enter');
    await tab('#705');
    await (await tree.row('Passed')).click();
  });

  it('filters proposals by voter, says why an address cannot be used, and clears with one click', async () => {
    await editor.openContainer('Chain Inspector');
    await editor.tree('Supply').open();
    await editor.tree('Supply').waitForText(/^SAMPLE/m);
    const tree = editor.tree('Proposals');
    await tree.open();
    await tree.expand('Voting period');
    const before = await tree.waitForText(/#\d/);
    await command('Filter Proposals…');
    await editor.quickInput.choose(/Voter/);
    await editor.quickInput.type(`${voter.slice(0, -1)}q`);
    await items(([first = '']) => /checksum is wrong/i.test(first));
    await editor.screenshot('filter-address-refused');
    await editor.quickInput.type(sampleOperator);
    await items(([first = '']) => /not one of an account/i.test(first));
    await editor.quickInput.type(voter);
    await items(([first = '']) => first.includes(voter));
    await editor.quickInput.accept();
    const filtered = await tree.waitForText(
      (text) => /^Votes are known only while voting/.test(text) && /#\d/.test(text),
    );
    assert.ok(filtered.split('\n').length < before.split('\n').length + 1);
    assert.match((await tree.header.textContent()) ?? '', /voter sample1/);
    await command('Filter Proposals…');
    await items((all) => all.some((item) => /Clear Filter/.test(item)));
    await editor.screenshot('filter-menu');
    await editor.quickInput.choose(/Status/);
    await items((all) => all.includes('Passed'));
    await editor.quickInput.choose('Passed');
    await editor.screenshot('filter-statuses');
    await editor.quickInput.accept();
    await tree.waitForText((text) => /^Voting period/m.test(text) && !/^Passed/m.test(text));
    assert.match((await tree.header.textContent()) ?? '', /voter sample1.* · without Passed · /);
    await editor.screenshot('proposals-filtered');
    await tree.header.hover();
    await tree.header.getByRole('button', { name: /^Clear Filter/ }).click();
    await tree.waitForText((text) => !text.startsWith('Votes') && /#\d/.test(text));
    assert.doesNotMatch((await tree.header.textContent()) ?? '', /voter/);
  });

  it('narrows and orders the supply, in the view’s own words', async () => {
    const tree = editor.tree('Supply');
    await command('Filter Supply…');
    await editor.quickInput.type('factory/');
    await tree.waitForText((text) => text.split('\n').every((line) => /^factory\//.test(line)));
    await editor.quickInput.accept();
    await editor.quickInput.widget.waitFor({ state: 'hidden' });
    await command('Sort Supply…');
    await editor.quickInput.choose(/by amount/);
    await editor.until(
      'the title',
      async () => (await tree.header.textContent()) ?? '',
      (text) => /“factory\/” \d+ of 18\d, by amount/.test(text),
    );
    await editor.screenshot('supply-filtered');
    await tree.header.hover();
    await tree.header.getByRole('button', { name: /^Clear Filter/ }).click();
    await tree.waitForText(/^SAMPLE/m);
  });

  it('copies the selected rows by keyboard, for a spreadsheet', async () => {
    const tree = editor.tree('Supply');
    const rows = await tree.rows();
    await (await tree.row(rows[0]?.label ?? '')).click();
    await (await tree.row(rows[2]?.label ?? '')).click({ modifiers: ['Shift'] });
    await editor.page.keyboard.press('Control+C');
    const text = await editor.until(
      'the clipboard',
      () => editor.clipboard(),
      (copied) => copied.split('\n').length === 5,
    );
    const [head = '', first = ''] = text.split('\n');
    assert.match(head, /^denom\tamount\t/);
    assert.match(first, /^[^\t]+\t\d+\t/);
  });

  it('exports everything behind the view to a file, and loads nothing into the view', async () => {
    const path = join(editor.workspace, 'supply.csv');
    const before = (await editor.tree('Supply').rows()).length;
    await command('Export Supply…');
    await items((all) => all.length === 4);
    await editor.screenshot('export-choices');
    await editor.quickInput.choose('Everything as CSV');
    // The dialog fills in its proposal some time after it has opened.
    await editor.until(
      'the dialog',
      () => editor.quickInput.value(),
      (value) => /-supply-/.test(value),
    );
    await editor.quickInput.type(path);
    await editor.screenshot('export-file');
    await editor.quickInput.accept();
    await editor.notification(/Exported \d+ rows to .*supply\.csv/);
    await editor.screenshot('export-done');
    assert.ok(existsSync(path));
    const lines = readFileSync(path, 'utf8').split('\r\n');
    assert.ok(lines.length > 180);
    assert.deepEqual(
      readdirSync(editor.workspace).filter((name) => name.endsWith('.part')),
      [],
    );
    assert.equal((await editor.tree('Supply').rows()).length, before);
  });

  it('asks where to write, whatever file a caller of the command names, and replaces it only when told to', async () => {
    const path = join(editor.workspace, 'supply.csv');
    const written = readFileSync(path, 'utf8');
    const file = { $mid: 1, scheme: 'file', path, fsPath: path };
    const done = editor.execute('chainInspector.exportSupply', { scope: 'everything', format: 'csv', file, path });
    const proposed = await editor.until(
      'the dialog',
      () => editor.quickInput.value(),
      (value) => /-supply-/.test(value),
    );
    assert.notEqual(proposed, path);
    await editor.quickInput.type(path);
    await editor.quickInput.accept();
    await editor.until(
      'the question whether to replace it',
      () => editor.page.locator('.quick-input-widget, .monaco-dialog-box').allInnerTexts(),
      (texts) => texts.some((text) => /already exists/.test(text)),
    );
    assert.equal(readFileSync(path, 'utf8'), written);
    // Leaving the question leads back to the dialog.
    await editor.until(
      'the dialog to be left',
      async () => {
        await editor.page.keyboard.press('Escape');
        return editor.quickInput.widget.isVisible();
      },
      (visible) => !visible,
    );
    await done;
    assert.equal(readFileSync(path, 'utf8'), written);
  });

  it('exports all tables of a state file into a folder', async () => {
    await editor.setSettings({ 'chainInspector.baseUrl': pathToFileURL(sampleFile).href });
    await editor.tree('Supply').rows();
    await command('Export Supply…');
    await items((all) => all.some((item) => /All tables of the file as Parquet/.test(item)));
    await editor.screenshot('export-tables');
    await editor.quickInput.choose('All tables of the file as Parquet');
    await editor.until(
      'the dialog',
      () => editor.quickInput.value(),
      (value) => value.length > 0,
    );
    const folder = join(editor.workspace, 'tables');
    mkdirSync(folder);
    // The dialog writes its first folder late, and may write it over what was typed.
    await editor.until(
      'the content of the folder',
      async () => {
        const items = await editor.quickInput.items();
        const value = await editor.quickInput.value();
        if (value !== `${folder}/`) await editor.quickInput.type(`${folder}/`);
        return { value, items };
      },
      ({ value, items }) => value === `${folder}/` && items.includes('..') && !items.includes('tables'),
    );
    await editor.screenshot('export-tables-folder');
    await editor.quickInput.accept();
    await editor.notification(/Exported \d+ rows as tables to .*tables/);
    await editor.screenshot('export-tables-done');
    assert.equal(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).tables.supply.rows, 183);
    await editor.setSettings({ 'chainInspector.baseUrl': '' });
  });
});
