import * as vscode from 'vscode';
import type { DenomUnit } from '../../chain/coin.ts';
import type { KeyValueStore, SourceMemory } from '../../session/memory.ts';
import type { Session, Sessions } from '../../session/session.ts';
import type { Source } from '../../session/source.ts';
import type { WatchList, WatchTarget } from '../../watch/list.ts';
import type { Watch } from '../../watch/watch.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { Report } from '../report.ts';
import type { Settings } from '../settings.ts';

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

/** What the watch list works with. */
export interface WatchContext {
  readonly active: ActiveSession;
  readonly sessions: Sessions;
  readonly settings: Settings;
  readonly report: Report;
  readonly dialects: SourceMemory;
  readonly globalState: KeyValueStore;
  /** Folder of the bundle: presets and denoms are there. */
  readonly distPath: string;
  /** Shared by all windows of the user. */
  readonly globalStorageUri: vscode.Uri;
  readonly open: (target: Exclude<WatchTarget, { readonly kind: 'everything' }>) => Promise<void>;
}

/** A row of the watch list: what is watched, and the group of all that needs nothing. */
export type WatchNode =
  | { readonly kind: 'watchIdle' }
  | { readonly kind: 'watchEntry'; readonly sourceId: string; readonly key: string };

/** A source by its id. */
export interface FoundSource {
  readonly source: Source;
  /** Why it is not read; undefined where settings of this machine, or of the trusted workspace, name it. */
  readonly unknown: string | undefined;
  readonly session: Session | undefined;
  /** How a denom is shown, where its source is open and states it. */
  readonly unitOf: (target: WatchTarget) => DenomUnit | undefined;
}

/** What the parts of the watch list work with. */
export interface WatchParts extends WatchContext {
  readonly list: WatchList;
  readonly watch: Watch;
  readonly find: (sourceId: string) => FoundSource;
  /** The sources that are shown, configured or watched and can be polled, each once. */
  readonly polled: () => readonly FoundSource[];
}

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
