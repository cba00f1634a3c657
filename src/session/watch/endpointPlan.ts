import { nextCheck } from './deadlineChecks.ts';
import { endsDue, nextMark } from './endsDue.ts';
import type { WatchedEntry } from './mergeEntries.ts';
import { isLive, type ProposalReading, periodEnd, type Reading } from './reading.ts';
import { needsTally } from './watchRules.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How old a reading may be to speak of a coming end without asking again. */
const freshEnough = 10 * minute;
/** Votes are counted hourly, and every 10 minutes in the last hour. */
const tallyEvery = { far: hour, near: 10 * minute };
/** An end that was reported is looked at once more: nodes behind one address may disagree for a while. */
const secondLook = 10 * minute;
/** A chain that seems to have been wound back is looked at until that is believed, or was a node that lagged. */
const oddLook = 4 * minute;
/** At most so many rows that are only looked at have their votes counted. */
const mostVisibleTallies = 20;

/** What the plan is made from. Times are of the node's clock. */
export interface PlanInput {
  readonly entries: readonly WatchedEntry[];
  readonly readings: ReadonlyMap<string, Reading>;
  readonly found: ReadonlyMap<string, number>;
  readonly now: number;
  /** When entries whose period has ended were last looked at. */
  readonly looks: ReadonlyMap<string, number>;
  /** Entries that the node could not tell about: not to be asked again before the time. */
  readonly put: ReadonlyMap<string, number>;
  /** When votes were last asked for, whether the node told them or not. */
  readonly tallied: ReadonlyMap<string, number>;
  /** Whether somebody is at the keyboard. */
  readonly focused: boolean;
  readonly visible: ReadonlySet<string>;
}

/** What one entry needs, and when. */
export interface Need {
  readonly entry: WatchedEntry;
  readonly what: 'proposal' | 'supply' | 'tally';
  readonly at: number;
  /** `end`: a period is over and its result is awaited. */
  readonly why: 'first' | 'end' | 'mark' | 'second look' | 'tally';
}

/** All that entries need by themselves, beside the slow look at everything; not sorted. */
export function entryNeeds(input: PlanInput): readonly Need[] {
  const needs: Need[] = [];
  const counted = talliedKeys(input);
  for (const entry of input.entries) {
    const reading = input.readings.get(entry.key);
    const notBefore = input.put.get(entry.key) ?? 0;
    const need = (what: Need['what'], why: Need['why'], at: number) =>
      needs.push({ entry, what, why, at: Math.max(at, notBefore) });
    if (!reading) {
      need(entry.target.kind === 'proposal' ? 'proposal' : 'supply', 'first', input.now);
      continue;
    }
    if (reading.kind === 'denom') continue;
    const end = periodEnd(reading);
    if (end !== undefined) need('proposal', 'end', nextCheck(end, input.looks.get(entry.key)));
    const mark = markDue(entry, reading, input);
    if (mark !== undefined) need('proposal', 'mark', mark);
    const second = secondLookAt(entry, reading, input);
    if (second !== undefined) need('proposal', 'second look', second);
    if (counted.has(entry.key)) {
      const at = tallyAt(entry, reading, input);
      if (at !== undefined) need('tally', 'tally', at);
    }
  }
  return needs;
}

/** Now where an "ends within N hours" is true and nobody was told, else when the next one becomes true. */
function markDue(entry: WatchedEntry, reading: ProposalReading, input: PlanInput): number | undefined {
  const due = endsDue(entry.rules, reading, input.now);
  if (due.some(({ id }) => !input.found.has(`${entry.key} ${id}`))) return input.now;
  return nextMark(entry.rules, reading, input.now);
}

function secondLookAt(entry: WatchedEntry, reading: ProposalReading, input: PlanInput): number | undefined {
  if (isLive(reading) || reading.votingEnd === undefined) return undefined;
  if (reading.odd) return reading.at + oddLook;
  const looked = input.looks.get(entry.key);
  // Only an end that this window saw is looked at again; `looks` is forgotten when that has happened.
  return looked === undefined ? undefined : Math.max(reading.since, reading.votingEnd) + secondLook;
}

/** Entries whose votes are counted: by a rule, or because they are seen, the nearest ends first. */
function talliedKeys(input: PlanInput): ReadonlySet<string> {
  const byRule = input.entries.filter((entry) => needsTally(entry.rules)).map(({ key }) => key);
  if (!input.focused || input.visible.size === 0) return new Set(byRule);
  const end = (entry: WatchedEntry) => {
    const reading = input.readings.get(entry.key);
    return (reading && periodEnd(reading)) ?? Number.POSITIVE_INFINITY;
  };
  const seen = input.entries.filter((entry) => input.visible.has(entry.key)).sort((a, b) => end(a) - end(b));
  return new Set([...byRule, ...seen.slice(0, mostVisibleTallies).map(({ key }) => key)]);
}

/** When the votes are to be counted next: nobody at the keyboard needs them before the last hour. */
function tallyAt(entry: WatchedEntry, reading: ProposalReading, input: PlanInput): number | undefined {
  if (reading.status !== 'voting' || reading.votingEnd === undefined || input.now >= reading.votingEnd)
    return undefined;
  const last = Math.max(reading.tally?.at ?? 0, input.tallied.get(entry.key) ?? 0);
  const near = Math.max(reading.votingEnd - hour, last + tallyEvery.near);
  if (input.focused) return Math.min(near, last + tallyEvery.far);
  return needsTally(entry.rules) ? near : undefined;
}

/** Whether a reading is new enough to speak of a coming end without asking again. */
export function isFresh(reading: Reading | undefined, now: number): boolean {
  return reading !== undefined && Math.abs(now - reading.at) < freshEnough;
}
