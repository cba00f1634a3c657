/** The commands of the Watch List, without `chainInspector.`. */
export const watchCommands = [
  'watch',
  'watchById',
  'unwatch',
  '_toggleWatch',
  'undoUnwatch',
  'watchEverything',
  'stopWatchingEverything',
  'muteForHour',
  'muteForDay',
  'muteForGood',
  'unmute',
  'editWatchRules',
  '_openWatched',
  'addWatchedEndpoint',
  'importWatchList',
  'exportWatchList',
  'refreshWatchList',
  'showWatchNews',
  'showWatchRequests',
] as const;

export type WatchCommand = (typeof watchCommands)[number];
