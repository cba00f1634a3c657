import * as vscode from 'vscode';
import { escapeForUi } from '../../chain/text.ts';
import { findWrongBases } from '../../code/assetList.ts';
import { showsCodeLinks } from '../settings.ts';

/** The time after the last key press before a list is checked. In milliseconds. */
const typingPause = 300;

/** Longer lists are not checked. In characters. */
const largest = 1_000_000;

/** Underlines each base of an open `assetlist.json` that is not the denom of its trace. */
export class AssetListMarks implements vscode.Disposable {
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('chainInspector.assetLists');
  readonly #listeners: readonly vscode.Disposable[];
  readonly #waiting = new Map<vscode.TextDocument, NodeJS.Timeout>();

  constructor() {
    const { workspace } = vscode;
    this.#listeners = [
      workspace.onDidOpenTextDocument((document) => this.#look(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.#lookSoon(document)),
      workspace.onDidCloseTextDocument((document) => this.#leave(document)),
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('chainInspector.codeLinks')) this.#lookAtAll();
      }),
    ];
    this.#lookAtAll();
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#diagnostics.dispose();
  }

  #lookAtAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#look(document);
  }

  #lookSoon(document: vscode.TextDocument): void {
    if (!isAssetList(document)) return;
    clearTimeout(this.#waiting.get(document));
    this.#waiting.set(
      document,
      setTimeout(() => this.#look(document), typingPause),
    );
  }

  #leave(document: vscode.TextDocument): void {
    clearTimeout(this.#waiting.get(document));
    this.#waiting.delete(document);
    this.#diagnostics.delete(document.uri);
  }

  #look(document: vscode.TextDocument): void {
    if (!isAssetList(document)) return;
    const text = showsCodeLinks() ? document.getText() : '';
    const found = text.length > largest ? [] : findWrongBases(text);
    const marks = found.map(({ start, end, base, path, denom }) => {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      const [shownBase, shownPath] = [escapeForUi(base), escapeForUi(path)];
      const text = vscode.l10n.t('{0} does not match its trace: {1} hashes to {2}.', shownBase, shownPath, denom);
      const mark = new vscode.Diagnostic(range, text, vscode.DiagnosticSeverity.Error);
      mark.source = 'Chain Inspector';
      return mark;
    });
    this.#diagnostics.set(document.uri, marks);
  }
}

function isAssetList({ uri }: vscode.TextDocument): boolean {
  return /(?:^|\/)assetlist\.json$/.test(uri.path);
}
