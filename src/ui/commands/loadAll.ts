import * as vscode from 'vscode';
import type { AnyPager } from '../../chain/pager.ts';
import { withProgress } from '../ask.ts';
import { plain } from '../plain.ts';
import { showInfo } from '../report.ts';
import { loadAllWords, loadedText } from '../words.ts';

/** Rows under one parent before the tree gets slow (decision 26); beyond it, an export holds everything. */
export const mostRows = 5000;

/** Reads a list to its end with progress and cancel; what was loaded stays after a cancel. */
export async function loadAll(pager: AnyPager): Promise<void> {
  await withProgress(loadAllWords(pager), async (signal, progress) => {
    const onProgress = (rows: number) => progress(loadedText(rows, pager.total, true));
    await pager.loadAll({ signal, limit: mostRows, onProgress });
  });
  const said = [...stopped(pager), ...unpinned(pager)];
  if (said.length > 0) void showInfo(said.join(' '));
}

function stopped(pager: AnyPager): string[] {
  if (pager.paused) {
    return [vscode.l10n.t('Stopped: the last 20 pages had no new row. The last row of the list goes on from there.')];
  }
  if (!pager.hasMore || pager.rows.length < mostRows) return [];
  const text = vscode.l10n.t(
    'Stopped at {0} rows, which is as many as a tree shows well. Export has all of them.',
    pager.rows.length,
  );
  return [text];
}

/** A crawl takes a while, and the chain goes on: rows of several heights may not add up (docs/nodes.md#heights). */
function unpinned({ heightDropped }: AnyPager): string[] {
  return heightDropped === undefined
    ? []
    : [vscode.l10n.t('The rows may be of several heights: {0}.', plain(heightDropped))];
}
