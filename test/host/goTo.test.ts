import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { statusGroups } from '../../src/chain/gov/proposalGroups.ts';
import type { ExtensionApi } from '../../src/extension.ts';
import { pickTyped } from '../../src/ui/ask.ts';
import { activateExtension, askedSince, itemsUntil, overhear, readUntil, showSource } from '../support/hostApi.ts';

describe('Go to Proposal or Denom…', () => {
  let api: ExtensionApi;

  before(async () => {
    api = await activateExtension();
    await showSource(api, undefined);
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const labels = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));

  /** Resolves once the titles of the tabs are so. */
  async function tabs(accept: (labels: readonly string[]) => boolean): Promise<void> {
    await readUntil(vscode.window.tabGroups.onDidChangeTabs, labels, accept);
  }

  /** Opens Go to Proposal or Denom… and accepts what it offers first, as soon as it does; resolves when the command has ended. */
  async function acceptFirst(typed?: string): Promise<void> {
    let ended = false;
    const done = Promise.resolve(vscode.commands.executeCommand('chainInspector.goTo', typed)).finally(() => {
      ended = true;
    });
    while (!ended) await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await done;
  }

  it('offers the proposal that was opened again', async () => {
    await acceptFirst('#992');
    await tabs((all) => all.some((label) => label.includes('#992')));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await tabs((all) => all.length === 0);
    await acceptFirst();
    await tabs((all) => all.some((label) => label.includes('#992')));
  });

  it('offers what was opened before and the votes that end soonest, before anything is typed', async () => {
    await api.active.session.lists.proposals.pager('voting').loadMore();
    for (const command of ['chainInspector.goTo', 'chainInspector.watchById']) {
      const { opened, stop } = overhear();
      const done = vscode.commands.executeCommand(command);
      const box = await opened;
      const offered = await itemsUntil(box, (all) => all.length > 0);
      assert.deepEqual(offered.slice(0, 3), ['Recent', offered[1], 'Voting ends soon'], offered.join());
      assert.match(offered[3] ?? '', /^#713 /);
      assert.equal(offered.length, 8);
      box.hide();
      await done;
      stop();
    }
  });

  it('opens the proposal of a page that was pasted', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await tabs((all) => all.length === 0);
    await acceptFirst('https://explorer.example/chain/proposals/991');
    await tabs((all) => all.some((label) => label.includes('#991')));
  });

  it('searches all pages from three characters on, once, and says how much was searched', async () => {
    // A panel takes the focus late, and a box closes without it.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await tabs((all) => all.length === 0);
    const { opened, stop } = overhear();
    const done = vscode.commands.executeCommand('chainInspector.goTo', 'up');
    const box = await opened;
    const offered = await itemsUntil(box, () => true);
    assert.ok(!offered.some((label) => /earch/.test(label)), offered.join());
    box.value = 'upgrade';
    const titles = new Set<string | undefined>();
    const searched = await itemsUntil(box, (all) => {
      titles.add(box.title);
      return all.some((label) => /Searched all/.test(label));
    });
    assert.ok(titles.has('Searching Sample chain for proposals, denoms, validators…'), [...titles].join());
    assert.match(searched.at(-1) ?? '', /^Searched all \(proposals: 7\d, denoms: 18\d, validators: 21\)$/);
    assert.ok(searched.length > 2);
    const last = api.requests.lines.at(-1);
    box.value = 'no such text';
    await itemsUntil(box, ([first = '', ...others]) => /Searched all/.test(first) && others.length === 0);
    assert.deepEqual(askedSince(api, last), []);
    // Only denoms and symbols that the chain has.
    box.value = 'nosuchdenom';
    await itemsUntil(box, ([first = '', ...others]) => /Searched all/.test(first) && others.length === 0);
    box.value = 'ACORN';
    await itemsUntil(box, ([first]) => first === 'ACORN');
    box.hide();
    await done;
    stop();
  });

  it('offers what is named like the text before what only mentions it, as VS Code shows them', async () => {
    const { opened, stop } = overhear();
    const done = vscode.commands.executeCommand('chainInspector.goTo', 'ibc');
    const box = await opened;
    const offered = await itemsUntil(box, (all) => all.some((label) => /Searched all/.test(label)));
    const isNamed = offered.slice(0, -1).map((label) => /ibc/i.test(label));
    assert.ok(isNamed.includes(true) && isNamed.includes(false), offered.join());
    assert.ok(isNamed.indexOf(false) > isNamed.lastIndexOf(true), offered.join());
    box.value = 'factory';
    const isFactory = (label: string) => /^Supply of factory/.test(label);
    const denoms = await itemsUntil(
      box,
      (all) => all.filter(isFactory).length > 9 && /Searched/.test(all.at(-1) ?? ''),
    );
    const named = denoms.filter(isFactory);
    assert.deepEqual(named, named.toSorted(new Intl.Collator('en', { numeric: true }).compare));
    box.hide();
    await done;
    stop();
  });

  it('takes nothing for Enter on what only informs, whatever is found afterwards', async () => {
    const goal = { label: 'A row', isGoal: true };
    const note = { label: 'Searching', isGoal: false };
    let found: (items: readonly (typeof goal)[]) => void = () => assert.fail('not searched');
    const { opened, stop } = overhear();
    const answer = pickTyped({
      title: 'Title',
      placeHolder: 'Text',
      value: 'x',
      find: () => [goal, note],
      search: async (_typed, _signal, show) => {
        found = show;
      },
      isChoice: ({ isGoal }) => isGoal,
    });
    const box = await opened;
    stop();
    while (box.activeItems[0]?.label !== note.label)
      await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    found([goal, { ...goal, label: 'Another row' }, note]);
    box.hide();
    assert.equal(await answer, undefined);
  });

  it('offers the denom that was shown again', async () => {
    for (const typed of [' ACORN ', undefined]) {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await tabs((all) => all.length === 0);
      await acceptFirst(typed);
      await tabs((all) => all.some((label) => label.includes('ACORN')));
    }
  });

  it('opens the exact id, denom or symbol, whatever loaded rows hold the text', async () => {
    const { proposals, supply } = api.active.session.lists;
    const { signal } = new AbortController();
    const all = { signal, limit: 5000, onProgress: () => undefined };
    for (const group of statusGroups) await proposals.pager(group).loadAll(all);
    await supply.pager.loadAll(all);
    await supply.loadUnits({ maxAge: 0 });
    const ids = ['1', '3', '12', '20', '96', '110', '705'].map((id) => [id, `#${id}`] as const);
    for (const [typed, name] of [...ids, ['sample', 'SAMPLE'], ['usample', 'SAMPLE'], ['ACORN', 'ACORN']] as const) {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await tabs((labels) => labels.length === 0);
      await acceptFirst(typed);
      // A tab is named once more when its page knows what it shows.
      await tabs((labels) => labels.length === 1 && labels[0]?.replace(/ .*/, '') === name);
    }
  });
});
