import * as vscode from 'vscode';

/** A setting as it is stored by user and by workspace. The effective value would be only one of them. */
export function readSetting(key: 'watch' | 'voters'): { readonly user: unknown; readonly workspace: unknown } {
  const found = vscode.workspace.getConfiguration('chainInspector').inspect<unknown>(key);
  return { user: found?.globalValue, workspace: found?.workspaceValue };
}

/** Writes the user's setting. An empty array removes it. Rejects if VS Code refuses. */
export async function writeSetting(key: 'watch' | 'voters', value: readonly unknown[] | undefined): Promise<void> {
  const stored = value?.length ? value : undefined;
  await vscode.workspace.getConfiguration('chainInspector').update(key, stored, vscode.ConfigurationTarget.Global);
}
