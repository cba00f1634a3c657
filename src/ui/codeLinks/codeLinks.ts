// Entry of a lazily loaded part.

import * as vscode from 'vscode';
import { type CodeFind, findInCode } from '../../code/codeFinds.ts';
import type { ActiveSession } from '../activeSession.ts';
import { signalOf, withProgress } from '../ask.ts';
import { buttonText, type HoverButton, plainHover } from '../editorTexts.ts';
import { showsCodeLinks } from '../settings.ts';
import type { Storage } from '../storage.ts';
import type { OpenTarget } from '../watch/watchScreen.ts';
import { AssetListMarks } from './assetListMarks.ts';
import { CodeFacts } from './codeFacts.ts';
import { OutsideLinks } from './outsideLinks.ts';
import { TerminalLinks } from './terminalLinks.ts';

const languages = ['json', 'jsonc', 'yaml', 'markdown', 'typescript', 'javascript', 'go'];

/** Longer documents have no hovers. In characters. */
const largest = 1_000_000;

/** The parts of the window that links in code use. */
export interface CodeLinkParts {
  readonly storage: Storage;
  readonly open: OpenTarget;
}

/** The actions of the buttons in hovers. */
export interface CodeLinks extends vscode.Disposable {
  /** See `OutsideLinks.open`. */
  readonly open: (query: string) => Promise<void>;
  /**
   * Asks the shown source about the code at `[uri, line, column]`, and shows the hover there. The button passes the
   * place.
   */
  readonly ask: (place: unknown) => Promise<void>;
}

/**
 * Explains denoms, addresses and explorer links in code. The facts were read before, or are part of the extension. Only
 * the button of a hover asks a node.
 */
export function registerCodeLinks(active: ActiveSession, { storage, open }: CodeLinkParts): CodeLinks {
  const links = new OutsideLinks(active, storage.dialects, open);
  const hovers = new CodeHovers(active, new CodeFacts(active, links, storage.distPath));
  const registered = vscode.Disposable.from(
    vscode.languages.registerHoverProvider(languages, hovers),
    vscode.window.registerUriHandler(links),
    vscode.window.registerTerminalLinkProvider(new TerminalLinks(active, () => hovers.prefixes())),
    new AssetListMarks(),
  );
  return {
    open: (query) => links.open(query),
    ask: (place) => hovers.ask(Array.isArray(place) ? place : []),
    dispose: () => registered.dispose(),
  };
}

class CodeHovers implements vscode.HoverProvider {
  readonly #active: ActiveSession;
  readonly #facts: CodeFacts;
  #prefixes: ReadonlySet<string> | undefined;

  constructor(active: ActiveSession, facts: CodeFacts) {
    this.#active = active;
    this.#facts = facts;
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const found = await this.#find(document, position);
    if (!found || token.isCancellationRequested) return undefined;
    const content = await this.#facts.of(found, signalOf(token));
    if (!content || token.isCancellationRequested) return undefined;
    const { lines, button, canAsk } = content;
    const buttons = [button, canAsk ? this.#askButton(document, position) : undefined];
    const shown = plainHover(
      lines.filter((line) => line !== undefined),
      buttons.filter((one) => one !== undefined),
    );
    return new vscode.Hover(shown, new vscode.Range(position.line, found.start, position.line, found.end));
  }

  /** See `CodeLinks.ask`. */
  async ask([uri, line, column]: readonly unknown[]): Promise<void> {
    const editor = vscode.window.visibleTextEditors.find(({ document }) => `${document.uri}` === uri);
    if (!editor || typeof line !== 'number' || typeof column !== 'number') return;
    const { document, viewColumn } = editor;
    const place = document.validatePosition(new vscode.Position(Math.max(0, line), Math.max(0, column)));
    const found = await this.#find(document, place);
    if (!found) return;
    const { name } = this.#active.session.source;
    await withProgress(vscode.l10n.t('Querying {0}', name), (signal) => this.#facts.ask(found, signal));
    const selection = new vscode.Range(place, place);
    await vscode.window.showTextDocument(document, { selection, ...(viewColumn && { viewColumn }) });
    // A hover that is already shown would not change.
    await vscode.commands.executeCommand('editor.action.hideHover');
    await vscode.commands.executeCommand('editor.action.showHover');
  }

  /** The prefixes of accounts in the registry. */
  async prefixes(): Promise<ReadonlySet<string>> {
    const chains = await this.#facts.chains();
    this.#prefixes ??= new Set(chains.flatMap(({ bech32Prefix }) => bech32Prefix ?? []));
    return this.#prefixes;
  }

  async #find(document: vscode.TextDocument, position: vscode.Position): Promise<CodeFind | undefined> {
    if (!showsCodeLinks() || isLarge(document)) return undefined;
    const prefixes = await this.prefixes();
    const hasDenom = (denom: string): boolean => this.#facts.hasDenom(denom);
    return findInCode(document.lineAt(position).text, position.character, { prefixes, hasDenom });
  }

  /** The button carries a place, and no text of the document. */
  #askButton(document: vscode.TextDocument, { line, character }: vscode.Position): HoverButton {
    const { name } = this.#active.session.source;
    const args = [[`${document.uri}`, line, character]];
    return { title: vscode.l10n.t('Ask {0}', buttonText(name)), command: 'chainInspector._askFromCode', args };
  }
}

function isLarge(document: vscode.TextDocument): boolean {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end) > largest;
}
