import * as vscode from 'vscode';
import type { Sessions } from '../session/sessions.ts';
import { toSource } from '../session/source.ts';
import type { ProposalKey } from './panel/proposalDetails.ts';
import type { Settings } from './settings.ts';

/** The scheme of read-only documents with chain state. */
export const documentScheme = 'chain-inspector';

/** A stable address for the JSON of a proposal: the same source and id always give the same one. */
export function proposalUri({ sourceId, id }: ProposalKey): vscode.Uri {
  return vscode.Uri.from({ scheme: documentScheme, path: `/proposal-${id}.json`, query: sourceId });
}

/** Writes proposals as they came, indented, into read-only documents that can be searched and compared. */
export class JsonDocuments implements vscode.TextDocumentContentProvider {
  readonly #sessions: Sessions;
  readonly #settings: Settings;

  constructor(sessions: Sessions, settings: Settings) {
    this.#sessions = sessions;
    this.#settings = settings;
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const id = /^\/proposal-(\d+)\.json$/.exec(uri.path)?.[1];
    if (id === undefined) throw new Error(vscode.l10n.t('{0} names no proposal', uri.toString()));
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
