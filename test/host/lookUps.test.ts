import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/ui/extensionApi.ts';
import { activateExtension, showSource } from '../support/hostApi.ts';

describe('recent look-ups', () => {
  let api: ExtensionApi;
  before(async () => {
    api = await activateExtension();
    await showSource(api, undefined);
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const labels = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));

  /** Resolves once the titles of the tabs are so. */
  async function tabs(accept: (labels: readonly string[]) => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (accept(labels())) resolve();
    };
    const listener = vscode.window.tabGroups.onDidChangeTabs(look);
    look();
    await promise;
    listener.dispose();
  }

  /** Opens Look Up… and accepts what it offers first, as soon as it does. */
  async function acceptFirst(): Promise<void> {
    let looking = true;
    const looked = Promise.resolve(vscode.commands.executeCommand('chainInspector.lookUp'));
    const done = looked.finally(() => {
      looking = false;
    });
    while (looking) await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await done;
  }

  it('hold what Look Up Proposal… opened', async () => {
    await vscode.commands.executeCommand('chainInspector.lookUpProposal', '#992');
    await tabs((all) => all.some((label) => label.includes('#992')));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await tabs((all) => all.length === 0);
    await acceptFirst();
    await tabs((all) => all.some((label) => label.includes('#992')));
  });

  it('hold what Look Up Denom… showed', async () => {
    const asked = () => api.requests.lines.filter(({ url }) => /ACORN/.test(url)).length;
    const before = asked();
    // Its notification waits for the user, as long as that takes.
    void vscode.commands.executeCommand('chainInspector.lookUpDenom', ' ACORN ');
    const first = before + 1;
    while (asked() < first) await vscode.commands.executeCommand('notifications.hideToasts');
    void acceptFirst();
    while (asked() <= first) await vscode.commands.executeCommand('notifications.hideToasts');
    await vscode.commands.executeCommand('notifications.clearAll');
    assert.equal(asked(), first + 1);
  });
});
