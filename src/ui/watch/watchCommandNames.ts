/** The commands of the Watch List, without `chainInspector.`. */
export const watchCommands = [
  'watch',
  'watchById',
  'unwatch',
  'toggleWatch',
  'undoUnwatch',
  'watchEverything',
  'stopWatchingEverything',
  'muteForHour',
  'muteForDay',
  'muteForGood',
  'unmute',
  'editWatchRules',
  'openWatched',
  'addWatchedEndpoint',
  'importWatchList',
  'exportWatchList',
  'refreshWatchList',
  'showWatchNews',
  'showWatchRequests',
] as const;

export type WatchCommand = (typeof watchCommands)[number];
