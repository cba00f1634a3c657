import * as vscode from 'vscode';
import { pickOne } from '../ask.ts';

const hour = 3_600_000;

/** How long to be silent: milliseconds, or for good. Undefined when the user leaves. */
export async function askMute(): Promise<number | 'forGood' | undefined> {
  const choices = [
    { label: vscode.l10n.t('For an hour'), time: hour },
    { label: vscode.l10n.t('For a day'), time: 24 * hour },
    { label: vscode.l10n.t('For good'), time: 'forGood' as const },
  ];
  const choice = await pickOne(choices, { title: vscode.l10n.t('Mute') });
  return choice?.time;
}
