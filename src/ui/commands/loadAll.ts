import * as vscode from 'vscode';
import type { AnyPager } from '../../chain/pager.ts';
import { withProgress } from './lookUp.ts';

/** Rows under one parent before the tree gets slow (decision 26); beyond it, an export holds everything. */
export const mostRows = 5000;

/** Reads a list to its end with progress and cancel; what was loaded stays after a cancel. */
export async function loadAll(pager: AnyPager): Promise<void> {
  await withProgress(vscode.l10n.t('Loading all'), async (signal, progress) => {
    const onProgress = (rows: number) =>
      progress(
        pager.total === undefined
          ? vscode.l10n.t('{0} loaded', rows)
          : vscode.l10n.t('{0} of {1}', rows, pager.total.toString()),
      );
    await pager.loadAll({ signal, limit: mostRows, onProgress });
  });
  if (pager.hasMore && pager.rows.length >= mostRows) {
    const text = vscode.l10n.t(
      'Stopped at {0} rows, which is as many as a tree shows well. Export has all of them.',
      pager.rows.length,
    );
    void vscode.window.showInformationMessage(text);
  }
}
