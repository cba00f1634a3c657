import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { type Editor, startEditor } from '../support/editor.ts';
import { QuickInput } from '../support/editorQuickInput.ts';
import { TreeView } from '../support/editorTree.ts';
import { startReplies } from '../support/servers.ts';

describe('the Watch List', function () {
  // Each step goes on where the one before it ended.
  this.bail(true);
  this.timeout(240_000);
  let editor: Editor;
  let other: Page;
  let otherList: TreeView;
  let service: Awaited<ReturnType<typeof startReplies>>;
  /** When the vote on #7 ends, by the clock of the chain; #8 goes on. */
  const end = Date.now() + 50 * 60_000;
  /** What the chain's clock is ahead of ours: time goes by as the chain tells it, so nobody has to wait. */
  let ahead = 0;
  const chainNow = () => Date.now() + ahead;
  let endsSoon = false;

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
      const one = /\/gov\/v1beta1\/proposals\/(\d+)$/.exec(pathname)?.[1];
      // The first answer after the wish tells that the end is five seconds ahead.
      if (endsSoon && ahead === 0) ahead = end - 5_000 - Date.now();
      const headers = { date: new Date(chainNow()).toUTCString() };
      const json = (body: unknown) => ({ body: JSON.stringify(body), headers });
      if (one === '7' || one === '8') return json({ proposal: proposal(Number(one)) });
      if (one)
        return {
          status: 404,
          body: JSON.stringify({ code: 5, message: `proposal ${one} doesn't exist`, details: [] }),
        };
      if (pathname.endsWith('/tally')) return json({ tally: { yes: '61', abstain: '0', no: '39', no_with_veto: '0' } });
      if (pathname.endsWith('/gov/v1beta1/proposals')) {
        const status = searchParams.get('proposal_status');
        const rows = [8, 7].map(proposal).filter((row) => !status || row.status === status);
        return json({ proposals: rows, pagination: { next_key: null, total: String(rows.length) } });
      }
      return { status: 501, body: JSON.stringify({ code: 12, message: 'Not Implemented', details: [] }) };
    });
    editor = await startEditor();
    const endpoints = [{ name: 'Test chain', url: service.url, segment: 'cosmos' }];
    await editor.setSettings({ 'chainInspector.endpoints': endpoints, 'chainInspector.baseUrl': service.url });
  });

  after(async () => {
    await editor?.dispose();
    await service?.stop();
  });

  it('takes a proposal by palette, without opening it', async () => {
    await editor.runCommand('Chain Inspector: Watch by ID or Denom…');
    await editor.quickInput.type('7, 8');
    await editor.quickInput.accept();
    await editor.openContainer('Chain Inspector');
    const list = editor.tree('Watch List');
    await list.open();
    await list.waitForText(
      /^Test chain[\s\S]*#7 Mend the bridge {2}voting, .* left, 61 % yes\n {2}#8 Dig a well {2}voting/,
    );
    assert.deepEqual(await editor.tabs(), []);
    await editor.screenshot('watch-list');
  });

  it('has it after a restart of the window', async () => {
    await editor.reload();
    await editor.openContainer('Chain Inspector');
    const list = editor.tree('Watch List');
    await list.open();
    await list.waitForText(/#7 Mend the bridge {2}voting/);
    await editor.page.locator('.activitybar .badge', { hasText: '1' }).first().waitFor();
  });

  it('is one list in two windows', async () => {
    // A browser of its own, so that only the folder of the user is shared.
    const context = await editor.page
      .context()
      .browser()
      ?.newContext({ viewport: { width: 1280, height: 900 } });
    assert.ok(context);
    other = await context.newPage();
    other.setDefaultTimeout(60_000);
    await other.goto(editor.url, { timeout: 60_000 });
    await other.locator('.activitybar .action-label[aria-label^="Chain Inspector"]').click({ timeout: 120_000 });
    otherList = new TreeView(other, 'Watch List');
    await otherList.open();
    await otherList.waitForText(/#7 Mend the bridge[\s\S]*#8/);
    await otherList.action(/#8/, 'Unwatch');
    await editor.tree('Watch List').waitForText((text) => !text.includes('#8') && text.includes('#7'));
    await new QuickInput(other).runCommand('Chain Inspector: Undo Unwatch');
    await editor.tree('Watch List').waitForText(/#7[\s\S]*#8/);
  });

  it('follows the end of the vote by itself, and says so once in all windows', async () => {
    await (await editor.tree('Watch List').row(/#7/)).click();
    await editor.webview().getByRole('heading', { level: 1, name: /#7/ }).waitFor();
    endsSoon = true;
    // One of the windows asks for both; it learns what time it is at the chain, and that the vote goes on.
    for (const { quickInput } of [editor, { quickInput: new QuickInput(other) }])
      await quickInput.runCommand('Chain Inspector: Refresh Watch List');
    const passed = /#7 Mend the bridge {2}passed/;
    await editor.tree('Watch List').waitForText(passed);
    await otherList.waitForText(passed);
    const said = async () =>
      [...(await messages(editor.page)), ...(await messages(other))].filter((text) => /#7/.test(text));
    const all = await editor.until('a notification in one of the windows', said, (texts) => texts.length > 0);
    assert.deepEqual(all, ['#7 Mend the bridge: passed']);
    await editor.screenshot('watch-vote-ended');
    await editor.webview().getByText('Passed').first().waitFor();
    await editor.page.locator('.activitybar .badge', { hasText: '1' }).first().waitFor({ state: 'detached' });
    assert.equal((await said()).length, 1);
  });
});

/** The notifications that wait in a window, read where a person looks them up: behind the bell. */
async function messages(page: Page): Promise<readonly string[]> {
  const center = page.locator('.notifications-center');
  if (!(await center.isVisible())) await page.locator('[id="status.notifications"] a').click();
  return center.locator('.notification-list-item-message').allInnerTexts();
}
