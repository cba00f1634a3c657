import * as vscode from 'vscode';
import { withProgress } from '../ask.ts';
import { plain } from '../plain.ts';
import { showInfo } from '../report.ts';
import { amountWords } from './entryWords.ts';
import type { WatchContext } from './watchContext.ts';
import { sourceOf } from './watchSources.ts';

/** Asks the source of a watched denom for its supply, and shows it. */
export async function showCoinOf(context: WatchContext, sourceId: string, denom: string): Promise<void> {
  const hold = context.sessions.hold(sourceOf(context, sourceId));
  try {
    const { supply, source } = hold.session;
    const name = plain(denom);
    const title = vscode.l10n.t('Asking for the supply of {0}', name);
    const coin = await withProgress(title, (signal) => supply.load(denom, signal));
    await supply.loadUnits().catch(() => undefined);
    const copy = vscode.l10n.t('Copy Amount');
    const amount = amountWords(coin.amount, supply.unit(denom));
    const text = vscode.l10n.t('{0} on {1}: {2}', name, plain(source.name), amount);
    void showInfo(text, copy).then(async (choice) => {
      if (choice === copy) await vscode.env.clipboard.writeText(coin.amount.toString());
    });
  } finally {
    await hold.release();
  }
}
