import * as vscode from 'vscode';
import type { ActiveSession } from './activeSession.ts';

/** The scheme of read-only documents. */
const documentScheme = 'chain-inspector';

/** The URI of the JSON of a proposal. Equal sources and ids always have equal URIs. */
export function proposalUri(sourceId: string, id: bigint): vscode.Uri {
  return vscode.Uri.from({ scheme: documentScheme, path: `/proposal-${id}.json`, query: sourceId });
}

/** The URI of a text from `showDocument` or `Documents.replace`. */
export function documentUri(name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: documentScheme, path: `/${name}` });
}

/** Read-only documents: the JSON of proposals, and reports of commands. */
export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #active: ActiveSession;
  readonly #registered: vscode.Disposable;
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;

  constructor(active: ActiveSession) {
    this.#active = active;
    this.#registered = vscode.workspace.registerTextDocumentContentProvider(documentScheme, this);
  }

  /** Replaces all texts whose names begin with `prefix`. Open documents with these names are redrawn. */
  replace(prefix: string, texts: ReadonlyMap<string, string>): void {
    const before = [...this.#texts.keys()].filter((name) => name.startsWith(prefix));
    for (const name of before) this.#texts.delete(name);
    for (const [name, text] of texts) this.#texts.set(name, text);
    for (const name of new Set([...before, ...texts.keys()])) this.#changed.fire(documentUri(name));
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
    this.#texts.clear();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const text = this.#texts.get(uri.path.slice(1));
    if (text !== undefined) return text;
    const { proposalText } = await import('./panel/proposalDocument.ts');
    return proposalText(this.#active, uri);
  }
}

/** Opens a text as the document `name` (`connection.txt`). An open document of this name is redrawn. */
export async function showDocument(
  documents: Documents,
  name: string,
  text: string,
  options: { readonly preserveFocus?: boolean } = {},
): Promise<void> {
  documents.replace(name, new Map([[name, text]]));
  await vscode.window.showTextDocument(documentUri(name), { preview: true, ...options });
}
