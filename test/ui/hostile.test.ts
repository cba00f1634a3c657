import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { notImplemented } from '../support/chainReplies.ts';
import { type Editor, startEditor } from '../support/editor.ts';
import { startReplies } from '../support/servers.ts';

/**
 * Longest time for which hostile input may keep the extension host busy without a pause, in ms; on a slower machine five
 * times what a fixed piece of work takes there.
 */
const longestStall = 250;

describe('hostile input in the editor', () => {
  let editor: Editor;
  let canary: Awaited<ReturnType<typeof startReplies>>;
  let node: Awaited<ReturnType<typeof startReplies>>;
  let status = 'PROPOSAL_STATUS_VOTING_PERIOD';
  let hostile: string;
  /** The name of the endpoint, and what is read in its place. */
  const name = '[Click](command:editorDriver.canary) $(trash) \u202egnp';
  const visible = '[Click] (command:editorDriver.canary) $ (trash) ⟦U+202E⟧gnp';
  /** Rows of gov v1beta1: what cannot be true, what cannot be read, and a good one last, which names where it is. */
  let rowsOf: (place: string) => readonly (object | string)[];
  let supplyOf: (place: string) => readonly object[];
  const elsewhere: string[] = [];

  before(async () => {
    canary = await startReplies(() => ({ body: '{}' }));
    hostile = `[Click](command:editorDriver.canary) [x](${canary.url}/x) ![x](${canary.url}/i.png) <img src="${canary.url}/h.png"> $(trash) \u202egnp`;
    const row = (id: string, more: object = {}) => ({
      proposal_id: id,
      content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: hostile, description: hostile },
      status,
      final_tally_result: { yes: '0', abstain: '0', no: '0', no_with_veto: '0' },
      submit_time: '2026-01-01T00:00:00Z',
      deposit_end_time: '2026-01-15T00:00:00Z',
      total_deposit: [{ denom: 'ux', amount: '1' }],
      voting_start_time: '2026-01-02T00:00:00Z',
      voting_end_time: '2099-01-16T00:00:00Z',
      ...more,
    });
    let deep: unknown = 'x';
    for (let level = 0; level < 3000; level++) deep = { a: deep };
    const digits = '9'.repeat(50_000);
    rowsOf = (place) => [
      row('2', { content: { '@type': '/a.b.C', title: hostile, deep } }),
      row('3', { total_deposit: [{ denom: hostile, amount: digits }] }),
      row('4', { final_tally_result: { yes: digits, abstain: '12.5', no: null, no_with_veto: {} } }),
      row('5', { content: { '@type': hostile, title: '<title'.repeat(43_000), description: '['.repeat(100_000) } }),
      row('6', { submit_time: 7, deposit_end_time: hostile, content: hostile }),
      row('7', {
        content: {
          '@type': '/cosmos.gov.v1beta1.TextProposal',
          title: '\ufdfa'.repeat(50_000),
          x: '.0'.repeat(100_000),
        },
      }),
      'no row',
      row('8'),
      row('9', {
        content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: `Good, ${place}`, description: 'x' },
      }),
    ];
    supplyOf = (place) => [
      { denom: hostile, amount: '1' },
      { denom: 'long', amount: digits },
      { denom: `ugood-${place}`, amount: '5' },
    ];
    node = await startReplies(({ pathname, searchParams }) => {
      const json = (body: unknown) => ({ body: JSON.stringify(body) });
      const one = /\/gov\/v1beta1\/proposals\/(\d+)$/.exec(pathname)?.[1];
      const states = rowsOf('node').map((known) => (typeof known === 'object' ? { ...known, status } : known));
      const found = states.find((known) => typeof known === 'object' && Reflect.get(known, 'proposal_id') === one);
      if (one && found) return json({ proposal: found });
      if (/\/supply\/|\/by_denom/.test(pathname))
        return { status: 403, body: JSON.stringify({ code: 3, message: hostile, details: [] }) };
      if (pathname.endsWith('/supply')) return json({ supply: supplyOf('node'), pagination: { next_key: null } });
      if (pathname.endsWith('/gov/v1beta1/proposals')) {
        const asked = searchParams.get('proposal_status');
        const isAsked = asked === null || [status, status.includes('VOTING') ? '2' : '3'].includes(asked);
        return json({ proposals: isAsked ? states : [], pagination: { next_key: null } });
      }
      if (pathname.includes('/gov/v1/')) return notImplemented;
      return { status: 500, body: JSON.stringify({ code: 13, message: `${hostile}${'<title'.repeat(5000)}` }) };
    });
    editor = await startEditor();
    const folder = editor.workspace;
    const state = {
      chain_id: hostile,
      initial_height: '8',
      app_state: {
        [hostile]: { x: hostile },
        bank: { balances: [{ address: 'a', coins: supplyOf('file') }], supply: supplyOf('file') },
        gov: { proposals: rowsOf('file'), deposits: [hostile], votes: [hostile] },
      },
    };
    writeFileSync(join(folder, 'state.json'), JSON.stringify(state));
    watchRequests(editor.page);
    await editor.setSettings({
      'chainInspector.endpoints': [{ name, url: node.url, segment: 'cosmos' }],
    });
    await editor.openContainer('Chain Inspector');
  });
  after(async () => {
    // Not for others: what the watch list tells may come late.
    await editor?.close();
    await node?.stop();
    await canary?.stop();
  });

  /** Requests of the workbench and of its frames to anything but the editor itself. */
  function watchRequests(page: Page): void {
    page.context().on('request', (request) => {
      if (request.url().startsWith(canary.url)) elsewhere.push(request.url());
    });
  }

  const filesIn = (folder: string) =>
    readdirSync(folder).map((file) => `${file} ${readFileSync(join(folder, file)).length}`);
  /** The texts that became links or icons where the editor has none of its own. */
  const made = [
    ...['.notification-list-item-message a', '.quick-input-widget a[href]', '.quick-input-widget .monaco-link'],
    ...['.codicon-trash', 'a[href*="127.0.0.1"][href$="/x"]', 'a[href*="canary"]'],
  ].join();

  /** Nothing ran, became a link or an icon, was asked for elsewhere or written, and the extension host was never long busy. */
  async function isHarmless(files: readonly string[]): Promise<void> {
    const { canaryRuns, longestStall: stall, unit } = await editor.harm();
    assert.equal(canaryRuns, 0);
    assert.deepEqual([...elsewhere, ...canary.requests], []);
    assert.deepEqual(filesIn(editor.workspace), files);
    assert.equal(await editor.page.locator(made).count(), 0);
    assert.ok(stall < Math.max(longestStall, 5 * unit), `busy for ${stall} ms; the unit took ${unit} ms`);
  }

  for (const [what, source, opened] of [
    ['node', () => node.url, [2, 3, 4, 5, 6, 7, 8, 9]],
    ['file', () => pathToFileURL(join(editor.workspace, 'state.json')).href, [2, 5, 9]],
  ] as const) {
    it(`of a ${what} runs, asks, writes and blocks nothing, and costs no other row`, async () => {
      const files = filesIn(editor.workspace);
      await editor.harm();
      await editor.setSettings({ 'chainInspector.baseUrl': source() });
      const proposals = editor.tree('Proposals');
      await proposals.open();
      await proposals.expand('Voting period');
      const text = await proposals.waitForText(new RegExp(`#9 Good, ${what}`));
      for (const id of [2, 3, 4, 5, 6, 7, 8]) assert.match(text, new RegExp(`#${id}\\b`), text);
      await editor.tree('Supply').open();
      await editor.tree('Supply').waitForText(new RegExp(`ugood-${what} {2}5`));
      await editor.screenshot(`hostile-${what}`);
      await isHarmless(files);
      for (const id of opened) {
        await proposals.click(new RegExp(`#${id}\\b`));
        await editor
          .webview()
          .getByRole('heading', { level: 1, name: new RegExp(`#${id}\\b`) })
          .waitFor();
      }
      await isHarmless(files);
      await editor.execute('editorDriver.closeEditors');
    });
  }

  it('is words in rows, tabs and the status bar', async () => {
    await editor.setSettings({ 'chainInspector.baseUrl': node.url });
    const proposals = editor.tree('Proposals');
    // The rows of the file, which were there before, have the same names but for this one.
    await proposals.waitForText(/#9 Good, node/);
    const row = await proposals.row(/^#8/);
    assert.match(
      (await row.getAttribute('aria-label')) ?? '',
      /#8 \[Click\] \(command:editorDriver\.canary\).*⟦U\+202E⟧/,
    );
    await editor.tree('Supply').waitForText(/^\[Click\] \(comm…\) ⟦U\+202E⟧gnp {2}1$/m);
    await proposals.click(/^#8/);
    await editor.until(
      'the tab',
      () => editor.tabs(),
      (tabs) => tabs.some((tab) => tab.startsWith('#8 [Click] (command:')),
    );
    assert.ok((await editor.statusBar()).includes(visible), (await editor.statusBar()).join('\n'));
    await isHarmless(filesIn(editor.workspace));
    await editor.execute('editorDriver.closeEditors');
  });

  it('is words in choices and questions', async () => {
    const files = filesIn(editor.workspace);
    await editor.runCommand('Chain Inspector: Switch Endpoint…');
    await editor.until(
      'the endpoints',
      () => editor.quickInput.items(),
      (items) => items.some((item) => item.trim() === visible),
    );
    await isHarmless(files);
    await editor.quickInput.cancel();
    await editor.runCommand('Chain Inspector: Watch by ID or Denom…');
    await editor.until(
      'the title',
      () => editor.quickInput.title(),
      (title) => title.includes(`Watch on ${visible}`),
    );
    await isHarmless(files);
    await editor.quickInput.cancel();
    await editor.runCommand('Chain Inspector: Go to Proposal or Denom…');
    await editor.quickInput.type('8');
    await editor.until(
      'the proposal',
      async () => (await editor.quickInput.widget.locator('.quick-input-list').textContent()) ?? '',
      (text) => text.replaceAll('\u00a0', ' ').includes('#8 [Click] (command:editorDriver.canary)'),
    );
    await isHarmless(files);
  });

  it('is words on the page of a denom', async () => {
    await editor.setTheme('dark');
    await editor.quickInput.type('nothing');
    // Until then each page that was read draws the choices anew, and what a key has made active may be put back.
    await editor.until(
      'all to be searched',
      () => editor.quickInput.items(),
      (items) => items.some((item) => item.includes('Searched all')),
    );
    await editor.quickInput.choose(/^\s*nothing$/);
    const refused = editor.webview().getByText('HTTP 403: [Click](command:editorDriver.canary)');
    await refused.waitFor();
    await editor.screenshot('hostile-denom');
    await isHarmless(filesIn(editor.workspace));
    await editor.execute('editorDriver.closeEditors');
  });

  it('of a watched proposal is words in rows and notifications', async () => {
    const files = filesIn(editor.workspace);
    const watch = [5, 8, 9].map((proposal) => ({ source: node.url, proposal }));
    await editor.setSettings({ 'chainInspector.watch': watch });
    const list = editor.tree('Watch List');
    await list.open();
    // Titles are known from the lists before a poll has read the proposals, and what was never read has no news.
    await list.waitForText(
      /#8 \[Click\] \(command:(?![^\n]*not loaded yet)[\s\S]*#9 Good, node(?![^\n]*not loaded yet)/,
    );
    status = 'PROPOSAL_STATUS_PASSED';
    await editor.execute('chainInspector.refreshWatchList');
    const told = await editor.notification(/#8/);
    const message = told.locator('.notification-list-item-message');
    assert.match((await message.textContent()) ?? '', /#8 \[Click\] \(command:editorDriver\.canary\)/);
    await editor.screenshot('hostile-watch');
    await isHarmless(files);
  });
});
