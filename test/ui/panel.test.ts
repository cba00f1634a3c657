import { strict as assert } from 'node:assert';
import type { Locator } from 'playwright-core';
import { type Editor, startEditor } from '../support/editor.ts';
import { startReplies } from '../support/servers.ts';
import { type GalleryCase, numbered, stateOf } from './gallery/galleryState.ts';
import { PanelScreen } from './gallery/panelScreen.ts';

/** Proposals of the sample chain: voting, ended, in its deposit period. */
const voting = 859;
const ended = 801;

describe('the proposal panel', function () {
  this.timeout(120_000);
  let editor: Editor;
  let screen: PanelScreen;

  before(async () => {
    editor = await startEditor();
    screen = new PanelScreen(editor);
    await screen.open(voting);
  });

  after(() => editor?.dispose());

  const findInput = () => editor.page.locator('.simple-find-part.visible input').first();

  it('says what is proposed and where it stands', async () => {
    const text = await screen.text();
    for (const part of ['Where it stands', 'When', 'Deposit', 'What is proposed', 'Description', 'Raw JSON']) {
      assert.match(text, new RegExp(`heading "${part}" \\[level=2\\]`));
    }
    assert.match(text, /if voting ended now/);
    assert.match(text, /row "slashing SlashFractionDowntime removed .* added .*"/);
  });

  it('counts down without drawing anything else anew', async () => {
    const timer = screen.page.getByRole('timer');
    await timer.evaluate((place) => {
      place.ownerDocument.body.dataset.seen = 'yes';
      place.dataset.mine = 'yes';
    });
    const before = await textOf(timer);
    // Minutes are the smallest unit a day ahead, so the page's clock is turned instead of waiting.
    const frame = await screen.frame();
    await frame.evaluate('{ const now = performance.now.bind(performance); performance.now = () => now() + 180_000; }');
    await editor.until(
      'the timer to move',
      () => textOf(timer),
      (text) => text !== before,
    );
    assert.equal(await timer.getAttribute('data-mine'), 'yes');
    assert.match(await textOf(timer), /^in \d+ d/);
  });

  it('keeps place and focus when it learns something new', async () => {
    const summary = screen.page.getByText('Show the JSON as it came');
    await summary.click();
    const frame = await screen.frame();
    await frame.evaluate('window.scrollTo(0, 700)');
    await screen.page.locator('footer time').evaluate((time) => time.setAttribute('datetime', 'old'));
    await screen.page.locator('button[data-action=refresh]').evaluate((button) => button.click());
    await screen.page.locator('footer time:not([datetime=old])').waitFor();
    assert.equal(await frame.evaluate('window.scrollY'), 700);
    assert.equal(await frame.evaluate('document.activeElement.textContent'), 'Show the JSON as it came');
    assert.equal(await summary.evaluate((one) => one.parentElement?.hasAttribute('open')), true);
  });

  it('goes to the proposal before and after over gaps of ids, and back', async () => {
    await screen.press('Previous');
    await screen.shows(843);
    await screen.press('Previous');
    await screen.shows(812);
    await screen.press('Back');
    await screen.shows(843);
    await screen.press('Next');
    await screen.shows(voting);
  });

  it('does the same by keys', async () => {
    await screen.heading.click();
    await editor.page.keyboard.press('Alt+ArrowUp');
    await screen.shows(843);
    await editor.page.keyboard.press('Alt+ArrowLeft');
    await screen.shows(voting);
    await screen.page.locator('footer time').evaluate((time) => time.setAttribute('datetime', 'old'));
    await editor.page.keyboard.press('Control+r');
    await screen.page.locator('footer time:not([datetime=old])').waitFor();
  });

  it('is one preview, until it is kept open', async () => {
    await screen.open(ended);
    assert.equal((await editor.tabs()).length, 1);
    await screen.press('Keep Open');
    await screen.page.locator('button[data-action=pin][aria-pressed=true]').waitFor();
    await screen.open(voting);
    assert.equal((await editor.tabs()).length, 2);
    await screen.open(ended);
    assert.equal((await editor.tabs()).length, 2, 'a kept panel is shown again, not opened twice');
  });

  it('is worked by keyboard, with the focus in sight', async () => {
    const frame = await screen.frame();
    await screen.heading.click();
    const seen: string[] = [];
    for (let step = 0; step < 30; step++) {
      await editor.page.keyboard.press('Tab');
      const [name, width, style] = String(
        await frame.evaluate(
          '(() => { const one = document.activeElement, css = getComputedStyle(one); return [one.localName === "body" ? "" : one.textContent, css.outlineWidth, css.outlineStyle].join("|"); })()',
        ),
      ).split('|');
      if (!name || seen.includes(name)) break;
      seen.push(name);
      assert(Number.parseFloat(width ?? '') >= 1 && style === 'solid', `no focus ring on ${name}: ${width} ${style}`);
    }
    for (const name of ['Previous', 'Next', 'Refresh', 'Keep Open', 'Copy ID', 'Working']) {
      assert(seen.includes(name), `${name} is not reached by Tab: ${seen.join(', ')}`);
    }
  });

  it('copies the id and the JSON, and says that the sample chain has no address', async () => {
    await screen.press('Copy ID');
    await clipboardHolds(/^801$/);
    await screen.press('Copy JSON');
    await clipboardHolds(/^\{\n {2}"proposal_id": "801"/);
    await screen.press('Copy as cURL');
    await editor.notification('npm run serve');
    await editor.execute('notifications.clearAll');
  });

  it('finds text that is folded away', async () => {
    await screen.heading.click();
    await editor.page.keyboard.press('Control+f');
    await findInput().fill('"proposal_id"');
    await findInput().press('Enter');
    const frame = await screen.frame();
    await editor.until(
      'the selection of what was found',
      async () => String(await frame.evaluate('String(getSelection())')),
      (text) => text === '"proposal_id"',
    );
    await editor.page.keyboard.press('Escape');
  });

  it('finds it without the key too, and opens no other fold', async () => {
    const frame = await screen.frame();
    const open = () =>
      frame.evaluate('[...document.querySelectorAll("details[open]")].map((one) => one.dataset.fold).join()');
    await screen.heading.click();
    await frame.evaluate('for (const one of document.querySelectorAll("details")) one.open = false');
    await frame.evaluate('getSelection().removeAllRanges()');
    await editor.execute('editor.action.webvieweditor.showFind');
    const search = async (text: string) => {
      await findInput().fill(text);
      await findInput().press('Enter');
    };
    await search('nowhere to be found');
    assert.equal(await open(), '');
    await search('"voting_end_time"');
    await editor.until(
      'the selection of what was found',
      async () => String(await frame.evaluate('String(getSelection())')),
      (text) => text === '"voting_end_time"',
    );
    assert.equal(await open(), 'raw');
    const top = Number(await frame.evaluate('getSelection().getRangeAt(0).getBoundingClientRect().top / innerHeight'));
    assert(top > 0 && top < 0.9, `out of sight: ${top}`);
    await editor.page.keyboard.press('Escape');
    // The page takes the focus back, which would close an input box.
    await editor.page.locator('.webview-find-widget, .simple-find-part.visible').waitFor({ state: 'detached' });
    await screen.heading.click();
  });

  it('comes back after a reload of the editor, as it was', async () => {
    // The editor's own reload: it writes down what is open before it goes.
    await editor.reload();
    const tab = editor.page.locator('.tabs-container .tab', { hasText: `#${ended}` });
    await tab.click();
    await screen.shows(ended);
    await screen.page.locator('button[data-action=pin][aria-pressed=true]').waitFor();
    assert.equal((await editor.tabs()).length, 2);
  });

  it('asks by itself when the time of a vote runs out, and tells how it ended', async () => {
    let end: number | undefined;
    const service = await startReplies(({ pathname }) => {
      if (pathname !== '/cosmos/gov/v1beta1/proposals/7') return { status: 501, body: '{"code":12,"message":""}' };
      end ??= Date.now() + 3_000;
      const isOver = Date.now() >= end;
      const proposal = {
        proposal_id: '7',
        content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'Soon over', description: 'D' },
        status: isOver ? 'PROPOSAL_STATUS_PASSED' : 'PROPOSAL_STATUS_VOTING_PERIOD',
        final_tally_result: { yes: isOver ? '6' : '0', abstain: '0', no: '0', no_with_veto: '0' },
        voting_end_time: new Date(end).toISOString(),
      };
      return { headers: { 'x-cosmos-block-height': '4711' }, body: JSON.stringify({ proposal }) };
    });
    try {
      await editor.execute('workbench.action.closeAllEditors');
      await editor.setSettings({ 'chainInspector.baseUrl': `${service.url}/cosmos` });
      await screen.open(7);
      await screen.page.locator('.verdict', { hasText: /^Passed\./ }).waitFor();
      await screen.page.locator('.pill.good', { hasText: 'Passed' }).waitFor();
      assert.match(await screen.text(), /height 4,711/);
      const asked = service.requests.filter((path) => path.endsWith('/proposals/7'));
      assert(asked.length >= 2 && asked.length <= 4, `${asked.length} requests`);
    } finally {
      await editor.setSettings({ 'chainInspector.baseUrl': '' });
      await service.stop();
    }
  });

  it('asks before it opens a link whose text names another host', async () => {
    const content = {
      '@type': '/cosmos.gov.v1beta1.TextProposal',
      title: 'T',
      description: 'Look at [https://google.com](https://evil.invalid/here).',
    };
    const one: GalleryCase = {
      name: 'link',
      golden: false,
      proposal: { content, status: 'PROPOSAL_STATUS_PASSED', total_deposit: [] },
    };
    await editor.execute('workbench.action.closeAllEditors');
    await screen.showState('link.json', stateOf(numbered([one])));
    await screen.open(1);
    assert.match(
      await screen.text(),
      /link "https:\/\/google\.com".*\n.*\(evil\.invalid\).*\n.*the text names another host/,
    );
    await screen.page.getByRole('link', { name: 'https://google.com' }).click();
    const dialog = editor.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    assert.match(await textOf(dialog), /leads to evil\.invalid/);
    assert.match(await textOf(dialog), /https:\/\/evil\.invalid\/here/);
    await editor.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  async function clipboardHolds(pattern: RegExp): Promise<void> {
    await editor.until(
      `the clipboard to hold ${pattern}`,
      () => editor.clipboard(),
      (text) => pattern.test(text),
    );
  }
});

async function textOf(place: Locator): Promise<string> {
  return (await place.textContent()) ?? '';
}
