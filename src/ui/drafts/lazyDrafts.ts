import * as vscode from 'vscode';
import type { DraftEditor } from './draftEditor.ts';

/** Milliseconds after the last key before a text is looked at. */
const typingPause = 300;

/** What every draft holds, and hardly any other JSON does. */
const signs = ['"deposit"', '"proposal_forum_url"', '"vote_option_context"'];

/** Drafts of proposals in the editor. The rest is loaded with the first text that may be one, or for a command. */
export class LazyDrafts implements vscode.Disposable {
  readonly #open: (pause: number) => Promise<DraftEditor>;
  readonly #listeners: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #loading: Promise<DraftEditor> | undefined;

  /** `open` makes the editor of drafts; `pause` as it takes it. */
  constructor(open: (pause: number) => Promise<DraftEditor>) {
    this.#open = open;
    this.#listeners = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => this.#look(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#look(document), typingPause);
      }),
    );
    for (const document of vscode.workspace.textDocuments) this.#look(document);
  }

  load(): Promise<DraftEditor> {
    this.#loading ??= this.#open(typingPause);
    this.#stop();
    return this.#loading;
  }

  dispose(): void {
    this.#stop();
    void this.#loading?.then((editor) => editor.dispose());
  }

  #look(document: vscode.TextDocument): void {
    if (!/^jsonc?$/.test(document.languageId)) return;
    const text = document.getText();
    if (signs.some((sign) => text.includes(sign))) void this.load();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#listeners.dispose();
  }
}
