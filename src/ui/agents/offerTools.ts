import type * as vscode from 'vscode';
import type { Settings } from '../settings.ts';

/** Keeps what `register` gives, the tools of agents, as long as the setting is on. */
export function offerTools(settings: Settings, register: () => Promise<vscode.Disposable>): vscode.Disposable {
  let offered: Promise<vscode.Disposable> | undefined;
  const end = (): void => {
    void offered?.then((tools) => tools.dispose());
    offered = undefined;
  };
  const follow = (): void => {
    if (!settings.agentTools) end();
    else offered ??= register();
  };
  const listener = settings.onDidChange(follow);
  follow();
  return {
    dispose: (): void => {
      listener.dispose();
      end();
    },
  };
}
