import * as vscode from 'vscode';
import { activateExtension, showSource } from '../support/hostApi.ts';

describe('recent destinations', () => {
  before(async () => {
    await showSource(await activateExtension(), undefined);
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
  async function acceptFirst(typed?: string): Promise<void> {
    let ended = false;
    const done = Promise.resolve(vscode.commands.executeCommand('chainInspector.goTo', typed)).finally(() => {
      ended = true;
    });
    while (!ended) await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await done;
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
    for (const typed of [' ACORN ', undefined]) {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await tabs((all) => all.length === 0);
      await acceptFirst(typed);
      await tabs((all) => all.some((label) => label.includes('ACORN')));
    }
  });
});
