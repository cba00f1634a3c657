import * as vscode from 'vscode';
import { type OutsideLink, readOutsideLink } from '../../code/outsideLink.ts';
import { keptChainId, type SourceMemory } from '../../session/memory.ts';
import type { Source } from '../../session/source.ts';
import type { ActiveSession } from '../activeSession.ts';
import { showError, showInfo } from '../report.ts';
import type { OpenTarget } from '../watch/watchScreen.ts';

/** Opens links from outside the editor on the source that has their chain. Adds no endpoint, and asks none that is not configured. */
export class OutsideLinks implements vscode.UriHandler {
  readonly #active: ActiveSession;
  readonly #dialects: SourceMemory;
  readonly #open: OpenTarget;

  constructor(active: ActiveSession, dialects: SourceMemory, open: OpenTarget) {
    this.#active = active;
    this.#dialects = dialects;
    this.#open = open;
  }

  async handleUri({ path, query }: vscode.Uri): Promise<void> {
    const link = path === '' || path === '/' ? readOutsideLink(query) : undefined;
    if (!link) {
      void showError(vscode.l10n.t('This link names no proposal and no denom of a chain. Nothing was opened.'));
      return;
    }
    const source = this.#sourceOf(link);
    if (!source) return this.#askForEndpoint(link);
    const { id: sourceId } = source;
    await this.#open(
      link.kind === 'proposal'
        ? { kind: 'proposal', sourceId, id: link.id }
        : { kind: 'denom', sourceId, denom: link.denom },
    );
  }

  /** The source that is shown, where its chain is meant, else the first endpoint that is configured for the chain or has answered as it. */
  #sourceOf({ chain }: OutsideLink): Source | undefined {
    const { session, settings } = this.#active;
    if (session.opened?.dialect.chainId === chain) return session.source;
    return [session.source, ...settings.sources].find((source) => this.#chainOf(source) === chain);
  }

  #chainOf(source: Source): string | undefined {
    if (source.kind !== 'http') return undefined;
    return source.setting.chain ?? keptChainId(this.#dialects, source.id);
  }

  async #askForEndpoint({ chain }: OutsideLink): Promise<void> {
    const add = vscode.l10n.t('Add Endpoint…');
    const message = vscode.l10n.t('The link is of the chain {0}, and no endpoint of it is configured.', chain);
    if ((await showInfo(message, add)) === add) await vscode.commands.executeCommand('chainInspector.addEndpoint');
  }
}
