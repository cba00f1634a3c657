import type { ProposalRow } from '../../chain/proposal.ts';
import type { WatchListData } from './listFormat.ts';
import type { WatchedEntry } from './mergeEntries.ts';
import { isLive, type Reading } from './reading.ts';
import { entryKey, type WatchEntry } from './watchEntry.ts';
import { defaultRules } from './watchRules.ts';

/** How long a proposal that "Watch everything in voting" found stays after its end. */
const keepEnded = 7 * 24 * 3_600_000;

/** The list with the proposals of `voting` that nobody watches yet, if everything of that source is watched. */
export function followEverything(
  list: WatchListData,
  sourceId: string,
  voting: readonly ProposalRow[],
): { readonly list: WatchListData; readonly added: readonly WatchedEntry[] } {
  const everything = list.everything.find((one) => one.sourceId === sourceId);
  if (!everything) return { list, added: [] };
  const known = new Set(list.entries.map((entry) => entryKey(entry.target)));
  const added = voting.flatMap((row): WatchedEntry[] => {
    const target = { kind: 'proposal', sourceId, id: row.id } as const;
    const key = entryKey(target);
    if (row.kind !== 'proposal' || row.status !== 'voting' || everything.skipped.includes(row.id)) return [];
    if (known.has(key)) return [];
    return [{ target, rules: defaultRules, origin: 'everything', key, own: true, shared: false, muted: undefined }];
  });
  const made = added.map(({ target, rules, origin }): WatchEntry => ({ target, rules, origin }));
  return { list: added.length > 0 ? { ...list, entries: [...list.entries, ...made] } : list, added };
}

/** The list without what "everything" put there and what ended a week ago. `now` is the node's time. */
export function dropLongEnded(
  list: WatchListData,
  readings: ReadonlyMap<string, Reading>,
  sourceId: string,
  now: number,
): WatchListData {
  const isOver = (entry: WatchEntry) => {
    if (entry.origin === 'user' || entry.target.sourceId !== sourceId) return false;
    const reading = readings.get(entryKey(entry.target));
    return reading?.kind === 'proposal' && !isLive(reading) && now - reading.since > keepEnded;
  };
  return list.entries.some(isOver) ? { ...list, entries: list.entries.filter((entry) => !isOver(entry)) } : list;
}
