import {
  emptyList,
  readEntry,
  readEverything,
  type WatchEverything,
  type WatchListData,
  writeEntry,
} from './listFormat.ts';
import { entryKey, type WatchEntry } from './watchEntry.ts';

/** A place of keys and JSON values that the editor's settings sync carries to other machines. */
export interface SyncedKeys {
  keys(): readonly string[];
  get(key: string): unknown;
  /** Undefined removes the key. */
  set(key: string, value: unknown): Promise<void>;
}

/** Synced keys start so; one for each entry. */
export const syncedPrefix = 'watch.';
/** What was last the same here and there; not synced itself. */
const baseKey = 'watchMirrored';

/** What other machines changed since the last look, to be made true of the list. */
export interface MirrorChanges {
  readonly put: readonly WatchEntry[];
  readonly putEverything: readonly WatchEverything[];
  readonly remove: readonly string[];
}

/**
 * Compares the list, the synced keys and what both were last: whoever changed since then wins, an edit over a removal.
 * Returns what the list has to take in; `writeMirror` then makes the keys as the list is. Where nothing is stored (the file
 * was lost or kept aside) the keys are the truth.
 */
export function readMirror(list: WatchListData, synced: SyncedKeys): MirrorChanges {
  const base = list === emptyList ? {} : readBase(synced);
  const ours = mirrored(list);
  const put: WatchEntry[] = [];
  const putEverything: WatchEverything[] = [];
  const remove: string[] = [];
  const theirs = new Map(
    synced
      .keys()
      .filter(isSyncedKey)
      .map((key) => [key, textOf(synced.get(key))]),
  );
  for (const [key, text] of theirs) {
    if (text === base[key] || text === ours.get(key)) continue;
    const value: unknown = synced.get(key);
    put.push(...readEntry(value).filter(isMirrored));
    putEverything.push(...(key.startsWith(everythingPrefix) ? readEverything(value) : []));
  }
  for (const [key, text] of Object.entries(base)) {
    if (!theirs.has(key) && ours.get(key) === text) remove.push(key.slice(syncedPrefix.length));
  }
  return { put, putEverything, remove };
}

/** The list with what other machines changed. */
export function applyChanges(list: WatchListData, changes: MirrorChanges): WatchListData {
  const { put, putEverything, remove } = changes;
  if (put.length + putEverything.length + remove.length === 0) return list;
  const added = new Map(put.map((entry) => [entryKey(entry.target), entry]));
  const kept = list.entries.flatMap((entry) => {
    const key = entryKey(entry.target);
    const replaced = added.get(key);
    added.delete(key);
    return replaced ?? (remove.includes(key) ? [] : entry);
  });
  const sources = new Set(putEverything.map(({ sourceId }) => sourceId));
  const everything = list.everything.filter(
    ({ sourceId }) => !sources.has(sourceId) && !remove.includes(everythingName(sourceId)),
  );
  return { ...list, entries: [...kept, ...added.values()], everything: [...everything, ...putEverything] };
}

/** Makes the synced keys as the list is. */
export async function writeMirror(list: WatchListData, synced: SyncedKeys): Promise<void> {
  const ours = mirrored(list);
  for (const key of synced.keys().filter(isSyncedKey)) if (!ours.has(key)) await synced.set(key, undefined);
  for (const [key, text] of ours) if (textOf(synced.get(key)) !== text) await synced.set(key, JSON.parse(text));
  const base = JSON.stringify(Object.fromEntries(ours));
  if (JSON.stringify(readBase(synced)) !== base) await synced.set(baseKey, JSON.parse(base));
}

const everythingPrefix = `${syncedPrefix}everything `;

function isSyncedKey(key: string): boolean {
  return key.startsWith(syncedPrefix);
}

function everythingName(sourceId: string): string {
  return `everything of ${sourceId}`;
}

/** Files of this machine mean nothing to others, and what "everything" found they find themselves. */
function isMirrored(entry: WatchEntry): boolean {
  return isShareable(entry.target.sourceId) && entry.origin === 'user';
}

function isShareable(sourceId: string): boolean {
  return !sourceId.startsWith('file:');
}

/** What the synced keys should be: ids and rules only. */
function mirrored(list: WatchListData): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const entry of list.entries.filter(isMirrored)) {
    keys.set(`${syncedPrefix}${entryKey(entry.target)}`, textOf(writeEntry(entry)));
  }
  for (const { sourceId, skipped } of list.everything.filter((one) => isShareable(one.sourceId))) {
    keys.set(
      `${syncedPrefix}${everythingName(sourceId)}`,
      textOf({ source: sourceId, skipped: skipped.map(String), everything: true }),
    );
  }
  return keys;
}

function readBase(synced: SyncedKeys): Readonly<Record<string, string>> {
  const value = synced.get(baseKey);
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

/** JSON with keys in one order, so that equal values are equal texts. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
