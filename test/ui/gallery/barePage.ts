import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { toProposalRow } from '../../../src/api/decode/proposalRows.ts';
import { readProposalRow } from '../../../src/api/decode/readReply.ts';
import type { ProposalAction, ShowProposal } from '../../../src/page/pageMessages.ts';
import type { PageView } from '../../../src/page/pageView.ts';
import { toProposalView } from '../../../src/page/proposalView.ts';
import { startBrowser } from '../../support/browser.ts';
import { projectFolder } from '../../support/folders.ts';
import { type FactChanges, factsOfRow } from '../../unit/page/factsOf.ts';
import { englishPageWords, plainWords } from '../../unit/page/plainWords.ts';
import { type NumberedCase, sampleFacts } from './galleryState.ts';

/** The page of a proposal in a browser without an editor, and so without its policy: nothing protects it but itself. */
export class BarePage {
  readonly page: Page;
  /** Effects that no proposal may have: requests, dialogs, windows, navigation, exceptions. */
  readonly incidents: string[] = [];
  readonly #browser: Browser;

  constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.page = page;
  }

  static async start(): Promise<BarePage> {
    const browser = await startBrowser();
    const page = await browser.newPage({ viewport: { width: 900, height: 800 }, reducedMotion: 'reduce' });
    const bare = new BarePage(browser, page);
    const file = (name: string) => readFileSync(join(projectFolder, 'dist', name), 'utf8');
    await page.route('**/*', (route) => route.abort());
    await page.setContent(`<style>${file('proposal.css')}</style>`);
    page.on('pageerror', (error) => bare.incidents.push(`exception ${error.message}`));
    page.on('request', (request) => bare.incidents.push(`request ${request.url()}`));
    page.on('dialog', (dialog) => {
      bare.incidents.push(`dialog ${dialog.message()}`);
      dialog.dismiss().catch(() => undefined);
    });
    page.context().on('page', (opened) => bare.incidents.push(`page ${opened.url()}`));
    await page.evaluate(
      'window.sent = []; window.acquireVsCodeApi = () => ({ postMessage: (one) => window.sent.push(one), getState() {}, setState() {} }); 0',
    );
    await page.evaluate(file('proposal.js'));
    page.on('framenavigated', (frame) => bare.incidents.push(`navigation ${frame.url()}`));
    return bare;
  }

  /** Shows a case and resolves when it is painted. */
  async show({ id, form, proposal }: NumberedCase, more: FactChanges = {}): Promise<void> {
    const row = toProposalRow(
      readProposalRow(form, { [form === 'v1' ? 'id' : 'proposal_id']: String(id), ...proposal }),
    );
    const inputs = { ...sampleFacts().inputs, ...more.inputs };
    await this.showView(String(id), toProposalView(factsOfRow(row, { ...sampleFacts(), ...more, inputs }), plainWords));
  }

  /** The same for a view, of a proposal that was not shown just before. */
  async showView(proposalId: string, view: PageView<ProposalAction>): Promise<void> {
    const message: ShowProposal = {
      type: 'show',
      restore: { sourceId: '', proposalId, pinned: false },
      words: englishPageWords,
      view,
    };
    await this.page.evaluate('window.sent.length = 0');
    await this.page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
    await this.page.waitForFunction('window.sent.some(({ type }) => type === "painted")');
  }

  /** The page as a screen reader has it: roles, names and texts. */
  async text(): Promise<string> {
    const lines = (await this.page.locator('body').ariaSnapshot()).split('\n');
    // Rows say what their cells say.
    return lines.filter((line) => !/^\s*- (?:cell|columnheader|rowgroup)\b/.test(line)).join('\n');
  }

  /** By how many pixels the page is wider than its window. */
  async overflow(): Promise<number> {
    return Number(await this.page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}
