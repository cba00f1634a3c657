import * as vscode from 'vscode';
import type { ListFilter } from '../chain/proposal.ts';
import { wholeSupply } from '../chain/supplyStore.ts';
import { isFiltering, readSavedFilter, toFilter } from '../session/filter.ts';
import { SourceMemory } from '../session/memory.ts';
import type { Session } from '../session/session.ts';
import { presentId } from '../session/source.ts';
import type { ActiveSession } from './activeSession.ts';

/**
 * Stores the filter of each source's proposals and sets it again when the source is shown. Made before the trees, so that
 * their first request has the filter. Keeps the context keys that the menus of the views depend on.
 */
export class FilterMemory implements vscode.Disposable {
  readonly #filters: SourceMemory;
  readonly #following: vscode.Disposable;

  constructor(active: ActiveSession, state: vscode.Memento) {
    this.#filters = new SourceMemory(state, 'proposalFilters');
    this.#following = active.follow((session) => {
      const filter = readSavedFilter(this.#filters.get(presentId(session.source)));
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
    await this.#filters.set(presentId(session.source), isFiltering(filter) ? filter : undefined);
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
}
