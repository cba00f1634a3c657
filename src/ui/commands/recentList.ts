import type * as vscode from 'vscode';
import { type LookUp, lookUpName, readLookUps, readTexts, withRecent } from '../../session/search.ts';

/** Recent addresses of filters, the latest first. */
export function recentAddresses(state: vscode.Memento): readonly string[] {
  return readTexts(state.get('recentAddresses'));
}

export async function rememberAddress(state: vscode.Memento, address: string): Promise<void> {
  await state.update('recentAddresses', withRecent(recentAddresses(state), address, String));
}

/** Recent look-ups of one source, the latest first. */
export function recentLookUps(state: vscode.Memento, sourceId: string): readonly LookUp[] {
  return readLookUps(state.get('recentLookUps')).filter((entry) => entry.sourceId === sourceId);
}

export async function rememberLookUp(state: vscode.Memento, entry: LookUp): Promise<void> {
  const kept = readLookUps(state.get('recentLookUps'));
  await state.update('recentLookUps', withRecent(kept, entry, lookUpName));
}
