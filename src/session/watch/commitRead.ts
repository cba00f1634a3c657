import type { ProposalRow } from '../../chain/proposal.ts';
import { endsDue } from './endsDue.ts';
import { dropLongEnded, followEverything } from './followEverything.ts';
import { isMuted, type WatchedEntry } from './mergeEntries.ts';
import type { Reading } from './reading.ts';
import { type Found, type SeenProposal, takeInProposal, toSeen } from './takeIn.ts';
import { takeInSupply } from './takeInSupply.ts';
import type { WatchEvent } from './watchEvent.ts';
import type { WatchData } from './watchFiles.ts';

/** What one refresh of a source brought. */
export interface Brought {
  readonly sourceId: string;
  readonly entries: readonly WatchedEntry[];
  readonly proposals: ReadonlyMap<string, SeenProposal>;
  readonly supplies: ReadonlyMap<string, bigint>;
  /** All proposals in voting, where they were listed. */
  readonly voting: readonly ProposalRow[] | undefined;
  /** Entries whose coming end is spoken of by what is known already. */
  readonly marks: ReadonlySet<string>;
  /** The node's time and this machine's, milliseconds since 1970. */
  readonly nodeNow: number;
  readonly wallNow: number;
}

/**
 * Stored data with what a refresh brought. Run under the lock on what the file holds, so that an event that any window
 * has found before is not found again.
 */
export function commitRead(data: WatchData, brought: Brought): WatchData {
  const readings = new Map(data.log.readings);
  const found = new Map(data.log.found);
  const events: WatchEvent[] = [];
  const note = (entry: WatchedEntry, title: string | undefined, what: readonly Found[]) => {
    for (const one of what) {
      const id = `${entry.key} ${one.id}`;
      if (found.has(id)) continue;
      found.set(id, brought.wallNow);
      if (one.silent || isMuted(entry.muted, brought.wallNow)) continue;
      events.push({ id, key: entry.key, title, what: one.what, at: brought.wallNow, state: 'pending' });
    }
  };
  for (const entry of brought.entries) {
    const taken = takeIn(entry, readings.get(entry.key), brought);
    if (!taken) continue;
    readings.set(entry.key, taken.reading);
    note(entry, taken.reading.kind === 'proposal' ? taken.reading.title : undefined, taken.found);
  }
  const kept = dropLongEnded(data.list, readings, brought.sourceId, brought.nodeNow);
  const { list, added } = followEverything(kept, brought.sourceId, brought.voting ?? []);
  // What is in voting when everything begins to be watched is no news; what comes to it later is.
  const began = `everything of ${brought.sourceId} began`;
  const rows = new Map((brought.voting ?? []).map((row) => [row.id, row]));
  for (const entry of added) {
    const row = entry.target.kind === 'proposal' ? rows.get(entry.target.id) : undefined;
    if (row?.kind !== 'proposal') continue;
    const taken = takeInProposal(entry.rules, undefined, toSeen(row), brought.nodeNow);
    readings.set(entry.key, taken.reading);
    const isNews = ({ what }: Found) => what.kind === 'status' && found.has(began);
    note(
      entry,
      row.title,
      taken.found.map((one) => ({ ...one, silent: !isNews(one) })),
    );
  }
  if (brought.voting && list.everything.some(({ sourceId }) => sourceId === brought.sourceId)) {
    found.set(began, brought.wallNow);
  }
  return { list, log: { readings, events: [...data.log.events, ...events], found } };
}

function takeIn(entry: WatchedEntry, before: Reading | undefined, brought: Brought) {
  const { rules, key } = entry;
  const seen = brought.proposals.get(key);
  if (seen) return takeInProposal(rules, before?.kind === 'proposal' ? before : undefined, seen, brought.nodeNow);
  const amount = brought.supplies.get(key);
  if (amount !== undefined) {
    return takeInSupply(rules, before?.kind === 'denom' ? before : undefined, amount, brought.nodeNow);
  }
  if (!before || !brought.marks.has(key)) return undefined;
  return { reading: before, found: endsDue(rules, before, brought.nodeNow) };
}
