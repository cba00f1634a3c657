import * as vscode from 'vscode';

const scheme = 'chain-inspector-watch';

/** Marks a row as one whose source is gone, so that it is drawn grey. */
export function goneUri(id: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/gone/${encodeURIComponent(id)}` });
}

/** Draws rows whose source is gone in the colour of what is disabled. */
export function registerGoneRows(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: (uri) =>
      uri.scheme === scheme ? { color: new vscode.ThemeColor('disabledForeground') } : undefined,
  });
}
