import * as vscode from 'vscode';
import { escapeForUi } from '../../chain/text.ts';
import { findBlock, type HeightQuery, readHeightQuery } from '../../reads/heights.ts';
import type { Session } from '../../session/session.ts';
import { type PastState, presentId, type Source } from '../../session/source.ts';
import type { ActiveSession } from '../activeSession.ts';
import { askText, withProgress } from '../ask.ts';

/** The height that `text` names, otherwise one that the user is asked for. Only endpoints have several heights. */
export async function pickHeight(
  { sessions, settings }: ActiveSession,
  source: Extract<Source, { kind: 'http' }>,
  text?: string,
): Promise<PastState | undefined> {
  const query = readHeightQuery(text ?? '') ?? readHeightQuery((await askHeight(source.setting.name)) ?? '');
  if (!query) return undefined;
  return sessions.use(settings.source(presentId(source)), (session) => findPast(session, query));
}

/** Finds a past block of a source, with progress and Cancel. Throws as `findBlock` does. */
export async function findPast(session: Session, query: HeightQuery): Promise<PastState> {
  const title = vscode.l10n.t('Finding the block on {0}', escapeForUi(session.source.name));
  const { height, time } = await withProgress(title, async (signal, show) => {
    const onRead = (count: number): void => show(count > 1 ? vscode.l10n.t('{0} blocks read', count) : '');
    return findBlock(await session.node(), query, signal, onRead);
  });
  return { height: `${height}`, time: time?.toISOString() };
}

function askHeight(name: string): Promise<string | undefined> {
  return askText({
    title: vscode.l10n.t('Show {0} at block height', escapeForUi(name)),
    prompt: vscode.l10n.t(
      'Height, number of blocks to go back (-1000), UTC time (2026-03-01 14:00) or "before upgrade v15"',
    ),
    ignoreFocusOut: true,
    fault: (typed) =>
      readHeightQuery(typed)
        ? undefined
        : vscode.l10n.t(
            'Type a height (1234567), a number of blocks to go back (-1000), a UTC time (2026-03-01 14:00) or "before upgrade v15"',
          ),
  });
}
