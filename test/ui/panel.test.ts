import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { readRecording } from '../node/recording.ts';
import { startReplay } from '../node/replay.ts';
import { notImplemented } from '../support/chainReplies.ts';
import { type Editor, startEditor } from '../support/editor.ts';
import { actUntil } from '../support/editorWait.ts';
import { startEchoServer } from '../support/servers.ts';
import { type GalleryCase, galleryCases, numbered, stateOf } from './gallery/galleryState.ts';
import { allPayloads, problemsOf } from './gallery/hostilePage.ts';
import { PanelScreen, type ThemeName, themes } from './gallery/panelScreen.ts';

/** Proposals of the sample chain: voting, ended. */
const voting = 859;
const ended = 673;

/** Cases whose looks differ most, for axe in each theme; all of them with TEST_FULL. */
const looks = new Set(['MsgUpdateParams VOTING_PERIOD', 'TextProposal DEPOSIT_PERIOD', 'the whole of markdown']);

describe('the proposal panel', () => {
  let editor: Editor;
  let screen: PanelScreen;
  let next = 0;
  let afterNext = 0;

  before(async () => {
    editor = await startEditor();
    screen = new PanelScreen(editor);
    await screen.open(voting);
  });

  after(() => editor?.dispose());

  it('answers at first glance, in a window of 1280 by 800 and in one of 400 pixels', async () => {
    const places = ['.ends', '.verdict', '.overview .bar', '.changes > div:first-child dd'];
    for (const width of [1280, 400]) {
      // Before there is no room for it: it would come back as narrow as it was made.
      if (width === 400) await editor.execute('workbench.action.closeSidebar');
      await editor.page.setViewportSize({ width, height: 800 });
      for (const place of places) {
        const bottom = Number(
          await (await screen.frame()).evaluate(
            `document.querySelector(${JSON.stringify(place)}).getBoundingClientRect().bottom - innerHeight`,
          ),
        );
        assert(bottom <= 0, `${place} ends ${bottom} pixels below the window of ${width} pixels`);
      }
    }
    await editor.page.setViewportSize({ width: 1280, height: 900 });
    const text = await screen.text();
    assert.match(text, /time: Ends in \d+ days/);
    assert.match(text, /if voting ended now:/);
    assert.match(text, /0\.01 % → 0\.002 %/);
    assert.match(text, /slash_fraction_downtime 0\.000100000000000000 → 0\.000020000000000000/);
  });

  it('has its votes in three columns at 300 pixels, too', async () => {
    await editor.page.setViewportSize({ width: 300, height: 800 });
    const cells = screen.page.getByRole('table', { name: 'Votes so far' }).locator('tbody tr').first().locator('td');
    const tops = () => cells.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    await editor.until('one row', tops, (all) => all.length === 3 && new Set(all).size === 1);
    await editor.page.setViewportSize({ width: 1280, height: 900 });
  });

  it('names chain and status in its tab', async () => {
    const name = '#859 Milder slashing for downtime, and a long… · sample-1';
    await editor.until(
      'the chain in the title of the tab',
      () => editor.tabs(),
      (tabs) => tabs.length === 1 && tabs[0] === name,
    );
    const icon = editor.page.locator('.tabs-container .tab .monaco-icon-label-iconpath').first();
    assert.match(decodeURIComponent((await icon.getAttribute('style')) ?? ''), /media\/status\/voting\.svg/);
  });

  it('keeps place and focus when it reads again', async () => {
    const summary = screen.page.locator('details[data-fold=json] summary');
    await summary.click();
    const frame = await screen.frame();
    await frame.evaluate('window.scrollTo(0, 700)');
    await screen.readAgain();
    assert.equal(await frame.evaluate('window.scrollY'), 700);
    assert.equal(await frame.evaluate('document.activeElement.textContent.trim()'), 'Raw JSON');
    assert.equal(await summary.evaluate((one) => one.parentElement?.hasAttribute('open')), true);
  });

  it('goes to the proposal before and after in the order of the list, and back', async () => {
    await editor.openContainer('Chain Inspector');
    const tree = editor.tree('Proposals');
    await tree.expand('Voting period');
    const ids = [...(await tree.text()).matchAll(/^ {2}#(\d+) /gm)].map(([, id]) => Number(id));
    [next = 0, afterNext = 0] = ids.slice(ids.indexOf(voting) + 1);
    for (const [name, id] of [
      ['Next Proposal', next],
      ['Next Proposal', afterNext],
      ['Go Back', next],
      ['Previous Proposal', voting],
    ] as const) {
      await screen.press(name, () => screen.isOn(id));
      await screen.shows(id);
    }
  });

  it('does the same by keys', async () => {
    await screen.heading.click();
    await screen.key('Alt+ArrowDown', () => screen.isOn(next));
    await screen.shows(next);
    await screen.key('Alt+ArrowLeft', () => screen.isOn(voting));
    await screen.shows(voting);
    await screen.markRead();
    await editor.page.keyboard.press('Control+r');
    await screen.wasRead();
  });

  it('is one preview, until it is kept open', async () => {
    await screen.open(ended);
    assert.equal((await editor.tabs()).length, 1);
    await screen.press('Keep Open', () => screen.action("Don't Keep Open").isVisible());
    await screen.open(voting);
    assert.equal((await editor.tabs()).length, 2);
    await screen.open(ended);
    assert.equal((await editor.tabs()).length, 2, 'a panel that is kept open is shown again, not opened twice');
  });

  it('watches and stops to, with another button for each', async () => {
    await screen.watchAndUnwatch();
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
    for (const name of [/^Calculation/, /^Raw JSON/]) {
      assert(
        seen.some((one) => name.test(one)),
        `${name} is not reached by Tab: ${seen.join(', ')}`,
      );
    }
  });

  it('copies the id and the JSON, and says that the sample chain has no address', async () => {
    await screen.copy('Copy Proposal ID', new RegExp(`^${ended}$`));
    await screen.copy('Copy as JSON', /^\{\n {2}"id": "673"/);
    const isSaid = async () => (await editor.notifications()).some((text) => text.includes('chain-inspector serve'));
    // The menu does not offer it: a key binding may.
    const copy = () => editor.execute('chainInspector.copyCurl');
    await actUntil(editor.page, copy, 'the address that is missing to be told', isSaid);
    await editor.execute('notifications.clearAll');
  });

  it('tells who has voted, read when it is opened', async () => {
    await screen.open(voting);
    const { page } = screen;
    await screen.heading.click();
    await editor.page.keyboard.press('v');
    const validators = page.getByRole('table', { name: 'Validators' });
    await validators.waitFor();
    assert.equal(await validators.getByRole('row').count(), 1 + 18);
    const text = await screen.text();
    assert.match(text, /Validators \d+ of 18 have voted, with \d+\.\d\d % of the power/);
    assert.match(text, /term: If all remaining validators vote Yes\n *- definition: "?(Passes|Rejected): /);
    await page.getByText('Individual votes').click();
    const list = page.getByRole('table', { name: 'Individual votes' });
    await list.waitFor();
    assert.equal(await list.getByRole('row').count(), 1 + 14);
    const voter = (await list.locator('tbody code').last().textContent()) ?? '';
    await page.getByRole('button', { name: 'Find by Address…' }).click();
    await editor.quickInput.waitFor(/Vote on proposal #859/);
    await editor.quickInput.type(voter);
    await editor.quickInput.accept();
    await page.locator('details[data-fold=votes] dt').getByText(voter).waitFor();
    assert.equal(await page.locator('details[open]').count(), 2, 'stay open when they are drawn anew');
  });

  it('finds text that is folded away', async () => {
    await screen.heading.click();
    await editor.page.keyboard.press('Control+f');
    await findWidget().locator(':focus').waitFor();
    await editor.page.keyboard.type('"failed_reason"');
    await editor.page.keyboard.press('Enter');
    const frame = await screen.frame();
    await editor.until(
      'the selection of what was found',
      async () => String(await frame.evaluate('String(getSelection())')),
      (text) => text === '"failed_reason"',
    );
    await editor.page.keyboard.press('Escape');
    await findWidget().waitFor({ state: 'detached' });
  });

  it('finds it without the key too, and opens no other fold', async () => {
    const frame = await screen.frame();
    const open = () =>
      frame.evaluate('[...document.querySelectorAll("details[open]")].map((one) => one.dataset.fold).join()');
    await screen.heading.click();
    await frame.evaluate('for (const one of document.querySelectorAll("details")) one.open = false');
    await frame.evaluate('getSelection().removeAllRanges()');
    await editor.execute('editor.action.webvieweditor.showFind');
    const widget = findWidget();
    const search = async (text: string) => {
      await widget.locator('input, textarea').first().fill(text);
      await widget.locator('input, textarea').first().press('Enter');
    };
    await search('nowhere to be found');
    assert.equal(await open(), '');
    await search('"voting_end_time"');
    await editor.until(
      'the selection of what was found',
      async () => String(await frame.evaluate('String(getSelection())')),
      (text) => text === '"voting_end_time"',
    );
    assert.equal(await open(), 'json');
    const top = Number(await frame.evaluate('getSelection().getRangeAt(0).getBoundingClientRect().top / innerHeight'));
    assert(top > 0 && top < 0.9, `out of sight: ${top}`);
    await editor.page.keyboard.press('Escape');
    // The page takes the focus back, which would close an input box.
    await widget.waitFor({ state: 'detached' });
    await screen.heading.click();
  });

  it('comes back after a reload of the editor, as it was', async () => {
    await editor.tree('Supply').click('SAMPLE');
    const holders = screen.page.getByRole('table', { name: 'Largest holders' });
    await holders.waitFor();
    const before = await editor.tabs();
    // The editor's own reload: it writes down what is open before it goes.
    await editor.reload();
    await holders.waitFor();
    const tab = editor.page.locator('.tabs-container .tab', { hasText: `#${ended}` });
    await tab.click();
    await screen.shows(ended);
    await screen.action("Don't Keep Open").waitFor();
    // Tabs name the chain once the source has said its id.
    const same = (tabs: readonly string[]) => tabs.join() === before.join();
    await editor.until(`tabs ${before.join()}`, () => editor.tabs(), same);
  });

  it('shows an ended proposal as it was in the block before its end', async () => {
    const recording = readRecording('0.53.8');
    const replay = await startReplay(recording);
    const decision = recording.decisions.find(({ result }) => result === 'proposal_passed');
    assert(decision);
    try {
      await editor.setSettings({ 'chainInspector.baseUrl': replay.url });
      await screen.open(decision.id);
      assert.match(await screen.text(), /Quorum .* unknown once voting has ended|Passed:/);
      const past = screen.page.locator('.over').getByText(`at height ${decision.height - 1}`);
      const isPast = () => past.isVisible();
      await screen.click(screen.page.getByRole('button', { name: 'Load Votes from the Last Block of Voting' }), isPast);
      await screen.shows(decision.id);
      const text = await screen.text();
      assert.match(text, /Would pass if voting ended now: .* Turnout \d+\.\d\d %/);
      assert.match(text, /Turnout \d+\.\d\d % of bonded tokens/);
      await screen.copy('Copy as cURL', new RegExp(`'x-cosmos-block-height: ${decision.height - 1}'`));
      const passed = screen.page.locator('.pill').getByText('Passed');
      await screen.press('Go Back', () => passed.isVisible());
    } finally {
      await editor.setSettings({ 'chainInspector.baseUrl': '' });
      await replay.stop();
    }
  });

  it('writes votes to a file also where it is closed meanwhile', async () => {
    const { service, asked, release } = await startSlowVotes();
    await editor.execute('workbench.action.closeAllEditors');
    await editor.setSettings({ 'chainInspector.baseUrl': `${service.origin}/cosmos` });
    try {
      await screen.open(7);
      await screen.press('Keep Open', () => screen.action("Don't Keep Open").isVisible());
      // Only the panel has the endpoint open from here on.
      await editor.setSettings({ 'chainInspector.baseUrl': '' });
      await screen.page.getByText('Individual votes').click();
      await screen.page.getByRole('button', { name: 'Export…' }).click();
      await editor.quickInput.choose('Votes as CSV');
      const place = join(editor.workspace, 'votes.csv');
      await editor.until(
        'the dialog',
        () => editor.quickInput.value(),
        (value) => /-votes-7-/.test(value),
      );
      await editor.quickInput.type(place);
      await editor.quickInput.accept();
      await asked;
      await editor.execute('workbench.action.closeAllEditors');
      await editor.until(
        'no tab',
        () => editor.tabs(),
        (tabs) => tabs.length === 0,
      );
      release();
      await editor.notification(/Exported 1 row to .*votes\.csv/);
      assert.match(readFileSync(place, 'utf8'), /cosmos1voter/);
    } finally {
      release();
      await service.dispose();
    }
  });

  it('asks before it opens a link whose text names another host', async () => {
    const content = {
      '@type': '/cosmos.gov.v1beta1.TextProposal',
      title: 'T',
      description: 'Look at [https://google.com](https://evil.invalid/here).',
    };
    await showCases('link.json', [
      { name: 'link', form: 'v1beta1', proposal: { content, status: 'PROPOSAL_STATUS_PASSED' } },
    ]);
    await screen.open(1);
    assert.match(
      await screen.text(),
      /link "https:\/\/google\.com".*\n.*\(evil\.invalid\).*\n.*text shows a different host\)/,
    );
    await screen.page.getByRole('link', { name: 'https://google.com' }).click();
    const dialog = editor.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    assert.match(await textOf(dialog), /opens evil\.invalid, which is not the host shown in its text/);
    assert.match(await textOf(dialog), /https:\/\/evil\.invalid\/here/);
    await editor.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('gives axe nothing to find in four themes, and sticks out nowhere', async () => {
    const all = galleryCases();
    const isFull = process.env.TEST_FULL === '1';
    const cases = isFull ? all : all.filter(({ name }) => looks.has(name));
    assert(cases.length >= looks.size);
    await showCases('gallery.json', cases);
    const found: string[] = [];
    for (const [at, { name }] of cases.entries()) {
      await screen.open(at + 1);
      const worn = Object.keys(themes).filter((one): one is ThemeName => one in themes);
      // Each theme once, as a change of it takes longer than all else here.
      for (const theme of isFull ? worn : worn.filter((_, place) => Math.max(0, place - 1) === at)) {
        await screen.wear(theme);
        if (isFull) await screen.screenshot(`gallery/${theme}/${name}`);
        const rules = isFull || theme !== worn[1] ? 'all' : 'contrast';
        for (const violation of await screen.axe(rules)) found.push(`${name} in ${theme}: ${violation}`);
        if ((await screen.overflow()) > 0) found.push(`${name} in ${theme}: sticks out to the side`);
      }
    }
    assert.deepEqual(found, []);
  });

  it('never runs, loads or opens what a proposal holds', async () => {
    const incidents: string[] = [];
    const { page } = editor;
    page.on('request', (request) => {
      if (/evil\.invalid|google\.com/.test(request.url())) incidents.push(`request ${request.url()}`);
    });
    page.on('dialog', (dialog) => {
      incidents.push(`dialog ${dialog.message()}`);
      dialog.dismiss().catch(() => undefined);
    });
    // The editor's sandbox swallows dialogs and its policy stops requests before they are made: both leave a line.
    page.on('console', (message) => {
      const text = message.text();
      if (/evil\.invalid|Ignored call to 'alert|inline event handler|JavaScript URL/i.test(text)) incidents.push(text);
    });
    page.context().on('page', (opened) => incidents.push(`page ${opened.url()}`));
    await showCases('hostile.json', [allPayloads()]);
    await screen.open(1);
    assert.deepEqual([...(await problemsOf(await screen.frame())), ...incidents], []);
    const frame = await screen.frame();
    await frame.evaluate('setTimeout(() => alert("seen"), 0); fetch("https://evil.invalid/seen").catch(() => {}); 0');
    await editor.until(
      'the traces of a dialog and of a request, which the page itself was made to cause',
      async () => incidents,
      (all) => all.some((one) => /alert|dialog/.test(one)) && all.some((one) => /evil\.invalid/.test(one)),
    );
  });

  function findWidget(): Locator {
    return editor.page.locator('.simple-find-part.visible');
  }

  async function showCases(file: string, cases: readonly GalleryCase[]): Promise<void> {
    await editor.execute('editorDriver.closeEditors');
    await screen.showState(file, stateOf(numbered(cases)));
  }
});

async function textOf(place: Locator): Promise<string> {
  return (await place.textContent()) ?? '';
}

/** A node with a proposal in voting and a vote. That is read at once, but for an export: `asked` is when one asks, and `release` answers it. */
async function startSlowVotes() {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const proposal = { id: '7', title: 'Export', messages: [], status: 'PROPOSAL_STATUS_VOTING_PERIOD' };
  const vote = { proposal_id: '7', voter: 'cosmos1voter', options: [{ option: 'VOTE_OPTION_YES', weight: '1.0' }] };
  const bodies: Readonly<Record<string, object>> = {
    '/cosmos/gov/v1/proposals': { proposals: [proposal], pagination: { next_key: null } },
    '/cosmos/gov/v1/proposals/7': { proposal },
    '/cosmos/gov/v1/proposals/7/votes': { votes: [vote], pagination: { next_key: null, total: '1' } },
  };
  const service = await startEchoServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    const isExport = pathname.endsWith('/votes') && searchParams.get('pagination.limit') === '1000';
    if (isExport) asked.resolve();
    if (isExport) await answered.promise;
    const body = bodies[pathname];
    response.writeHead(body ? 200 : 501, { 'content-type': 'application/json' });
    response.end(body ? JSON.stringify(body) : notImplemented.body);
  });
  return { service, asked: asked.promise, release: answered.resolve };
}
