import * as vscode from 'vscode';
import type { Session, SessionHold, Sessions } from '../session/session.ts';
import { type Source, toSource } from '../session/source.ts';
import type { Settings } from './settings.ts';

/** What the trees show: the session of `chainInspector.baseUrl`. Follows the setting, whoever writes it. */
export class ActiveSession implements vscode.Disposable {
  readonly #sessions: Sessions;
  readonly #settings: Settings;
  readonly #changed = new vscode.EventEmitter<Session>();
  readonly #listener: vscode.Disposable;
  #hold: SessionHold;

  constructor(sessions: Sessions, settings: Settings) {
    this.#sessions = sessions;
    this.#settings = settings;
    this.#hold = sessions.hold(this.#source());
    this.#listener = settings.onDidChange(() => this.#follow());
  }

  /** Fires with the new session after a switch. */
  readonly onDidChange = this.#changed.event;

  get session(): Session {
    return this.#hold.session;
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
    void this.#hold.release();
  }

  #source(): Source {
    return toSource(this.#settings.baseUrl, this.#settings.endpoints, vscode.l10n.t('Sample chain'));
  }

  #follow(): void {
    const next = this.#sessions.hold(this.#source());
    const before = this.#hold;
    const same = next.session === before.session;
    this.#hold = next;
    void before.release();
    if (!same) this.#changed.fire(next.session);
  }
}
