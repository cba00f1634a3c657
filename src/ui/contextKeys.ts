import * as vscode from 'vscode';

/**
 * Sets a context key for the manifest's `when` clauses. `name` is without `chainInspector.`. Resolves when VS Code has
 * the value.
 */
export function setContext(name: string, value: unknown): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', `chainInspector.${name}`, value);
}
