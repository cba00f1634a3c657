import * as vscode from 'vscode';
import { type ListFilter, type StatusGroup, statusGroups } from '../../chain/proposal.ts';
import { type SupplyOrder, type SupplyView, wholeSupply } from '../../chain/supplyStore.ts';
import { isFiltering, readSavedFilter, toFilter } from '../../session/filter.ts';
import type { Session } from '../../session/session.ts';
import type { ActiveSession } from '../activeSession.ts';
import { plain } from '../plain.ts';
import { groupName } from '../words.ts';

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

/** What a filter lets through, in a few words: `voter cosmos1ab…wxyz · Voting period, Passed`; "" for no filter. */
export function filterText({ statuses, voter, depositor }: ListFilter): string {
  const parts = [
    ...(voter ? [vscode.l10n.t('voter {0}', shortAddress(voter))] : []),
    ...(depositor ? [vscode.l10n.t('depositor {0}', shortAddress(depositor))] : []),
    ...(statuses ? [statusText(statuses)] : []),
  ];
  return parts.join(' · ');
}

/** The groups that are shown or, where that is shorter, those that are not. */
function statusText(statuses: readonly StatusGroup[]): string {
  const hidden = statusGroups.filter((group) => !statuses.includes(group));
  return hidden.length < statuses.length
    ? vscode.l10n.t('without {0}', hidden.map(groupName).join(', '))
    : statuses.map(groupName).join(', ');
}

/** The same for the supply: `“ibc” 12 of 50, by amount`. */
export function supplyText(view: SupplyView, shown: number, loaded: number): string {
  const parts = [
    ...(view.text ? [vscode.l10n.t('“{0}” {1} of {2}', plain(view.text), shown, loaded)] : []),
    ...(view.order === 'denom' ? [] : [orderText(view.order)]),
  ];
  return parts.join(', ');
}

export function orderText(order: SupplyOrder): string {
  switch (order) {
    case 'denom':
      return vscode.l10n.t('by denom');
    case 'amount':
      return vscode.l10n.t('by amount in base units');
    case 'symbol':
      return vscode.l10n.t('by symbol');
    default:
      return order satisfies never;
  }
}

/** What an address filter means on a chain (contract-facts section 3); undefined where the filter has none. */
export function filterMeaning({ voter, depositor }: ListFilter): { text: string; detail: string } | undefined {
  if (!voter && !depositor) return undefined;
  const text = !voter
    ? vscode.l10n.t('Deposits are known until the end')
    : depositor
      ? vscode.l10n.t('Votes are known only while voting, deposits until the end')
      : vscode.l10n.t('Votes are known only while voting');
  const detail = vscode.l10n.t(
    'A chain deletes votes when it has counted them, and deposits when the proposal has ended: this filter finds nothing among proposals that have passed, were rejected or failed. Exported states may hold more.',
  );
  return { text, detail };
}

/** Both ends of an address tell it apart. */
export function shortAddress(address: string): string {
  return address.length <= 20 ? address : `${address.slice(0, 10)}…${address.slice(-5)}`;
}
