import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { toProposalView } from '../../src/ui/panel/proposalView.ts';
import type { ShowMessage } from '../../src/ui/panel/protocol.ts';
import { startBrowser } from '../support/browser.ts';
import { projectFolder } from '../support/folders.ts';
import { factsOf } from '../unit/ui-panel/factsOf.ts';
import { englishPageWords as pageWords, plainWords } from '../unit/ui-panel/plainWords.ts';
import { hostileCases, problemsOf } from './gallery/hostilePage.ts';

describe('hostile texts in a page that nothing protects', function () {
  this.timeout(5 * 60_000);
  let browser: Browser;
  let page: Page;
  const happened: string[] = [];

  before(async () => {
    browser = await startBrowser();
    page = await browser.newPage();
    await page.route('**/*', (route) => route.abort());
    page.on('request', (request) => happened.push(`request ${request.url()}`));
    page.on('dialog', (dialog) => {
      happened.push(`dialog ${dialog.message()}`);
      dialog.dismiss().catch(() => undefined);
    });
    page.context().on('page', (opened) => happened.push(`page ${opened.url()}`));
    await page.evaluate(
      'window.sent = []; window.acquireVsCodeApi = () => ({ postMessage: (one) => window.sent.push(one), getState() {}, setState() {} }); 0',
    );
    await page.evaluate(readFileSync(join(projectFolder, 'dist/proposal.js'), 'utf8'));
    page.on('framenavigated', (frame) => happened.push(`navigation ${frame.url()}`));
  });

  after(() => browser?.close());

  it('never run, load, navigate or become anything but text; their links only ask', async () => {
    for (const one of hostileCases()) {
      const message: ShowMessage = {
        type: 'show',
        restore: { sourceId: '', proposalId: String(one.id), pinned: false },
        actions: [],
        words: pageWords,
        state: {
          kind: 'loaded',
          view: toProposalView(factsOf({ proposal_id: String(one.id), ...one.proposal }), plainWords),
        },
      };
      await page.evaluate('window.sent.length = 0');
      await page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
      await page.waitForFunction('window.sent.some(({ type }) => type === "painted")');
      await page.evaluate('for (const link of document.querySelectorAll("a, [role=link]")) link.click()');
      const others = await page.evaluate('window.sent.filter(({ type }) => type !== "painted" && type !== "openLink")');
      const problems = await problemsOf(page.mainFrame());
      assert.deepEqual([problems, happened, others], [[], [], []], `payload ${JSON.stringify(one.name)}`);
    }
  });

  it('are watched by a test that sees what happens', async () => {
    const dialog = page.waitForEvent('dialog');
    const request = page.waitForEvent('request');
    await page.evaluate('setTimeout(() => alert("seen"), 0); fetch("https://evil.invalid/seen").catch(() => {}); 0');
    await Promise.all([dialog, request]);
    assert.deepEqual(happened.toSorted(), ['dialog seen', 'request https://evil.invalid/seen']);
  });
});
