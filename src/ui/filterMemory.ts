import * as vscode from 'vscode';
import type { ListFilter } from '../chain/proposal.ts';
import { wholeSupply } from '../chain/supplyStore.ts';
import { isFiltering, readSavedFilter, toFilter } from '../session/filter.ts';
import type { Session } from '../session/session.ts';
import { presentId } from '../session/source.ts';
import type { ActiveSession } from './activeSession.ts';

const key = 'proposalFilters';
/** Sources whose filter is stored; the one that was set first is dropped. */
const mostStored = 100;

/**
 * Stores the filter of each source's proposals and sets it again when the source is shown. Made before the trees, so that
 * their first request has the filter. Keeps the context keys that the menus of the views depend on.
 */
export class FilterMemory implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #following: vscode.Disposable;

  constructor(active: ActiveSession, state: vscode.Memento) {
    this.#state = state;
    this.#following = active.follow((session) => {
      const [, saved] = this.#stored().find(([id]) => id === presentId(session.source)) ?? [];
      const filter = readSavedFilter(saved);
      if (isFiltering(filter)) session.proposals.setFilter(filter);
      this.#setContexts(session);
      return [session.supply.onDidChange(() => this.#setContexts(session))];
    });
  }

  /** Sets the filter of a session, and stores it for its source. */
  async set(session: Session, wanted: ListFilter): Promise<void> {
    const filter = toFilter(wanted);
    session.proposals.setFilter(filter);
    this.#setContexts(session);
    const others = this.#stored().filter(([id]) => id !== presentId(session.source));
    const entries = isFiltering(filter) ? [...others, [presentId(session.source), filter]] : others;
    await this.#state.update(key, entries.slice(-mostStored));
  }

  dispose(): void {
    this.#following.dispose();
  }

  #setContexts({ source, proposals, supply }: Session): void {
    const { text, order } = supply.view;
    const contexts = {
      isEndpoint: source.kind === 'http',
      proposalsFiltered: isFiltering(proposals.filter),
      supplyFiltered: text !== wholeSupply.text || order !== wholeSupply.order,
    };
    for (const [name, value] of Object.entries(contexts))
      void vscode.commands.executeCommand('setContext', `chainInspector.${name}`, value);
  }

  #stored(): readonly (readonly unknown[])[] {
    const stored: unknown = this.#state.get(key);
    return Array.isArray(stored) ? stored.filter((entry) => Array.isArray(entry)) : [];
  }
}
