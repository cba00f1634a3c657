import * as vscode from 'vscode';
import type { Session, SessionHold, Sessions } from '../session/session.ts';
import type { Settings } from './settings.ts';

/** The session that the views show: that of `chainInspector.baseUrl`, whoever writes the setting. */
export class ActiveSession implements vscode.Disposable {
  readonly #sessions: Sessions;
  readonly #settings: Settings;
  readonly #changed = new vscode.EventEmitter<Session>();
  readonly #listener: vscode.Disposable;
  #hold: SessionHold;

  constructor(sessions: Sessions, settings: Settings) {
    this.#sessions = sessions;
    this.#settings = settings;
    this.#hold = sessions.hold(settings.source(settings.baseUrl));
    this.#listener = settings.onDidChange(() => this.#switch());
  }

  /** Fires with the new session after a switch. */
  readonly onDidChange = this.#changed.event;

  get session(): Session {
    return this.#hold.session;
  }

  /** Calls `attach` with the session now and after each switch; disposes the listeners that the call before returned. */
  follow(attach: (session: Session) => readonly { dispose(): void }[]): vscode.Disposable {
    let attached = attach(this.session);
    const detach = () => {
      for (const listener of attached) listener.dispose();
    };
    const listener = this.#changed.event((session) => {
      detach();
      attached = attach(session);
    });
    return vscode.Disposable.from(listener, { dispose: detach });
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
    void this.#hold.release();
  }

  #switch(): void {
    const before = this.#hold;
    this.#hold = this.#sessions.hold(this.#settings.source(this.#settings.baseUrl));
    void before.release();
    if (this.session !== before.session) this.#changed.fire(this.session);
  }
}
