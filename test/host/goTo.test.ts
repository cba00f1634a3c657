import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/extension.ts';
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

  /** Opens Go to Proposal or Denom… and accepts what it offers first, as soon as it does; resolves when the command has ended. */
  async function acceptFirst(typed?: string, until: () => boolean = () => false): Promise<void> {
    let ended = false;
    const done = Promise.resolve(vscode.commands.executeCommand('chainInspector.goTo', typed)).finally(() => {
      ended = true;
    });
    while (!ended && !until()) await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    if (ended) await done;
  }

  it('hold the proposal that was opened', async () => {
    await acceptFirst('#992');
    await tabs((all) => all.some((label) => label.includes('#992')));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await tabs((all) => all.length === 0);
    await acceptFirst();
    await tabs((all) => all.some((label) => label.includes('#992')));
  });

  it('hold the denom that was shown', async () => {
    const asked = () => api.requests.lines.filter(({ url }) => /ACORN/.test(url)).length;
    const before = asked();
    for (const [typed, count] of [
      [' ACORN ', before + 1],
      [undefined, before + 2],
    ] as const) {
      // Its notification waits for the user, as long as that takes.
      await acceptFirst(typed, () => asked() === count);
      await vscode.commands.executeCommand('notifications.clearAll');
    }
    assert.equal(asked(), before + 2);
  });
});
