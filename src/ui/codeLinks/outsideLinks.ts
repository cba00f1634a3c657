import * as vscode from 'vscode';
import { InputError } from '../../api/errors.ts';
import { escapeForUi } from '../../chain/text.ts';
import { type Linked, type OutsideLink, outsideLinkText, readOutsideLink } from '../../code/outsideLink.ts';
import { keptChainId, type SourceMemory } from '../../session/memory.ts';
import { chainIdOf } from '../../session/registry.ts';
import type { Session } from '../../session/session.ts';
import type { Source } from '../../session/source.ts';
import { plural } from '../../words/language.ts';
import type { ActiveSession } from '../activeSession.ts';
import { flash, showError, showInfo } from '../report.ts';
import type { OpenTarget } from '../watch/watchScreen.ts';

/**
 * Opens links from outside the editor on the source with their chain. Adds no endpoint, and asks only configured ones.
 */
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
    await this.open(path === '' || path === '/' ? query : '');
  }

  /** Opens the target of a link such as `chain=cosmoshub-4&proposal=705`. Shows a message if the link is invalid. */
  async open(query: string): Promise<void> {
    const link = readOutsideLink(query);
    if (!link) {
      void showError(vscode.l10n.t('Not a link to a proposal or denom. Nothing was opened.'));
      return;
    }
    const source = this.sourceOf(link.chain);
    if (!source) return this.#askForEndpoint(link);
    const { id: sourceId } = source;
    await this.#open(
      link.kind === 'proposal'
        ? { kind: 'proposal', sourceId, id: link.id }
        : { kind: 'denom', sourceId, denom: link.denom },
    );
  }

  /**
   * The source of a chain: the shown one if it has this chain, otherwise the first endpoint that is configured for the
   * chain or answered as it.
   */
  sourceOf(chain: string): Source | undefined {
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
    const message = vscode.l10n.t('There is no endpoint for the chain {0}.', chain);
    if ((await showInfo(message, add)) === add) await vscode.commands.executeCommand('chainInspector.addEndpoint');
  }
}

/** Copies links for `OutsideLinks.open`, one a line. Rejects if the source does not state its chain. */
export async function copyLinks(session: Session, linked: readonly Linked[]): Promise<void> {
  const { source } = session;
  const stated = await chainIdOf(await session.node(), new AbortController().signal);
  const chain = stated ?? (source.kind === 'http' ? source.setting.chain : undefined);
  const name = escapeForUi(source.name);
  if (chain === undefined) throw new InputError(vscode.l10n.t('{0} does not report its chain ID.', name));
  const links = linked.flatMap((one) => outsideLinkText(vscode.env.uriScheme, { ...one, chain }) ?? []);
  if (links.length === 0) throw new InputError(vscode.l10n.t('Cannot create links to these items on {0}.', name));
  await vscode.env.clipboard.writeText(links.join('\n'));
  flash(plural(links.length, vscode.l10n.t('Copied the link'), vscode.l10n.t('Copied {0} links', links.length)));
}
