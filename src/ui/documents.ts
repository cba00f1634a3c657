import * as vscode from 'vscode';
import { InputError } from '../api/errors.ts';
import type { Session, Sessions } from '../session/session.ts';
import { presentId, type Source } from '../session/source.ts';
import type { ProposalKey } from './panel/proposalModel.ts';
import { plain } from './plain.ts';
import type { Settings } from './settings.ts';

/** The scheme of read-only documents with chain state. */
export const documentScheme = 'chain-inspector';

/** A stable address for the JSON of a proposal: the same source and id always give the same one. */
export function proposalUri({ sourceId, id }: ProposalKey): vscode.Uri {
  return vscode.Uri.from({ scheme: documentScheme, path: `/proposal-${id}.json`, query: sourceId });
}

/** The address of the document that `Documents.show` or `Documents.replace` gave a text. */
export function documentUri(name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: documentScheme, path: `/${name}` });
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

  /** Opens a text as the document with this name (`connection.txt`); a document that shows the name is drawn again. */
  async show(name: string, text: string, preserveFocus = false): Promise<void> {
    this.replace(name, new Map([[name, text]]));
    await vscode.window.showTextDocument(documentUri(name), { preview: true, preserveFocus });
  }

  /** Replaces the texts whose names begin with `prefix`; documents that show one of them are drawn again. */
  replace(prefix: string, texts: ReadonlyMap<string, string>): void {
    const before = [...this.#texts.keys()].filter((name) => name.startsWith(prefix));
    for (const name of before) this.#texts.delete(name);
    for (const [name, text] of texts) this.#texts.set(name, text);
    for (const name of new Set([...before, ...texts.keys()])) this.#changed.fire(documentUri(name));
  }

  dispose(): void {
    this.#changed.dispose();
    this.#texts.clear();
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const text = this.#texts.get(uri.path.slice(1));
    if (text !== undefined) return text;
    if (uri.path.startsWith('/comparison-'))
      return vscode.l10n.t('This comparison was closed. Compare again to see it.');
    const id = /^\/proposal-(\d+)\.json$/.exec(uri.path)?.[1];
    if (id === undefined) throw new Error(vscode.l10n.t('{0} names no proposal', plain(uri.toString())));
    const source = this.#settings.source(uri.query);
    if (!this.#isKnown(source))
      throw new InputError(vscode.l10n.t('{0} is not one of your endpoints: add it first', plain(source.name)));
    const abort = new AbortController();
    const listener = token.onCancellationRequested(() => abort.abort());
    const read = async ({ proposals }: Session) =>
      proposals.known(BigInt(id)) ?? (await proposals.load(BigInt(id), abort.signal));
    const row = await this.#sessions.use(source, read).finally(() => listener.dispose());
    return `${JSON.stringify(row.kind === 'proposal' ? row.raw : { id, unreadable: row.reason }, undefined, 2)}\n`;
  }

  /** Whether the user has chosen a source: the address of a document may come from a link in any file. */
  #isKnown(source: Source): boolean {
    const isChosen = this.#settings.sources.some(({ id }) => id === presentId(source));
    return isChosen || this.#sessions.find(source) !== undefined;
  }
}
