import { strict as assert } from 'node:assert';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { notImplemented, refusal } from '../support/chainReplies.ts';
import { type Editor, startEditor } from '../support/editor.ts';
import { TreeView } from '../support/editorTree.ts';
import { actUntil, limitWaits, saveScreenshot, until } from '../support/editorWait.ts';
import { startReplies } from '../support/servers.ts';

describe('the Watch List', () => {
  let editor: Editor;
  let other: Page;
  let otherList: TreeView;
  let service: Awaited<ReturnType<typeof startReplies>>;
  /** When the vote on #7 ends, by the clock of the chain; #8 goes on. */
  const end = Date.now() + 50 * 60_000;
  /** The lead of the chain's clock over ours. Time goes by as the chain tells it, so nobody has to wait. */
  let ahead = 0;
  const chainNow = () => Date.now() + ahead;
  let asked = 0;
  let focus: Focus;
  /** Milliseconds without a request after which none is to come. */
  let quiet = 1_000;

  const proposal = (id: number) => {
    const votes = id === 8 ? end + 5 * 86_400_000 : end;
    return {
      proposal_id: String(id),
      content: {
        '@type': '/cosmos.gov.v1beta1.TextProposal',
        title: id === 7 ? 'Mend the bridge' : 'Dig a well',
        description: 'x',
      },
      status: chainNow() < votes ? 'PROPOSAL_STATUS_VOTING_PERIOD' : 'PROPOSAL_STATUS_PASSED',
      final_tally_result: { yes: '0', abstain: '0', no: '0', no_with_veto: '0' },
      submit_time: '2026-01-01T00:00:00Z',
      deposit_end_time: '2026-01-02T00:00:00Z',
      total_deposit: [],
      voting_start_time: '2026-01-02T00:00:00Z',
      voting_end_time: new Date(votes).toISOString(),
    };
  };

  before(async () => {
    service = await startReplies(({ pathname, searchParams }) => {
      asked += 1;
      const one = /\/gov\/v1beta1\/proposals\/(\d+)$/.exec(pathname)?.[1];
      const headers = { date: new Date(chainNow()).toUTCString() };
      const json = (body: unknown) => ({ body: JSON.stringify(body), headers });
      if (one === '7' || one === '8') return json({ proposal: proposal(Number(one)) });
      if (one) return refusal(404, 5, `proposal ${one} doesn't exist`);
      if (pathname.endsWith('/supply'))
        return json({ supply: [{ denom: 'uelm', amount: '5' }], pagination: { next_key: null, total: '1' } });
      if (pathname.endsWith('/tally')) return json({ tally: { yes: '61', abstain: '0', no: '39', no_with_veto: '0' } });
      if (pathname.endsWith('/gov/v1beta1/proposals')) {
        const status = searchParams.get('proposal_status');
        const isVoting = (row: { status: string }) => row.status === 'PROPOSAL_STATUS_VOTING_PERIOD';
        const rows = [8, 7]
          .map(proposal)
          .filter((row) => !status || row.status === status || (status === '2' && isVoting(row)));
        return json({ proposals: rows, pagination: { next_key: null, total: String(rows.length) } });
      }
      return notImplemented;
    });
    editor = await startEditor();
    const endpoints = [{ name: 'Test chain', url: service.url, segment: 'cosmos' }];
    await editor.setSettings({ 'chainInspector.endpoints': endpoints, 'chainInspector.baseUrl': service.url });
  });

  after(async () => {
    await editor?.dispose();
    await service?.stop();
  });

  /** Takes the focus from both windows. The editor does not notice that it loses the focus while a page in it has it. */
  async function leaveBoth(): Promise<void> {
    for (const { section } of [editor.tree('Watch List'), otherList]) {
      await focus.give([editor.page, other], section.page());
      await section.locator('.monaco-list').first().focus();
    }
    await focus.give([editor.page, other], undefined);
  }

  /** True if both windows noticed. The driver tells of the window that came last, and the title is that of each. */
  async function areLeft(): Promise<boolean> {
    const left = [editor.page, other].map((page) => page.locator('.part.titlebar.inactive').count());
    const isNoticed = (await Promise.all(left)).every((count) => count === 1);
    return isNoticed && (await editor.execute('editorDriver.isFocused')) === 'false';
  }

  it('takes a proposal by palette, without opening it', async () => {
    for (const id of ['8', '7']) {
      await editor.runCommand('Chain Inspector: Watch by ID or Denom…');
      await editor.quickInput.type(id);
      await editor.quickInput.accept();
      await editor.quickInput.widget.waitFor({ state: 'hidden' });
    }
    await editor.openContainer('Chain Inspector');
    const list = editor.tree('Watch List');
    await list.open();
    await list.waitForText(/^#7 Mend .* {2}\d+m\n#8 Dig .* {2}5d$/m);
    assert.deepEqual(await editor.tabs(), []);
    await editor.page.locator('.activitybar .badge', { hasText: '1' }).first().waitFor();
    await editor.screenshot('watch-list');
  });

  it('offers a way back from Unwatch, by keyboard too', async () => {
    const list = editor.tree('Watch List');
    await list.click(/#8/);
    await editor.webview().getByRole('heading', { level: 1, name: /#8/ }).waitFor();
    const row = list.section.locator('.monaco-list:focus .monaco-list-row.selected.focused', { hasText: '#8' });
    // The page that has just opened may take the focus once more, and the key with it.
    const remove = async () => {
      await editor.execute('chainInspector.watch.focus');
      await row.waitFor();
      await editor.page.keyboard.press('Delete');
    };
    const isRemoved = () => list.text().then((text) => !text.includes('#8') && text.includes('#7'));
    await actUntil(editor.page, remove, '#8 to be removed', isRemoved);
    const removed = await editor.notification('No longer watching #8.');
    await removed.getByRole('button', { name: 'Undo' }).click();
    await list.waitForText(/#7[\s\S]*#8/);
  });

  it('says why the settings are not written, and leads to them', async () => {
    const file = join(editor.userData, 'User/settings.json');
    // A rename, since the editor could read a file that is being written while it is empty.
    const replace = (text: string) => {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    };
    // The row is there before the file is, which the editor would write over what is broken here. It writes one change
    // after another.
    await editor.setSettings({ 'editor.wordWrap': 'off' });
    const settings = await editor.until(
      '#8 in the settings',
      async () => readFileSync(file, 'utf8'),
      (text) => /"proposal": "8"/.test(text),
    );
    replace(`${settings} ]`);
    const said = /Could not write the setting chainInspector.watch: .*settings/;
    const isSaid = async () => (await editor.notifications()).some((text) => said.test(text));
    await editor.tree('Watch List').action(/#8/, 'Unwatch', isSaid);
    const refused = await editor.notification(said);
    await editor.screenshot('watch-refused');
    await refused.getByRole('button', { name: 'Open Settings' }).waitFor();
    replace(settings);
    await editor.execute('notifications.clearAll');
    await editor.tree('Watch List').waitForText(/#7[\s\S]*#8/);
  });

  it('shares its editor with no other test', async () => {
    await assert.rejects(startEditor(), /window of an earlier test is still open/);
  });

  it('shows the same in a second window', async () => {
    focus = new Focus();
    // All requests from now on are sent by polls.
    await editor.setSettings({ 'chainInspector.baseUrl': '' });
    await editor.tree('Supply').waitForText(/^SAMPLE/m);
    other = await editor.page.context().newPage();
    const began = performance.now();
    await other.goto(editor.url, { timeout: 120_000 });
    // A second window opens the views of the first, as one does that was started again.
    otherList = new TreeView(other, 'Watch List');
    await otherList.section.waitFor({ timeout: 120_000 });
    const started = performance.now() - began;
    limitWaits(other, started);
    quiet = Math.max(quiet, Math.min(started / 5, 5_000));
    await otherList.open();
    await otherList.waitForText(/#7 Mend .* {2}\d+m[\s\S]*#8 Dig .* {2}5d/);
  });

  it('is polled by no window without the focus', async () => {
    await leaveBoth();
    await actUntil(editor.page, leaveBoth, 'the window to lose the focus', areLeft);
    await settle();
    const before = asked;
    // The driver runs in the window that came last.
    await editor.execute('chainInspector.refreshWatchList');
    await settle();
    assert.equal(asked, before, 'no window has the focus');
  });

  it('is polled by the window that gets the focus', async () => {
    const before = asked;
    await focus.give([editor.page, other], other);
    await editor.until(
      'the poll that waited for the focus',
      async () => asked,
      (now) => now > before,
    );
    await settle();
  });

  it('tells the end of the vote once, in the window that gets the focus', async () => {
    ahead = end + 60_000 - Date.now();
    await focus.give([editor.page, other], other);
    await editor.execute('chainInspector.refreshWatchList');
    await otherList.expand('No deadline');
    await otherList.waitForText(/#7 Mend the bridge {2}Passed/);
    assert.deepEqual(await waitForMessages(other), ['Test chain #7 Mend the bridge: Passed']);
    await settle();
    assert.match(await editor.tree('Watch List').text(), /#7 Mend .* {2}\d+m/, 'it has not asked');
    await saveScreenshot(other, 'watch-vote-ended');
    const before = asked;
    await focus.give([editor.page, other], editor.page);
    await editor.tree('Watch List').expand('No deadline');
    await editor.tree('Watch List').waitForText(/#7 Mend the bridge {2}Passed/);
    await settle();
    assert.ok(asked - before <= 1, 'what the other window has read is not read again');
    assert.deepEqual(
      (await messages(editor.page)).filter((text) => text.includes('#7')),
      [],
    );
    await editor.page.locator('.activitybar .badge', { hasText: '1' }).first().waitFor({ state: 'detached' });
  });

  /** Until no request has come for a while. */
  async function settle(): Promise<void> {
    for (let before = -1; before !== asked; ) {
      before = asked;
      await new Promise((resolve) => setTimeout(resolve, quiet));
    }
  }

  async function waitForMessages(page: Page): Promise<readonly string[]> {
    return until(
      page,
      'a notification about #7',
      async () => (await messages(page)).filter((text) => /#7/.test(text)),
      (texts) => texts.length > 0,
    );
  }
});

/**
 * Gives one of several windows the focus, as the system does. A driver makes every page believe that it has the focus, and
 * some browsers focus every window but minimized ones; so both are switched, and an empty page is in front of all.
 */
class Focus {
  readonly #sessions = new Map<Page, CDPSession>();
  #empty: Page | undefined;

  /** Undefined takes the focus from all windows. */
  async give(windows: readonly Page[], focused: Page | undefined): Promise<void> {
    this.#empty ??= await windows[0]?.context().newPage();
    for (const page of windows.toSorted((a, b) => Number(a === focused) - Number(b === focused))) {
      const session = this.#sessions.get(page) ?? (await page.context().newCDPSession(page));
      this.#sessions.set(page, session);
      await session.send('Emulation.setFocusEmulationEnabled', { enabled: page === focused });
      const { windowId } = await session.send('Browser.getWindowForTarget');
      const windowState = page === focused ? 'normal' : 'minimized';
      await session.send('Browser.setWindowBounds', { windowId, bounds: { windowState } });
    }
    await this.#empty?.bringToFront();
  }
}

/** The notifications that wait in a window, read where a person looks them up: behind the bell. */
async function messages(page: Page): Promise<readonly string[]> {
  const center = page.locator('.notifications-center');
  if (!(await center.isVisible())) await page.locator('[id="status.notifications"] a').click();
  return center.locator('.notification-list-item-message').allInnerTexts();
}
