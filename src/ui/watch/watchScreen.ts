import type * as vscode from 'vscode';
import type { WatchTarget } from '../../watch/list.ts';
import type { OwnVote } from '../../words/proposalWords.ts';
import type { Report } from '../report.ts';

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

/** The view of the watch list, and its ways to the rest of the screen. */
export interface WatchScreen {
  readonly view: vscode.TreeView<WatchNode>;
  readonly report: Report;
  /** Draws the view anew: what is watched, or its state, has changed. */
  readonly redraw: () => void;
  /** Opens the panel of an entry. */
  readonly open: OpenTarget;
}

/** The watch list as the trees need it. */
export interface Watched {
  readonly isWatched: (target: WatchTarget) => boolean;
  readonly votesOn: (sourceId: string, id: bigint) => readonly OwnVote[];
  readonly onDidChange: (listener: () => void) => vscode.Disposable;
}
