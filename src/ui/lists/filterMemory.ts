import type * as vscode from 'vscode';
import { isFiltering, type ListFilter, readSavedFilter, toFilter } from '../../chain/proposal.ts';
import { type KeyValueStore, SourceMemory } from '../../session/memory.ts';
import { listNames, type Session } from '../../session/session.ts';
import { presentId } from '../../session/source.ts';
import type { ActiveSession } from '../activeSession.ts';
import { setContext } from '../contextKeys.ts';

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
      void setContext(name, value);
    }
  }
}
