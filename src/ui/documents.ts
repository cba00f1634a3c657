import * as vscode from 'vscode';
import type { Sessions } from '../session/session.ts';
import { toSource } from '../session/source.ts';
import type { ProposalKey } from './panel/proposalModel.ts';
import { plain } from './plain.ts';
import type { Settings } from './settings.ts';

/** The scheme of read-only documents with chain state. */
export const documentScheme = 'chain-inspector';

/** A stable address for the JSON of a proposal: the same source and id always give the same one. */
export function proposalUri({ sourceId, id }: ProposalKey): vscode.Uri {
  return vscode.Uri.from({ scheme: documentScheme, path: `/proposal-${id}.json`, query: sourceId });
}

/** Read-only documents with chain state: proposals as they came, indented, and reports that commands wrote. */
export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #sessions: Sessions;
  readonly #settings: Settings;
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.#changed.event;

  constructor(sessions: Sessions, settings: Settings) {
    this.#sessions = sessions;
    this.#settings = settings;
  }

  /** Opens a text of ours under a name of ours (`connection.txt`); the same name is the same document. */
  async show(name: string, text: string): Promise<vscode.TextDocument> {
    const uri = this.put(name, text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
    return document;
  }

  /** Keeps a text under a name; documents that show it are drawn again. */
  put(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: documentScheme, path: `/${name}` });
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
    return uri;
  }

  /** Whether a text is kept under a name. */
  has(name: string): boolean {
    return this.#texts.has(`/${name}`);
  }

  /** Forgets the text under a name; a document that shows it is drawn again, and says so. */
  drop(name: string): void {
    const uri = vscode.Uri.from({ scheme: documentScheme, path: `/${name}` });
    if (this.#texts.delete(uri.path)) this.#changed.fire(uri);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#texts.clear();
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const text = this.#texts.get(uri.path);
    if (text !== undefined) return text;
    if (uri.path.startsWith('/comparison-'))
      return vscode.l10n.t('This comparison was closed. Compare again to see it.');
    const id = /^\/proposal-(\d+)\.json$/.exec(uri.path)?.[1];
    if (id === undefined) throw new Error(vscode.l10n.t('{0} names no proposal', plain(uri.toString())));
    const source = toSource(uri.query, this.#settings.endpoints, vscode.l10n.t('Sample chain'));
    const hold = this.#sessions.hold(source);
    const abort = new AbortController();
    const listener = token.onCancellationRequested(() => abort.abort());
    try {
      const { proposals } = hold.session;
      const row = proposals.known(BigInt(id)) ?? (await proposals.load(BigInt(id), abort.signal));
      return `${JSON.stringify(row.kind === 'proposal' ? row.raw : { id, unreadable: row.reason }, undefined, 2)}\n`;
    } finally {
      listener.dispose();
      await hold.release();
    }
  }
}
