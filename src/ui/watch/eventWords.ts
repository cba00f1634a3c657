import * as vscode from 'vscode';
import type { DenomUnit } from '../../chain/coin.ts';
import type { WatchTarget } from '../../session/watch/watchEntry.ts';
import type { WatchEvent } from '../../session/watch/watchEvent.ts';
import { amountWords, entryLabel, sinceWords, statusWord } from './entryWords.ts';

/** What happened, in one sentence. */
export function eventWords(event: WatchEvent, target: WatchTarget, unit: DenomUnit | undefined): string {
  const label = entryLabel(target, event.title);
  const { what } = event;
  switch (what.kind) {
    case 'status':
      return vscode.l10n.t('{0}: {1}', label, statusWord(what.to));
    case 'ends':
      return what.period === 'voting'
        ? vscode.l10n.t('{0}: voting ends within {1}', label, hoursWords(what.hours))
        : vscode.l10n.t('{0}: the deposit period ends within {1}', label, hoursWords(what.hours));
    case 'quorum':
      return vscode.l10n.t('{0}: quorum is reached', label);
    case 'verdict':
      return what.to === 'wouldPass'
        ? vscode.l10n.t('{0}: would pass now', label)
        : vscode.l10n.t('{0}: would not pass now', label);
    case 'supply': {
      const [from, to] = [BigInt(what.from), BigInt(what.to)];
      const sign = to > from ? '+' : '−';
      const change = `${sign}${amountWords(to > from ? to - from : from - to, unit)}`;
      return vscode.l10n.t('{0}: {1} {2}', label, change, sinceWords(what.since, Date.now()));
    }
    default:
      return what satisfies never;
  }
}

function hoursWords(hours: number): string {
  if (hours === 1) return vscode.l10n.t('an hour');
  if (hours === 24) return vscode.l10n.t('a day');
  return vscode.l10n.t('{0} hours', hours);
}

/** Several events as one sentence: the first three, and how many more. */
export function mergedWords(sentences: readonly string[]): string {
  const shown = sentences.slice(0, 3).join(' · ');
  return sentences.length > 3 ? vscode.l10n.t('{0} · and {1} more', shown, sentences.length - 3) : shown;
}
