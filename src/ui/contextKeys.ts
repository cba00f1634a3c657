import * as vscode from 'vscode';

/** Sets a context key of the manifest's `when` clauses, without `chainInspector.`; resolves when the editor has it. */
export function setContext(name: string, value: unknown): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', `chainInspector.${name}`, value);
}
