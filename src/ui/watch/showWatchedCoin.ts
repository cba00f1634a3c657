import * as vscode from 'vscode';
import { withProgress } from '../commands/lookUp.ts';
import { amountWords } from './entryWords.ts';
import type { WatchContext } from './watchContext.ts';
import { sourceOf } from './watchSources.ts';

/** Asks the source of a watched denom for its supply, and shows it. */
export async function showCoinOf(context: WatchContext, sourceId: string, denom: string): Promise<void> {
  const hold = context.sessions.hold(sourceOf(context, sourceId));
  try {
    const { supply, source } = hold.session;
    const title = vscode.l10n.t('Asking for the supply of {0}', denom);
    const coin = await withProgress(title, (signal) => supply.load(denom, signal));
    await supply.loadUnits().catch(() => undefined);
    const copy = vscode.l10n.t('Copy Amount');
    const text = vscode.l10n.t('{0} on {1}: {2}', denom, source.name, amountWords(coin.amount, supply.unit(denom)));
    void vscode.window.showInformationMessage(text, copy).then(async (choice) => {
      if (choice === copy) await vscode.env.clipboard.writeText(coin.amount.toString());
    });
  } finally {
    await hold.release();
  }
}
