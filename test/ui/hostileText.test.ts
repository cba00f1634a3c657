import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Editor, startEditor } from '../support/editor.ts';
import { startReplies } from '../support/servers.ts';

const command = '[Click](command:workbench.action.files.newUntitledFile)';
const hostile = `${command} [x](https://evil.example) $(trash) \u202egnp`;
/** The same as it is to be read. */
const visible =
  '[Click] (command:workbench.action.files.newUntitledFile) [x] (https://evil.example) $ (trash) ⟦U+202E⟧gnp';

const proposal = {
  proposal_id: '7',
  content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: hostile, description: hostile },
  status: 'PROPOSAL_STATUS_VOTING_PERIOD',
  final_tally_result: { yes: '0', abstain: '0', no: '0', no_with_veto: '0' },
  submit_time: '2026-01-01T00:00:00Z',
  deposit_end_time: '2026-01-15T00:00:00Z',
  total_deposit: [],
  voting_start_time: '2026-01-02T00:00:00Z',
  voting_end_time: '2099-01-16T00:00:00Z',
};

describe('texts of a hostile node and state file in the editor’s own interface', () => {
  let editor: Editor;
  let node: Awaited<ReturnType<typeof startReplies>>;

  before(async () => {
    node = await startReplies(({ pathname }) => {
      if (pathname.endsWith('/supply')) {
        const supply = [{ denom: `$(x)${command}\u202e`, amount: '5' }];
        return { body: JSON.stringify({ supply, pagination: { next_key: null } }) };
      }
      if (pathname.includes('/gov/v1/'))
        return { status: 501, body: '{"code":12,"message":"Not Implemented","details":[]}' };
      if (pathname.endsWith('/proposals/7')) return { body: JSON.stringify({ proposal }) };
      if (pathname.endsWith('/proposals'))
        return { body: JSON.stringify({ proposals: [proposal], pagination: { next_key: null, total: '1' } }) };
      const message = pathname.endsWith('/long') ? 'x'.repeat(5000) : hostile;
      const headers = { 'retry-after': '60' };
      return { status: 403, headers, body: JSON.stringify({ code: 3, message, details: [] }) };
    });
    editor = await startEditor();
    await editor.setSettings({
      'chainInspector.endpoints': [{ name: hostile, url: node.url }],
      'chainInspector.baseUrl': node.url,
    });
    await editor.openContainer('Chain Inspector');
  });
  after(async () => {
    await editor?.dispose();
    await node?.stop();
  });

  /** Neither a link nor an icon anywhere but in places of the editor's own. */
  const isHarmless = async () => {
    const page = editor.page;
    const links = '.notification-list-item-message a, .quick-input-widget a[href], .quick-input-widget .monaco-link';
    assert.equal(await page.locator(links).count(), 0);
    assert.equal(await page.locator('.codicon-trash, a[href*="evil.example"], a[href*="newUntitledFile"]').count(), 0);
    assert.deepEqual(
      (await editor.tabs()).filter((tab) => tab.startsWith('Untitled')),
      [],
    );
  };

  it('are words in rows and tabs', async () => {
    const tree = editor.tree('Proposals');
    await tree.open();
    await tree.expand('Voting period');
    const text = await tree.waitForText(/#7/);
    assert.match(text, /^ {2}#7 \[Click\].*…/m);
    const label = await (await tree.row(/^#7/)).getAttribute('aria-label');
    assert.ok(label?.includes(`#7 ${visible}`), `${label}`);
    await editor.tree('Supply').open();
    await editor.tree('Supply').waitForText(/^\$ \(x\)\[Click\].*⟦U\+202E⟧ {2}5$/m);
    await (await tree.row(/^#7/)).click();
    await editor.until(
      'the tab',
      () => editor.tabs(),
      (tabs) => tabs.some((tab) => tab.startsWith('#7 [Click] (command:')),
    );
    await isHarmless();
  });

  it('are words in the status bar', async () => {
    assert.ok((await editor.statusBar()).includes(visible), (await editor.statusBar()).join('\n'));
    await isHarmless();
  });

  it('are words in choices and questions', async () => {
    await editor.runCommand('Chain Inspector: Switch Endpoint…');
    await editor.until(
      'the endpoints',
      () => editor.quickInput.items(),
      (items) => items.some((item) => item.trim() === visible),
    );
    await isHarmless();
    await editor.quickInput.cancel();
    await editor.runCommand('Chain Inspector: Watch by ID or Denom…');
    await editor.until(
      'the title',
      () => editor.quickInput.title(),
      (title) => title.includes(`Watch on ${visible}`),
    );
    await isHarmless();
    await editor.quickInput.cancel();
    await editor.runCommand('Chain Inspector: Go to Proposal or Denom…');
    await editor.quickInput.type('7');
    await editor.until(
      'the proposal',
      async () => (await editor.quickInput.widget.locator('.quick-input-list').textContent()) ?? '',
      (text) => text.replaceAll('\u00a0', ' ').includes(`#7 ${visible}`),
    );
    await isHarmless();
    await editor.quickInput.cancel();
  });

  const goToDenom = async (denom: string) => {
    await editor.runCommand('Chain Inspector: Go to Proposal or Denom…');
    await editor.quickInput.type(denom);
    await editor.quickInput.choose(new RegExp(`^\\s*${denom}$`));
  };

  for (const theme of ['light', 'dark'] as const) {
    it(`are words in messages, in the ${theme} theme`, async () => {
      await editor.setTheme(theme);
      await editor.execute('notifications.clearAll');
      await goToDenom(`no${theme}`);
      const failed = await editor.notification(/Could not open that/);
      const text = await failed.locator('.notification-list-item-message').textContent();
      // The client has taken the direction character out of a node's message already.
      assert.ok(text?.includes(visible.replace('⟦U+202E⟧', '')), `${text}`);
      await isHarmless();
      await editor.screenshot(`hostile-message-${theme}`);
    });
  }

  it('are cut, so that the advice behind them is read', async () => {
    await editor.execute('notifications.clearAll');
    await goToDenom('long');
    // One that came before may be listed again.
    const failed = await editor.notification(/Could not open that: .*\/long: /);
    const text = await failed.locator('.notification-list-item-message').textContent();
    assert.match(text ?? '', /: x{200}…\. It asks to wait 60 seconds$/);
  });

  it('are words where a state file cannot be read', async () => {
    const path = join(editor.workspace, 'hostile.json');
    writeFileSync(path, `{"app_state": {"gov": {"proposals": [{"${command}$(trash)": tru}]}}}`);
    await editor.execute('notifications.clearAll');
    await editor.setSettings({ 'chainInspector.baseUrl': pathToFileURL(path).href });
    const failed = await editor.notification(/Could not read hostile\.json/);
    const text = await failed.locator('.notification-list-item-message').textContent();
    assert.match(text ?? '', /Not valid JSON .*\[Click\] \(command:.*\$ \(trash\)/);
    await isHarmless();
  });
});
