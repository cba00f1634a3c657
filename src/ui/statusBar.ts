import * as vscode from 'vscode';
import type { Session, SessionState } from '../session/session.ts';
import type { ActiveSession } from './activeSession.ts';
import { plain } from './plain.ts';

/** Names the active endpoint and its state; opens the picker. */
export class StatusBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('chainInspector.endpoint', vscode.StatusBarAlignment.Left, 0);
  readonly #listeners: vscode.Disposable[] = [];
  #state: { dispose(): void } | undefined;

  constructor(active: ActiveSession) {
    this.#item.name = vscode.l10n.t('Chain endpoint');
    this.#item.command = 'chainInspector.switchEndpoint';
    this.#listeners.push(active.onDidChange((session) => this.#show(session)));
    this.#show(active.session);
    this.#item.show();
  }

  dispose(): void {
    this.#state?.dispose();
    for (const listener of this.#listeners) listener.dispose();
    this.#item.dispose();
  }

  #show(session: Session): void {
    this.#state?.dispose();
    this.#state = session.onDidChangeState((state) => this.#draw(session, state));
    this.#draw(session, session.state);
  }

  #draw(session: Session, state: SessionState): void {
    const name = plain(session.source.name);
    const { text, detail } = stateWords(name, state);
    this.#item.text = text;
    this.#item.accessibilityInformation = {
      label: `${vscode.l10n.t('Chain endpoint')}: ${session.source.name}, ${detail}`,
    };
    this.#item.tooltip = [
      session.source.id || vscode.l10n.t('Made-up state, works offline'),
      detail,
      vscode.l10n.t('Select to switch'),
    ].join('\n');
  }
}

function stateWords(name: string, state: SessionState): { text: string; detail: string } {
  switch (state.kind) {
    case 'idle':
      return { text: `$(link) ${name}`, detail: vscode.l10n.t('Nothing was asked yet') };
    case 'loading':
      return { text: `$(loading~spin) ${name}`, detail: vscode.l10n.t('Connecting…') };
    case 'ready':
      return { text: `$(link) ${name}`, detail: vscode.l10n.t('Answering') };
    case 'failed':
      return { text: `$(warning) ${name}`, detail: state.reason };
    default:
      return state satisfies never;
  }
}
