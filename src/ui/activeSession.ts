import * as vscode from 'vscode';
import { isFiltering, type ListFilter, readSavedFilter, toFilter } from '../chain/proposal.ts';
import { type KeyValueStore, SourceMemory, withRecent } from '../session/memory.ts';
import { type AcquiredSession, listNames, type Session, type Sessions } from '../session/session.ts';
import { type PastState, pastId, presentId } from '../session/source.ts';
import type { Settings } from './settings.ts';

const usedKey = 'usedSources';

/** The session that the views show: that of `chainInspector.baseUrl`, whoever writes the setting, now or at a height of the past. */
export class ActiveSession implements vscode.Disposable {
  readonly #sessions: Sessions;
  readonly #settings: Settings;
  readonly #state: KeyValueStore;
  readonly #changed = new vscode.EventEmitter<Session>();
  readonly onDidChange = this.#changed.event;
  readonly #listener: vscode.Disposable;
  #acquired: AcquiredSession;
  #past: { readonly baseUrl: string; readonly at: PastState } | undefined;

  constructor(sessions: Sessions, settings: Settings, state: KeyValueStore) {
    this.#sessions = sessions;
    this.#settings = settings;
    this.#state = state;
    this.#acquired = sessions.acquire(settings.source(settings.baseUrl));
    this.#listener = settings.onDidChange(() => this.#switch());
  }

  get session(): Session {
    return this.#acquired.session;
  }

  /** Whether made-up state is shown and no endpoint was added yet. */
  get isFirstStart(): boolean {
    return this.session.source.kind === 'sample' && this.#settings.endpoints.length === 0;
  }

  /** The ids of the sources that were shown before, the last one first. */
  get lastUsed(): readonly string[] {
    const stored: unknown = this.#state.get(usedKey);
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  }

  /** Shows the same source at a height, or as it is now. Ends when another source is shown, and with the window. */
  showAt(at: PastState | undefined): void {
    this.#past = at && { baseUrl: this.#settings.baseUrl, at };
    this.#switch();
  }

  /** Calls `attach` with the session now and after each switch; disposes the listeners that the call before returned. */
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
    const { baseUrl } = this.#settings;
    const used = presentId(before.session.source);
    if (this.#past?.baseUrl !== baseUrl) this.#past = undefined;
    const present = this.#settings.source(baseUrl);
    this.#acquired = this.#sessions.acquire(
      this.#past ? this.#settings.source(pastId(present, this.#past.at)) : present,
    );
    void vscode.commands.executeCommand('setContext', 'chainInspector.atHeight', this.#past !== undefined);
    void before.release();
    if (this.session === before.session) return;
    void this.#state.update(usedKey, withRecent(this.lastUsed, used));
    this.#changed.fire(this.session);
  }
}

/** Tells the menus whether proposals of the shown session have pages in an explorer; looked up once, when its chain is known. */
export function followExplorer(active: ActiveSession, distPath: string): vscode.Disposable {
  const tell = (has: boolean): void =>
    void vscode.commands.executeCommand('setContext', 'chainInspector.hasExplorer', has);
  return active.follow((session) => {
    let isDone = false;
    tell(false);
    const look = async (): Promise<void> => {
      if (isDone || !(session.source.kind === 'http' && session.opened)) return;
      if (session.source.setting.chain === undefined && session.opened.dialect.chainId === undefined) return;
      isDone = true;
      const { explorerPage } = await import('../session/registry.ts');
      const page = await explorerPage(session, distPath, 1n).catch(() => undefined);
      if (page !== undefined && session === active.session) tell(true);
    };
    return [session.onDidChangeState(() => void look()), session.stores.proposals.onDidChange(() => void look())];
  });
}

/** Keeps the filter of each source's proposals, and context keys. Made before the trees, which use the filter. */
export class FilterMemory implements vscode.Disposable {
  readonly #filters: SourceMemory;
  readonly #following: vscode.Disposable;
  /** As the editor was told. */
  readonly #contexts = new Map<string, boolean>();

  constructor(active: ActiveSession, state: KeyValueStore) {
    this.#filters = new SourceMemory(state, 'proposalFilters');
    this.#following = active.follow((session) => {
      const filter = readSavedFilter(this.#filters.get(presentId(session.source)));
      if (isFiltering(filter)) session.stores.proposals.setFilter(filter);
      this.#setContexts(session);
      return Object.values(session.stores).map((store) => store.onDidChange(() => this.#setContexts(session)));
    });
  }

  async set(session: Session, wanted: ListFilter): Promise<void> {
    const filter = toFilter(wanted);
    session.stores.proposals.setFilter(filter);
    this.#setContexts(session);
    await this.#filters.set(presentId(session.source), isFiltering(filter) ? filter : undefined);
  }

  dispose(): void {
    this.#following.dispose();
  }

  #setContexts({ source, stores }: Session): void {
    const changed = listNames.map((name) => [`${name}Filtered`, stores[name].isChanged] as const);
    for (const [name, value] of [['isEndpoint', source.kind === 'http'] as const, ...changed]) {
      if (this.#contexts.get(name) === value) continue;
      this.#contexts.set(name, value);
      void vscode.commands.executeCommand('setContext', `chainInspector.${name}`, value);
    }
  }
}
