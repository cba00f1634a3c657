import { strict as assert } from 'node:assert';
import { type Editor, startEditor } from '../support/editor.ts';
import { writeState } from './compareStates.ts';

const earlier = {
  supply: {
    uoak: '340282366920938463463374607431768211455',
    upine: '1250000000000',
    uelm: '77',
    same: '5',
  },
  proposals: [
    [41, 'PASSED', 'Plant two oaks'],
    [42, 'VOTING_PERIOD', 'Raise the fence'],
    [43, 'DEPOSIT_PERIOD', 'Drain the pond'],
  ],
  quorum: '0.334000000000000000',
} as const;

const later = {
  supply: {
    uoak: '340282366920938463463374607431768211456',
    upine: '1249000000000',
    ubirch: '666',
    same: '5',
  },
  proposals: [
    [41, 'PASSED', 'Plant two oaks'],
    [42, 'PASSED', 'Raise the fence'],
    [44, 'VOTING_PERIOD', 'Free coins\u202e \n[click](command:x) $(warning)'],
  ],
  quorum: '0.400000000000000000',
} as const;

describe('Compare With…', () => {
  let editor: Editor;

  before(async () => {
    editor = await startEditor();
    const [left, right] = [
      writeState(editor.workspace, 'earlier.json', earlier),
      writeState(editor.workspace, 'later.json', later),
    ];
    const endpoints = [
      { name: 'Earlier', url: left.url },
      { name: 'Later', url: right.url },
    ];
    await editor.setSettings({ 'chainInspector.endpoints': endpoints, 'chainInspector.baseUrl': left.url });
  });

  after(() => editor?.dispose());

  it('takes what is shown as its left side, asks for the right one, and summarises what differs', async () => {
    await editor.runCommand('Chain Inspector: Compare With…');
    await editor.until(
      'the sources',
      () => editor.quickInput.items(),
      (items) => items.map((item) => item.trim()).join() === 'Sample chain,Later,State file…',
    );
    assert.equal(await editor.quickInput.title(), 'Compare Earlier with');
    await editor.screenshot('compare-pick');
    await editor.quickInput.choose('Later');
    const tree = editor.tree('Compare');
    const text = await tree.waitForText(/^Parameters.*\n {2}/m);
    assert.match(text, /^Supply {2}1 added, 1 removed, 2 changed$/m);
    assert.match(text, /^Proposals {2}1 new, 1 removed, 1 changed$/m);
    assert.match(text, /^Parameters {2}1 changed$/m);
    assert.match(text, /^ {2}gov\.quorum {2}0\.334 → 0\.4$/m);
  });

  it('opens the diff of a group with only the rows that differ', async () => {
    await editor.until(
      'the diff of the supply',
      () => editor.tabs(),
      (tabs) => tabs.some((tab) => tab === 'Supply: Earlier ↔ Later'),
    );
    const tree = editor.tree('Compare');
    await tree.click('Proposals');
    await editor.until(
      'the diff of the proposals',
      () => editor.tabs(),
      (tabs) => tabs.includes('Proposals: Earlier ↔ Later'),
    );
    // Both sides, line by line, one drawn after the other: what a row is called stands beside itself.
    const named = /^#42 Raise the fence$/gm;
    const states = ['Deposit period', 'Voting period', 'Passed'].map((status) => `    ${status}`);
    const shown = await editor.until(
      'the lines of the diff, with #42 on both sides and each status',
      () => editor.text(),
      (text) => text.match(named)?.length === 2 && states.every((status) => text.includes(status)),
    );
    assert.doesNotMatch(shown, /#41/);
    assert.match(shown, /^#44 Free coins⟦U\+202E⟧ {2}\[click\]\(command:x\) \$\(warning\)$/m);
  });

  it('opens a proposal as its side has it', async () => {
    const tree = editor.tree('Compare');
    await tree.expand(/^#42/);
    const heading = editor.webview().getByRole('heading', { level: 1, name: /#42/ });
    const status = (words: string) => editor.webview().getByText(words, { exact: true }).first();
    await tree.click('Earlier');
    await heading.waitFor();
    await status('Voting period').waitFor();
    await tree.click('Later');
    await status('Passed').waitFor();
    await editor.screenshot('compare-panel');
  });

  it('is gone when it is cleared', async () => {
    const tree = editor.tree('Compare');
    await tree.click('Supply');
    await editor.until(
      'the diff of the supply',
      () => editor.text(),
      (text) => text.includes('340282366920938463463374607431768211456'),
    );
    await editor.screenshot('compare');
    await editor.runCommand('Chain Inspector: Clear Comparison');
    await tree.section.waitFor({ state: 'detached' });
    await editor.until(
      'the closed diff to say so',
      () => editor.text(),
      (text) => text.includes('Compare again to see it'),
    );
  });
});
