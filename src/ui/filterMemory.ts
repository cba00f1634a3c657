import * as vscode from 'vscode';
import type { ListFilter } from '../chain/proposal.ts';
import { wholeSupply } from '../chain/supplyStore.ts';
import { isFiltering, readSavedFilter, toFilter } from '../session/filter.ts';
import type { Session } from '../session/session.ts';
import type { ActiveSession } from './activeSession.ts';

const key = 'proposalFilters';
/** Endpoints whose filter is kept; the one set longest ago goes first. */
const mostKept = 100;

/**
 * Remembers the filter of each endpoint's proposals and sets it again when the endpoint is shown, before anything is read;
 * keeps the context keys that the menus of the views depend on. Made before the trees, so that they never ask unfiltered.
 */
export class FilterMemory implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #listener: vscode.Disposable;
  #supply: { dispose(): void } | undefined;
  #keys = '';

  constructor(active: ActiveSession, state: vscode.Memento) {
    this.#state = state;
    this.#listener = active.onDidChange((session) => this.#show(session));
    this.#show(active.session);
  }

  /** Sets the filter of a session, and remembers it for its source. */
  async set(session: Session, wanted: ListFilter): Promise<void> {
    const filter = toFilter(wanted);
    session.proposals.setFilter(filter);
    this.#mark(session);
    const others = this.#kept().filter(([id]) => id !== session.source.id);
    const entries = isFiltering(filter) ? [...others, [session.source.id, filter]] : others;
    await this.#state.update(key, entries.slice(-mostKept));
  }

  dispose(): void {
    this.#listener.dispose();
    this.#supply?.dispose();
  }

  #show(session: Session): void {
    this.#supply?.dispose();
    this.#supply = session.supply.onDidChange(() => this.#mark(session));
    const [, saved] = this.#kept().find(([id]) => id === session.source.id) ?? [];
    const filter = readSavedFilter(saved);
    if (isFiltering(filter)) session.proposals.setFilter(filter);
    this.#mark(session);
  }

  #mark(session: Session): void {
    const proposals = isFiltering(session.proposals.filter);
    const { text, order } = session.supply.view;
    const supply = text !== wholeSupply.text || order !== wholeSupply.order;
    const keys = `${proposals} ${supply}`;
    if (keys === this.#keys) return;
    this.#keys = keys;
    void vscode.commands.executeCommand('setContext', 'chainInspector.proposalsFiltered', proposals);
    void vscode.commands.executeCommand('setContext', 'chainInspector.supplyFiltered', supply);
  }

  #kept(): readonly (readonly unknown[])[] {
    const kept: unknown = this.#state.get(key);
    return Array.isArray(kept) ? kept.filter((entry) => Array.isArray(entry)) : [];
  }
}
