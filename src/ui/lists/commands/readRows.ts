import * as vscode from 'vscode';
import { groupDigits } from '../../../chain/coin.ts';
import { escapeForUi } from '../../../chain/text.ts';
import { type AnyList, listOfOwner } from '../../../lists/lists.ts';
import type { AnyPager } from '../../../lists/pager.ts';
import type { Session } from '../../../session/session.ts';
import { sentencesText } from '../../../words/language.ts';
import { loadedText } from '../../../words/values.ts';
import { withProgress } from '../../ask.ts';
import { ownerOf, type RowKey } from '../../commands/commandArguments.ts';
import { showInfo } from '../../report.ts';
import { maxTreeRows } from '../rows.ts';

/** The paged list that a row stands for or belongs to. */
export function pagerOf({ lists }: Session, row: RowKey | undefined): AnyPager | undefined {
  const owner = row ? ownerOf(lists, row) : '';
  return listOfOwner(lists, owner)?.pagerOf(owner);
}

/** Reads a list again, as far as it was read before. Rejects with the first failure after all reads ended. */
export async function refreshList(session: Session, list: AnyList): Promise<void> {
  const read = list.pagers.filter(({ started, error }) => started || error !== undefined);
  await session.checkChain();
  const results = await Promise.allSettled(read.map((pager) => (pager.started ? pager.refresh() : pager.loadMore())));
  // After the rows, since they may contain the staking denom.
  if (read.length > 0) await list.loadBeside({ maxAge: 0 });
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Reads the next page, or reads a complete list again. Never rejects, since a failure becomes a row with Retry. */
export async function readFurther(pager: AnyPager | undefined): Promise<void> {
  const isComplete = pager?.started && !pager.hasMore;
  await (isComplete ? pager.refresh() : pager?.loadMore())?.catch(() => undefined);
}

/** Reads a list again, and all others that failed. The cause is often the same. */
export async function retry({ pagers }: Session, pager: AnyPager | undefined): Promise<void> {
  const others = pagers.filter((one) => one !== pager && (one.state === 'failed' || one.silence > 0));
  // Lists share requests, so all reads are stopped before any starts again.
  for (const one of [pager, ...others]) if (one?.silence) one.stop();
  await Promise.all([pager, ...others].map(readFurther));
}

/** Reads a list to its end, with progress and Cancel. Rows that were read before a cancel stay. */
export async function loadAll(pager: AnyPager | undefined): Promise<void> {
  if (!pager) return;
  await readWithProgress(pager, vscode.l10n.t('Loading all rows'), maxTreeRows);
  const { paused, hasMore, rows, unpinnedReason } = pager;
  const notes: string[] = [];
  if (paused)
    notes.push(vscode.l10n.t('Stopped: the last 20 pages had no new rows. To continue, select Continue in the list.'));
  else if (hasMore && rows.length >= maxTreeRows)
    notes.push(vscode.l10n.t('Stopped at {0} rows. Export to get all of them.', groupDigits(rows.length)));
  // The chain continues while a long list is read. Rows of several heights may not add up (docs/nodes.md#heights).
  if (unpinnedReason !== undefined)
    notes.push(vscode.l10n.t('Rows may be from different heights: {0}.', escapeForUi(unpinnedReason)));
  if (notes.length > 0) void showInfo(sentencesText(notes, vscode.l10n.t));
}

/** Reads further pages of a list, with progress and Cancel, up to `limit` rows. Rejects with what failed. */
export function readWithProgress(pager: AnyPager, title: string, limit: number): Promise<void> {
  return withProgress(title, async (signal, show) => {
    const onProgress = (rows: number): void => show(loadedText(rows, pager.total, true, vscode.l10n.t));
    await pager.loadAll({ signal, limit, onProgress });
  });
}
