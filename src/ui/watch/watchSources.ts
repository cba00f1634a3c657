import * as vscode from 'vscode';
import type { DenomUnit } from '../../chain/coin.ts';
import type { Session } from '../../session/session.ts';
import { presentId, type Source } from '../../session/source.ts';
import type { WatchList, WatchTarget } from '../../watch/list.ts';
import type { ActiveSession } from '../activeSession.ts';

/** A source by its id. */
export interface FoundSource {
  readonly source: Source;
  /** Why it is not read; undefined where settings of this machine, or of the trusted workspace, name it. */
  readonly unknown: string | undefined;
  readonly session: Session | undefined;
  /** How a denom is shown, where its source is open and states it. */
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

  /** The sources that are shown, configured or watched and can be polled, each once. */
  get polled(): readonly FoundSource[] {
    const { session, settings } = this.active;
    const configured = settings.endpoints.map(({ url }) => url);
    const watched = this.#list.items.map(({ target }) => target.sourceId);
    const found = [presentId(session.source), ...configured, ...watched].map((url) => this.find(url));
    return [...new Map(found.filter(isPolled).map((one) => [one.source.id, one])).values()];
  }

  /** A synced list must not decide where requests go: sources that only it names are unknown. */
  find(sourceId: string): FoundSource {
    const { sessions, settings } = this.active;
    const source = settings.source(sourceId);
    const isNamed =
      source.kind !== 'http' ||
      settings.sources.some((one) => presentId(one) === source.id) ||
      this.#list.items.some(({ shared, target }) => shared && target.sourceId === source.id);
    const unknown = isNamed ? undefined : vscode.l10n.t('Not an endpoint on this machine');
    const session = sessions.find(source);
    return {
      source,
      unknown: source.kind === 'invalid' ? source.reason : unknown,
      session,
      unitOf: (target): DenomUnit | undefined =>
        target.kind === 'denom' ? session?.stores.supply.unit(target.denom) : undefined,
    };
  }
}

/** Whether the watch list reads a source: it is named on this machine, and is no file. */
export function isPolled({ source, unknown }: FoundSource): boolean {
  return unknown === undefined && source.kind !== 'file';
}
