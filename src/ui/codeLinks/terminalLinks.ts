import * as vscode from 'vscode';
import { escapeForUi } from '../../chain/text.ts';
import { findInTerminal } from '../../code/codeFinds.ts';
import type { ActiveSession } from '../activeSession.ts';
import { showsCodeLinks } from '../settings.ts';

interface DenomLink extends vscode.TerminalLink {
  /** The text that Go to begins with. */
  readonly text: string;
}

/** Links denoms and operators in a terminal. A link opens Go to on the shown source. Nothing is asked before that. */
export class TerminalLinks implements vscode.TerminalLinkProvider<DenomLink> {
  readonly #active: ActiveSession;
  readonly #prefixes: () => Promise<ReadonlySet<string>>;

  constructor(active: ActiveSession, prefixes: () => Promise<ReadonlySet<string>>) {
    this.#active = active;
    this.#prefixes = prefixes;
  }

  async provideTerminalLinks(
    { line }: vscode.TerminalLinkContext,
    token: vscode.CancellationToken,
  ): Promise<DenomLink[]> {
    if (!showsCodeLinks()) return [];
    const prefixes = await this.#prefixes();
    if (token.isCancellationRequested) return [];
    const name = escapeForUi(this.#active.session.source.name);
    return findInTerminal(line, prefixes).map((found) => ({
      startIndex: found.start,
      length: found.end - found.start,
      tooltip: vscode.l10n.t('Open on {0}', name),
      text: found.kind === 'address' ? found.text : found.denom,
    }));
  }

  async handleTerminalLink({ text }: DenomLink): Promise<void> {
    await vscode.commands.executeCommand('chainInspector.goTo', text);
  }
}
