import type * as vscode from 'vscode';
import type { WatchTarget } from '../../watch/watchList.ts';
import type { OwnVote } from '../../words/proposalWords.ts';
import type { Report } from '../report.ts';

/** The ids of the commands of this list, without `chainInspector.`. An id that begins with `_` is not in the manifest. */
export const watchCommandIds = [
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
export type WatchCommand = (typeof watchCommandIds)[number];

/** Opens the panel of an entry. `fromRow`: the user activated its row, which keeps the focus at first. */
export type OpenTarget = (
  target: Exclude<WatchTarget, { readonly kind: 'everything' }>,
  fromRow?: boolean,
) => Promise<void>;

/** A row of the watch list: an entry, or the group of entries that need nothing. */
export type WatchNode =
  | { readonly kind: 'watchIdle' }
  | { readonly kind: 'watchEntry'; readonly sourceId: string; readonly key: string };

/** The view of the watch list, and its ways to the rest of the screen. */
export interface WatchScreen {
  readonly view: vscode.TreeView<WatchNode>;
  readonly report: Report;
  /** Redraws the view, since an entry or its state changed. */
  readonly redraw: () => void;
  /** Opens the panel of an entry. */
  readonly open: OpenTarget;
}

/** The watch list, as the trees use it. */
export interface Watched {
  readonly isWatched: (target: WatchTarget) => boolean;
  readonly votesOn: (sourceId: string, id: bigint) => readonly OwnVote[];
  readonly onDidChange: (listener: () => void) => vscode.Disposable;
}
