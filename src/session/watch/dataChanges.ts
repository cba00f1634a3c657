import { endsDue } from './endsDue.ts';
import { addTargets, setRules } from './listChanges.ts';
import type { WatchedEntry } from './mergeEntries.ts';
import { entryKey, type WatchTarget } from './watchEntry.ts';
import type { WatchData } from './watchFiles.ts';
import type { WatchRules } from './watchRules.ts';

/** Puts targets on the list. What was read of them long ago is forgotten: it would be reported as a change of today. */
export function addWatched({ list, log }: WatchData, targets: readonly WatchTarget[]): WatchData {
  const keys = new Set(targets.map(entryKey));
  const there = new Set(list.entries.map(({ target }) => entryKey(target)));
  const readings = new Map([...log.readings].filter(([key]) => there.has(key) || !keys.has(key)));
  return { list: addTargets(list, targets), log: { ...log, readings } };
}

/**
 * Gives entries other rules. What these would say of the past counts as said: `timeAt` is the time at a source, `now` this
 * machine's, milliseconds since 1970.
 */
export function changeRules(
  { list, log }: WatchData,
  entries: readonly WatchedEntry[],
  rules: WatchRules,
  now: number,
  timeAt: (sourceId: string) => number,
): WatchData {
  const found = new Map(log.found);
  for (const { key, target } of entries) {
    const reading = log.readings.get(key);
    const due = reading ? endsDue(rules, reading, timeAt(target.sourceId)) : [];
    for (const { id } of due) found.set(`${key} ${id}`, now);
  }
  return { list: setRules(list, entries, rules), log: { ...log, found } };
}
