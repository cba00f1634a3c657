import { strict as assert } from 'node:assert';
import { type Editor, startEditor } from '../support/editor.ts';
import { actUntil } from '../support/editorWait.ts';
import { writeState } from './compareStates.ts';
import { PanelScreen } from './gallery/panelScreen.ts';

describe('the walkthrough', () => {
  let editor: Editor;
  before(async () => {
    editor = await startEditor({ fresh: true });
  });
  after(() => editor?.dispose());

  const show = () => editor.execute('workbench.action.openWalkthrough', 'chain-inspector.chain-inspector#start', false);
  const steps = () =>
    editor.page
      .locator('.getting-started-step')
      .evaluateAll((all) => all.map((one) => one.querySelector('.step-title')?.textContent?.trim() ?? ''));
  /** How many steps are checked. */
  const checked = async (count: number) => {
    await show();
    await editor.until(
      `${count} steps that are done`,
      () => editor.page.locator('.getting-started-step .codicon-getting-started-step-checked').count(),
      (now) => now === count,
    );
  };

  it('has five steps, and nothing is notified before the user has done anything', async () => {
    // The editor's own progress is there on a busy machine.
    const ours = (await editor.notifications()).filter((text) => !/^Activating Extensions/.test(text));
    assert.deepEqual(ours, []);
    await editor.execute('notifications.hideList');
    await show();
    await editor.until('the steps', steps, (titles) => titles.length === 5);
    assert.deepEqual(await steps(), [
      'Look at the sample chain',
      'Add a chain',
      'Read a proposal',
      'Watch a proposal',
      'Open a state file',
    ]);
    await checked(0);
    await editor.screenshot('walkthrough');
  });

  it('has pictures in the colours of the theme', async () => {
    await editor.setTheme('dark');
    // There is no room for pictures beside it.
    await editor.execute('workbench.action.closeSidebar');
    const pictures = {
      'Look at the sample chain': 'Sample chain',
      'Add a chain': 'Osmosis Testnet',
      'Read a proposal': 'Proposal content',
      'Watch a proposal': 'No deadline',
      'Open a state file': 'genesis.json',
    };
    for (const [title, picture] of Object.entries(pictures)) {
      const open = () => editor.page.locator('.getting-started-step', { hasText: title }).click();
      const isShown = () => editor.webview().getByText(picture).first().isVisible();
      await actUntil(editor.page, open, `the picture of ${title}`, isShown);
      await editor.screenshot(`walkthrough-dark-${title.replaceAll(' ', '-')}`);
    }
  });

  it('shows the sample chain with its first step, whatever is shown before', async () => {
    await editor.setSettings({ 'chainInspector.baseUrl': 'http://127.0.0.1:9' });
    await editor.statusBarItem('127.0.0.1:9').waitFor();
    await show();
    const step = editor.page.locator('.getting-started-step', { hasText: 'Look at the sample chain' });
    const button = editor.page.getByRole('button', { name: 'Show the Sample Chain' });
    await actUntil(
      editor.page,
      () => step.click(),
      'the button of the first step',
      () => button.isVisible(),
    );
    const isShown = () => editor.statusBarItem('Sample chain').isVisible();
    await actUntil(editor.page, () => button.click(), 'the sample chain', isShown);
    await editor.tree('Proposals').waitForText(/Voting period/);
    await editor.screenshot('walkthrough-sample');
  });

  it('checks each step when it is done', async () => {
    await editor.openContainer('Chain Inspector');
    await checked(1);
    await editor.setSettings({ 'chainInspector.endpoints': [{ url: 'http://127.0.0.1:9' }] });
    await checked(2);
    await editor.runCommand('Chain Inspector: Go to Proposal or Denom…');
    await editor.quickInput.type('992');
    await editor.quickInput.choose(/^\s*992$/);
    await editor.webview().getByRole('heading', { level: 1, name: /#992/ }).waitFor();
    const screen = new PanelScreen(editor);
    await screen.press('Watch', () => screen.action('Unwatch').isVisible());
    await editor.tree('Watch List').open();
    await editor.tree('Watch List').waitForText(/#992/);
    await checked(4);
    const { path } = writeState(editor.workspace, 'small.json', { supply: { a: '1' }, proposals: [], quorum: '0.3' });
    await editor.runCommand('Chain Inspector: Add Endpoint…');
    await editor.quickInput.type(path);
    await editor.quickInput.choose(/Open .*small\.json/);
    await editor.statusBarItem('small.json').waitFor();
    await checked(5);
  });
});
