import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { besideLabel, labelBeside } from '../../src/words/proposalWords.ts';
import { sampleVoter as voter } from '../fixtures/addresses.ts';
import { type Editor, startEditor } from '../support/editor.ts';
import type { TreeView } from '../support/editorTree.ts';
import { actUntil } from '../support/editorWait.ts';

/** The pixels that are left behind each row, and behind a copy of the first one with each pair of label and description. */
function spacesBehind(rows: Locator, texts: readonly (readonly string[])[]): Promise<readonly number[]> {
  return rows.evaluateAll((all, written) => {
    const spaceIn = (row: Pick<(typeof all)[number], 'querySelector'> | null | undefined) => {
      const rightOf = (part: string) => row?.querySelector(part)?.getBoundingClientRect().right ?? Number.NaN;
      return rightOf('.monaco-icon-label-container') - rightOf('.label-description');
    };
    const [first] = all;
    // In a copy: the editor writes its own rows again.
    const others = written.map((values) => {
      first?.after(first.cloneNode(true));
      const copy = first?.nextElementSibling;
      for (const [at, part] of ['.label-name', '.label-description'].entries())
        copy?.querySelector(part)?.replaceChildren(values[at] ?? '');
      const pixels = spaceIn(copy);
      copy?.remove();
      return pixels;
    });
    return [...all.map(spaceIn), ...others];
  }, texts);
}

describe('the views', () => {
  let editor: Editor;

  before(async () => {
    editor = await startEditor({ fresh: true });
  });

  after(() => editor?.dispose());

  const command = (title: string) => editor.runCommand(`Chain Inspector: ${title}`);
  const items = (accept: (items: readonly string[]) => boolean) =>
    editor.until('the choices', () => editor.quickInput.items(), accept);
  const header = (tree: TreeView, text: RegExp) =>
    editor.until(
      `the header to be ${text}`,
      async () => (await tree.header.textContent()) ?? '',
      (shown) => text.test(shown),
    );
  /** Waits for a button of a header, which is there while the mouse is over it: what appears above it moves it away. */
  const headerButton = async (tree: TreeView, name: string | RegExp) => {
    const button = tree.header.getByRole('button', { name });
    await editor.until(`${name} in the header`, () => tree.header.hover().then(() => button.isVisible()), Boolean);
    return button;
  };
  const clearFilter = async (tree: TreeView) => {
    const click = () => headerButton(tree, /^Clear Filter/).then((button) => button.click());
    const isCleared = async () => !/voter|"/.test((await tree.header.textContent()) ?? '');
    await actUntil(editor.page, click, 'the filter to be cleared', isCleared);
  };

  it('goes to a proposal by three digits and Enter, with no view open', async () => {
    await command('Go to Proposal or Denom…');
    await editor.quickInput.widget.locator('input.input:focus').waitFor();
    await editor.page.keyboard.type('705');
    await items(([first = '']) => first.trim() === '705');
    await editor.screenshot('go-to-705');
    await editor.page.keyboard.press('Enter');
    await editor.webview().getByRole('heading', { level: 1, name: /#705/ }).waitFor();
    assert.match((await editor.tabs()).join(), /#705/);
    await editor.screenshot('panel-by-palette');
  });

  it('says that a proposal is not there, and keeps working', async () => {
    await command('Go to Proposal or Denom…');
    await editor.quickInput.type('999999');
    await editor.quickInput.choose(/^\s*999999$/);
    await editor
      .webview()
      .getByText(/doesn't exist/)
      .first()
      .waitFor();
    await editor.execute('editorDriver.closeEditors');
  });

  it('shows the sample chain by name, with the ways on', async () => {
    await editor.openContainer('Chain Inspector');
    const endpoints = editor.tree('Endpoints');
    await endpoints.open();
    await endpoints.waitForText(/^Sample chain {2}works offline · current$/);
    await headerButton(endpoints, 'Add Endpoint…');
    await editor.screenshot('endpoints-view');
    await endpoints.header.click();
    assert.ok((await editor.statusBar()).some((text) => text.includes('Sample chain')));
  });

  it('shows at 300 pixels 20 characters of an open vote, its time and its turnout, watched or not', async () => {
    await editor.setSettings({ 'chainInspector.watch': [{ source: '', proposal: '859' }] });
    const proposals = editor.tree('Proposals');
    await proposals.waitForText(/^ {2}#859 Milder slashing… {2}•\dd 45%$/m);
    await proposals.row(/^#859/);
    assert.equal((await editor.page.locator('.part.sidebar').boundingBox())?.width, 300);
    const rows = proposals.section.locator('.monaco-list-row', { hasText: /#\d+ .*%$/ });
    // Votes are read one by one.
    await editor.until(
      'five turnouts',
      () => rows.count(),
      (count) => count >= 5,
    );
    // Votes as the sample chain has none today stand in one of its rows.
    const others = [
      ['•', '12d', '45%'],
      ['', '27m', '45%'],
      ['•', '28m', '0/1'],
      ['', '12d', 'veto'],
      ['•', '4d', 'abst'],
      ['', '27m', '1/2'],
    ] as const;
    const texts = others.map(([mark, time, state]) => {
      const description = besideLabel(mark, time, state);
      return [labelBeside('#1012 Faster governance for small chains', description), description];
    });
    const space = await spacesBehind(rows, texts);
    assert.ok(space.length > 10 && space.every((pixels) => pixels >= 0), `space behind them: ${space.join()}`);
    await editor.setSettings({ 'chainInspector.watch': null });
  });

  it('loads more by keyboard, and keeps what was there', async () => {
    await editor.setSettings({ 'chainInspector.pageSize': 10 });
    const proposals = editor.tree('Proposals');
    await proposals.expand('Passed');
    const before = (await proposals.waitForText(/^ {2}Load More/m)).split('\n').length;
    await proposals.click('Load More');
    await proposals.waitForText((text) => text.split('\n').length > before);
    const loadMore = () => proposals.press('Load More', 'Enter');
    const isLoaded = async () => (await proposals.text()).split('\n').length >= before + 20;
    await actUntil(editor.page, loadMore, 'more rows', isLoaded);
    await proposals.click('Passed');
    await editor.setSettings({ 'chainInspector.pageSize': null });
  });

  it('keeps the focus in the list when a row is opened, and gives it to the panel with the next Enter', async () => {
    const focused = () => editor.page.evaluate('document.activeElement?.tagName');
    const proposals = editor.tree('Proposals');
    for (const [label, id] of [
      [/^#801/, '801'],
      [/^#859/, '859'],
    ] as const) {
      await proposals.press(label, 'Enter');
      await editor
        .webview()
        .getByRole('heading', { level: 1, name: new RegExp(`#${id}`) })
        .waitFor();
      assert.notEqual(await focused(), 'IFRAME');
    }
    const enter = () => proposals.press(/^#859/, 'Enter');
    await actUntil(editor.page, enter, 'the panel to have the focus', async () => (await focused()) === 'IFRAME');
    await editor.execute('editorDriver.closeEditors');
  });

  it('shows what waits for its deposit by deadline with the share that is there, and the day of what has ended', async () => {
    const proposals = editor.tree('Proposals');
    await proposals.expand('Deposit period');
    await proposals.waitForText(/^ {2}#746 Weekly[^\n]* {2}\dh \d+%\n {2}#761 Print[^\n]* {2}1d \d+%$/m);
    await proposals.expand('Passed');
    const row = await proposals.row(/^#674/);
    assert.equal(await row.locator('.custom-view-tree-node-item-icon').count(), 0, 'no icon repeats the group');
    assert.match((await row.textContent()) ?? '', /^#674 Restrict who may.*…\w{3} \d{1,2}$/);
    const wide = await proposals.row(/^#673/);
    const right = (part: string) => wide.locator(part).evaluate((one) => one.getBoundingClientRect().right);
    assert.ok((await right('.label-description')) <= (await right('.monaco-icon-label-container')), 'the day is cut');
    await proposals.click('Passed');
    await proposals.click('Deposit period');
  });

  it('reads the whole supply by itself, and opens a denom by keyboard', async () => {
    const supply = editor.tree('Supply');
    await supply.waitForText(/^SAMPLE {2}413,437,623\.72\n[\s\S]*^Other Denoms {2}1\d\d$/m);
    const star = await supply.row('SAMPLE');
    await editor.until(
      'the row as it is read aloud',
      async () => (await star.getAttribute('aria-label')) ?? '',
      (text) => /^usample, 413,437,623\.\d+ SAMPLE .*, staked/.test(text),
    );
    await supply.click('SAMPLE');
    await editor.page.keyboard.press('Enter');
    await editor.webview().getByText('413,437,623.720153 SAMPLE').first().waitFor();
    await editor.webview().getByRole('table', { name: 'Largest holders' }).waitFor();
    await editor.screenshot('denom-page');
    await editor.execute('editorDriver.closeEditors');
  });

  it('keeps expansion through a refresh', async () => {
    const proposals = editor.tree('Proposals');
    await proposals.expand('Deposit period');
    const text = await proposals.waitForText(/^ {2}#\d+/m);
    await command('Refresh');
    await proposals.waitForText((now) => now.replace(/ {2}[<\d].*$/gm, '') === text.replace(/ {2}[<\d].*$/gm, ''));
  });

  it('filters proposals by voter, says why an address cannot be used, and clears with one click', async () => {
    const tree = editor.tree('Proposals');
    await tree.expand('Voting period');
    const before = await tree.waitForText(/#\d/);
    await command('Filter Proposals…');
    await editor.quickInput.choose(/Voter/);
    await editor.quickInput.type(`${voter.slice(0, -1)}q`);
    await items(([first = '']) => /invalid checksum/i.test(first));
    await editor.screenshot('filter-address-refused');
    await editor.quickInput.type(voter);
    await items(([first = '']) => first.includes(voter));
    await editor.quickInput.accept();
    const filtered = await tree.waitForText(
      (text) =>
        /^Finds only proposals that are open for voting: votes are deleted after the tally/m.test(text) &&
        /#\d/.test(text),
    );
    assert.ok(filtered.split('\n').length < before.split('\n').length + 1);
    await header(tree, /voter sample1/);
    await command('Filter Proposals…');
    await items((all) => all.some((item) => /Clear Filter/.test(item)));
    await editor.screenshot('filter-menu');
    await editor.quickInput.choose(/Status/);
    await items((all) => all.includes('Passed'));
    await editor.quickInput.choose('Passed');
    await editor.screenshot('filter-statuses');
    await editor.quickInput.accept();
    await tree.waitForText((text) => /^Voting period/m.test(text) && !/^Passed/m.test(text));
    await header(tree, /voter sample1.* · all except Passed · /);
    await editor.screenshot('proposals-filtered');
    await clearFilter(tree);
    await tree.waitForText((text) => !/^Votes/m.test(text) && /#\d/.test(text));
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
    await editor.quickInput.choose(/By amount/);
    await header(tree, /"factory\/" \d+ of 18\d, by amount/);
    await editor.screenshot('supply-filtered');
    await clearFilter(tree);
    await tree.waitForText(/^SAMPLE/m);
  });

  it('copies the selected rows by keyboard, for a spreadsheet', async () => {
    const tree = editor.tree('Supply');
    const rows = await tree.rows();
    await tree.click(rows[0]?.label ?? '');
    // The page of the first one may take the focus late, and the key with it.
    const copy = async () => {
      await (await tree.row(rows[2]?.label ?? '')).click({ modifiers: ['Shift'] });
      await editor.page.keyboard.press('Control+C');
    };
    let text = '';
    const isCopied = async () => {
      text = await editor.clipboard();
      return text.split('\n').length === 5;
    };
    await actUntil(editor.page, copy, 'three rows in the clipboard', isCopied);
    const [head = '', first = ''] = text.split('\n');
    assert.match(head, /^denom\tamount\t/);
    assert.match(first, /^[^\t]+\t\d+\t/);
  });

  it('exports everything behind the view to a file, and loads nothing into the view', async () => {
    const path = join(editor.workspace, 'supply.csv');
    const before = (await editor.tree('Supply').rows()).length;
    await command('Export…');
    await editor.quickInput.choose('Supply');
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

  it('selects the row of what the panel shows', async () => {
    const selected = (id: string) =>
      editor.until(
        `the row ${id} to be selected`,
        () => editor.tree('Proposals').rows(),
        (rows) => rows.some((row) => row.selected && row.label.startsWith(id)),
      );
    await editor.tree('Proposals').expand('Passed');
    const opened = editor.execute('chainInspector.goTo', '961');
    await editor.quickInput.choose(/961/);
    await opened;
    await editor.webview().getByRole('heading', { level: 1, name: /#961/ }).waitFor();
    await selected('#961');
    await command('Next Proposal');
    await editor.webview().getByRole('heading', { level: 1, name: /#986/ }).waitFor();
    await selected('#986');
  });

  it('keep the Validators view closed at first', async () => {
    const validators = editor.tree('Validators');
    await validators.section.waitFor();
    assert.equal(await validators.header.getAttribute('aria-expanded'), 'false');
    await editor.setTheme('dark');
    await validators.open();
    assert.match(await validators.waitForText(/ {2}\d+\.\d\d % · [\d.]+ %/), /jailed/);
    await editor.screenshot('validators-dark');
    await validators.header.click();
  });
});
