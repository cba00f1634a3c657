import * as vscode from 'vscode';
import type { DenomUnit } from '../../chain/coin.ts';
import type { Dialects } from '../../session/dialects.ts';
import type { Session, Sessions } from '../../session/session.ts';
import type { Source } from '../../session/source.ts';
import type { WatchList, WatchTarget } from '../../watch/list.ts';
import type { Watch } from '../../watch/watch.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { Report } from '../report.ts';
import type { Settings } from '../settings.ts';

/** What the watch list works with. */
export interface WatchContext {
  readonly active: ActiveSession;
  readonly sessions: Sessions;
  readonly settings: Settings;
  readonly report: Report;
  readonly globalState: vscode.Memento;
  /** Shared by all windows of the user. */
  readonly globalStorageUri: vscode.Uri;
  readonly openProposal: (sourceId: string, id: bigint) => Promise<void>;
  readonly dialects: Dialects;
  /** Folder of the bundle: the list of public chains is there. */
  readonly distPath: string;
  /** What is selected in the other views, for commands that were not called on a row. */
  readonly selection: { proposals(): readonly unknown[]; supply(): readonly unknown[] };
}

/** A row of the watch list: a source, and under it what is watched there. */
export type WatchNode =
  | { readonly kind: 'watchSource'; readonly sourceId: string }
  | { readonly kind: 'watchEntry'; readonly sourceId: string; readonly key: string };

/** A source by its id. */
export interface FoundSource {
  readonly source: Source;
  /** Why it is not read; undefined where settings of this machine, or of the trusted workspace, name it. */
  readonly unknown: string | undefined;
  /** What is open of it. */
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

/** Commands of the watch list, without `chainInspector.`; one that begins with `_` is not in the manifest. */
export const watchCommands = [
  'watch',
  'watchById',
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

/** The setting `chainInspector.watch` as it is stored: the effective value would be one of the two alone. */
export function readSetting(): { readonly user: unknown; readonly workspace: unknown } {
  const found = vscode.workspace.getConfiguration('chainInspector').inspect<unknown>('watch');
  return { user: found?.globalValue, workspace: found?.workspaceValue };
}

/** The setting `chainInspector.voters`, which only the user's settings have. */
export function readVotersSetting(): unknown {
  return vscode.workspace.getConfiguration('chainInspector').inspect<unknown>('voters')?.globalValue;
}
