import * as vscode from 'vscode';
import type { ProposalRow } from '../../chain/proposal.ts';
import type { Session } from '../../session/session.ts';
import { type Source, toSource } from '../../session/source.ts';
import type { WatchedChain, WatchedSource } from '../../session/watch/watchedSource.ts';
import type { WatchContext } from './watchContext.ts';
import { sharedEntries } from './watchSettings.ts';

/** The source behind an entry, by name. */
export function sourceOf(context: WatchContext, sourceId: string): Source {
  return toSource(sourceId, context.settings.endpoints, vscode.l10n.t('Sample chain'));
}

/**
 * Where an entry is read from. Addresses that the user's settings do not name any more are never asked: a synced list
 * must not decide where requests go.
 */
export function watchedSource(context: WatchContext, sourceId: string): WatchedSource {
  const source = sourceOf(context, sourceId);
  const { name } = source;
  const open = () => openSource(context, source);
  switch (source.kind) {
    case 'sample':
      return { kind: 'live', name, open };
    case 'file':
      return { kind: 'file', name, path: source.path, open };
    case 'http':
      if (isKnown(context, source)) return { kind: 'live', name, open };
      return { kind: 'gone', name, reason: vscode.l10n.t('Not among your endpoints any more') };
    case 'invalid':
      return { kind: 'gone', name, reason: source.reason };
    default:
      return source satisfies never;
  }
}

function isKnown(context: WatchContext, source: Source): boolean {
  const { settings, active } = context;
  const listed = settings.endpoints.some(({ url }) => sourceOf(context, url).id === source.id);
  const shared = () => sharedEntries().some(({ target }) => target.sourceId === source.id);
  return listed || active.session.source.id === source.id || shared();
}

function openSource(context: WatchContext, source: Source): WatchedChain {
  const hold = context.sessions.hold(source);
  const { session } = hold;
  return {
    node: () => session.node(),
    learn: (rows) => session.proposals.update(rows.filter((row) => isNews(session, row))),
    learnSupply: (coin) => {
      session.supply.pager.replace(coin);
      // How the denom is shown: asked once for a session; without an answer the raw amount stays.
      void session.supply.loadUnits().catch(() => undefined);
    },
    release: () => hold.release(),
  };
}

/** Every row that is taken in makes views draw, so only what differs is. */
function isNews(session: Session, row: ProposalRow): boolean {
  const known = session.proposals.known(row.id);
  if (known?.kind !== 'proposal' || row.kind !== 'proposal') return known === undefined;
  return known.status !== row.status || JSON.stringify(known.raw) !== JSON.stringify(row.raw);
}
