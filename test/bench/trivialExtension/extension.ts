// The least that a view with rows takes: the floor that an extension is measured against.
import * as vscode from 'vscode';

export function activate(context: vscode.ExtensionContext): void {
  const tree: vscode.TreeDataProvider<string> = {
    getChildren: () => ['one', 'two'],
    getTreeItem: (row) => new vscode.TreeItem(row),
  };
  context.subscriptions.push(vscode.window.registerTreeDataProvider('trivial.rows', tree));
}
