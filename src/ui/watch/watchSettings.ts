import * as vscode from 'vscode';
import { readEntry } from '../../session/watch/listFormat.ts';
import type { NoticeLevel } from '../../session/watch/notices.ts';
import type { WatchEntry } from '../../session/watch/watchEntry.ts';

function get(key: string): unknown {
  return vscode.workspace.getConfiguration('chainInspector').get(key);
}

/** Milliseconds between slow looks; 0 for none. */
export function watchInterval(): number {
  const minutes = get('watchInterval');
  if (typeof minutes !== 'number' || !Number.isFinite(minutes) || minutes <= 0) return minutes === 0 ? 0 : 5 * 60_000;
  return Math.round(Math.min(1440, Math.max(1, minutes)) * 60_000);
}

/** How much the watch list speaks up. */
export function noticeLevel(): NoticeLevel {
  const level = get('watchNotifications');
  return level === 'none' || level === 'statusBar' ? level : 'all';
}

/** Entries that the workspace shares; what cannot be read is left out. */
export function sharedEntries(): readonly WatchEntry[] {
  const value = get('watch');
  return Array.isArray(value) ? value.flatMap(readEntry) : [];
}
