import * as vscode from 'vscode';
import type { DenomUnit } from '../../chain/coin.ts';
import type { Session } from '../../session/session.ts';
import { presentId, type Source } from '../../session/source.ts';
import type { WatchList, WatchTarget } from '../../watch/watchList.ts';
import type { ActiveSession } from '../activeSession.ts';

/** A source by its id. */
export interface FoundSource {
  readonly source: Source;
  /**
   * The reason for which it is not read. Undefined if settings of this machine, or of the trusted workspace, name it.
   */
  readonly unknown: string | undefined;
  readonly session: Session | undefined;
  /** The unit of a denom, if its source is open and states it. */
  readonly unitOf: (target: WatchTarget) => DenomUnit | undefined;
}

/** The sources of the watch list. */
export class WatchSources {
  readonly active: ActiveSession;
  readonly #list: WatchList;

  constructor(active: ActiveSession, list: WatchList) {
    this.active = active;
    this.#list = list;
  }

  /** The sources that are shown, configured or watched, and that can be polled. Each stands once. */
  get polled(): readonly FoundSource[] {
    const { session, settings } = this.active;
    const configured = settings.endpoints.map(({ url }) => url);
    const watched = this.#list.items.map(({ target }) => target.sourceId);
    const found = [presentId(session.source), ...configured, ...watched].map((url) => this.find(url));
    return [...new Map(found.filter(isPolled).map((one) => [one.source.id, one])).values()];
  }

  /**
   * Finds a source. A source that only the synced list names is unknown, since that list must not decide where requests
   * go.
   */
  find(sourceId: string): FoundSource {
    const { sessions, settings } = this.active;
    const source = settings.source(sourceId);
    const isNamed =
      source.kind !== 'http' ||
      settings.sources.some((one) => presentId(one) === source.id) ||
      this.#list.items.some(({ shared, target }) => shared && target.sourceId === source.id);
    const unknown = isNamed ? undefined : vscode.l10n.t('Not in the list of endpoints on this machine');
    const session = sessions.find(source);
    return {
      source,
      unknown: source.kind === 'invalid' ? source.reason : unknown,
      session,
      unitOf: (target): DenomUnit | undefined =>
        target.kind === 'denom' ? session?.lists.supply.unit(target.denom) : undefined,
    };
  }
}

/** Whether the watch list reads a source. It has to be named on this machine, and must not be a file. */
export function isPolled({ source, unknown }: FoundSource): boolean {
  return unknown === undefined && source.kind !== 'file';
}
