import type { WatchListData } from './listFormat.ts';
import { entryKey, type Mute, type WatchEntry } from './watchEntry.ts';

/** An entry as it is in effect: of the user, of the list that the workspace shares, or of both. */
export interface WatchedEntry extends WatchEntry {
  readonly key: string;
  /** Named by the workspace's shared list. The user's own rules win over the shared ones. */
  readonly shared: boolean;
  /** Whether the user's own list has it. */
  readonly own: boolean;
  readonly muted: Mute | undefined;
}

/** The user's entries in the user's order, then what only the workspace shares. */
export function mergeEntries(list: WatchListData, shared: readonly WatchEntry[]): readonly WatchedEntry[] {
  const sharedKeys = new Set(shared.map((entry) => entryKey(entry.target)));
  const merged = new Map<string, WatchedEntry>();
  const add = (entry: WatchEntry, own: boolean) => {
    const key = entryKey(entry.target);
    if (merged.has(key)) return;
    merged.set(key, { ...entry, key, own, shared: sharedKeys.has(key), muted: list.mutes.get(key) });
  };
  for (const entry of list.entries) add(entry, true);
  for (const entry of shared) add(entry, false);
  return [...merged.values()];
}

/** Whether an entry is silent at `now`. */
export function isMuted(muted: Mute | undefined, now: number): boolean {
  return muted === 'forGood' || (muted !== undefined && now < muted);
}
