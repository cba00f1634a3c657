import type { WatchListData } from './listFormat.ts';
import { entryKey, type Mute, type WatchEntry, type WatchTarget } from './watchEntry.ts';
import { defaultRules, type WatchRules } from './watchRules.ts';

/** An entry that was taken off, and where it stood. */
export interface Removed {
  readonly entry: WatchEntry;
  readonly index: number;
}

/** The list with these entries at its end; those that are there already stay as they are. */
export function addTargets(list: WatchListData, targets: readonly WatchTarget[]): WatchListData {
  return addEntries(
    list,
    targets.map((target) => ({ target, rules: defaultRules, origin: 'user' })),
  );
}

/** The same with rules; what "everything" found becomes the user's own. */
export function addEntries(list: WatchListData, added: readonly WatchEntry[]): WatchListData {
  const keys = new Set(added.map(({ target }) => entryKey(target)));
  const there = new Set(list.entries.map(({ target }) => entryKey(target)));
  const kept = list.entries.map((entry) =>
    keys.has(entryKey(entry.target)) ? { ...entry, origin: 'user' as const } : entry,
  );
  const unseen = new Map(added.map((entry) => [entryKey(entry.target), entry]));
  return { ...list, entries: [...kept, ...[...unseen].flatMap(([key, entry]) => (there.has(key) ? [] : entry))] };
}

/** The list without these entries. "Everything in voting" does not bring them back. */
export function removeKeys(list: WatchListData, keys: ReadonlySet<string>): WatchListData {
  const gone = list.entries.filter(({ target }) => keys.has(entryKey(target)));
  const everything = list.everything.map((one) => {
    const ids = gone.flatMap(({ target }) =>
      target.kind === 'proposal' && target.sourceId === one.sourceId ? [target.id] : [],
    );
    return ids.length > 0 ? { ...one, skipped: [...new Set([...one.skipped, ...ids])] } : one;
  });
  const mutes = new Map([...list.mutes].filter(([key]) => !keys.has(key)));
  return { entries: list.entries.filter(({ target }) => !keys.has(entryKey(target))), everything, mutes };
}

/** The entries with these keys and where they stand, to be put back. */
export function findRemoved(list: WatchListData, keys: ReadonlySet<string>): readonly Removed[] {
  return list.entries.flatMap((entry, index) => (keys.has(entryKey(entry.target)) ? [{ entry, index }] : []));
}

/** Puts back what was taken off, where it stood. */
export function putBack(list: WatchListData, removed: readonly Removed[]): WatchListData {
  const there = new Set(list.entries.map(({ target }) => entryKey(target)));
  const entries = [...list.entries];
  for (const { entry, index } of removed) {
    if (!there.has(entryKey(entry.target))) entries.splice(Math.min(index, entries.length), 0, entry);
  }
  const ids = new Set(removed.map(({ entry }) => entryKey(entry.target)));
  const everything = list.everything.map((one) => ({
    ...one,
    skipped: one.skipped.filter((id) => !ids.has(entryKey({ kind: 'proposal', sourceId: one.sourceId, id }))),
  }));
  return { ...list, entries, everything };
}

/** Moves entries in front of another one, or to the end; their own order stays. */
export function moveKeys(list: WatchListData, keys: ReadonlySet<string>, before: string | undefined): WatchListData {
  const isMoved = ({ target }: WatchEntry) => keys.has(entryKey(target));
  const moved = list.entries.filter(isMoved);
  const rest = list.entries.filter((entry) => !isMoved(entry));
  const at = rest.findIndex(({ target }) => entryKey(target) === before);
  rest.splice(at < 0 ? rest.length : at, 0, ...moved);
  return { ...list, entries: rest };
}

/** Silences entries; undefined lets them speak again. */
export function muteKeys(list: WatchListData, keys: ReadonlySet<string>, mute: Mute | undefined): WatchListData {
  const mutes = new Map(list.mutes);
  for (const key of keys) {
    if (mute === undefined) mutes.delete(key);
    else mutes.set(key, mute);
  }
  return { ...list, mutes };
}

/** Gives entries other rules; one that only the workspace shares becomes an own one, whose rules win. */
export function setRules(list: WatchListData, entries: readonly WatchEntry[], rules: WatchRules): WatchListData {
  const keys = new Set(entries.map(({ target }) => entryKey(target)));
  const own = addEntries(list, entries);
  return {
    ...own,
    entries: own.entries.map((entry) => (keys.has(entryKey(entry.target)) ? { ...entry, rules } : entry)),
  };
}

/** Switches "Watch everything in voting" of a source. What it found stays on the list. */
export function setEverything(list: WatchListData, sourceId: string, on: boolean): WatchListData {
  const others = list.everything.filter((one) => one.sourceId !== sourceId);
  return { ...list, everything: on ? [...others, { sourceId, skipped: [] }] : others };
}

/** Both lists as one; what is in both keeps the rules of `list`. */
export function mergeLists(list: WatchListData, imported: WatchListData): WatchListData {
  const sources = new Set(list.everything.map(({ sourceId }) => sourceId));
  const everything = [...list.everything, ...imported.everything.filter(({ sourceId }) => !sources.has(sourceId))];
  return { ...addEntries(list, imported.entries), everything };
}
