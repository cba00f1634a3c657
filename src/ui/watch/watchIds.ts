import * as vscode from 'vscode';
import type { WatchTarget } from '../../watch/list.ts';

/** Commands of the watch list, without `chainInspector.`; one that begins with `_` is not in the manifest. */
export const watchCommands = [
  'watch',
  'unwatch',
  'watchEverything',
  'stopWatchingEverything',
  'mute',
  'unmute',
  'editWatchRules',
  'refreshWatchList',
  'myVoters',
  '_openWatched',
  '_showWatchNews',
] as const;
export type WatchCommand = (typeof watchCommands)[number];

/** Opens the panel of an entry of the watch list. */
export type OpenTarget = (target: Exclude<WatchTarget, { readonly kind: 'everything' }>) => Promise<void>;

/** A row of the watch list: what is watched, and the group of all that needs nothing. */
export type WatchNode =
  | { readonly kind: 'watchIdle' }
  | { readonly kind: 'watchEntry'; readonly sourceId: string; readonly key: string };

/** A setting as it is stored: the effective value of `watch` would be that of the user or of the workspace alone. */
export function readSetting(key: 'watch' | 'voters'): { readonly user: unknown; readonly workspace: unknown } {
  const found = vscode.workspace.getConfiguration('chainInspector').inspect<unknown>(key);
  return { user: found?.globalValue, workspace: found?.workspaceValue };
}

/** Writes the user's setting; an empty array removes it. Rejects where the editor refuses. */
export async function writeSetting(key: 'watch' | 'voters', value: readonly unknown[] | undefined): Promise<void> {
  const stored = value?.length ? value : undefined;
  await vscode.workspace.getConfiguration('chainInspector').update(key, stored, vscode.ConfigurationTarget.Global);
}
