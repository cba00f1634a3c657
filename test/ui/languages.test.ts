import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { pseudoLanguage, pseudoText } from '../../packaging/texts.ts';
import { type Editor, startEditor } from '../support/editor.ts';
import { actUntil } from '../support/editorWait.ts';
import { startFolder } from '../support/folders.ts';
import { writeState } from './compareStates.ts';
import { copyInPseudoLanguage, plainWords, type StatedTexts, textsOf } from './shownTexts.ts';

/** The editor's own words around ours. */
const editorsOwn =
  /^Actions for |\(?Press 'Enter'.*$|^\d+ Results?$|^Source: |^More Actions\.\.\.$|^Back$|^[a-z-]+ {2}| \((?:Ctrl|Alt|Shift|Del)[^)]*\)$/;

/** Fields that findings name as the draft has them. */
const fieldsOfDraft = new Set(['title', 'authority']);

const full = process.env.TEST_FULL ? describe : describe.skip;

/** Every view, page, box and menu once: what is not in the pseudo-language no translation reaches. */
full('in the pseudo-language', () => {
  const folder = startFolder('pseudo');
  let editor: Editor;
  let stated: StatedTexts;

  before(async () => {
    stated = copyInPseudoLanguage(folder.path);
    editor = await startEditor({ extensionPath: folder.path, language: pseudoLanguage });
    await editor.openContainer('Chain Inspector');
  });
  after(async () => {
    await editor?.dispose();
    folder.dispose();
  });

  const { t } = { t: pseudoText };
  const faults: string[] = [];
  /** Notes the English words of what these places show, with a picture. */
  const look = async (name: string, ...places: readonly Locator[]) => {
    const read = async () => (await Promise.all(places.map(textsOf))).flat();
    const texts = await editor.until(`something in ${name}`, read, (some) => some.length > 0);
    await editor.screenshot(`pseudo-${name}`);
    for (const text of texts) {
      const shown = text.replace(editorsOwn, '').replace(editorsOwn, '');
      const words = plainWords(shown, stated).filter((word) => !(name.startsWith('draft') && fieldsOfDraft.has(word)));
      if (words.length > 0) faults.push(`${name}: ${words.join(' ')} in “${text.slice(0, 300)}”`);
    }
  };
  const none = () => assert.deepEqual(faults.splice(0), []);
  const box = () => [
    editor.quickInput.widget.locator('.quick-input-title:visible, .quick-input-list .monaco-list-row:visible'),
    editor.quickInput.widget.locator('.quick-input-action:visible, .quick-input-box:visible input.input'),
    editor.quickInput.widget.locator('.quick-input-message:visible'),
  ];
  /** Opens a box, looks at it, takes choices one after another and looks at each box that follows. */
  const lookAtBoxes = async (command: string, ...choices: readonly RegExp[]) => {
    const done = editor.execute(`chainInspector.${command}`);
    await editor.quickInput.waitFor(/‹/);
    await look(`box-${command}`, ...box());
    const state = async () =>
      (await editor.quickInput.widget.isVisible()) ? (await textsOf(editor.quickInput.widget)).join() : '';
    for (const choice of choices) {
      const before = await state();
      await editor.quickInput.choose(choice);
      await editor.until(`the box after ${choice}`, state, (text) => text !== '' && text !== before);
      await look(`box-${command}-${choice.source.length}`, ...box());
      await editor.page.keyboard.press('Escape');
      await editor.until(
        'the box before',
        async () => (await editor.quickInput.items()).some((item) => choice.test(item)),
        Boolean,
      );
    }
    await editor.quickInput.cancel();
    await done;
  };
  const page = () => editor.webview().locator('body');
  const view = (name: string) => editor.tree(t(name));

  const open = async (id: number) => {
    const opened = editor.execute('chainInspector.goTo', `#${id}`);
    await editor.quickInput.choose(new RegExp(`#${id}\\b`));
    await opened;
    await editor
      .webview()
      .locator('h1 .id', { hasText: new RegExp(`^#${id} $`) })
      .waitFor();
    await editor.webview().locator('footer time').waitFor();
    await editor.webview().getByText(t('Loading the gov parameters…')).waitFor({ state: 'detached' });
  };
  /** Opens what is folded on a page, and waits for what that loads. */
  const unfold = async () => {
    const closed = page().locator('details:not([open]) > summary');
    const click = () => closed.evaluateAll((all) => all.map((one) => one.click()));
    await actUntil(editor.page, click, 'every fold to be open', async () => (await closed.count()) === 0);
    await page().getByText(t('Loading votes…')).waitFor({ state: 'detached' });
  };
  const menu = () => editor.page.locator('.monaco-menu .action-label:visible');
  const lookAtMenu = async (name: string, click: () => Promise<unknown>) => {
    await actUntil(editor.page, click, `the menu of ${name}`, () => menu().first().isVisible());
    await look(
      `menu-${name}`,
      menu().filter({ hasNotText: /^(?:Hide|Reset|Keybindings|Configure|Move|Close|Split|Lock|Show) |^$/ }),
    );
    await editor.page.keyboard.press('Escape');
    await menu().first().waitFor({ state: 'detached' });
  };

  it('the views are', async () => {
    for (const name of ['Proposals', 'Supply', 'Validators', 'Watch List', 'Endpoints']) {
      const { header, section } = view(name);
      await view(name).open();
      if (name !== 'Watch List') await section.locator('.monaco-list-row').first().waitFor();
      await look(name, header.locator('.title, .description'), section.locator('.monaco-list-row'));
      await header.hover();
      await look(`${name} actions`, header.locator('.action-label[aria-label^="‹"]'));
    }
    await look('status bar', editor.statusBarItem(t('Sample chain')));
    none();
  });

  it('the pages are', async () => {
    for (const id of [992, 724, 751, 801, 746, 1018, 674, 478, 493, 617]) {
      await open(id);
      await unfold();
      await look(`page-${id}`, page());
    }
    for (const denom of ['usample', 'ulumen']) {
      const opened = editor.execute('chainInspector.goTo', denom);
      await editor.quickInput.choose(/./);
      await opened;
      await page().locator('table').first().waitFor();
      await unfold();
      await look(`page-${denom}`, page());
    }
    none();
  });

  it('the boxes are', async () => {
    const boxes = [
      ...['goTo', 'filterProposals', 'filterSupply', 'sortSupply', 'filterValidators', 'sortValidators', 'newDraft'],
      ...['switchEndpoint', 'addEndpoint', 'watchById', 'watchEverything', 'myVoters', 'compareWith', 'export'],
      ...['exportProposals', 'exportSupply', 'exportValidators', 'removeEndpoint'],
    ];
    for (const name of boxes) await lookAtBoxes(name);
    none();
  });

  it('the boxes that follow are', async () => {
    const choice = (text: string) => new RegExp(`${t(text)}$`);
    await lookAtBoxes('filterProposals', choice('Status'));
    await lookAtBoxes('filterProposals', choice('Voter'));
    await lookAtBoxes('newDraft', choice('Parameters of a module'));
    await lookAtBoxes('newDraft', choice('Software upgrade'));
    none();
  });

  it('the menus are', async () => {
    const rows = {
      Proposals: [/#713/, new RegExp(t('Passed'))],
      Supply: [/SAMPLE/],
      Validators: [/^αωρορα/],
      Endpoints: [new RegExp(t('Sample chain'))],
    };
    for (const [name, labels] of Object.entries(rows))
      for (const label of labels) {
        const click = async () => (await view(name).row(label)).click({ button: 'right' });
        await lookAtMenu(`${name} ${label.source.slice(0, 5)}`, click);
      }
    for (const name of ['Proposals', 'Supply', 'Validators', 'Watch List', 'Endpoints']) {
      const more = view(name).header.getByRole('button', { name: /Views and More Actions|More Actions/ });
      const open = async () => {
        await view(name).header.hover();
        await more.click();
      };
      await lookAtMenu(`${name} title`, open);
    }
    none();
  });

  it('the Watch List is', async () => {
    const watch = [
      { source: '', proposal: '992' },
      { source: 'http://127.0.0.1:9', proposal: '5' },
    ];
    await editor.setSettings({ 'chainInspector.watch': watch });
    const rows = view('Watch List').section.locator('.monaco-list-row');
    await rows.filter({ hasText: '#992' }).first().waitFor();
    await view('Proposals').header.click();
    await view('Supply').header.click();
    await look('watch', rows);
    for (const text of ['#992', '#5']) {
      const click = async () => (await view('Watch List').row(new RegExp(text))).click({ button: 'right' });
      await lookAtMenu(`watch ${text}`, click);
    }
    none();
  });

  it('a draft is', async () => {
    const file = join(editor.workspace, 'raise.json');
    const messages = [
      {
        '@type': '/cosmos.staking.v1beta1.MsgUpdateParams',
        authority: 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn',
        params: { max_validators: 1, unbonding_time: '1s' },
      },
    ];
    const draft = { messages, metadata: 'ipfs://CID', deposit: '5usample', title: '', summary: 'σ' };
    writeFileSync(file, JSON.stringify(draft, undefined, 1));
    await editor.execute('vscode.open', { $uri: pathToFileURL(file).href });
    const lens = editor.page.locator('.codelens-decoration a');
    await lens.filter({ hasText: '‹' }).first().waitFor();
    await look('draft', lens);
    await editor.execute('workbench.actions.view.problems');
    const problems = editor.page.locator('.markers-panel .monaco-list-row .marker-message');
    await problems.first().waitFor();
    await look('draft-problems', problems);
    await editor.execute('workbench.action.closePanel');
    await editor.execute('chainInspector.previewDraft');
    await page().locator('.pill.draft').waitFor();
    await unfold();
    await look('draft-preview', page());
    await editor.execute('editorDriver.closeEditors');
    none();
  });

  it('a comparison is', async () => {
    const supply = { u0ak: '5', up1ne: '1' };
    const left = writeState(editor.workspace, 'left.json', { supply, proposals: [[1, 'PASSED', 'α']], quorum: '0.3' });
    const right = writeState(editor.workspace, 'right.json', { supply: {}, proposals: [], quorum: '0.4' });
    await editor.setSettings({
      'chainInspector.endpoints': [left, right].map(({ url }, at) => ({ name: `α${at}`, url })),
      'chainInspector.baseUrl': left.url,
    });
    await editor.statusBarItem('α0').waitFor();
    const done = editor.execute('chainInspector.compareWith');
    await editor.quickInput.choose(/α1/);
    await done;
    const rows = view('Compare').section.locator('.monaco-list-row');
    await rows.nth(3).waitFor();
    await look('compare', rows, view('Compare').section.locator('.message'));
    await editor.execute('editorDriver.closeEditors');
    await editor.execute('chainInspector.clearComparison');
    none();
  });

  it('what failed is', async () => {
    // The Watch List would have the sentence of the client, which is English, in the hover of a row.
    await editor.setSettings({ 'chainInspector.baseUrl': 'http://127.0.0.1:9', 'chainInspector.watch': null });
    const rows = view('Endpoints').section.locator('.monaco-list-row');
    await rows
      .filter({ hasText: t('Connection refused') })
      .first()
      .waitFor();
    await view('Proposals').header.click();
    await look('failed', editor.page.locator('.part.sidebar .monaco-list-row'));
    for (const name of ['showAtHeight', 'setHeader', 'editEndpoint']) await lookAtBoxes(name);
    await editor.execute('chainInspector.forgetHeader');
    const told = await editor.notification(/‹/);
    await look('notification', told.locator('.notification-list-item-message'), told.locator('.monaco-button'));
    await editor.execute('notifications.clearAll');
    await editor.setSettings({ 'chainInspector.baseUrl': null, 'chainInspector.endpoints': null });
    none();
  });

  it('settings and walkthrough are', async () => {
    await editor.execute('workbench.action.openSettings', '@ext:chain-inspector.chain-inspector');
    const settings = editor.page.locator('.setting-item-description');
    await settings.first().waitFor();
    await look('settings', settings);
    await editor.execute('workbench.action.openWalkthrough', 'chain-inspector.chain-inspector#start', false);
    const steps = editor.page.locator('.getting-started-step');
    await steps.first().waitFor();
    const words = steps.locator('.step-title, .step-description-container');
    await look('walkthrough', words);
    none();
  });
});
