import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { toProposalView } from '../../src/ui/panel/proposalView.ts';
import type { HostMessage } from '../../src/ui/panel/protocol.ts';
import { startBrowser } from '../support/browserStart.ts';
import { type Editor, startEditor } from '../support/editor.ts';
import { projectFolder } from '../support/projectFolder.ts';
import { factsOf } from '../unit/ui-panel/factsOf.ts';
import { englishPageWords as pageWords, plainWords } from '../unit/ui-panel/plainWords.ts';
import { type GalleryCase, numbered, stateOf } from './gallery/galleryState.ts';
import { hostilePayloads } from './gallery/hostilePayloads.ts';
import { PanelScreen } from './gallery/panelScreen.ts';

/** Every element that the page may consist of. */
const elements = new Set(
  (
    'html head meta title link style script body header main footer section h1 h2 h3 h4 h5 h6 p div span small strong em s b code pre ' +
    'ul ol li dl dt dd table thead tbody tr th td button a bdi time details summary blockquote hr br del ins'
  ).split(' '),
);

/** Payloads in every place that a stranger writes to. */
function hostileCase(payload: string): GalleryCase {
  const content = {
    '@type': `/evil.v1.${payload}`,
    title: payload,
    description: payload,
    [payload]: payload,
    nested: [{ [payload]: [payload] }],
  };
  const coins = [{ denom: payload.slice(0, 60), amount: '1' }];
  const proposal = { content, status: 'PROPOSAL_STATUS_PASSED', final_tally_result: null, total_deposit: coins };
  return { name: payload, golden: false, proposal };
}

describe('hostile texts in a proposal', function () {
  this.timeout(5 * 60_000);
  let editor: Editor;
  let screen: PanelScreen;
  const cases = numbered(hostilePayloads.map(hostileCase));
  const happened: string[] = [];

  before(async () => {
    editor = await startEditor();
    screen = new PanelScreen(editor);
    const { page } = editor;
    page.on('request', (request) => {
      if (/evil\.invalid|google\.com/.test(request.url())) happened.push(`request ${request.url()}`);
    });
    page.on('dialog', (dialog) => {
      happened.push(`dialog ${dialog.message()}`);
      dialog.dismiss().catch(() => undefined);
    });
    // The editor's sandbox swallows dialogs and its policy stops requests before they are made: both leave a line.
    page.on('console', (message) => {
      const text = message.text();
      if (/evil\.invalid|Ignored call to 'alert|inline event handler|JavaScript URL/i.test(text)) happened.push(text);
    });
    page.context().on('page', (opened) => happened.push(`page ${opened.url()}`));
    await screen.showState('hostile.json', stateOf(cases));
    await screen.open(1);
    page.on('framenavigated', (frame) => happened.push(`navigation ${frame.url()}`));
  });

  after(() => editor?.dispose());

  it('are at least 60', () => {
    assert(new Set(hostilePayloads).size >= 60, String(hostilePayloads.length));
  });

  it('never run, load, navigate or become anything but text', async () => {
    for (const { id, name } of cases) {
      if (id > 1) await screen.press('Next');
      await screen.shows(id);
      const problems = await problemsOf(await screen.frame());
      assert.deepEqual([...problems, ...happened], [], `payload ${JSON.stringify(name)}`);
    }
  });

  it('are watched by a test that sees what happens', async () => {
    const frame = await screen.frame();
    await frame.evaluate('setTimeout(() => alert("seen"), 0); fetch("https://evil.invalid/seen").catch(() => {}); 0');
    await editor.until(
      'the traces of both',
      async () => happened,
      (all) => all.some((one) => /alert|dialog/.test(one)) && all.some((one) => /evil\.invalid/.test(one)),
    );
  });
});

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
    for (const one of numbered(hostilePayloads.map(hostileCase))) {
      const message: HostMessage = {
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

/** What in the page is not text: foreign elements, handlers, addresses. */
async function problemsOf(frame: Frame): Promise<readonly string[]> {
  const found: unknown = await frame.evaluate(
    '[...document.querySelectorAll("*")].map((one) => [one.localName, ...one.getAttributeNames().map((name) => name + "=" + one.getAttribute(name))])' +
      '.concat(window.caught === undefined ? [] : [["caught"]])',
  );
  assert(Array.isArray(found));
  const problems: string[] = [];
  for (const [name, ...attributes] of found.map((one: unknown) => (Array.isArray(one) ? one.map(String) : []))) {
    if (name === undefined || !elements.has(name)) problems.push(`element ${name}`);
    // The frame of the page is the editor's and ours: a script, a style sheet, a policy.
    if (name === 'script' || name === 'link' || name === 'meta' || name === 'style' || name === 'html') continue;
    problems.push(...attributes.filter((one) => /^(?:on|href=|src|srcdoc=|action=|xlink)/.test(one)));
  }
  return problems;
}
