import * as vscode from 'vscode';
import { type KeyValueStore, withRecent } from '../session/memory.ts';
import type { AcquiredSession, Session, Sessions } from '../session/session.ts';
import { type PastState, pastId, presentId } from '../session/source.ts';
import { setContext } from './contextKeys.ts';
import type { Settings } from './settings.ts';

const usedKey = 'usedSources';

/** The session that the views show. It follows `chainInspector.baseUrl`, and may be at a past height. */
export class ActiveSession implements vscode.Disposable {
  readonly sessions: Sessions;
  readonly settings: Settings;
  readonly #state: KeyValueStore;
  readonly #changed = new vscode.EventEmitter<Session>();
  readonly onDidChange = this.#changed.event;
  readonly #listener: vscode.Disposable;
  #acquired: AcquiredSession;
  #past: { readonly baseUrl: string; readonly at: PastState } | undefined;

  constructor(sessions: Sessions, settings: Settings, state: KeyValueStore) {
    this.sessions = sessions;
    this.settings = settings;
    this.#state = state;
    this.#acquired = sessions.acquire(settings.source(settings.baseUrl));
    this.#listener = settings.onDidChange(() => this.#switch());
  }

  get session(): Session {
    return this.#acquired.session;
  }

  /** Whether the sample chain is shown and no endpoint was added yet. */
  get isFirstStart(): boolean {
    return this.session.source.kind === 'sample' && this.settings.endpoints.length === 0;
  }

  /** The ids of the sources that were shown before, the last one first. */
  get lastUsed(): readonly string[] {
    const stored: unknown = this.#state.get(usedKey);
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  }

  /**
   * Shows the same source at a height, or at its present state. Ends when another source is shown, and with the window.
   */
  showAt(at: PastState | undefined): void {
    this.#past = at && { baseUrl: this.settings.baseUrl, at };
    this.#switch();
  }

  /**
   * Calls `attach` with the session now and after each switch. Before each further call, disposes the listeners that
   * the last one returned.
   */
  follow(attach: (session: Session) => readonly { dispose(): void }[]): vscode.Disposable {
    let attached = attach(this.session);
    const detach = (): void => {
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
    void this.#acquired.release();
  }

  #switch(): void {
    const before = this.#acquired;
    const { sessions, settings } = this;
    const { baseUrl } = settings;
    const used = presentId(before.session.source);
    if (this.#past?.baseUrl !== baseUrl) this.#past = undefined;
    const present = settings.source(baseUrl);
    this.#acquired = sessions.acquire(this.#past ? settings.source(pastId(present, this.#past.at)) : present);
    void setContext('atHeight', this.#past !== undefined);
    void before.release();
    if (this.session === before.session) return;
    void this.#state.update(usedKey, withRecent(this.lastUsed, used));
    this.#changed.fire(this.session);
  }
}
