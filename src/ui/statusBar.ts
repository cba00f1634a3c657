import * as vscode from 'vscode';
import type { Session, SessionState } from '../session/session.ts';
import type { ActiveSession } from './activeSession.ts';
import { StatusItem } from './labels.ts';

/** Names the active endpoint and its state; opens the picker. */
export class StatusBar implements vscode.Disposable {
  readonly #item = new StatusItem('chainInspector.endpoint', {
    name: vscode.l10n.t('Chain endpoint'),
    command: 'chainInspector.switchEndpoint',
    priority: 0,
  });
  readonly #listeners: vscode.Disposable[] = [];
  #state: { dispose(): void } | undefined;

  constructor(active: ActiveSession) {
    this.#listeners.push(active.onDidChange((session) => this.#show(session)));
    this.#show(active.session);
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
    const { name, id } = session.source;
    const { icon, detail } = stateWords(state);
    this.#item.show({
      icon,
      text: name,
      tooltip: [id || vscode.l10n.t('Made-up state, works offline'), detail, vscode.l10n.t('Select to switch')],
      spoken: `${vscode.l10n.t('Chain endpoint')}: ${name}, ${detail}`,
    });
  }
}

function stateWords(state: SessionState): { icon: string; detail: string } {
  switch (state.kind) {
    case 'idle':
      return { icon: 'link', detail: vscode.l10n.t('Nothing was asked yet') };
    case 'loading':
      return { icon: 'loading~spin', detail: vscode.l10n.t('Connecting…') };
    case 'ready':
      return { icon: 'link', detail: vscode.l10n.t('Answering') };
    case 'failed':
      return { icon: 'warning', detail: state.reason };
    default:
      return state satisfies never;
  }
}
