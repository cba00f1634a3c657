import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { toProposalView } from '../../src/ui/panel/proposalView.ts';
import type { ShowMessage } from '../../src/ui/panel/protocol.ts';
import { startBrowser } from '../support/browser.ts';
import { projectFolder } from '../support/folders.ts';
import { factsOf } from '../unit/ui-panel/factsOf.ts';
import { englishPageWords, plainWords } from '../unit/ui-panel/plainWords.ts';
import { galleryCases, type NumberedCase } from './gallery/galleryState.ts';

describe('the page of a proposal by itself', function () {
  this.timeout(120_000);
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  before(async () => {
    const file = (name: string) => readFileSync(join(projectFolder, 'dist', name), 'utf8');
    browser = await startBrowser();
    page = await browser.newPage({ viewport: { width: 320, height: 800 }, reducedMotion: 'reduce' });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.setContent(`<style>${file('proposal.css')}</style>`);
    await page.evaluate(
      'window.sent = []; window.acquireVsCodeApi = () => ({ postMessage: (one) => window.sent.push(one), getState() {}, setState() {} }); 0',
    );
    await page.evaluate(file('proposal.js'));
  });

  after(() => browser?.close());

  it('fits 320 pixels, as at 400 % zoom, with every text in reach', async () => {
    const found: string[] = [];
    for (const one of galleryCases()) {
      await show(one);
      const sideways = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      if (sideways > 0) found.push(`${one.name} sticks out by ${sideways} pixels`);
    }
    assert.deepEqual([...found, ...errors], []);
  });

  it('fits with text of twice the size', async () => {
    await page.setViewportSize({ width: 640, height: 800 });
    await page.evaluate('document.documentElement.style.fontSize = document.body.style.fontSize = "26px"');
    const found: string[] = [];
    for (const one of galleryCases()) {
      await show(one);
      const sideways = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      if (sideways > 0) found.push(`${one.name} sticks out by ${sideways} pixels`);
    }
    assert.deepEqual(found, []);
  });

  it('moves nothing for who wants it still', async () => {
    const moving = await page.evaluate(
      '[...document.querySelectorAll("*")].filter((one) => { const { transitionDuration, animationName } = getComputedStyle(one); return transitionDuration !== "0s" || animationName !== "none"; }).length',
    );
    assert.equal(moving, 0);
  });

  it('stays smooth with 200,000 characters and with a mebibyte', async () => {
    await page.evaluate(
      'window.long = []; new PerformanceObserver((list) => window.long.push(...list.getEntries().map((one) => one.duration))).observe({ type: "longtask" }); 0',
    );
    for (const description of [
      'word '.repeat(40_000),
      '# a\n\nb [c](https://d.example) '.repeat(6_500),
      'x\n'.repeat(500_000),
    ]) {
      const content = { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'Long', description };
      await show({ id: 900 + description.length, name: 'long', golden: false, proposal: { content } });
    }
    await page.waitForFunction('document.querySelectorAll(".markdown > .piece").length > 50');
    const longest = Number(await page.evaluate('Math.max(0, ...window.long)'));
    // A tenth of a second is what a person notices; machines that test are slower than those that people use.
    assert(longest < 1_000, `the page stood still for ${longest} ms`);
  });

  async function show({ id, proposal }: NumberedCase): Promise<void> {
    const message: ShowMessage = {
      type: 'show',
      restore: { sourceId: '', proposalId: String(id), pinned: false },
      actions: [{ action: 'refresh', label: 'Refresh', hint: 'Read this proposal again', enabled: true }],
      words: englishPageWords,
      state: { kind: 'loaded', view: toProposalView(factsOf({ proposal_id: String(id), ...proposal }), plainWords) },
    };
    await page.evaluate('window.sent.length = 0');
    await page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
    await page.waitForFunction('window.sent.some(({ type }) => type === "painted")');
  }
});
