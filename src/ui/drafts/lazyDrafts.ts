import * as vscode from 'vscode';
import type { DraftEditor } from './draftEditor.ts';

/** The time after the last key press before a text is checked. In milliseconds. */
const typingPause = 300;

/** Texts that every draft contains, and hardly any other JSON file. */
const signs = ['"deposit"', '"proposal_forum_url"', '"vote_option_context"'];

/** Watches for drafts in the editor. The rest is loaded for the first text that may be a draft, or for a command. */
export class LazyDrafts implements vscode.Disposable {
  readonly #open: (pause: number) => Promise<DraftEditor>;
  readonly #listeners: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #loading: Promise<DraftEditor> | undefined;

  /** `open` creates the editor of drafts, with its `pause`. */
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
