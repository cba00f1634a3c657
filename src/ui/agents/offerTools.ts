import type * as vscode from 'vscode';
import { offersTools, type Settings } from '../settings.ts';

/** Calls `register` while the setting is on, and disposes its result when the setting is turned off. */
export function offerTools(settings: Settings, register: () => Promise<vscode.Disposable>): vscode.Disposable {
  let offered: Promise<vscode.Disposable> | undefined;
  const end = (): void => {
    void offered?.then((tools) => tools.dispose());
    offered = undefined;
  };
  const follow = (): void => {
    if (!offersTools()) end();
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
